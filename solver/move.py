"""Cards and moves in plain objects, as notation writes them and players speak of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from solver.rules import FACE_NUMBER, FACES, Face


class Card(NamedTuple):
    """A card, with the rolls of its die as far as they are known, in order."""

    face: str
    rolls: tuple[int, ...] = ()

    @property
    def data(self) -> Face:
        """The card's line in the rules."""
        return FACES[FACE_NUMBER[self.face]]

    @property
    def has_die(self) -> bool:
        """Whether the card moves by the die."""
        return self.data.rolls > 0


class Piece(NamedTuple):
    """A wizard of a space (height 0), or the tower at a height of its stack (1 is on the ground)."""

    space: int
    height: int = 0


class Pair(NamedTuple):
    """The two spaces of `swap-towers`, the smaller first."""

    first: int
    second: int


Target = Piece | Pair | str | None
CW, CCW = "cw", "ccw"  # the two targets of nudge-keep


@dataclass(frozen=True)
class Move:
    """A whole turn: the card (None: a refresh), the piece it moved (None: nothing could), the spell."""

    card: Card | None
    action: Piece | None
    spell: str | None = None
    target: Target = None
    new_roll: int | None = None  # what `extra-roll` brought

    @property
    def roll(self) -> int | None:
        """The roll that counts, if the card has a die."""
        if self.new_roll is not None:
            return self.new_roll
        return self.card.rolls[-1] if self.card and self.card.rolls else None
