"""A position in plain objects: what texts are parsed into, pictures drawn from and words packed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from solver.rules import SHIELD_SPACES, Bottles


class Tower(NamedTuple):
    """A tower: whether its roof shows a raven shield, and the wizards on that roof."""

    raven: bool
    wizards: int


class Stack(NamedTuple):
    """One space: the wizards on its ground and its towers from the ground up."""

    ground: int
    towers: tuple[Tower, ...]

    @property
    def wizards(self) -> tuple[int, ...]:
        """The wizards on each surface, the ground first; the last one is the visible surface."""
        return (self.ground, *(tower.wizards for tower in self.towers))

    @property
    def visible(self) -> int:
        """The wizards on the visible surface."""
        return self.wizards[-1]


@dataclass(frozen=True)
class Position:
    """A whole position. Building one checks nothing; texts are checked where they are parsed."""

    stacks: tuple[Stack, ...]
    keep: int
    home: int = 0
    bottles: Bottles | None = None

    @property
    def on_board(self) -> int:
        """The wizards that are not home yet."""
        return sum(sum(stack.wizards) for stack in self.stacks)

    @property
    def imprisoned(self) -> int:
        """The wizards that stand under a tower."""
        return sum(sum(stack.wizards[:-1]) for stack in self.stacks)

    def shows_shield(self, space: int) -> bool:
        """Whether the visible surface of a space shows a raven shield."""
        towers = self.stacks[space].towers
        return towers[-1].raven if towers else space in SHIELD_SPACES
