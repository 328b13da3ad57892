"""Advice that is an estimate: what it promises, on many kinds of situations; and luck taken off."""

import random

import numpy as np
import pytest

from solver import deal
from solver.advice.advise import Budget, advise
from solver.goal import Goal
from solver.move import Card
from solver.notation import parse_cards, parse_position, parse_rules, print_move
from solver.referee import Referee
from solver.rules import DIE_SIDES, FACE_NUMBER, FACES, GRADES, RULEBOOK, SPELLS
from solver.search import simulate
from solver.search.outlook import FACE, ROW
from solver.search.outset import judge_of, state_of, value_for
from solver.search.replies import new_scratch
from solver.search.situation import Objective, Situation

MIDDLE = "-/-/r3/t/-/K/-/1/r2/t/-/r/t1/-/r/tr 5 -"
WITH_BOTTLES = MIDDLE.replace("5 -", "5 2/3")
BASE_SPELLS = ("piggyback", "free-wizard", "advance-tower")


def situation_of(position, hand, spells=(), rules=RULEBOOK, **more):
    cards = parse_cards(hand)
    deck = [face.copies for face in FACES]
    for card in cards:
        deck[FACE_NUMBER[card.face]] -= 1
    return Situation(parse_position(position, rules), cards, tuple(deck), 10, spells, rules, **more)


@pytest.fixture(scope="module")
def middle():
    situation = situation_of(MIDDLE, "w3,w1t5,wd2")
    earlier = []
    return situation, advise(situation, news=earlier.append), earlier


def test_the_same_question_has_the_same_answer(middle):
    situation, advice, _ = middle
    assert advise(situation) == advice


def test_every_choice_is_ranked(middle):
    situation, advice, _ = middle
    referee = Referee()
    moves = [print_move(choice.move) for choice in advice.choices if choice.move is not None]
    legal = [
        print_move(turn.move)
        for card in situation.hand
        if not card.has_die
        for turn in referee.legal(situation.position, card)
    ]
    assert sorted(moves) == sorted(legal)
    assert [choice.card for choice in advice.choices if choice.move is None] == [Card("wd2")]
    values = [choice.value for choice in advice.choices]
    assert values == sorted(values)


def test_a_first_list_comes_at_once(middle):
    _, advice, earlier = middle
    assert [each.depth for each in earlier] == list(range(1, advice.depth))
    assert all(len(each.choices) == len(advice.choices) for each in earlier)
    assert [each.positions for each in earlier] == sorted(each.positions for each in earlier)


def test_odds(middle):
    _, advice, _ = middle
    for choice in advice.choices:
        assert len(choice.odds) == len(GRADES)
        assert sum(choice.odds) == pytest.approx(1)
        assert min(choice.odds) >= 0


def test_close_is_what_the_error_says(middle):
    _, advice, _ = middle
    best = advice.choices[0]
    assert not best.close
    for choice in advice.choices[1:]:
        assert choice.error > 0
        assert choice.close == (choice.value - best.value < 2 * choice.error)


def test_an_obvious_move_is_found():
    """One wizard left, who can walk in."""
    advice = advise(situation_of("K/-/r/t/-/-/-/-/r/t/-/r/t/-/r/tr1 11 -", "w1,t3,w4"))
    assert (print_move(advice.choices[0].move), advice.choices[0].value) == ("w1 W15", 11)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_depth(depth):
    advice = advise(situation_of(MIDDLE, "w3,w1t5,t2"), budget=Budget(depth=depth))
    assert (advice.depth, advice.exact) == (depth, False)


def test_few_positions_are_a_quick_answer():
    few = advise(situation_of(MIDDLE, "w3,w1t5,t2"), budget=Budget(nodes=1))
    assert few.depth == 2
    assert few.choices[0].value < 30


def test_the_hand_made_value_works():
    advice = advise(situation_of(MIDDLE, "w3,w1t5,wd2"), budget=Budget(value="hand"))
    assert print_move(advice.choices[0].move) == "w3 W2"  # brings somebody home


def test_few_cards_are_finished_exactly():
    situation = situation_of(MIDDLE, "w3,w1t5,w2t2")
    advice = advise(situation, Objective(within=13))
    assert advice.exact


def random_situation(number):
    rng = random.Random(number)
    rules = parse_rules(rng.choice(["", "", "online", "refresh=on"]))
    spells = tuple(rng.sample([spell.name for spell in SPELLS], 3)) if rng.random() < 0.6 else ()
    position = WITH_BOTTLES if spells else MIDDLE
    hand = ",".join(rng.sample([face.name for face in FACES], rng.choice([1, 2, 3, 3, 4])))
    goal = Goal(home=8, nobody_imprisoned=True) if rng.random() < 0.2 else None
    return situation_of(position, hand, spells, rules, goal=goal), Objective(rng.choice([None, None, 25]))


@pytest.mark.parametrize("number", range(16))
def test_any_situation(number):
    """All spells, options, goals and hands: every choice has a value that can be."""
    situation, objective = random_situation(number)
    advice = advise(situation, objective, Budget(nodes=20_000))
    for choice in advice.choices:
        if objective.within is None:
            assert situation.played <= choice.value <= 90 + 1e-9
        else:
            assert -1e-9 <= choice.value <= 1 + 1e-9
        if choice.plan is not None and choice.plan.replies:
            assert set(choice.plan.replies) == set(range(1, DIE_SIDES + 1))


@pytest.mark.parametrize(("position", "spells"), [(MIDDLE, ()), (WITH_BOTTLES, BASE_SPELLS)], ids=["solo", "spells"])
def test_taking_the_luck_off_leaves_the_average(position, spells):
    situation = situation_of(position, "w3,w1t5,t4", spells)
    judge = judge_of(situation, Objective(), value_for(situation.position))
    scratch = new_scratch(2)
    state = state_of(situation)
    simulate.glance(state, judge, scratch, 0)
    simulate.pick(state, judge, scratch)
    face = int(scratch.card[0])
    row = scratch.replies[0, scratch.best_chosen[0, 0]].copy().reshape(1, ROW)
    row[0, FACE] = face
    games = 600
    adjusted, ends, known = np.empty(games), np.empty(games, dtype=np.int64), np.empty(0, dtype=np.int64)
    outcomes = scratch.best_outcomes[0, :1].copy()
    simulate.play_rollouts(state, face, row, outcomes, 1, 0, known, judge, scratch, adjusted, ends)
    raw = np.empty(games)
    expected, log = np.empty(simulate.MOST_TURNS), simulate.new_log()
    after = simulate.State(*simulate.after_turn(state, row[0]))
    for game in range(games):
        order = simulate.cards_of(after.deck)
        deal.shuffle(order, 2, game)
        raw[game], _ = simulate.play_on(after, order, 1, 2, game, False, np.nan, judge, scratch, expected, log)
    assert raw.min() > 0, "a lost game would count as 90"
    apart = adjusted.mean() - raw.mean()
    assert abs(apart) < 4 * np.hypot(raw.std(), adjusted.std()) / games**0.5
    assert adjusted.std() < 0.9 * raw.std()
