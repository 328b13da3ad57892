"""Making puzzles: positions from random play, random cards, and only what is proved to be sound stays.

Candidate number n of a seed is a pure function of both, so a run can be repeated, and continued, anywhere.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from solver.engine.table import rule_table
from solver.engine.turn import MAX_TURNS, turns
from solver.errors import Refused
from solver.goal import ALL, Goal
from solver.layout import HOME, Packed, get, pack, unpack
from solver.move import Card
from solver.notation import parse_position
from solver.notation.numbers import counted
from solver.position import Position
from solver.puzzle.file import Claims, Puzzle
from solver.puzzle.rate import Rated, rate
from solver.puzzle.verify import problem_of
from solver.rules import (
    DIE_SIDES,
    DRAW_TWO_CARDS,
    FACES,
    HAND_SIZE,
    MAX_BOTTLES,
    RULEBOOK,
    SHIELD_SPACES,
    SPACES,
    Bottles,
    Rules,
)
from solver.search.answer import Answer, Verdict
from solver.search.exact import Limits, solve

CANDIDATE_NODES = 300_000  # positions expanded for one candidate before it is given up
RATING_NODES = 3_000_000  # the same for each measure of its difficulty
MOST_IN_VAIN = 20_000  # candidates one after the other that are no puzzles, before no more are tried
MOST_EMPTY = 2  # bottles, unless the goal is to fill more
LONGEST_PLAY = 400  # turns of random play
HASTE = 0.7  # how often random play brings a wizard home when it can: otherwise few positions have few wizards left

Progress = Callable[[int, int], None]  # is told the candidates tried and the puzzles made


@dataclass(frozen=True)
class Wish:
    """What the puzzles are to be like."""

    cards: int
    wizards: int | None = None  # left on the board; None: any number that fits the cards
    spells: tuple[str, ...] = ()
    rules: Rules = RULEBOOK
    goal: Goal | None = None
    unique: bool = False  # one line only, not only one key
    stars: int | None = None

    def __post_init__(self) -> None:
        """Refuse what no candidate could fulfil."""
        everybody = self.goal is None or self.goal.home == ALL
        if everybody and not self.spells and self.wizards is not None and self.wizards > self.cards:
            raise Refused(f"{self.wizards} wizards cannot come home with {counted(self.cards, 'card')}, one at a time")
        if "close-keep" in self.spells:
            raise Refused("'close-keep' does nothing for one player, so no puzzle can need it")
        for name in self.spells:
            if not self.rules.offers(name):
                raise Refused(f"these rules do not offer '{name}'")
        if "retrieve-card" in self.spells and self.rules.spell_costs["retrieve-card"] == 0:
            raise Refused("with 'retrieve-card' for nothing a line could go on for ever")


def make(wish: Wish, count: int, seed: int, progress: Progress | None = None) -> Iterator[Rated]:
    """Sound puzzles, one after the other, no two alike; `progress` is told of every candidate.

    Fewer than `count` if MOST_IN_VAIN candidates in a row bring nothing new.
    """
    known: set[str] = set()
    made = candidate = last = 0
    while made < count and candidate - last < MOST_IN_VAIN:
        candidate += 1
        found = _candidate(wish, random.Random(f"{seed}/{candidate}"))
        if found is not None:
            likeness = _likeness(found.puzzle)
            if likeness not in known:
                known.add(likeness)
                made += 1
                last = candidate
                yield found
        if progress is not None:
            progress(candidate, made)


def _candidate(wish: Wish, luck: random.Random) -> Rated | None:
    wizards = wish.wizards or luck.randint(1, max(1, wish.cards - 1))
    position = _random_position(wizards, luck)
    if position is None:
        return None
    to_fill = wish.goal.bottles if wish.goal is not None else None
    if wish.spells or to_fill is not None:
        position = replace(position, bottles=_random_bottles(to_fill, luck))
    spare = DRAW_TWO_CARDS if "draw-two" in wish.spells else 0  # or there would be nothing to reach for
    cards = _random_cards(wish.cards + spare, "extra-roll" in wish.spells, luck)
    puzzle = Puzzle(
        position,
        cards[:HAND_SIZE],
        cards[HAND_SIZE:],
        spells=wish.spells,
        rules=wish.rules,
        goal=wish.goal,
        within=wish.cards,
    )
    answer = _solved(puzzle)
    if answer is None or not answer.counted or answer.cards != wish.cards:
        return None
    if len(answer.keys) > 1 or answer.endings > 1:
        return None
    if len(answer.idle) > spare:
        return None
    if wish.unique and answer.solutions > 1:
        return None
    if not all(_is_needed(puzzle, spell) for spell in wish.spells):
        return None
    try:
        rating = rate(puzzle, answer, Limits(nodes=RATING_NODES))
    except Refused:  # too large to be rated
        return None
    if wish.stars not in (None, rating.stars):
        return None
    claims = Claims(answer.cards, answer.solutions, answer.keys[0].move)
    return Rated(replace(puzzle, claims=claims), answer, rating)


def _solved(puzzle: Puzzle) -> Answer | None:
    """What is known of a puzzle after a short search; None if the position meets the goal already."""
    try:
        problem = problem_of(puzzle)
    except Refused:
        return None
    answer = solve(problem, puzzle.within, Limits(nodes=CANDIDATE_NODES))
    if answer.verdict is Verdict.INTERRUPTED:
        raise KeyboardInterrupt
    return answer


def _is_needed(puzzle: Puzzle, spell: str) -> bool:
    """Whether the puzzle cannot be solved in time without a spell."""
    answer = _solved(replace(puzzle, spells=tuple(name for name in puzzle.spells if name != spell)))
    return answer is not None and answer.verdict is Verdict.REFUTED


def _random_position(wizards: int, luck: random.Random) -> Position | None:
    """A position of a game, played without spells, in which so many wizards are left on the board."""
    start = parse_position("start")
    at = pack(start)
    plain = rule_table(RULEBOOK)
    rows = np.empty((MAX_TURNS, 3), dtype=np.int64)
    wanted = start.on_board - wizards
    for _ in range(LONGEST_PLAY):
        if get(at.a, HOME) == wanted and luck.random() < 0.3:
            break
        face = luck.choices(FACES, [face.copies for face in FACES])[0]
        roll = luck.randint(1, DIE_SIDES)
        wizard, tower = (roll if steps < 0 else steps for steps in (face.wizard, face.tower))
        count = turns(*at, wizard, tower, plain, rows, 0)
        entering = [row for row in range(count) if get(rows[row, 1], HOME) > get(at.a, HOME)]
        if get(at.a, HOME) == wanted:
            others = [row for row in range(count) if row not in entering]
        else:
            others = entering if entering and luck.random() < HASTE else list(range(count))
        if not others:
            continue
        _, a, b = rows[luck.choice(others)].tolist()
        at = Packed(a, b)
    else:
        return None
    return unpack(*at)


def _random_bottles(to_fill: int | None, luck: random.Random) -> Bottles:
    """A few empty ones, but more than the goal allows if it is a number of bottles; of the others some are spent."""
    fewest = 0 if to_fill is None else MAX_BOTTLES - to_fill + 1
    empty = luck.randint(fewest, max(min(fewest + 1, MAX_BOTTLES), MOST_EMPTY))
    return Bottles(luck.randint(0, MAX_BOTTLES - empty), empty)


def _random_cards(count: int, extra_roll: bool, luck: random.Random) -> tuple[Card, ...]:
    """Cards from a shuffled deck; die cards with all their rolls, and one more if a spell can ask for it."""
    deck = [face for face in FACES for _ in range(face.copies)]
    cards = []
    for face in luck.sample(deck, count):
        rolls = face.rolls + (extra_roll and face.rolls > 0)
        cards.append(Card(face.name, tuple(luck.randint(1, DIE_SIDES) for _ in range(rolls))))
    return tuple(cards)


def _likeness(puzzle: Puzzle) -> str:
    """The same text for puzzles that differ only by turning the board, which its shields allow by quarters."""
    quarter = SHIELD_SPACES[1] - SHIELD_SPACES[0]
    position = puzzle.position
    turned = []
    for shift in range(0, SPACES, quarter):
        stacks = (*position.stacks[shift:], *position.stacks[:shift])
        turned.append(repr((stacks, (position.keep - shift) % SPACES)))
    return min(turned) + repr((position.home, position.bottles, sorted(puzzle.hand), puzzle.draw))
