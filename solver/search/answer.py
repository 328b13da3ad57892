"""What a search found out: a verdict with its evidence and its cost."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from solver.move import Card, Move


class Verdict(Enum):
    """What is known in the end."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    INTERRUPTED = "interrupted"


class Key(NamedTuple):
    """A first move that keeps to the shortest, and how many shortest lines begin with it."""

    move: Move
    lines: int


@dataclass(frozen=True)
class Answer:
    """What a search found out, and what it cost."""

    verdict: Verdict
    lower_bound: int  # no line needs fewer cards
    cards: int | None = None  # of the best line found; the fewest if the verdict is PROVED
    line: tuple[Move, ...] = ()
    keys: tuple[Key, ...] = ()
    endings: int = 0  # different ends of the shortest lines: position, hand once refilled, and draw pile
    idle: tuple[Card, ...] = ()  # cards that no shortest line plays
    nodes: int = 0
    seconds: float = 0.0
    limit: str = ""  # which limit was hit, or why nothing more was tried
    exhausted: bool = False  # REFUTED for any number of cards, not only within the number tried

    @property
    def counted(self) -> bool:
        """Whether the shortest lines were counted; a limit can stop that after the fewest cards are proved."""
        return bool(self.keys)

    @property
    def solutions(self) -> int:
        """How many different shortest lines there are."""
        return sum(key.lines for key in self.keys)
