"""A hash table from packed positions to numbers of lines, with exact keys."""

from __future__ import annotations

import numpy as np

from solver.jit import IntArray, kernel

FREE = -1  # word a of a slot not taken; packed words are never negative
SLOT_BYTES = 3 * 8
FIRST_SLOTS = 1 << 13  # room for the turns of one position at the least
FILL = 0.5  # share of slots taken at which a table doubles


@kernel
def slot_of(a: int, b: int, slots: int) -> int:
    """Where the search for a key begins; `slots` is a power of two."""
    x = (np.uint64(a) * np.uint64(0x9E3779B97F4A7C15)) ^ np.uint64(b)
    x = (x ^ (x >> np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9)
    return np.int64(x >> np.uint64(20)) & (slots - 1)  # type: ignore[return-value]


@kernel
def add(table: IntArray, a: int, b: int, lines: int) -> int:
    """Add lines to a position's number; 1 if the position is new to the table, -1 if the number overflows."""
    slots = len(table)
    slot = slot_of(a, b, slots)
    while table[slot, 0] != FREE:
        if table[slot, 0] == a and table[slot, 1] == b:
            table[slot, 2] += lines
            return 0 if table[slot, 2] >= lines else -1
        slot = (slot + 1) & (slots - 1)
    table[slot, 0] = a
    table[slot, 1] = b
    table[slot, 2] = lines
    return 1


def new_table(slots: int) -> IntArray:
    """An empty table; the number of slots is a power of two."""
    table = np.empty((slots, 3), dtype=np.int64)
    table[:, 0] = FREE
    return table


@kernel
def refill(old: IntArray, new: IntArray) -> None:
    """Put everything in one table into another, larger one."""
    for row in range(len(old)):
        if old[row, 0] != FREE:
            add(new, old[row, 0], old[row, 1], old[row, 2])


def grown(table: IntArray) -> IntArray:
    """A table twice the size with the same contents."""
    larger = new_table(2 * len(table))
    refill(table, larger)
    return larger
