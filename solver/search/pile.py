"""A pile of cards in one word: which faces, and how many of each, in no order.

From the lowest bit up, each face of `rules.FACES` has a field just wide enough for the number of its copies; they take
59 bits in all. So piles of cards from one deck can be added and subtracted like numbers, and equal piles are equal.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from solver.jit import kernel, lowest_bit
from solver.layout import Field
from solver.rules import FACES


def _fields() -> list[Field]:
    fields = [Field(0, 0)]
    for face in FACES:
        fields.append(Field(fields[-1].top, face.copies.bit_length()))
    return fields[1:]


_FIELDS = _fields()
PILE_BITS = _FIELDS[-1].top
_SHIFT = np.array([field.shift for field in _FIELDS])
_MASK = np.array([(1 << field.width) - 1 for field in _FIELDS])
_FACE_AT = np.array([number for number, field in enumerate(_FIELDS) for _ in range(field.width)])  # by bit
DICE = sum(int(mask) << int(at) for face, at, mask in zip(FACES, _SHIFT, _MASK, strict=True) if face.rolls)  # mask


def pile_of(faces: Iterable[int]) -> int:
    """The pile of these cards, given as numbers of faces."""
    return sum(1 << _FIELDS[face].shift for face in faces)


WHOLE_DECK = pile_of(number for number, face in enumerate(FACES) for _ in range(face.copies))


@kernel
def lowest_face(pile: int) -> int:
    """The first face in a pile that is not empty."""
    return _FACE_AT[lowest_bit(pile)]  # type: ignore[no-any-return]


@kernel
def copies_in(pile: int, face: int) -> int:
    """How many cards of a face are in a pile."""
    return (pile >> _SHIFT[face]) & _MASK[face]  # type: ignore[no-any-return]


@kernel
def copies_of(face: int, number: int) -> int:
    """A pile of so many cards of one face."""
    return number << _SHIFT[face]  # type: ignore[no-any-return]


@kernel
def without_face(pile: int, face: int) -> int:
    """The pile less all cards of a face."""
    return pile & ~(_MASK[face] << _SHIFT[face])  # type: ignore[no-any-return]


@kernel
def cards_in(pile: int) -> int:
    """How many cards a pile has."""
    cards = 0
    while pile != 0:
        face = lowest_face(pile)
        cards += copies_in(pile, face)
        pile = without_face(pile, face)
    return cards
