"""A hash table with exact keys of three words: a packed position and one more number.

A row is the key, then whatever values the user of the table keeps with it.
"""

from __future__ import annotations

import numpy as np

from solver.jit import IntArray, kernel

FREE = -1  # first word of a row not taken; packed words are never negative
KEY = 3  # words of a key, and the first column of the values
WORD_BYTES = 8
FIRST_ROWS = 1 << 13  # room for the turns of one position at the least
ROWS_EACH = 2  # rows of a table for each that may be taken; when more are needed, it doubles


@kernel
def hash_of(a: int, b: int, c: int) -> np.uint64:
    """64 mixed bits of a key."""
    x = (np.uint64(a) * np.uint64(0x9E3779B97F4A7C15)) ^ (np.uint64(b) + (np.uint64(c) << np.uint64(40)))
    return (x ^ (x >> np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9)


@kernel
def has_room(table: IntArray, size: int, more: int) -> bool:
    """Whether a table with `size` rows taken has room for so many more; if not, its owner must let it grow.

    The one test for both sides: a kernel that stops where Python then sees no need to grow would be called forever.
    """
    return ROWS_EACH * (size + more) <= len(table)


@kernel
def row_of(table: IntArray, a: int, b: int, c: int) -> int:
    """The row of a key: its own, or the free one where it belongs."""
    last = len(table) - 1  # the number of rows is a power of two
    row = np.int64(hash_of(a, b, c) >> np.uint64(20)) & last
    while table[row, 0] != FREE and (table[row, 0] != a or table[row, 1] != b or table[row, 2] != c):
        row = (row + 1) & last
    return row  # type: ignore[return-value]


@kernel
def take_row(table: IntArray, row: int, a: int, b: int, c: int) -> None:
    """Write a key into a free row; its values become 0."""
    table[row, 0] = a
    table[row, 1] = b
    table[row, 2] = c
    for column in range(KEY, table.shape[1]):
        table[row, column] = 0


@kernel
def refill(old: IntArray, new: IntArray) -> None:
    """Put everything in one table into another, larger one."""
    for row in range(len(old)):
        if old[row, 0] != FREE:
            new[row_of(new, old[row, 0], old[row, 1], old[row, 2])] = old[row]


def new_table(values: int, rows: int = FIRST_ROWS) -> IntArray:
    """An empty table with so many values a row; the number of rows is a power of two."""
    table = np.empty((rows, KEY + values), dtype=np.int64)
    table[:, 0] = FREE
    return table


def grown(table: IntArray) -> IntArray:
    """A table twice the size with the same contents."""
    larger = new_table(table.shape[1] - KEY, 2 * len(table))
    refill(table, larger)
    return larger


def contents(table: IntArray) -> IntArray:
    """The rows that are taken."""
    taken: IntArray = table[table[:, 0] != FREE]
    return taken
