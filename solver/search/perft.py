"""Perft: play named cards in a fixed order and count the lines and the positions they reach.

Two ways that check each other. The *walk* goes through every line, depth first, and keeps nothing: it generates
and applies every move of every ply. The *layers* hold each different position once, with the number of lines that
lead to it, so they know the positions too and need far fewer moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from solver.engine.table import RuleTable
from solver.engine.turn import MAX_TURNS, goal_reached, turns
from solver.errors import Refused
from solver.jit import IntArray, kernel
from solver.layout import Packed
from solver.move import Card
from solver.referee import card_steps
from solver.search.table import FREE, KEY, grown, has_room, new_table, row_of, take_row

NOT_IN_PERFT = ("retrieve-card", "draw-two", "extra-roll")  # they need a hand or a die
MOST_CARDS = 200  # a walk holds the turns of every ply: 200 plies are 14 MB
CHUNK = 20_000_000  # moves between two looks at the clock and at Ctrl-C: about a quarter of a second
# Of one layer. Its table then has 2**27 rows of 32 bytes and, while it grows to that, half as many stand beside it:
# 6.4 GB. With the layer before it 7.9 to 8.8 GB were measured.
MOST_POSITIONS = 50_000_000
MOST_GIGABYTES = 9

LINES = KEY  # the one value of a row: how many lines lead to its position

Progress = Callable[[int], None]  # is told the number of moves so far


@dataclass(frozen=True)
class Count:
    """What perft counted, and what that took."""

    lines: int
    positions: int | None  # None if they were not counted
    moves: int
    seconds: float


def check(cards: Sequence[Card], spells: Sequence[str]) -> None:
    """Refuse what has no meaning in perft."""
    for spell in spells:
        if spell in NOT_IN_PERFT:
            raise Refused(f"the spell '{spell}' has no meaning in perft, where there is no hand and no die")
    for card in cards:
        if card.has_die and not card.rolls:
            raise Refused(f"'{card.face}' needs its roll named, such as '{card.face}=4'")
    if len(cards) > MOST_CARDS:
        raise Refused(f"perft takes at most {MOST_CARDS} cards, not {len(cards)}")


def count_lines(start: Packed, cards: Sequence[Card], table: RuleTable, progress: Progress | None = None) -> Count:
    """Walk through every line; positions are not counted."""
    began = time.perf_counter()
    steps = _steps(cards)
    if not cards or goal_reached(*start, table):
        return Count(1, None, 0, time.perf_counter() - began)
    rows = np.empty((MAX_TURNS * len(cards), 3), dtype=np.int64)
    cursor = np.zeros((len(cards), 2), dtype=np.int64)
    lines = moves = 0
    ply = -1
    while True:
        ply, more_lines, more_moves = walk(*start, ply, steps, table, rows, cursor, CHUNK)
        lines += more_lines
        moves += more_moves
        if progress is not None:
            progress(moves)
        if ply < 0:
            return Count(lines, None, moves, time.perf_counter() - began)


@kernel
def walk(
    a: int, b: int, ply: int, steps: IntArray, table: RuleTable, rows: IntArray, cursor: IntArray, budget: int
) -> tuple[int, int, int]:
    """Go on with a walk for about `budget` moves; return where it stands, and the lines and moves since.

    `cursor` holds for each ply the next row to look at and the end of its rows. A walk begins and ends at ply -1.
    """
    last = len(steps) - 1
    lines = 0
    moves = 0
    if ply < 0:
        cursor[0, 0] = 0
        cursor[0, 1] = turns(a, b, steps[0, 0], steps[0, 1], table, rows, 0)
        moves += cursor[0, 1]
        if last == 0:
            return -1, moves, moves
        ply = 0
    while moves < budget:
        row, end = cursor[ply]
        if row == end:
            ply -= 1
            if ply < 0:
                break
            continue
        cursor[ply, 0] = row + 1
        a = rows[row, 1]
        b = rows[row, 2]
        if goal_reached(a, b, table):
            lines += 1
            continue
        new_end = turns(a, b, steps[ply + 1, 0], steps[ply + 1, 1], table, rows, end)
        moves += new_end - end
        if ply + 1 == last:
            lines += new_end - end
        else:
            ply += 1
            cursor[ply, 0] = end
            cursor[ply, 1] = new_end
    return ply, lines, moves


def count_positions(start: Packed, cards: Sequence[Card], table: RuleTable, progress: Progress | None = None) -> Count:
    """Expand layer after layer; lines and positions are counted."""
    began = time.perf_counter()
    layer, ended = new_table(values=1), new_table(values=1)
    add_lines(ended if goal_reached(*start, table) else layer, *start, 1)
    sizes = [0, 0]  # positions in the next layer, positions at which a line ended
    rows = np.empty((MAX_TURNS, 3), dtype=np.int64)
    moves = 0
    for wizard, tower in _steps(cards):
        following = new_table(values=1)
        sizes[0] = 0
        at = 0
        while at < len(layer):
            at, new, new_ended, made = expand(layer, at, wizard, tower, table, rows, following, ended, *sizes)
            if at < 0:
                raise Refused("there are more lines than 64 bits can count; perft of fewer cards can be counted")
            sizes = [sizes[0] + new, sizes[1] + new_ended]
            moves += made
            if progress is not None:
                progress(moves)
            if max(sizes) > MOST_POSITIONS:
                raise Refused(
                    f"there are over {MOST_POSITIONS:,} different positions, and those alone take about "
                    f"{MOST_GIGABYTES} GB; --lines keeps none"
                )
            if not has_room(following, sizes[0], MAX_TURNS):
                following = grown(following)
            if not has_room(ended, sizes[1], MAX_TURNS):
                ended = grown(ended)
        layer = following
    lines, positions = (sum(both) for both in zip(_totals(layer), _totals(ended), strict=True))
    return Count(lines, positions, moves, time.perf_counter() - began)


def _totals(table: IntArray) -> tuple[int, int]:
    """The lines to all positions of a table, and how many positions those are."""
    lines = table[table[:, 0] != FREE, LINES]
    high, low = np.divmod(lines, 1 << 32)  # summed apart, so that no sum overflows
    return (int(high.sum()) << 32) + int(low.sum()), len(lines)


@kernel
def add_lines(table: IntArray, a: int, b: int, lines: int) -> int:
    """Add lines to a position's number; 1 if the position is new to the table, -1 if the number overflows."""
    row = row_of(table, a, b, 0)
    new = table[row, 0] == FREE
    if new:
        take_row(table, row, a, b, 0)
    table[row, LINES] += lines
    return -1 if table[row, LINES] < lines else int(new)


@kernel
def expand(
    layer: IntArray,
    at: int,
    wizard: int,
    tower: int,
    table: RuleTable,
    rows: IntArray,
    following: IntArray,
    ended: IntArray,
    size: int,
    size_ended: int,
) -> tuple[int, int, int, int]:
    """Expand a layer from slot `at` on, until it is done or a table is crowded.

    Returns the slot to go on from (-1: a number of lines overflowed), the new positions in both tables, the moves.
    """
    new = 0
    new_ended = 0
    moves = 0
    while at < len(layer) and moves < CHUNK:
        if layer[at, 0] != FREE:
            if not (has_room(following, size + new, MAX_TURNS) and has_room(ended, size_ended + new_ended, MAX_TURNS)):
                break
            count = turns(layer[at, 0], layer[at, 1], wizard, tower, table, rows, 0)
            moves += count
            for row in range(count):
                if goal_reached(rows[row, 1], rows[row, 2], table):
                    added = add_lines(ended, rows[row, 1], rows[row, 2], layer[at, LINES])
                    new_ended += added
                else:
                    added = add_lines(following, rows[row, 1], rows[row, 2], layer[at, LINES])
                    new += added
                if added < 0:
                    return -1, new, new_ended, moves
        at += 1
    return at, new, new_ended, moves


def first_moves(start: Packed, card: Card, table: RuleTable) -> Iterator[tuple[int, Packed]]:
    """The turns with the first card, as their numbers and where they lead."""
    rows = np.empty((MAX_TURNS, 3), dtype=np.int64)
    count = turns(*start, *card_steps(card), table, rows, 0)
    for code, a, b in rows[:count].tolist():
        yield code, Packed(a, b)


def _steps(cards: Sequence[Card]) -> IntArray:
    return np.array([card_steps(card) for card in cards], dtype=np.int64).reshape(-1, 2)
