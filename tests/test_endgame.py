"""The exact values of a turn's choices against brute force over the reference engine, in fractions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import count
from textwrap import wrap
from typing import NamedTuple

import pytest

import reference
from solver.errors import Refused
from solver.move import Card
from solver.notation import parse_cards, parse_position, parse_rules, parse_spells, print_move
from solver.notation.goals import parse_goal
from solver.notation.moves import print_piece
from solver.rules import FACES
from solver.search import endgame
from solver.search.endgame import choices
from solver.search.exact import Limits
from solver.search.situation import Choice, Objective, Situation
from test_exact import part_met

SPELLS = tuple(reference.SPELL_COSTS)
GROUPS = {"plain": 50, "die": 50, "refresh": 30, "triple": 40, "goal": 36} | dict.fromkeys(SPELLS, 8)
CASES = [(group, number) for group, count in GROUPS.items() for number in range(count)]
MOST_TURNS = 3000  # a case that brute force must look at more turns for is not used
# Most random cases are dull, or too much for brute force. These are not, by group; `python tests/test_endgame.py` looks
# for such seeds and prints this table, which must be done anew whenever the way to make cases changes.
SEEDS: dict[str, list[int]] = {
    "plain": [7, 16, 21, 25, 30, 44, 51, 56, 64, 66, 67, 72, 75, 86, 91, 93, 103, 106, 107, 108, 121, 135, 136,
        139, 142, 146, 156, 161, 169, 170, 177, 189, 191, 195, 197, 213, 215, 221, 223, 224, 225, 229, 231, 244,
        246, 248, 250, 252, 258, 259],
    "die": [0, 9, 12, 20, 31, 32, 35, 42, 43, 45, 57, 58, 60, 68, 95, 97, 102, 104, 120, 121, 125, 132, 145, 149,
        161, 182, 192, 198, 210, 211, 213, 215, 226, 237, 240, 244, 280, 288, 293, 294, 303, 337, 342, 357, 375,
        407, 409, 412, 424, 425],
    "refresh": [209, 783, 830, 836, 848, 852, 862, 872, 880, 881, 903, 908, 910, 914, 949, 950, 956, 967, 984,
        985, 994, 1001, 1024, 1025, 1027, 1032, 1036, 1041, 1048, 1054],
    "triple": [0, 1, 5, 6, 7, 20, 30, 38, 40, 42, 46, 47, 54, 56, 60, 67, 76, 81, 87, 88, 93, 98, 109, 114, 115,
        131, 133, 138, 139, 141, 144, 149, 152, 153, 154, 165, 169, 175, 197, 198],
    "goal": [0, 7, 14, 26, 30, 32, 34, 38, 42, 44, 52, 61, 63, 69, 70, 76, 80, 101, 103, 104, 106, 110, 114, 120,
        121, 141, 151, 164, 168, 169, 176, 189, 197, 207, 224, 230],
    "advance-wizard": [13, 14, 18, 19, 23, 24, 29, 35],
    "headwind-wizard": [17, 24, 26, 27, 33, 37, 42, 47],
    "advance-tower": [5, 13, 17, 49, 50, 53, 54, 58],
    "headwind-tower": [16, 20, 23, 25, 28, 35, 37, 55],
    "swap-towers": [21, 38, 50, 71, 77, 83, 96, 108],
    "nudge-keep": [3, 15, 36, 39, 43, 48, 51, 57],
    "free-wizard": [14, 79, 102, 126, 133, 136, 147, 154],
    "piggyback": [85, 116, 132, 140, 142, 145, 153, 168],
    "fill-potion": [12, 19, 29, 81, 82, 85, 87, 99],
    "retrieve-card": [7, 14, 15, 17, 19, 28, 33, 41],
    "draw-two": [19, 44, 81, 89, 93, 117, 129, 132],
    "extra-roll": [20, 35, 48, 49, 64, 68, 86, 104],
    "movement-swap": [0, 21, 27, 30, 31, 36, 44, 45],
    "close-keep": [1, 30, 32, 47, 50, 58, 62, 68],
}  # fmt: skip
COSTS = "swap-towers=1, free-wizard=0, draw-two=0, piggyback-in-solo=off"
RULES = {  # the same rule set in the project's words and in the reference engine's
    "": reference.RULEBOOK,
    "refresh=on": {"refresh": True},
    "card-limit=22": {"card_limit": 22},
    "refresh=on, card-limit=25": {"refresh": True, "card_limit": 25},
    COSTS: {"costs": {"swap-towers": 1, "free-wizard": 0, "draw-two": 0}, "piggyback_in_solo": False},
    "online": reference.ONLINE,
}
DIE = range(1, 7)
AGAIN, EXTRA = "roll again", "extra-roll"  # choices that are not written as a whole turn
Cards = tuple[str, ...]


class Case(NamedTuple):
    position: str
    hand: Cards
    deck: Cards
    played: int = 20
    spells: tuple[str, ...] = ()
    rules: str = ""
    goal: str | None = None
    within: int | None = None
    loss: int = 90
    rolled: str | None = None


class Node(NamedTuple):
    position: str
    hand: Cards  # sorted
    deck: Cards  # sorted
    played: int


@cache
def goal_met(position: str, goal: str | None, rules: str) -> bool:
    if goal is None:
        return reference.goal_reached(position, RULES[rules])
    board = reference.parse_position(position)
    return all(part_met(board, part) for part in goal.split(" and "))


@lru_cache(5000)
def turns(position: str, card: str, spells: tuple[str, ...], rules: str) -> list[tuple[str, str]]:
    return reference.turns(position, card, spells, RULES[rules])


def ended(case: Case, node: Node, words: list[str], after: str) -> tuple[str, Node, int]:
    """The end of a turn by the rules: step 4 as far as the hand is concerned, 5, and how many cards step 6 draws."""
    hand, played = list(node.hand), node.played
    if words[0] == "refresh":
        played += len(hand)
        hand = []
    elif "+retrieve-card" not in words:
        played += 1
        hand.remove(words[0].partition("=")[0])
    owed = 2 if "+draw-two" in words else 0
    owed += max(0, 3 - len(hand) - owed)
    following = Node(after, tuple(sorted(hand)), node.deck, played)
    limit = reference.option(RULES[case.rules], "card_limit")
    if goal_met(after, case.goal, case.rules):
        return "won", following, 0
    if (limit is not None and played >= limit) or owed >= len(node.deck):
        return "lost", following, 0
    return "playing", following, owed


class Brute:
    """Plays everything to the end, with no bound and no thought: what each choice is worth."""

    def __init__(self, case: Case, most_turns: int = MOST_TURNS) -> None:
        self.case = case
        self.left = most_turns
        self.sign = 1 if case.within is None else -1  # of a value that is to be low
        self.values: dict[Node, Fraction] = {}
        self.listed: dict[tuple, dict[str, Fraction]] = {}
        self.root = Node(case.position, tuple(sorted(case.hand)), tuple(sorted(case.deck)), case.played)

    def best(self, values) -> Fraction:
        return self.sign * min(self.sign * value for value in values)

    def won(self, cards: int) -> Fraction:
        return Fraction(cards) if self.case.within is None else Fraction(cards <= self.case.within)

    def lost(self) -> Fraction:
        return Fraction(self.case.loss if self.case.within is None else 0)

    def value(self, node: Node) -> Fraction:
        """Of a game before a turn."""
        if node not in self.values:
            self.values[node] = self.best(self.choices(node).values())
        return self.values[node]

    def choices(self, node: Node) -> dict[str, Fraction]:
        """What can be decided before a card is played, by how it is written; a die card by its face."""
        found: dict[str, Fraction] = {}
        for card in dict.fromkeys(node.hand):
            if card in reference.MOST_ROLLS:
                found[card] = self.thrown(node, card, 0)
            else:
                found |= self.turns(node, card)
        return found | self.turns(node, None)

    def thrown(self, node: Node, face: str, made: int) -> Fraction:
        """Of a die card that is rolled once more after so many rolls."""
        return sum(self.best(self.on_table(node, f"{face}={roll}", made + 1).values()) for roll in DIE) / 6

    def on_table(self, node: Node, card: str, made: int) -> dict[str, Fraction]:
        """What can be decided when a die card shows its last roll of so many; earlier rolls need not be written."""
        found = self.turns(node, card)
        face = card.partition("=")[0]
        if made < reference.MOST_ROLLS[face]:
            found[AGAIN] = self.thrown(node, face, made)
        extra = [self.turns(node, card, roll).values() for roll in DIE]
        if extra[0]:
            found[EXTRA] = sum(self.best(values) for values in extra) / 6
        return found

    def turns(self, node: Node, card: str | None, new_roll: int | None = None) -> dict[str, Fraction]:
        """Of each turn with a card, of those after an extra-roll, or (None) of each refresh."""
        if (node, card, new_roll) in self.listed:
            return dict(self.listed[node, card, new_roll])
        found = self.listed[node, card, new_roll] = {}
        for text, after in turns(node.position, card or "w1", self.case.spells, self.case.rules):
            words = text.split()
            wanted = f"+extra-roll={new_roll}" if new_roll else None
            written = next((word for word in words if word.startswith("+extra-roll")), None)
            if (words[0] == "refresh") == (card is None) and written == wanted:
                found[text] = self.ended(node, words, after)
        return dict(found)

    def ended(self, node: Node, words: list[str], after: str) -> Fraction:
        """Of a turn."""
        self.left -= 1
        if self.left < 0:
            raise OverflowError
        status, next_node, owed = ended(self.case, node, words, after)
        if status == "won":
            return self.won(next_node.played)
        if status == "lost" or (self.case.within is not None and next_node.played > self.case.within):
            return self.lost()
        return self.drawn(next_node, owed)

    def drawn(self, node: Node, owed: int) -> Fraction:
        if owed == 0:
            return self.value(node)
        total = Fraction(0)
        for card, number in Counter(node.deck).items():
            hand, deck = sorted((*node.hand, card)), list(node.deck)
            deck.remove(card)
            total += number * self.drawn(node._replace(hand=tuple(hand), deck=tuple(deck)), owed - 1)
        return total / len(node.deck)

    @cache  # noqa: B019 - these live as long as the tests
    def result(self) -> dict[str, Fraction]:
        """What each choice of the case is worth."""
        if self.case.rolled is None:
            return self.choices(self.root)
        return self.on_table(self.root, self.case.rolled, self.case.rolled.count(",") + 1)


def random_position(dice: random.Random, group: str, full: int | None, most_wizards: int) -> str:
    """A late ending: few towers and wizards close together, the keep just ahead; `full` None: perhaps no bottles."""
    base = dice.randrange(16)
    board = reference.Board([[reference.Surface("ground")] for _ in range(16)], keep=-1, home=dice.randrange(6))
    for _ in range(dice.randint(1, 3)):
        board.spaces[(base + dice.randrange(5)) % 16].append(reference.Surface(dice.choice("rt")))
    surfaces = [surface for step in range(4) for surface in board.spaces[(base + step) % 16]]
    for _ in range(dice.randint(1, most_wizards)):
        dice.choice(surfaces).wizards += 2 if group == "piggyback" and most_wizards > 1 else 1
    free = [step for step in range(1, 9) if board.visible((base + step) % 16).wizards == 0]
    board.keep = (base + dice.choice(free)) % 16
    board.has_bottles = full is not None or dice.random() < 0.3
    if board.has_bottles:
        board.full = dice.randrange(3) if full is None else full
        board.empty = dice.choice((0, 0, 0, 1))
    return reference.print_position(board)


def random_rules(dice: random.Random, group: str) -> str:
    if group == "refresh":
        return dice.choice(("refresh=on", "refresh=on", "refresh=on, card-limit=25", "online"))
    if group == "triple":
        return dice.choice(("", COSTS, COSTS, "card-limit=22", "online"))
    return dice.choice(("", "", "card-limit=22"))


def random_case(dice: random.Random, group: str) -> Case:
    spells, full = (), None
    if group in SPELLS:
        spells, full = (group,), reference.SPELL_COSTS[group] + dice.randrange(2)
    elif group == "triple" or (group in ("refresh", "goal") and dice.random() < 0.4):
        spells, full = tuple(dice.sample(SPELLS, dice.choice((2, 3)))), dice.randint(1, 3)
    held = dice.choice((3, 3, 3, 4))
    size = held + (dice.choice((1, 2, 2, 3, 4)) if spells else dice.choice((1, 2, 3, 4, 5)))
    if group in ("draw-two", "refresh"):
        size = held + dice.choice((3, 4, 5))
    share = 0.6 if group in ("die", "extra-roll") else 0.15
    cards: list[str] = []
    while len(cards) < size:
        dies = dice.random() < share
        face = dice.choice([face for face in reference.DECK if (face in reference.MOST_ROLLS) == dies])
        if cards and dice.random() < 0.2:
            face = dice.choice(cards)
        if cards.count(face) < reference.DECK[face]:
            cards.append(face)
    within = dice.choice((None, None, 21, 22, 22, 23, 25))
    position = random_position(dice, group, full, min(size - held, 3))
    case = Case(
        position, tuple(cards[:held]), tuple(cards[held:]), dice.choice((19, 20, 20, 21)), spells,
        random_rules(dice, group), None, within, dice.choice((90, 90, 45, 21)),
    )  # fmt: skip
    if group == "goal":
        board = reference.parse_position(case.position)
        parts = ["nobody imprisoned", f"keep on {dice.randrange(16)}"]
        parts.append(dice.choice((f"home {board.home + 1}", "all home")))
        parts += [dice.choice(("bottles 6", f"bottles {min(7 - board.empty, 6)}"))] * board.has_bottles
        case = case._replace(goal=" and ".join(dice.sample(parts, dice.choice((1, 1, 2)))))
    dies = [card for card in case.hand if card in reference.MOST_ROLLS]
    if dies and dice.random() < (0.6 if group in ("die", "extra-roll") else 0.3):
        rolls = [str(dice.choice(DIE)) for _ in range(dice.randint(1, reference.MOST_ROLLS[dies[0]]))]
        case = case._replace(rolled=f"{dies[0]}={','.join(rolls)}")
    return case


def hopeful(brute: Brute) -> set[str]:
    """The words of all choices that do not just lose."""
    return {word for text, value in brute.result().items() if value != brute.lost() for word in text.split()}


def interesting(brute: Brute, number: int, group: str) -> bool:
    """Whether a group's choices differ, and its first cases show what the group is about."""
    words = hopeful(brute)
    if group in (*SPELLS, "refresh") and number < 4:
        return {"refresh": "refresh", EXTRA: EXTRA}.get(group, f"+{group}") in words
    return len(set(brute.result().values())) > 1 or number % 10 == 9


def brute_of(group: str, seed: int) -> Brute:
    return Brute(random_case(random.Random(f"{group} {seed}"), group))


@cache
def case_of(group: str, number: int) -> Brute:
    """A case that brute force can play to the end."""
    return brute_of(group, SEEDS[group][number])


def find_seeds(group: str) -> Iterator[int]:
    """Seeds of cases worth comparing."""
    number = 0
    for seed in count():
        if number == GROUPS[group]:
            return
        brute = brute_of(group, seed)
        with suppress(OverflowError):
            over = goal_met(brute.case.position, brute.case.goal, brute.case.rules)
            if not over and interesting(brute, number, group):
                yield seed
                number += 1


def situation(case: Case) -> Situation:
    deck = Counter(case.deck)
    return Situation(
        parse_position(case.position), parse_cards(",".join(case.hand)), tuple(deck[face.name] for face in FACES),
        case.played, parse_spells(",".join(case.spells)), parse_rules(case.rules),
        None if case.goal is None else parse_goal(case.goal), parse_cards(case.rolled)[0] if case.rolled else None,
    )  # fmt: skip


def solved(case: Case, limits: Limits | None = None) -> list[Choice]:
    return choices(situation(case), Objective(case.within, case.loss), limits or Limits(nodes=1_000_000))


def label(choice: Choice, case: Case) -> str:
    """A choice as brute force names it, whose die cards only show the last roll."""
    if choice.move is None:
        return AGAIN if case.rolled else choice.card.face
    if choice.move.spell == "extra-roll" and choice.move.new_roll is None:
        return EXTRA
    return print_move(choice.move)


def followed(brute: Brute, choice: Choice) -> Fraction:
    """What a die card is worth if it is played as the plan says, by brute force's values."""
    case, face = brute.case, choice.card.face
    before = case.rolled.partition("=")[2] + "," if case.rolled else ""

    def cast(card: str) -> Fraction:
        total = Fraction(0)
        for roll in DIE:
            piece = choice.plan.after_extra_roll[roll]
            written = f"{card} +extra-roll={roll} {print_piece(piece) if piece else '-'}"
            total += brute.turns(brute.root, card, roll)[written]
        return total / 6

    def rolled(made: int) -> Fraction:
        total = Fraction(0)
        for roll in DIE:
            card = f"{face}={before}{roll}"
            reply = choice.plan.replies[roll]
            if roll not in choice.plan.keep[made]:
                total += rolled(made + 1)
            elif reply.spell == "extra-roll" and reply.new_roll is None:
                total += cast(card)
            else:
                total += brute.turns(brute.root, card)[print_move(reply)]
        return total / 6

    if choice.move is not None:
        return cast(case.rolled)
    return rolled(len(choice.card.rolls))


def check(brute: Brute, found: list[Choice]) -> None:
    """The set of choices, their values, their order and the plans of die cards."""
    case, expected = brute.case, brute.result()
    labels = [label(choice, case) for choice in found]
    assert sorted(labels) == sorted(expected)
    brute.left = 100 * MOST_TURNS  # for plans, which may keep a roll that brute force would not
    for name, choice in zip(labels, found, strict=True):
        assert abs(choice.value - expected[name]) < 1e-9, name
        assert (choice.plan is not None) == (choice.move is None or name == EXTRA)
        if choice.plan is not None:
            assert followed(brute, choice) == expected[name]
    # as they are written, the card that is rolled again stands before what can be done with its roll
    written = ["" if name == AGAIN else f"{case.rolled} +{name} -" if name == EXTRA else name for name in labels]
    order = [(brute.sign * expected[name], text) for name, text in zip(labels, written, strict=True)]
    assert order == sorted(order)


@pytest.mark.parametrize(("group", "number"), CASES)
def test_every_choice_agrees_with_brute_force(group, number):
    brute = case_of(group, number)
    check(brute, solved(brute.case))


@pytest.mark.parametrize("group", [group for group in GROUPS if group != "goal"])
def test_turns_end_as_in_a_game_of_the_reference_engine(group):
    dice = random.Random(group)
    for case in (case_of(group, number).case for number in range(GROUPS[group])):
        node = Brute(case).root
        card = dice.choice(case.hand)
        card += f"={dice.choice(DIE)}" if card in reference.MOST_ROLLS else ""
        found = turns(node.position, card, case.spells, case.rules)
        for text, after in dice.sample(found, min(6, len(found))):
            game = reference.Game(node.position, node.hand, node.deck, case.spells, RULES[case.rules])
            game.discard_pile = ["w1"] * node.played
            game.play(text)
            status, following, owed = ended(case, node, text.split(), after)
            assert (game.status, game.discards) == (status, following.played)
            if status == "playing":
                assert sorted(game.hand) == sorted((*following.hand, *node.deck[:owed]))


def test_the_cases_are_worth_comparing():
    brutes = [case_of(*name) for name in CASES]
    cases = [brute.case for brute in brutes]
    assert len(set(cases)) == len(cases) >= 300
    assert min(Counter(len(case.deck) for case in cases)[size] for size in range(1, 6)) >= 12
    assert min(Counter(len(case.hand) for case in cases)[size] for size in (3, 4)) >= 50
    assert sum(case.within is None for case in cases) >= 80
    assert sum(case.within is not None for case in cases) >= 90
    assert sum(case.rolled is not None for case in cases) >= 40
    assert min(Counter(case.rules for case in cases)[rules] for rules in RULES) >= 5
    # choices that differ, and the best of which is neither sure nor hopeless
    assert sum(len(set(brute.result().values())) > 1 for brute in brutes) >= 250
    assert sum(brute.best(brute.result().values()).denominator > 1 for brute in brutes) >= 100
    words = [hopeful(brute) for brute in brutes]
    for word in [*(f"+{spell}" for spell in SPELLS if spell != EXTRA), EXTRA, "refresh", AGAIN.split()[0]]:
        assert sum(word in each for each in words) >= 3, word


@pytest.mark.parametrize("group", GROUPS)
def test_small_tables_that_grow_and_pause_change_nothing(group, monkeypatch):
    brutes = [case_of(group, number) for number in range(5)]
    answers = [solved(brute.case) for brute in brutes]
    monkeypatch.setattr(endgame, "FIRST_ROWS", 2)
    monkeypatch.setattr(endgame, "CHUNK", 3)
    for brute, answer in zip(brutes, answers, strict=True):
        assert solved(brute.case) == answer
        assert solved(brute.case._replace(hand=brute.case.hand[::-1])) == answer


# A wizard three spaces before the keep, no tower; all other cards move nothing or lead him past.
THREE = "K/-/-/-/-/-/-/-/-/-/-/-/-/1/-/- 0"
BY_HAND = [
    # The deck keeps a card after the first turn only. 1 + 2 or 2 + 1 spaces bring him home with the 12th card; five
    # lead him 14 spaces before the keep, and the second turn empties the deck.
    (Case(f"{THREE} -", ("w1", "w2", "w5"), ("w3", "t1"), 10), {"w1 W13": 12, "w2 W13": 12, "w5 W13": 90}),
    # Any turn empties the deck of one card: a 3 in two rolls, 1 - (5/6)^2 = 11/36, or the game is lost.
    (Case(f"{THREE} -", ("wd2", "t1", "t1"), ("w3",), 10, within=11), {"wd2": Fraction(11, 36), "t1 -": 0}),
    (Case(f"{THREE} -", ("wd2", "t1", "t1"), ("w3",), 10),
     {"wd2": Fraction(11 * 11 + 25 * 90, 36), "t1 -": 90}),
    # With a third roll for a bottle: 1 - (5/6)^3 = 91/216.
    (Case(f"{THREE} 1/0", ("wd2", "t1", "t1"), ("w3",), 10, ("extra-roll",), within=11),
     {"wd2": Fraction(91, 216), "t1 -": 0}),
    # The first roll was a 5. Rolling again leaves two chances, the spell now only one.
    (Case(f"{THREE} 1/0", ("wd2", "t1", "t1"), ("w3",), 10, ("extra-roll",), within=11, rolled="wd2=5"),
     {AGAIN: Fraction(11, 36), EXTRA: Fraction(1, 6), "wd2=5 W13": 0}),
    # w3 is the first, the second or the last of three cards, and the last is never seen: won with the second card,
    # with the third, or lost.
    (Case(f"{THREE} -", ("t1", "t1", "t1"), ("w3", "t3", "t4"), 0), {"t1 -": Fraction(2 + 3 + 90, 3)}),
    (Case(f"{THREE} -", ("t1", "t1", "t1"), ("w3", "t3", "t4"), 0, within=2), {"t1 -": Fraction(1, 3)}),
    (Case(f"{THREE} -", ("t1", "t1", "t1"), ("w3", "t3", "t4"), 0, within=3), {"t1 -": Fraction(2, 3)}),
    (Case(f"{THREE} -", ("t1", "t1", "t1"), ("w3", "t3", "t4"), 20, rules="card-limit=22"),
     {"t1 -": Fraction(22 + 90 + 90, 3)}),
    # Two of those three cards at once: w3 is among them twice in three times, and wins with the second card. If not,
    # the hand lasts for a turn without a draw, but nothing comes of it.
    (Case(f"{THREE} 1/0", ("t1", "t1", "t1"), ("w3", "t3", "t4"), 0, ("draw-two",)),
     {"t1 -": Fraction(95, 3), "t1 - +draw-two": Fraction(2 + 2 + 90, 3)}),
    # The tower carries him to two spaces before the keep; t1 comes back, so the only card of the deck stays there, and
    # w2 is the first card in the discard pile.
    (Case("K/-/-/-/-/-/-/-/-/-/-/-/-/r1/-/- 0 1/0", ("t1", "w2", "t2"), ("t3",), 0, ("retrieve-card",)),
     {"t1 T13.1": 90, "t1 T13.1 +retrieve-card": 1, "t2 T13.1": 90, "t2 T13.1 +retrieve-card": 90,
      "w2 W13": 90, "w2 W13 +retrieve-card": 90}),
    # After a refresh w1 is among three of the four cards three times in four; w5 and then w1 take the first two cards
    # too far. Won with 3 + 1 cards, or lost: the deck holds one.
    (Case("K/-/-/-/-/-/-/-/-/-/-/-/-/-/r1/- 0 -", ("w5", "w5", "w5"), ("w1", "t5", "t5", "t5"), 0, rules="refresh=on"),
     {"refresh T14.1": Fraction(3 * 4 + 90, 4)}),
]  # fmt: skip


@pytest.mark.parametrize(("case", "values"), BY_HAND)
def test_worked_out_by_hand(case, values):
    brute = Brute(case, 100 * MOST_TURNS)
    assert values.items() <= brute.result().items()
    check(brute, solved(case))


def test_a_plan_says_which_rolls_to_keep():
    # A 3 enters with the first card, a 1 or 2 lets w2 or w1 enter with the second, and 4 to 6 lead him past the keep,
    # which is lost after two turns. The last roll costs (1 + 2 + 2 + 3 * 90) / 6 = 275/6, so 1 and 2 are kept before.
    case = Case(f"{THREE} -", ("wd3", "w1", "w2"), ("t1", "t2"), 0)
    plans = {within: solved(case._replace(within=within)) for within in (None, 1, 2)}
    keep = {within: next(choice.plan.keep for choice in found if choice.plan) for within, found in plans.items()}
    every = (1, 2, 3, 4, 5, 6)
    assert keep == {None: ((1, 2, 3), (1, 2, 3), every), 1: ((3,), (3,), every), 2: ((1, 2, 3), (1, 2, 3), every)}
    rolled = solved(case._replace(within=1, rolled="wd3=1"))
    plan = next(choice.plan for choice in rolled if choice.plan)
    assert plan.keep == ((), (3,), every)
    assert print_move(plan.replies[3]) == "wd3=1,3 W13"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"position": "K/-/-/-/-/-/-/-/-/-/-/-/-/-/-/- 3 -"}, "meets the goal already"),
        ({"hand": ("wd3", "w1"), "deck": ("wd3",)}, "there are 1 'wd3'"),
        ({"rolled": "wd2=3"}, "not in the hand"),
        ({"hand": ("wd2", "w1", "w1"), "rolled": "wd2"}, "rolls so far"),
        ({"spells": ("retrieve-card",), "rules": "retrieve-card=0"}, "for ever"),
        ({"rules": "card-limit=20"}, "lost already"),
        ({"goal": "home 4"}, "home"),
    ],
)
def test_what_is_no_turn_to_decide_is_refused(change, words):
    case = Case(f"{THREE} -", ("w1", "w2", "w5"), ("w3", "t1"))._replace(**change)
    with pytest.raises(Refused, match=words):
        solved(case)


@pytest.mark.parametrize(
    "change", [{"hand": ()}, {"hand": (Card("wd2", (3,)),)}, {"deck": (1, 2)}, {"deck": (-1,) * 23}]
)
def test_what_no_text_says_is_refused_too(change):
    case = Case(f"{THREE} -", ("w1", "w2", "w5"), ("w3", "t1"))
    with pytest.raises(Refused):
        choices(replace(situation(case), **change), Objective(), Limits())


def test_a_tree_that_is_too_large_is_refused():
    position = "K/r/t/r1/t/r/t/r/t/r/-/-/1/-/-/- 10 -"
    case = Case(position, ("w1", "t2", "w4t4"), ("w3", "t1", "w5", "w2", "t4", "w1", "t3"))
    with pytest.raises(Refused, match=r"too large to be finished with 50 positions"):
        solved(case, Limits(nodes=50))
    with pytest.raises(Refused, match=r"too large to be finished with 4 MiB of memory"):
        solved(case, Limits(memory=4 << 20))
    assert solved(case._replace(deck=case.deck[:4]), Limits(memory=4 << 20))


if __name__ == "__main__":
    for name in GROUPS:
        table = f'"{name}": {list(find_seeds(name))},'
        print("\n".join(wrap(table, 114, initial_indent="    ", subsequent_indent=" " * 8)))
