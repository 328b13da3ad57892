"""How a value spreads: the chance to need at most so many further cards, where the value is so many on average."""

from __future__ import annotations

from math import erf, sqrt

import numpy as np

from solver.jit import FloatArray, kernel

STEPS_A_CARD = 2  # values are told apart by half a card
MOST_VALUE = 40
FURTHER = 60  # so many further cards are enough for any value
ROWS = MOST_VALUE * STEPS_A_CARD + 1
HOPELESS = 1000.0  # the value of a position that can never be won

SPREAD_AT_LEAST, SPREAD_A_CARD = 0.5, 0.11  # of the bell curve that stands in where nothing was measured


def bell_curves() -> FloatArray:
    """The table as one would guess it: a row for each value, in it the chance of at most 0, 1, 2, ... cards."""
    table = np.empty((ROWS, FURTHER + 1))
    for row in range(ROWS):
        value = row / STEPS_A_CARD
        spread = SPREAD_AT_LEAST + SPREAD_A_CARD * value
        table[row] = [0.5 * (1 + erf((cards + 0.5 - value) / spread / sqrt(2))) for cards in range(FURTHER + 1)]
    return with_certainties(table)


def measured(values: FloatArray, cards: FloatArray, enough: int = 400) -> FloatArray:
    """The table from games: what was expected, and what it came to (more than FURTHER: lost)."""
    table = bell_curves()
    rows = np.clip(np.rint(values * STEPS_A_CARD), 0, ROWS - 1).astype(np.int64)
    for row in range(ROWS):
        seen = cards[rows == row]
        if len(seen) >= enough:
            counts = np.bincount(np.minimum(seen, FURTHER + 1).astype(np.int64), minlength=FURTHER + 2)
            table[row] = np.cumsum(counts)[: FURTHER + 1] / len(seen)
    return with_certainties(table)


def with_certainties(table: FloatArray) -> FloatArray:
    """What is needed surely (0 or 1 card) is never in doubt."""
    table[0] = 1.0
    table[1 : STEPS_A_CARD + 1, 0] = 0.0
    table[1 : STEPS_A_CARD + 1, 1:] = 1.0
    table[STEPS_A_CARD + 1 :, 0] = 0.0
    return table


@kernel
def chance(value: float, cards: int, table: FloatArray) -> float:
    """The chance to need at most so many further cards."""
    if value >= HOPELESS or cards < 0:
        return 0.0
    if cards >= FURTHER:
        return 1.0
    place = min(max(value, 0.0) * STEPS_A_CARD, ROWS - 1.000001)
    row = int(place)
    part = place - row
    return table[row, cards] * (1 - part) + table[row + 1, cards] * part  # type: ignore[no-any-return]
