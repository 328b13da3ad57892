"""What is kept of many games: how many took how many cards, and the sums that luck needs. Its size does not grow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from solver.batch.statistics import Interval, Mean, mean_of, quantile, wilson, wilson_between
from solver.jit import IntArray
from solver.rules import DECK_SIZE, GRADES, WIN_CARDS
from solver.search.simulate import LOST, UNDECIDED
from solver.search.situation import LOSS_CARDS

LUCK_UNIT = 10_000  # luck is kept in ten-thousandths of a card, so that sums are exact in any order
_TOGETHER = 4096  # games whose squares fit into 64 bits when they are added up


@dataclass(frozen=True)
class Score:
    """How games are counted."""

    within: int = WIN_CARDS  # cards that count as a win
    loss_cards: int = LOSS_CARDS  # what a game that was not won counts as in a mean

    def costs(self, cards: IntArray) -> IntArray:
        """The cards of games, with the losses counted."""
        return np.where(cards < 0, self.loss_cards, cards)


@dataclass
class Sums:
    """Sum and sum of squares of some whole numbers."""

    games: int = 0
    total: int = 0
    squares: int = 0

    def add(self, numbers: IntArray) -> None:
        """Count more numbers."""
        self.games += len(numbers)
        self.total += int(numbers.sum())
        for first in range(0, len(numbers), _TOGETHER):
            part = numbers[first : first + _TOGETHER]
            self.squares += int(np.dot(part, part))

    def mean(self, unit: int = 1) -> Mean:
        """The mean with its interval."""
        return mean_of(self.games, self.total, self.squares, unit)


@dataclass
class Tally:
    """The games of a run so far."""

    score: Score = Score()
    with_luck: bool = False
    counts: IntArray = field(default_factory=lambda: np.zeros(DECK_SIZE + 1, dtype=np.int64))
    lost: int = 0
    undecided: int = 0
    plain: Sums = field(default_factory=Sums)
    adjusted: Sums = field(default_factory=Sums)  # with the luck taken off, in parts of LUCK_UNIT

    def add(self, cards: IntArray, lucks: IntArray) -> None:
        """Count more games; `lucks` are whole numbers in parts of LUCK_UNIT."""
        self.counts += np.bincount(cards[cards >= 0], minlength=DECK_SIZE + 1)
        self.lost += int(np.count_nonzero(cards == LOST))
        self.undecided += int(np.count_nonzero(cards == UNDECIDED))
        costs = self.score.costs(cards)
        self.plain.add(costs)
        if self.with_luck:
            self.adjusted.add(costs * LUCK_UNIT - lucks)

    @property
    def games(self) -> int:
        """How many there are."""
        return self.plain.games

    @property
    def wins(self) -> int:
        """Games that were won in time."""
        return int(self.counts[: self.score.within + 1].sum())

    @property
    def win_interval(self) -> Interval:
        """Where the win rate lies; an undecided game may be either."""
        return wilson_between(self.wins, self.wins + self.undecided, self.games)

    @property
    def mean(self) -> Mean:
        """The mean cards, as sure as can be: with the luck taken off, if it was measured."""
        return self.adjusted.mean(LUCK_UNIT) if self.with_luck else self.plain.mean()

    def summary(self) -> Summary:
        """All that can be said of the games."""
        counts: list[int] = self.counts.tolist()
        plain, mean = self.plain.mean(), self.mean
        fewer = None
        if self.with_luck and self.games > 1:
            fewer = (plain.deviation / mean.deviation) ** 2 if mean.deviation else float("inf")
        ordered = [*counts, self.lost + self.undecided]  # a game that was not won is worse than any other
        return Summary(
            self.score, self.games, mean, plain, fewer, self.wins, self.win_interval, self.lost, self.undecided,
            tuple(counts), _quantiles(ordered), tuple(_grades(counts, self.lost, self.undecided)),
        )  # fmt: skip


@dataclass(frozen=True)
class GradeCount:
    """How many games earned a grade."""

    name: str
    games: int
    interval: Interval


@dataclass(frozen=True)
class Summary:
    """What a run came to."""

    score: Score
    games: int
    mean: Mean
    plain: Mean  # the same with the luck left in
    fewer_games: float | None  # how many times fewer games were needed with the luck taken off
    wins: int
    win_interval: Interval
    lost: int
    undecided: int
    counts: tuple[int, ...]  # games won, by their cards
    quartiles: tuple[int | None, ...]  # cards of the games a quarter, half and three quarters down; None: not won
    grades: tuple[GradeCount, ...]

    @property
    def win_rate(self) -> float:
        """The share of games won in time."""
        return self.wins / self.games if self.games else 0.0


def _quantiles(ordered: Sequence[int]) -> tuple[int | None, ...]:
    found = [quantile(ordered, share) for share in (0.25, 0.5, 0.75)]
    return tuple(None if place is None or place > DECK_SIZE else place for place in found)


def _grades(counts: list[int], lost: int, undecided: int) -> list[GradeCount]:
    games = sum(counts) + lost + undecided
    rows = []
    low = 0
    for most, name in GRADES:
        upto = DECK_SIZE if most is None else most
        number = sum(counts[low : upto + 1]) + (lost if most is None else 0)
        rows.append(GradeCount(name, number, wilson(number, games)))
        low = upto + 1
    return rows
