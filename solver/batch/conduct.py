"""A run from its first game, or where it was stopped, to its end: a number of games, or an interval narrow enough.

Whether it is narrow enough is asked only every so many games, counted from the first, so that the answer does not
depend on chunks and workers. The width is fixed beforehand; nobody looks whether the result pleases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Protocol

from solver.batch.run import Run
from solver.batch.statistics import Mean, mcnemar
from solver.batch.tally import LUCK_UNIT, Sums, Tally
from solver.batch.work import Chunk, Team, chunks

CHECK_EVERY = 1000  # games; also the fewest that can be enough


@dataclass(frozen=True)
class Target:
    """When a run is at its end: with so many games, or before if every interval asked for is so narrow."""

    games: int
    rate: float | None = None  # half-width of the win rate, of 1
    cards: float | None = None  # half-width of the mean

    def met(self, so_far: Measured) -> bool:
        """Whether the intervals are narrow enough."""
        if self.rate is None and self.cards is None:
            return False
        wanted = zip(so_far.half_widths, (self.cards, self.rate), strict=True)
        return all(enough is None or width <= enough for width, enough in wanted)


class Measured(Protocol):
    """Counts games."""

    def add(self, part: Chunk) -> None:
        """Count more games."""

    @property
    def games(self) -> int:
        """How many there are."""

    @property
    def half_widths(self) -> tuple[float, float]:
        """Of the mean cards and of the win rate, or of their differences."""


@dataclass
class Single:
    """One run, as it is measured."""

    tally: Tally

    def add(self, part: Chunk) -> None:
        """Count more games."""
        self.tally.add(part.cards[0], part.lucks[0])

    @property
    def games(self) -> int:
        """How many there are."""
        return self.tally.games

    @property
    def half_widths(self) -> tuple[float, float]:
        """Of the mean cards and of the win rate."""
        return self.tally.mean.half_width, self.tally.win_interval.half_width


@dataclass
class Pair:
    """Two runs over the same games, and how they differ game by game."""

    first: Tally
    second: Tally
    differences: Sums = field(default_factory=Sums)  # cards of the first less the second's, in parts of LUCK_UNIT
    wins: Sums = field(default_factory=Sums)  # 1: only the first won in time, -1: only the second
    better: tuple[int, int, int] = (0, 0, 0)  # games: fewer cards with the first, with the second, as many

    def add(self, part: Chunk) -> None:
        """Count more games."""
        for tally, cards, lucks in zip((self.first, self.second), part.cards, part.lucks, strict=True):
            tally.add(cards, lucks)
        score = self.first.score
        one, two = (score.costs(cards) for cards in part.cards)
        self.differences.add((one - two) * LUCK_UNIT - (part.lucks[0] - part.lucks[1]))
        in_time = (part.cards >= 0) & (part.cards <= score.within)
        self.wins.add(in_time[0].astype(int) - in_time[1].astype(int))
        fewer, more = int((one < two).sum()), int((one > two).sum())
        self.better = (self.better[0] + fewer, self.better[1] + more, self.better[2] + len(one) - fewer - more)

    @property
    def games(self) -> int:
        """How many pairs there are."""
        return self.first.games

    @property
    def half_widths(self) -> tuple[float, float]:
        """Of the difference of the mean cards, and of the win rates."""
        return self.difference.half_width, self.wins.mean().half_width

    @property
    def difference(self) -> Mean:
        """How many cards more the first one takes."""
        return self.differences.mean(LUCK_UNIT)

    @property
    def only(self) -> tuple[int, int]:
        """Games that only the first, and only the second, won in time."""
        either, more = self.wins.squares, self.wins.total
        return (either + more) // 2, (either - more) // 2

    @property
    def p_value(self) -> float:
        """The probability of wins so uneven if both were as good, by McNemar's exact test."""
        return mcnemar(*self.only)

    @property
    def shrunk(self) -> float:
        """By how much playing the same games made the variance of the difference smaller."""
        spread = self.difference.deviation ** 2
        apart = self.first.mean.deviation ** 2 + self.second.mean.deviation ** 2
        return apart / spread if spread else inf


def conduct(
    runs: tuple[Run, ...],
    measured: Measured,
    target: Target,
    team: Team,
    keep: Callable[[Chunk], None] = lambda part: None,
    tick: Callable[[int], None] = lambda games: None,
) -> None:
    """Play on from the games measured already; every part is kept, then counted, in order."""
    if measured.games and measured.games % CHECK_EVERY == 0 and target.met(measured):
        return
    for chunk in chunks(runs, measured.games, target.games, team):
        first = chunk.first
        while first < chunk.stop:
            stop = min(chunk.stop, first - first % CHECK_EVERY + CHECK_EVERY)
            part = chunk.part(first, stop)
            keep(part)
            measured.add(part)
            if stop % CHECK_EVERY == 0 and target.met(measured):
                return
            first = stop
        tick(measured.games)
