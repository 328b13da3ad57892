"""Intervals and tests, from sums that are whole numbers, so that the order of the games cannot matter."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf, lgamma, log, log1p, sqrt
from typing import NamedTuple

CONFIDENCE = 0.95
_Z = 1.959963984540054  # the normal quantile for it
_STEPS = 300  # of a continued fraction; it needs about as many as the root of the larger parameter
_TINY = 1e-300
_CLOSE = 1e-15


class Interval(NamedTuple):
    """Where a number lies, with 95 % confidence."""

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of what the interval spans."""
        return (self.high - self.low) / 2


class Mean(NamedTuple):
    """A mean with its interval's half-width, and how much the single games spread."""

    mean: float
    half_width: float  # infinite if a single game says nothing of the spread
    deviation: float


def wilson(successes: int, games: int) -> Interval:
    """The interval of a proportion after Wilson (1927): within 0 to 1 always, and of use also next to these."""
    if games == 0:
        return Interval(0.0, 1.0)
    share = successes / games
    spread = _Z * sqrt(share * (1 - share) / games + _Z * _Z / (4 * games * games))
    centre = share + _Z * _Z / (2 * games)
    scale = 1 + _Z * _Z / games
    low = 0.0 if successes == 0 else (centre - spread) / scale
    return Interval(low, 1.0 if successes == games else (centre + spread) / scale)


def wilson_between(fewest: int, most: int, games: int) -> Interval:
    """The same where some games are undecided: they count against it at the lower end, and for it at the upper."""
    return Interval(wilson(fewest, games).low, wilson(most, games).high)


def mean_of(games: int, total: int, squares: int, unit: int = 1) -> Mean:
    """The mean of numbers given by their sum and the sum of their squares, all in parts of `unit`."""
    if games == 0:
        return Mean(0.0, inf, 0.0)
    spread = games * squares - total * total  # exact, however many games there are
    deviation = sqrt(spread / (games * (games - 1))) / unit if games > 1 else 0.0
    half_width = student(games - 1) * deviation / sqrt(games) if games > 1 else inf
    return Mean(total / games / unit, half_width, deviation)


def student(freedom: int) -> float:
    """The quantile of Student's t distribution for a 95 % interval."""
    low, high = _Z, 13.0  # 12.71 for one degree of freedom
    for _ in range(60):
        middle = (low + high) / 2
        outside = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + middle * middle))
        low, high = (middle, high) if outside > 1 - CONFIDENCE else (low, middle)
    return (low + high) / 2


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided probability of so uneven a split, or a more uneven one, if both were equally good."""
    fewer, games = min(only_first, only_second), only_first + only_second
    if 2 * fewer >= games:
        return 1.0
    # P(X <= k) of a fair coin thrown n times is I(1/2; n - k, k + 1)
    return min(1.0, 2 * incomplete_beta(games - fewer, fewer + 1, 0.5))


def quantile(counts: Sequence[int], share: float) -> int | None:
    """The smallest place by which at least this share of all is reached; None where there is nothing."""
    total = sum(counts)
    below = 0
    for place, count in enumerate(counts):
        below += count
        if count and below >= share * total:
            return place
    return None


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by Lentz's method on its continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # there the fraction of the other tail converges faster
        return 1 - incomplete_beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    c, d = 1.0, 1 / _far_from_zero(1 - (a + b) * x / (a + 1))
    result = d
    for step in range(1, _STEPS + int(sqrt(max(a, b)))):
        for part in (
            step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step)),
            -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1)),
        ):
            d = 1 / _far_from_zero(1 + part * d)
            c = _far_from_zero(1 + part / c)
            result *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return front * result


def _far_from_zero(number: float) -> float:
    return number if abs(number) > _TINY else _TINY
