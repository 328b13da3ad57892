"""Players: their names, that what they play is legal, that luck is what it says, and policies of one's own."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from solver import deal
from solver.advice.estimate import Estimate
from solver.errors import Refused
from solver.game import replay
from solver.notation import parse_position, parse_record, parse_rules, parse_spells, print_record
from solver.policy.names import CATALOGUE, parse_policy
from solver.policy.own import OwnPlayer
from solver.policy.player import hands_of, order_of
from solver.policy.players import digest_of, player_for
from solver.rules import FACE_NUMBER, FACES
from solver.search.endgame import choices
from solver.search.exact import Limits
from solver.search.outset import value_for
from solver.search.simulate import LOST, UNDECIDED
from solver.search.situation import EVERY_CARD, Objective, Situation

BASE = ("piggyback", "free-wizard", "advance-tower")
ODD = ("retrieve-card", "draw-two", "extra-roll")
STARTS = {
    "solo": ((), ""),
    "base spells": (BASE, ""),
    "odd spells": (ODD, ""),
    "online": (("swap-towers", "movement-swap", "extra-roll"), "online"),
}


def start_of(spells=(), rules="", position=None):
    read = parse_rules(rules)
    board = parse_position(position or ("start-spells" if spells else "start"), read)
    return Situation(board, (), EVERY_CARD, 0, tuple(spells), read)


def player(name, start=None, seed=3, with_luck=False):
    return player_for(parse_policy(name), start or start_of(), seed, with_luck)


# Names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("learned", "learned"),
        (" Greedy ", "greedy"),
        ("random:", "random"),
        ("expectimax:depth=2", "expectimax"),
        ("expectimax:value=hand,depth=03", "expectimax:depth=3,value=hand"),
        ("learned:within=30", "learned:within=30"),
        ("learned:within=none", "learned"),
        ("clairvoyant:width=10", "clairvoyant:width=10"),
        ("my.module:Mine", "my.module:Mine"),
        ("mine:Mine,depth=3,name=a b", "mine:Mine,depth=3,name=a b"),
    ],
)
def test_names(text, canonical):
    name = parse_policy(text)
    assert str(name) == canonical
    assert parse_policy(str(name)) == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected one of random, greedy"),
        ("nobody", "expected one of random, greedy"),
        ("mine:", "module:Class"),
        ("mine:Mine,name=\x1b[31m", r"can be printed, not 'mine:Mine,name=\\x1b"),
        ("learned:depth=2", "no parameter 'depth'; its parameters are within"),
        ("random:x=1", "no parameter 'x'; it has no parameters"),
        ("expectimax:depth=0", "depth: expected a number from 1 to 4"),
        ("expectimax:depth=5", "depth: expected a number from 1 to 4"),
        ("expectimax:depth", "expected name=value"),
        ("expectimax:depth=1,depth=2", "given twice"),
        ("expectimax:value=best", "value: expected learned or hand"),
        ("learned:within=91", "within: expected a number from 1 to 90 or none"),
    ],
)
def test_names_that_there_are_not(text, message):
    with pytest.raises(Refused, match=message):
        parse_policy(text)


def test_the_catalogue_is_what_can_be_named():
    for entry in CATALOGUE:
        options = ",".join(f"{each.name}={each.usual}" for each in entry.parameters)
        assert str(parse_policy(f"{entry.name}:{options}")) == entry.name
        player_for(parse_policy(entry.name), start_of(), 1)


def test_a_learned_policy_is_known_by_its_tables():
    start = start_of()
    assert digest_of(parse_policy("learned"), start) == value_for(start.position).digest
    assert digest_of(parse_policy("learned"), start_of(BASE)) != digest_of(parse_policy("learned"), start)
    assert digest_of(parse_policy("expectimax:value=hand"), start) == ""


# Games ------------------------------------------------------------------------------------------------------

MANY = {"random": 12, "greedy": 12, "learned": 12, "learned:within=30": 6, "expectimax": 1, "clairvoyant:width=5": 1}
PLAYED = [(name, setting) for name in MANY for setting in STARTS if "clair" not in name or setting == "solo"]


@pytest.mark.parametrize(("name", "setting"), PLAYED)
def test_every_game_is_legal_and_comes_out_as_told(name, setting):
    someone = player(name, start_of(*STARTS[setting]))
    games = someone.play(5, MANY[name])
    assert len(games.cards) == MANY[name]
    for game, cards in enumerate(games.cards.tolist(), start=5):
        record = someone.record(game)
        written = parse_record(print_record(record))
        end = [step.after for step in replay(written)][-1]
        assert written.result == ("lost" if cards == LOST else f"won {cards}")
        assert end.status == written.result.split()[0]


@pytest.mark.parametrize("name", ["random", "learned"])
def test_games_depend_on_their_number_alone(name):
    someone, other = player(name), player(name)
    together = someone.play(10, 30).cards.tolist()
    assert other.play(25, 15).cards.tolist() == together[15:]
    assert other.play(10, 15).cards.tolist() == together[:15]
    assert name == "random" or player(name, seed=4).play(10, 30).cards.tolist() != together


def test_two_policies_meet_the_same_cards():
    records = [player(name).record(8) for name in ("greedy", "learned", "random")]
    assert len({record.hand for record in records}) == 1
    order = order_of(start_of(), 3, 8)
    for record in records:
        drawn = [card for turn in record.turns for card in turn.drawn]
        assert (*record.hand, *drawn) == order[: 3 + len(drawn)]
        for number, turn in enumerate(record.turns, start=1):
            thrown = turn.move.card.rolls
            assert thrown == tuple(deal.roll(3, 8, number, each) for each in range(len(thrown)))


def test_random_takes_any_card_and_never_wins():
    someone = player("random")
    firsts = Counter()
    for game in range(150):
        record = someone.record(game)
        firsts[[card.face for card in record.hand].index(record.turns[0].move.card.face)] += 1
        assert record.result == "lost"
        assert len(record.turns) == 87
    assert sum(firsts.values()) == 150
    assert max(firsts.values()) < 80  # a third each, but the first of two that are alike


def test_better_policies_need_fewer_cards():
    mean = {name: player(name).play(0, 100).cards.mean() for name in ("greedy", "learned", "expectimax")}
    assert mean["expectimax"] < mean["learned"] < 25 < mean["greedy"]


def test_playing_for_the_chance_wins_more_often():
    start = start_of()
    cards = {name: player(name, start).play(0, 4000).cards for name in ("learned", "learned:within=22")}
    in_time = {name: np.mean((each >= 0) & (each <= 22)) for name, each in cards.items()}
    assert in_time["learned:within=22"] > in_time["learned"]


def test_who_knows_the_deck_needs_fewer_cards():
    clairvoyant = player("clairvoyant:width=100").play(0, 10).cards
    assert np.all(clairvoyant <= player("learned").play(0, 10).cards)


def test_a_game_without_a_line_is_undecided():
    hopeless = start_of(BASE, position="start-spells", rules="card-limit=2")
    assert player("clairvoyant:width=1", hopeless).play(0, 2).cards.tolist() == [UNDECIDED] * 2


# Luck -------------------------------------------------------------------------------------------------------


def test_the_first_hands_are_all_there_are():
    deck = (2, 1, 0, 3)
    hands = list(hands_of(deck, 3))
    assert sum(hand.chance for hand in hands) == pytest.approx(1)
    assert len({hand.faces for hand in hands}) == len(hands) == 6
    assert {hand.faces: hand.chance for hand in hands}[(3, 3, 3)] == pytest.approx(1 / 20)
    assert len(list(hands_of(EVERY_CARD, 3))) > 2000


@pytest.mark.parametrize(("setting", "games"), [("solo", 1500), ("base spells", 150), ("odd spells", 150)])
def test_luck_changes_nothing_but_the_spread(setting, games):
    start = start_of(*STARTS[setting])
    plain = player("learned", start).play(0, games)
    measured = player("learned", start, with_luck=True).play(0, games)
    assert measured.cards.tolist() == plain.cards.tolist()
    assert not plain.lucks.any()
    luck = measured.lucks
    assert abs(luck.mean()) < 4 * luck.std() / games**0.5
    assert (measured.cards - luck).var() < 0.4 * measured.cards.var()


def test_luck_of_a_deeper_player():
    someone = player("expectimax", with_luck=True)
    games = someone.play(0, 40)
    assert games.cards.tolist() == player("expectimax").play(0, 40).cards.tolist()
    assert (games.cards - games.lucks).var() < 0.6 * games.cards.var()
    assert someone.expected == player("learned", with_luck=True).expected


@pytest.mark.parametrize("name", ["random", "clairvoyant", "learned:within=30"])
def test_no_luck_without_a_value_in_cards(name):
    with pytest.raises(Refused, match="luck cannot be taken off"):
        player(name, with_luck=True)


# One's own --------------------------------------------------------------------------------------------------

LIMITS = Limits(nodes=1_000_000, memory=1 << 30)


def as_option(choice, options):
    """The option that a choice stands for."""
    for option in options:
        if option.move == choice.move and (choice.move is not None or option.card.face == choice.card.face):
            return option
    raise AssertionError(choice)


class Perfect:
    """Knows the exact value of everything."""

    def choose(self, situation, options):
        return as_option(choices(situation, Objective(), LIMITS)[0], options)

    def value(self, situation):
        return choices(situation, Objective(), LIMITS)[0].value


class OneTurn:
    """Looks one turn ahead with the learned value, by way of plain objects."""

    def choose(self, situation, options):
        estimate = Estimate(situation, Objective(), value_for(situation.position))
        return as_option(estimate.ranked()[0], options)


class GivesUp:
    def choose(self, situation, options):
        return None


class Cheats:
    def choose(self, situation, options):
        return options[0]._replace(after=situation.position)


class Fails:
    def choose(self, situation, options):
        raise RuntimeError("no idea")


class Leaves:
    def choose(self, situation, options):
        raise SystemExit(0)


class Rambles:
    def choose(self, situation, options):
        raise RuntimeError("no\n\n\x1b[31midea" + "!" * 10_000)


class LeavesAtOnce:
    def __init__(self):
        raise SystemExit


class Values:
    """Expects what it is told to expect, at once or once it is asked in a game."""

    TOLD = {"nan": float("nan"), "inf": float("-inf"), "huge": 1e300, "large": 10**400, "text": "23", "nothing": None}

    def __init__(self, told, later=""):
        self.told, self.later = self.TOLD[told], later

    def choose(self, situation, options):
        return options[0]

    def value(self, situation):
        return 23 if self.later and situation.played == 0 else self.told


def own(name, start=None, seed=3, with_luck=False):
    return OwnPlayer(parse_policy(f"test_policy:{name}"), start or start_of(), seed, with_luck)


def tiny(position, deck, spells=()):
    counts = [0] * len(FACES)
    for face in deck.split(","):
        counts[FACE_NUMBER[face]] += 1
    return Situation(parse_position(position), (), tuple(counts), 0, parse_spells(",".join(spells)))


@pytest.mark.parametrize(
    "start",
    [
        tiny("-/-/-/-/K/-/-/-/-/-/-/-/-/1/1/- 10 -", "w5,w1t5,w4,wd2,t3,w4t2,w2t2"),
        tiny("-/-/-/-/K/-/-/-/-/-/-/-/1/-/1r/- 10 -", "wtd1,w1,w2t4,w3,t3,wd3,t2,w4"),
        tiny("-/1/1/-/K/-/-/r/-/-/-/-/-/-/-/- 10 2/0", "wtd1,w1,w3,w4,t3,w2,w5", ("draw-two", "advance-wizard")),
    ],
    ids=["two wizards", "one under a tower", "spells"],
)
def test_with_an_exact_value_all_that_is_left_is_the_expectation(start):
    someone = own("Perfect", start, with_luck=True)
    games = someone.play(0, 12)
    costs = np.where(games.cards == LOST, 90, games.cards)
    assert len(set(costs.tolist())) > 1, "there must be some luck to take off"
    assert costs - games.lucks == pytest.approx(someone.expected, abs=1e-9)


def test_plain_objects_play_as_kernels_do():
    """One turn ahead, chosen in plain Python at every point of a turn, comes to the same games as the kernel's."""
    for setting in ("solo", "base spells"):
        start = start_of(*STARTS[setting])
        mine, kernel = own("OneTurn", start), player("learned", start)
        assert mine.play(0, 6).cards.tolist() == kernel.play(0, 6).cards.tolist()
        assert print_record(mine.record(2)) == print_record(kernel.record(2))


def test_giving_up_is_undecided():
    assert own("GivesUp").play(0, 3).cards.tolist() == [UNDECIDED] * 3


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Cheats", "failed in game 7 of seed 3, turn 1: ValueError: .*none of the options"),
        ("Fails", "failed in game 7 of seed 3, turn 1: RuntimeError: no idea"),
        ("Leaves", "failed in game 7 of seed 3, turn 1: SystemExit: 0"),
        ("Rambles", r"failed in game 7 of seed 3, turn 1: RuntimeError: no \\x1b\[31midea!{200,300}\.\.\.$"),
    ],
)
def test_faults_of_a_policy_name_the_place(name, message):
    with pytest.raises(Refused, match=message):
        own(name).play(7, 1)


@pytest.mark.parametrize("told", Values.TOLD)
def test_values_that_are_no_number_of_cards(told):
    assert own(f"Values,told={told}").play(0, 1).cards.tolist() != []
    fault = "OverflowError" if told == "large" else r"ValueError: value\(\) returned .*, no number from -1000 to 1000"
    with pytest.raises(Refused, match=f"failed before the first game: {fault}"):
        own(f"Values,told={told}", with_luck=True)
    someone = own(f"Values,told={told},later=yes", with_luck=True)
    with pytest.raises(Refused, match=f"failed in game 7 of seed 3, turn [12]: {fault}"):
        someone.play(7, 1)


def test_numbers_of_numpy_are_numbers(monkeypatch):
    monkeypatch.setitem(Values.TOLD, "numpy", np.float32(23.5))
    assert own("Values,told=numpy", with_luck=True).expected == pytest.approx(23.5)


@pytest.mark.parametrize("name", ["Nobody", "OneTurn,depth=3", "LIMITS", "LeavesAtOnce"])
def test_classes_that_are_no_policy(name):
    with pytest.raises(Refused, match="cannot use the policy"):
        own(name)


def test_luck_needs_a_value():
    with pytest.raises(Refused, match="no method 'value"):
        own("OneTurn", with_luck=True)
