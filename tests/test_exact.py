"""The exact search against brute force over the reference engine, on random small puzzles."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import pytest

import reference
from solver.engine.turn import MAX_TURNS
from solver.errors import Refused
from solver.notation import parse_cards, parse_position, parse_rules, parse_spells, print_card, print_move
from solver.notation.goals import parse_goal
from solver.search import exact
from solver.search.answer import Answer, Verdict
from solver.search.exact import solve
from solver.search.problem import Problem
from solver.search.table import ROWS_EACH, has_room, new_table

SPELLS = tuple(reference.SPELL_COSTS)
GROUPS = {"plain": 80, "die": 40, "refresh": 40, "triple": 60, "crowd": 20} | dict.fromkeys(SPELLS, 10)
CASES = [(group, number) for group, count in GROUPS.items() for number in range(count)]
SIZES = ((1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2), (4, 0), (4, 1), (5, 0))  # hand, draw
MOST_NODES = 400  # a puzzle that brute force needs longer for is not used
COSTS = "swap-towers=1, free-wizard=0, piggyback-in-solo=off"
RULES = {  # the same rule set in the project's words and in the reference engine's
    "": reference.RULEBOOK,
    "refresh=on": {"refresh": True},
    COSTS: {"costs": {"swap-towers": 1, "free-wizard": 0}, "piggyback_in_solo": False},
}
Cards = tuple[str, ...]


class Puzzle(NamedTuple):
    position: str
    hand: Cards
    draw: Cards = ()
    spells: tuple[str, ...] = ()
    goal: str | None = None
    rules: str = ""


class Node(NamedTuple):
    position: str
    hand: Cards  # sorted
    draw: Cards


class Result(NamedTuple):
    cards: int | None
    keys: dict[str, int]
    endings: int
    turns: set[str]  # every turn of every shortest line


def part_met(board: reference.Board, part: str) -> bool:
    number = int(part.split()[-1]) if part[-1].isdigit() else 0
    return {
        "all home": board.wizards_on_board() == 0,
        "home": board.home >= number,
        "bottles": 6 - board.empty >= number,
        "nobody imprisoned": all(surface.wizards == 0 for space in board.spaces for surface in space[:-1]),
        "keep on": board.keep == number,
    }[part.rstrip(" 0123456789")]


@cache
def goal_met(position: str, goal: str | None) -> bool:
    if goal is None:
        return reference.goal_reached(position)
    board = reference.parse_position(position)
    return all(part_met(board, part) for part in goal.split(" and "))


@lru_cache(5000)
def turns(position: str, card: str, spells: tuple[str, ...], rules: str) -> list[tuple[str, str]]:
    return reference.turns(position, card, spells, RULES[rules])


def readings(card: str) -> list[tuple[str, str]]:
    """The card as it can be written in a turn, each with the extra-roll that may follow."""
    face, die, rolls = card.partition("=")
    if not die:
        return [(card, "")]
    named = rolls.split(",")
    most = min(len(named), reference.MOST_ROLLS[face])
    coming = [f"+extra-roll={roll}" for roll in named] + [""]
    return [(f"{face}={','.join(named[:taken])}", coming[taken]) for taken in range(1, most + 1)]


@lru_cache(1000)
def following(puzzle: Puzzle, node: Node) -> dict[str, tuple[int, Node]]:
    """Every turn as written, with the cards it puts into the discard pile and where it leads."""
    found: dict[str, tuple[int, Node]] = {}
    for card in sorted(set(node.hand)):
        for written, extra_roll in readings(card):
            for text, after in turns(node.position, written, puzzle.spells, puzzle.rules):
                words = text.split()
                if "extra-roll" in text and words[1] != extra_roll:
                    continue
                leaving = node.hand if words[0] == "refresh" else () if "+retrieve-card" in words else (card,)
                held, draw = list((Counter(node.hand) - Counter(leaving)).elements()), list(node.draw)
                if "+draw-two" in words:
                    held, draw = held + draw[:2], draw[2:]
                while len(held) < 3 and draw:  # after each turn, also after the one that reaches the goal
                    held.append(draw.pop(0))
                way = len(leaving), Node(after, tuple(sorted(held)), tuple(draw))
                assert found.setdefault(text, way) == way  # the refresh turns are the same beside any card
    return found


def first_node(puzzle: Puzzle) -> Node:
    return Node(puzzle.position, tuple(sorted(puzzle.hand)), puzzle.draw)


class Brute:
    """Counts the lines that reach the goal with exactly so many cards."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.counted: dict[tuple[Node, int], int] = {}

    def lines(self, node: Node, cards: int) -> int:
        if goal_met(node.position, self.puzzle.goal):
            return int(cards == 0)
        if cards < 0 or (cards == 0 and "retrieve-card" not in self.puzzle.spells):
            return 0
        if (node, cards) not in self.counted:
            if len(self.counted) > MOST_NODES:
                raise OverflowError
            ways = following(self.puzzle, node).values()
            self.counted[node, cards] = sum(self.lines(child, cards - cost) for cost, child in ways)
        return self.counted[node, cards]

    def result(self) -> Result:
        start = first_node(self.puzzle)
        numbers = range(len(self.puzzle.hand + self.puzzle.draw) + 1)
        fewest = next((cards for cards in numbers if self.lines(start, cards)), None)
        if fewest is None:
            return Result(None, {}, 0, set())
        played, ends, todo = set(), set(), {(start, fewest)}
        for node, left in iter(lambda: todo.pop() if todo else None, None):
            if goal_met(node.position, self.puzzle.goal):
                ends.add(node)
                continue
            for text, (cost, child) in following(self.puzzle, node).items():
                if self.lines(child, left - cost):
                    played.add(text)
                    todo.add((child, left - cost))
        ways = following(self.puzzle, start).items()
        counts = {text: self.lines(child, fewest - cost) for text, (cost, child) in ways}
        return Result(fewest, {text: count for text, count in counts.items() if count}, len(ends), played)


def random_position(dice: random.Random, group: str, full: int | None) -> str:
    """A few towers and wizards close together, the keep not far ahead; `full` None: perhaps no bottles."""
    base = dice.randrange(16)
    board = reference.Board([[reference.Surface("ground")] for _ in range(16)], keep=-1, home=dice.randrange(3))
    for _ in range(dice.randint(2, 4)):
        board.spaces[(base + dice.randrange(6)) % 16].append(reference.Surface(dice.choice("rt")))
    surfaces = [surface for step in range(6) for surface in board.spaces[(base + step) % 16]]
    for _ in range(dice.choice((1, 1, 1, 2, 2, 3, 4))):
        dice.choice(surfaces).wizards += 2 if group == "piggyback" else 1
    if group == "crowd":
        dice.choice(surfaces).wizards = dice.choice((5, 6))
    free = [step for step in range(10) if board.visible((base + step) % 16).wizards == 0]
    board.keep = (base + dice.choice(free)) % 16
    board.has_bottles = full is not None or dice.random() < 0.4
    if board.has_bottles:
        board.full = dice.randrange(3) if full is None else full
        board.empty = dice.choice((0, 1, 1, 2))
    return reference.print_position(board)


def random_card(dice: random.Random, share_of_dice: float, extra: bool, before: list[str]) -> str:
    if before and dice.random() < 0.2:
        return dice.choice(before)
    if dice.random() >= share_of_dice:
        return dice.choice([face for face in reference.DECK if face not in reference.MOST_ROLLS])
    face = dice.choice(list(reference.MOST_ROLLS))
    # Two different cards that begin alike are refused, so a face's first roll is always a new one.
    taken = [int(card[len(face) + 1]) for card in before if card.startswith(face + "=")]
    rolls = [dice.choice([roll for roll in range(1, 7) if roll not in taken])]
    rolls += [dice.randint(1, 6) for _ in range(dice.randrange(reference.MOST_ROLLS[face] + extra))]
    return f"{face}={','.join(map(str, rolls))}"


def random_end(dice: random.Random, puzzle: Puzzle) -> str:
    """The position after a few random turns, often ones that bring a wizard home or cast a spell."""
    node = first_node(puzzle)
    for _ in range(dice.randint(1, 4)):
        choices = list(following(puzzle, node).items())
        entering = [item for item in choices if item[1][1].position.split()[1] != node.position.split()[1]]
        special = [item for item in choices if "+" in item[0] or "refresh" in item[0]]
        groups = [group for group in (choices, entering, entering, special) if group]
        node = dice.choice(dice.choice(groups))[1][1] if groups else node
    return node.position


def random_goal(dice: random.Random, puzzle: Puzzle) -> str | None:
    """A goal that some turns from the start reach or, one in four, any; not one that is met at the start."""
    start = reference.parse_position(puzzle.position)
    end = reference.parse_position(random_end(dice, puzzle))
    reachable = dice.random() < 0.75
    home = end.home if reachable else dice.randint(start.home + 1, start.home + start.wizards_on_board())
    parts = ["all home", "nobody imprisoned", f"keep on {end.keep if reachable else dice.randrange(16)}"]
    parts += [f"home {home}"] * (home > 0) + [f"bottles {6 - end.empty if reachable else 6}"] * start.has_bottles
    parts = [part for part in parts if not reachable or part_met(end, part)]
    news = [part for part in parts if not part_met(start, part)]
    if not news or ("all home" in news and dice.random() < 0.3):
        return None
    chosen = ["all home" if "all home" in news and dice.random() < 0.6 else dice.choice(news)]
    for part in dice.sample(parts, dice.choice((0, 0, 1, 2, 2)) % len(parts)):
        kinds = ["home" if "home" in each else each.split()[0] for each in (part, *chosen)]
        if kinds[0] not in kinds[1:]:
            chosen.append(part)
    return " and ".join(dice.sample(chosen, len(chosen)))


def random_puzzle(dice: random.Random, group: str) -> Puzzle:
    spells, full = (), None
    held, drawn = dice.choice(SIZES)
    rules = "refresh=on" if group == "refresh" else COSTS if group == "triple" and dice.random() < 0.3 else ""
    if group in SPELLS:
        spells, full = (group,), reference.SPELL_COSTS[group] + dice.randrange(2)
    elif group == "triple" or (group in ("refresh", "crowd") and dice.random() < 0.5):
        spells, full = tuple(dice.sample(SPELLS, 3)), dice.randint(1, 3)
    if group in ("draw-two", "retrieve-card", "refresh"):
        held, drawn = dice.randint(1, 3), dice.randint(1, 3)
    share = 0.7 if group in ("die", "extra-roll") else 0.3 if "extra-roll" in spells else 0.1
    cards: list[str] = []
    while len(cards) < held + drawn:
        cards.append(random_card(dice, share, "extra-roll" in spells, cards))
    puzzle = Puzzle(random_position(dice, group, full), tuple(cards[:held]), tuple(cards[held:]), spells, None, rules)
    return puzzle._replace(goal=random_goal(dice, puzzle))


@cache
def case(group: str, number: int) -> tuple[Puzzle, Result]:
    """A random puzzle and what brute force says of it."""
    dice = random.Random(f"{group} {number}")
    while True:
        puzzle = random_puzzle(dice, group)
        with suppress(OverflowError):
            result = Brute(puzzle).result()
            unused = number < 4 and group in (*SPELLS, "refresh") and group not in " ".join(result.turns)
            if not unused and (result.cards != 1 or dice.random() < 0.5):
                return puzzle, result


def problem(puzzle: Puzzle) -> Problem:
    hand, draw = (parse_cards(",".join(cards), extra=True) if cards else () for cards in (puzzle.hand, puzzle.draw))
    goal = None if puzzle.goal is None else parse_goal(puzzle.goal)
    spells, rules = parse_spells(",".join(puzzle.spells)), parse_rules(puzzle.rules)
    return Problem(parse_position(puzzle.position), hand, draw, spells=spells, rules=rules, goal=goal)


def facts(answer: Answer) -> tuple:
    """What an answer says of the lines, in writing."""
    keys = {print_move(key.move): key.lines for key in answer.keys}
    return answer.verdict, answer.cards, answer.lower_bound, keys, answer.solutions, answer.endings


def check(puzzle: Puzzle, expected: Result, answer: Answer) -> None:
    """Everything an answer says, against brute force; its line is replayed in the reference engine."""
    if expected.cards is None:
        assert facts(answer) == (Verdict.REFUTED, None, answer.lower_bound, {}, 0, 0)
        assert (answer.exhausted, answer.line, answer.idle) == (True, (), ())
        return
    lines = sum(expected.keys.values())
    assert facts(answer) == (Verdict.PROVED, expected.cards, expected.cards, expected.keys, lines, expected.endings)
    node, spent = first_node(puzzle), 0
    for move in answer.line:
        assert not goal_met(node.position, puzzle.goal)
        cost, node = following(puzzle, node)[print_move(move)]
        spent += cost
    assert goal_met(node.position, puzzle.goal)
    assert spent == expected.cards


@pytest.mark.parametrize(("group", "number"), CASES)
def test_the_search_agrees_with_brute_force_in_any_order_of_the_hand(group, number):
    puzzle, expected = case(group, number)
    hands = puzzle.hand, puzzle.hand[::-1], puzzle.hand[1::2] + puzzle.hand[::2]
    answers = [solve(problem(puzzle._replace(hand=hand))) for hand in hands]
    check(puzzle, expected, answers[0])
    for answer in answers[1:]:
        assert (facts(answer), answer.line, answer.idle) == (facts(answers[0]), answers[0].line, answers[0].idle)


def test_the_cases_are_worth_comparing():
    cases = [case(*name) for name in CASES]
    solvable = [(puzzle, expected) for puzzle, expected in cases if expected.cards is not None]
    assert len({puzzle for puzzle, _ in cases}) == len(cases) >= 300
    assert 0.4 * len(cases) <= len(solvable) <= 0.85 * len(cases)
    fewest = Counter(min(expected.cards, 3) for _, expected in solvable)
    assert min(fewest[1], fewest[2], 3 * fewest[3]) >= 60
    assert min(Counter(len(puzzle.hand) for puzzle, _ in solvable)[size] for size in range(1, 6)) >= 8
    goals = [f"{puzzle.goal}" for puzzle, _ in solvable]
    for word in ("None", "all home", "home ", "bottles", "nobody", "keep", " and "):
        assert sum(word in goal for goal in goals) >= 20, word
    shortest = [" ".join(expected.turns) + " " for _, expected in solvable]
    for word in [f"+{spell}" for spell in SPELLS] + ["refresh", "=", " - "]:
        assert sum(word in turns for turns in shortest) >= 4, word


@pytest.mark.parametrize(("group", "number"), [name for name in CASES if name[1] < 25])
def test_within_fewer_cards_than_needed(group, number):
    puzzle, expected = case(group, number)
    for within in range(1, expected.cards or 1):
        answer = solve(problem(puzzle), within=within)
        assert facts(answer) == (Verdict.REFUTED, None, answer.lower_bound, {}, 0, 0)
        assert (answer.exhausted, within < answer.lower_bound <= expected.cards) == (False, True)


@pytest.mark.parametrize("group", GROUPS)
def test_idle_cards_are_those_that_no_shortest_line_plays(group):
    for puzzle, expected in (case(group, number) for number in range(GROUPS[group])):
        cards = {card.partition("=")[0]: card for card in puzzle.hand + puzzle.draw}
        played = {turn.split()[0].partition("=")[0] for turn in expected.turns}
        if expected.cards is not None and len(cards) == len(puzzle.hand + puzzle.draw) and "refresh" not in played:
            idle = {print_card(card) for card in solve(problem(puzzle)).idle}
            assert idle == {cards[face] for face in cards.keys() - played}, puzzle


E = "/-" * 12
BY_HAND = [  # fewest cards, keys with their lines, endings
    (Puzzle(f"K{E}/1/-/- 0 -", ("w1", "w2")), 2, {"w1 W13": 1, "w2 W13": 1}, 1),
    (Puzzle(f"K{E}/1/-/- 0 0/1", ("w3", "w1")), None, {}, 0),  # a bottle stays empty
    (Puzzle(f"K{E}/1/-/- 0 -", ("wd3=1,3,2",)), 1, {"wd3=1,3 W13": 1}, 1),
    (Puzzle(f"K{E}/1/-/- 0 1/0", ("wd2=1,2,3",), (), ("extra-roll",)), 1, {"wd2=1,2 +extra-roll=3 W13": 1}, 1),
    (Puzzle(f"K{E}/r1/-/- 0 1/0", ("t1", "w2"), (), ("retrieve-card",)), 1, {"t1 T13.1 +retrieve-card": 1}, 1),
    (Puzzle(f"K{E}/r/-/1 0 1/1", ("t2",), (), ("retrieve-card",), "bottles 6"), 0, {"t2 T13.1 +retrieve-card": 1}, 1),
    (Puzzle(f"K{E}/-/r1/- 0 -", ("w5", "t5"), ("w1",), (), None, "refresh=on"), 3, {"refresh T14.1": 1}, 1),
]


@pytest.mark.parametrize(("puzzle", "cards", "keys", "endings"), BY_HAND)
def test_worked_out_by_hand(puzzle, cards, keys, endings):
    expected = Brute(puzzle).result()
    assert expected[:3] == (cards, keys, endings)
    check(puzzle, expected, solve(problem(puzzle)))


@pytest.mark.parametrize("goal", ["home 3", "keep on 0 and nobody imprisoned", "home 5"])
def test_a_goal_that_is_met_or_out_of_reach_is_refused(goal):
    with pytest.raises(Refused):
        problem(Puzzle(f"K{E}/1/-/- 3 -", ("w3",), goal=goal))


@pytest.mark.parametrize("spare", [-1, 0, 1, 2])
def test_a_kernel_stops_for_want_of_room_just_when_the_table_grows(spare):
    # Were there a size at which the kernel stops and the table does not grow, the search would never end.
    problem = Problem(parse_position("-/-/-/-/-/-/-/2r/t/K/-/-/-/-/-/- 10 -"), parse_cards("w2,t1,w5"))
    search = exact.Search(problem, exact.Limits())
    run = search.forward(3)
    cards, layer = problem.cards.table(1), run.layers[0]
    endings, others = new_table(values=0), new_table(values=2)
    size = len(endings) // ROWS_EACH - MAX_TURNS - spare
    assert has_room(endings, size, MAX_TURNS) == (spare >= 0)
    at, new, _, _ = exact.expand(layer, 0, *cards, problem.setting, 3, search.rows, new_table(values=0), size)
    assert (at + new > 0) == (spare >= 0)
    used = np.zeros(len(cards.options), dtype=np.bool_)
    at, _, _ = exact.count_back(
        layer, 0, *cards, problem.setting, 3, search.rows, others, others.copy(), endings, used, 0, size
    )
    assert at == int(spare >= 0)
