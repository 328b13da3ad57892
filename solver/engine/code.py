"""A whole turn as one number: which piece the card moved, which spell was cast, on what.

    24      23         14 13     10 9          0
    +---------+----------+---------+----------+
    | refresh |  target  |  spell  |  action  |
    +---------+----------+---------+----------+

Action and target are pieces: kind (2 bits), space (4), height (4; 1 is on the ground, 0 for a wizard).
A target that is no piece uses the same bits: `swap-towers` both spaces, `nudge-keep` the direction in `space`.
Two turns with the same card have the same number exactly if they are written the same.
"""

from __future__ import annotations

from solver.jit import kernel
from solver.layout import Field, get

KIND = Field(0, 2)
SPACE = Field(KIND.top, 4)
HEIGHT = Field(SPACE.top, 4)

ACTION = Field(0, HEIGHT.top)
SPELL = Field(ACTION.top, 4)
TARGET = Field(SPELL.top, HEIGHT.top)
REFRESH = Field(TARGET.top, 1)

NOTHING, WIZARD, TOWER = range(3)  # kinds
CLOCKWISE, COUNTERCLOCKWISE = range(2)  # directions of nudge-keep

ON_REFRESH = 1 << REFRESH.shift


@kernel
def piece(kind: int, space: int, height: int) -> int:
    """A piece as a number."""
    return (kind << KIND.shift) | (space << SPACE.shift) | (height << HEIGHT.shift)


@kernel
def as_action(piece: int) -> int:
    """The part of a turn's number that says which piece the card moved."""
    return piece << ACTION.shift


@kernel
def as_target(piece: int) -> int:
    """The part of a turn's number that says what the spell was cast on."""
    return piece << TARGET.shift


@kernel
def casting(spell: int) -> int:
    """The part of a turn's number that says which spell was cast."""
    return spell << SPELL.shift


@kernel
def refreshed(code: int) -> bool:
    """Whether the turn was a refresh instead of a card."""
    return get(code, REFRESH) == 1
