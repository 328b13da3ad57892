"""Looking ahead: against the whole tree where that is small, and against a plain tree of the same depth elsewhere."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import numpy as np
import pytest

import reference
from solver import deal
from solver.layout import pack
from solver.notation import parse_position, parse_spells, print_position
from solver.rules import FACE_NUMBER, FACES
from solver.search.choices import ranked
from solver.search.leaf import leaf_cost
from solver.search.lookahead import EVERY_TURN, Width, glance, pick, turn_cost
from solver.search.outlook import State
from solver.search.outset import before_deal, judge_of, state_of
from solver.search.pile import pile_of
from solver.search.replies import new_scratch
from solver.search.simulate import (
    GOES_ON,
    LOST,
    MOST_TURNS,
    draw,
    new_log,
    play_deals,
    play_of,
    result_of,
    take_turn,
)
from solver.search.situation import Objective, Situation
from solver.value import features
from solver.value.chances import FURTHER, ROWS, STEPS_A_CARD, bell_curves, with_certainties
from solver.value.weights import SOLO, Value, hand_made, shipped
from test_endgame import (
    CASES,
    DIE,
    EXTRA,
    SPELLS,
    Case,
    Node,
    case_of,
    ended,
    goal_met,
    label,
    random_position,
    situation,
    solved,
    turns,
)

SEARCHED = [spell for spell in SPELLS if spell != "draw-two"]  # whose second card is left to the value
NO_REFRESH = ("", "card-limit=22")
BIAS = 8.0  # cards that every position is worth at the least, roughly: far from what is certain


@cache
def any_value():
    """Tables that mean nothing, so that whatever is looked up must be the right entry."""
    weights = np.random.default_rng(1).normal(0, 0.1, features.SIZE).astype(np.float32)
    weights[features.LEFT : features.WHO] += BIAS
    return Value(weights, bell_curves())


@cache
def even_value():
    """The same, with chances that only depend on how many cards there are beyond those expected."""
    spare = np.arange(FURTHER + 1)[None, :] - np.arange(ROWS)[:, None] / STEPS_A_CARD
    return Value(any_value().weights, with_certainties(1 / (1 + np.exp(-spare / 3))))


class Ahead:
    """What `ranked` asks for the costs of turns."""

    def __init__(self, case: Case, depth: int, value: Value, width: Width = EVERY_TURN) -> None:
        asked = situation(case)
        self.state = state_of(asked)
        self.judge = judge_of(asked, Objective(case.within, case.loss), value)
        self.aim = self.judge.aim
        self.depth, self.width = depth, width
        self.scratch = new_scratch(depth)

    def cost(self, row, limit):
        return turn_cost(self.state, row, self.depth, self.width, self.judge, self.scratch)


def looked_at(case: Case, depth: int, value: Value) -> dict[str, float]:
    found = ranked(situation(case), Objective(case.within, case.loss), Ahead(case, depth, value))
    return {label(choice, case): choice.value for choice in found}


# Against the whole tree ------------------------------------------------------------------------------------------


def small(case: Case) -> bool:
    """Whether the lookahead leaves nothing of it to the value but what lies beyond its depth."""
    return case.rules in NO_REFRESH and "draw-two" not in case.spells and len(case.deck) <= 3


SMALL = [(group, number) for group, number in CASES if small(case_of(group, number).case)]


@pytest.mark.parametrize(("group", "number"), SMALL)
def test_deep_enough_it_is_exact(group, number):
    case = case_of(group, number).case
    casts = int(case.position.split()[-1].partition("/")[0]) if "retrieve-card" in case.spells else 0
    depth = len(case.deck) + len(case.hand) - 3 + casts + 1
    exact = {label(choice, case): choice.value for choice in solved(case)}
    assert looked_at(case, depth, any_value()) == pytest.approx(exact, abs=1e-6)


def test_the_small_cases_are_worth_it():
    cases = [case_of(*name).case for name in SMALL]
    assert len(cases) >= 100
    assert len({spell for case in cases for spell in case.spells}) == len(SPELLS) - 1
    assert min(Counter(case.within is None for case in cases).values()) >= 30
    assert len({case.loss for case in cases}) == 3


# Against a plain tree --------------------------------------------------------------------------------------------


class Plain:
    """The tree of a depth by the rules of the reference engine, with nothing shared and nothing left out."""

    def __init__(self, case: Case, value: Value) -> None:
        self.case = case
        self.judge = judge_of(situation(case), Objective(case.within, case.loss), value)
        self.patterns = np.empty(features.SCRATCH, dtype=np.int64)
        self.leaves: dict[tuple[Node, int], float] = {}

    def leaf(self, node: Node, owed: int) -> float:
        if (node, owed) not in self.leaves:
            hand, deck = (pile_of(FACE_NUMBER[face] for face in cards) for cards in (node.hand, node.deck))
            packed = pack(parse_position(node.position))
            after = State(*packed, hand, deck, owed, len(node.deck), node.played)
            self.leaves[node, owed] = leaf_cost(after, self.judge, self.patterns)
        return self.leaves[node, owed]

    def turn(self, node: Node, text: str, after: str, depth: int) -> float:
        status, following, owed = ended(self.case, node, text.split(), after)
        late = self.case.within is not None and following.played > self.case.within
        if status == "lost" or late:
            return self.case.loss if self.case.within is None else 1.0
        if status == "won":
            return following.played if self.case.within is None else 0.0
        return self.leaf(following, owed) if depth == 1 else self.drawn(following, owed, depth - 1)

    def drawn(self, node: Node, owed: int, depth: int) -> float:
        if owed == 0:
            return min(self.choices(node, depth).values())
        total = 0.0
        for card, number in Counter(node.deck).items():
            deck = list(node.deck)
            deck.remove(card)
            following = node._replace(hand=tuple(sorted((*node.hand, card))), deck=tuple(deck))
            total += number * self.drawn(following, owed - 1, depth)
        return total / len(node.deck)

    def choices(self, node: Node, depth: int) -> dict[str, float]:
        found: dict[str, float] = {}
        for card in dict.fromkeys(node.hand):
            if card in reference.MOST_ROLLS:
                found[card] = self.rolled(node, card, reference.MOST_ROLLS[card], self.by_roll(node, card, depth))
            else:
                found |= self.turns(node, card, depth)[None]
        return found

    def turns(self, node: Node, card: str, depth: int) -> dict[int | None, dict[str, float]]:
        """The cost of each turn, by the roll of an extra-roll."""
        found: dict[int | None, dict[str, float]] = {roll: {} for roll in (None, *DIE)}
        for text, after in turns(node.position, card, self.case.spells, self.case.rules):
            cast = [word.partition("=")[2] for word in text.split() if word.startswith(f"+{EXTRA}")]
            found[int(cast[0]) if cast else None][text] = self.turn(node, text, after, depth)
        return found

    def by_roll(self, node: Node, face: str, depth: int) -> list[float]:
        """What each last roll costs."""
        costs = []
        for roll in DIE:
            found = self.turns(node, f"{face}={roll}", depth)
            ways = [min(found[None].values())]
            if found[1]:
                ways.append(sum(min(found[each].values()) for each in DIE) / 6)
            costs.append(min(ways))
        return costs

    def rolled(self, node: Node, face: str, left: int, costs: list[float]) -> float:
        if left == 1:
            return sum(costs) / 6
        again = self.rolled(node, face, left - 1, costs)
        return sum(min(cost, again) for cost in costs) / 6


def middle_case(name: str, size: int, within: bool, held: int = 3) -> Case:
    """A position with few pieces and so many cards left in the deck."""
    dice = random.Random(name)
    spells = tuple(dice.sample(SEARCHED, 2))
    full = dice.randint(1, 3) if dice.random() < 0.6 else None
    while True:
        position = random_position(dice, "plain", full, 2)
        if not goal_met(position, None, "") and position.split()[-1][-1] in "-0":
            break
    if full is None:
        spells = ()
    cards = [face for face, copies in reference.DECK.items() for _ in range(copies)]
    dice.shuffle(cards)
    played = dice.randint(0, 6) if size > 60 else 30
    deck = cards[held : held + size] if size < 60 else cards[held : len(cards) - played]
    goal = played + dice.choice((2, 4, 9, 12)) if within else None
    return Case(position, tuple(cards[:held]), tuple(deck), played, spells, within=goal, loss=dice.choice((90, 45)))


def check_depth(case: Case, depth: int, value: Value) -> None:
    plain = Plain(case, value)
    root = Node(case.position, tuple(sorted(case.hand)), tuple(sorted(case.deck)), case.played)
    costs = plain.choices(root, depth)
    values = costs if case.within is None else {name: 1 - cost for name, cost in costs.items()}
    assert looked_at(case, depth, value) == pytest.approx(values, abs=1e-6)


@pytest.mark.parametrize("number", range(40))
def test_one_turn_is_a_plain_tree(number):
    check_depth(middle_case(f"one {number}", 90, False, 3 + number % 2), 1, any_value())
    check_depth(middle_case(f"one, soon {number}", 20, number % 2 == 0), 1, even_value())


@pytest.mark.parametrize("number", range(2 * len(SEARCHED)))
def test_one_turn_of_a_whole_board_is_a_plain_tree(number):
    case = middle_case(f"begin {number}", 90, False)
    others = [SEARCHED[each % len(SEARCHED)] for each in (number, number + 1 + number // len(SEARCHED))]
    full, spells = ("3/3", tuple(others)) if number % 4 else ("-", ())
    start = print_position(parse_position("start-spells")).removesuffix("0/6") + full
    check_depth(case._replace(position=start, spells=spells), 1, any_value())


@pytest.mark.parametrize("number", range(6))
def test_two_turns_are_a_plain_tree(number):
    check_depth(middle_case(f"two {number}", 90, False), 2, any_value())


@pytest.mark.parametrize("number", range(16))
def test_two_turns_with_few_cards_are_a_plain_tree(number):
    check_depth(middle_case(f"two, soon {number}", 4 + number % 4, number % 2 == 0, 3 + number // 8), 2, even_value())


@pytest.mark.parametrize("number", [0, 1, 2, 3, 5])
def test_three_turns_are_a_plain_tree(number):
    check_depth(middle_case(f"three {number}", 4, number % 2 == 0), 3, even_value())


# Games -----------------------------------------------------------------------------------------------------------

START_SPELLS = ("start-spells", "advance-wizard,retrieve-card,extra-roll")
GAMES = {
    "solo": ("start", "", lambda: shipped(SOLO)),
    "hand": ("start", "", hand_made),
    "spells": (*START_SPELLS, hand_made),
    "other spells": ("start-spells", "draw-two,movement-swap,free-wizard", hand_made),
}


@pytest.mark.parametrize("name", GAMES)
def test_games_are_the_same_in_a_kernel_and_outside(name):
    text, spells, value = GAMES[name]
    asked = Situation(parse_position(text), (), tuple(face.copies for face in FACES), 0, parse_spells(spells))
    judge, scratch, start, log = judge_of(asked, Objective(), value()), new_scratch(1), before_deal(asked), new_log()

    def play(seed, first, number):
        out, expected = np.empty(number, dtype=np.int64), np.empty((1, MOST_TURNS))
        play_deals(start, seed, first, False, np.nan, judge, scratch, expected, log, out, np.empty(number))
        return out.tolist()

    def play_outside(seed, game):
        order = deal.deck(seed, game)
        after, turn, result = start, 0, GOES_ON
        while result == GOES_ON:
            state, turn = State(*draw(after, order)), turn + 1
            glance(state, judge, scratch, 0)
            pick(state, judge, scratch)
            play, _ = play_of(scratch.card[0], state.a, turn, seed, game, judge, scratch)
            after = State(*take_turn(state, play, scratch))
            result = result_of(after, judge.aim)
        return result

    found = play(5, 10, 20)
    assert found == play(5, 10, 20) == play(5, 10, 7) + play(5, 17, 13)
    assert found != play(6, 10, 20)
    assert found == [play_outside(5, game) for game in range(10, 30)]
    assert all(cards == LOST or 12 <= cards < 90 for cards in found)
