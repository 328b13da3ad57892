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
from solver.move import CCW, CW, Card, Move, Pair, Piece, Target
from solver.rules import NUDGE_KEEP, SPELL_NUMBER, SPELLS, SWAP_TOWERS

KIND = Field(0, 2)
SPACE = Field(KIND.top, 4)
HEIGHT = Field(SPACE.top, 4)

ACTION = Field(0, HEIGHT.top)
SPELL = Field(ACTION.top, 4)
TARGET = Field(SPELL.top, HEIGHT.top)
REFRESH = Field(TARGET.top, 1)

NOTHING, WIZARD, TOWER = range(3)  # kinds
CLOCKWISE, COUNTERCLOCKWISE = range(2)  # directions of nudge-keep
DIRECTIONS = (CW, CCW)

ON_REFRESH = 1 << REFRESH.shift


@kernel
def piece(kind: int, space: int, height: int) -> int:
    """A piece as a number."""
    return (kind << KIND.shift) | (space << SPACE.shift) | (height << HEIGHT.shift)


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


def encode(move: Move) -> int:
    """The number of a move; its card is not part of it."""
    code = ON_REFRESH if move.card is None else 0
    if move.action is not None:
        code |= _number(move.action) << ACTION.shift
    if move.spell is not None:
        code |= SPELL_NUMBER[move.spell] << SPELL.shift
    if isinstance(move.target, Piece):
        code |= _number(move.target) << TARGET.shift
    elif isinstance(move.target, Pair):
        code |= _bits(NOTHING, move.target.first, move.target.second) << TARGET.shift
    elif move.target is not None:
        code |= _bits(NOTHING, DIRECTIONS.index(move.target), 0) << TARGET.shift
    return code


def decode(code: int, card: Card, new_roll: int | None = None) -> Move:
    """The move that a number stands for, when it was made with this card."""
    spell_number = _field(code, SPELL)
    spell = SPELLS[spell_number - 1].name if spell_number else None
    action = _field(code, ACTION)
    target_bits = _field(code, TARGET)
    target: Target = None
    if _field(target_bits, KIND) != NOTHING:
        target = _piece(target_bits)
    elif spell_number == SWAP_TOWERS:
        target = Pair(_field(target_bits, SPACE), _field(target_bits, HEIGHT))
    elif spell_number == NUDGE_KEEP:
        target = DIRECTIONS[_field(target_bits, SPACE)]
    return Move(
        None if _field(code, REFRESH) else card,
        _piece(action) if _field(action, KIND) != NOTHING else None,
        spell,
        target,
        new_roll,
    )


def _bits(kind: int, space: int, height: int) -> int:
    return (kind << KIND.shift) | (space << SPACE.shift) | (height << HEIGHT.shift)


def _number(piece: Piece) -> int:
    return _bits(TOWER if piece.height else WIZARD, piece.space, piece.height)


def _field(word: int, field: Field) -> int:
    return (word >> field.shift) & ((1 << field.width) - 1)


def _piece(number: int) -> Piece:
    return Piece(_field(number, SPACE), _field(number, HEIGHT))
