"""The interval estimates: against published and exactly summed values, their properties, and how often they cover."""

from __future__ import annotations

import functools
import math
import statistics
import time
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import solver.batch.statistics as module
from solver.batch.statistics import (
    Interval,
    Mean,
    incomplete_beta,
    mcnemar,
    mean_of,
    quantile,
    student,
    wilson,
    wilson_between,
)

NORMAL = 1.959963984540054  # the 97.5 % quantile of the normal distribution
relaxed = settings(deadline=None, max_examples=80)


@st.composite
def results(draw: st.DrawFn, most: int = 10**9) -> tuple[int, int]:
    """Successes and games, at least one."""
    games = draw(st.integers(1, 60) | st.integers(1, most))
    return draw(st.integers(0, games) | st.integers(0, min(games, 3)).map(lambda k: games - k)), games


def close(value: float, relative: float = 1e-9, absolute: float = 0.0) -> object:
    """As pytest.approx, but with no absolute tolerance unless told: small p-values must be right as well."""
    return pytest.approx(value, rel=relative, abs=absolute)


def tolerance(games: float) -> float:
    """The relative error that is accepted: of a difference of logarithms of factorials, hence in proportion to them."""
    return max(1e-9, games * 1e-14)


# Wilson -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("successes", "games", "low", "high"),
    [
        # scipy.stats.binomtest(successes, games).proportion_ci(0.95, "wilson"), the last in 40 decimal digits
        (0, 1, 0.0, 0.7934506856227626),
        (1, 1, 0.2065493143772374, 1.0),
        (0, 10, 0.0, 0.27753279986288926),
        (1, 10, 0.017876213095072903, 0.4041500267952385),
        (5, 10, 0.23659309051256397, 0.7634069094874361),
        (10, 10, 0.7224672001371107, 1.0),
        (975, 1000, 0.9633547107321567, 0.9830098687065659),
        (999, 1000, 0.9943574414020421, 0.999823453629374),
        (49_750, 50_000, 0.9943425841671691, 0.9955813607914273),
        (99_999_000, 100_000_000, 0.9999893607036365, 0.999990600882545),
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3, in four digits
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_known_intervals(successes: int, games: int, low: float, high: float) -> None:
    tolerance = 6e-5 if low == round(low, 4) and high == round(high, 4) else 1e-12
    assert wilson(successes, games) == (close(low, 0, tolerance), close(high, 0, tolerance))


def test_wilson_knows_nothing_without_games() -> None:
    assert wilson(0, 0) == Interval(0, 1)
    assert wilson_between(0, 0, 0) == Interval(0, 1)


@pytest.mark.parametrize("games", [*range(1, 200), 1000, 1001, 12_345, 10**6, 10**8 + 7, 10**12])
def test_wilson_is_exact_at_the_ends(games: int) -> None:
    none, every = wilson(0, games), wilson(games, games)
    assert none.low == 0
    assert every.high == 1
    assert none.high == close(NORMAL**2 / (games + NORMAL**2), 1e-10)
    assert every.low == close(games / (games + NORMAL**2), 1e-10)


@relaxed
@given(results())
def test_wilson_contains_the_share_and_stays_within_bounds(result: tuple[int, int]) -> None:
    successes, games = result
    low, high = wilson(successes, games)
    assert 0 <= low <= successes / games <= high <= 1
    assert low < high


@relaxed
@given(results())
def test_wilson_treats_successes_and_failures_alike(result: tuple[int, int]) -> None:
    successes, games = result
    won, lost = wilson(successes, games), wilson(games - successes, games)
    assert (won.low, won.high) == (close(1 - lost.high, 0, 1e-12), close(1 - lost.low, 0, 1e-12))


@relaxed
@given(results(10**6))
def test_wilson_ends_where_the_score_test_does(result: tuple[int, int]) -> None:
    successes, games = result
    for bound in wilson(successes, games):
        if 0 < bound < 1:
            score = abs(successes / games - bound) / math.sqrt(bound * (1 - bound) / games)
            assert score == close(NORMAL, 1e-6)


@relaxed
@given(results(10**6), st.integers(2, 100))
def test_wilson_narrows_with_more_games(result: tuple[int, int], times: int) -> None:
    successes, games = result
    few, many = wilson(successes, games), wilson(successes * times, games * times)
    assert many.half_width < few.half_width
    assert few.low <= many.low
    assert many.high <= few.high


@relaxed
@given(results(10**6))
def test_wilson_rises_with_the_successes(result: tuple[int, int]) -> None:
    successes, games = result
    assume(successes < games)
    less, more = wilson(successes, games), wilson(successes + 1, games)
    assert less.low < more.low
    assert less.high < more.high


def test_half_width_is_half_the_width() -> None:
    assert Interval(0.25, 0.75).half_width == 0.25
    assert Interval(0.9, 1.0).half_width == close(0.05)
    interval = wilson(30, 70)
    low, high = interval
    assert (low, high) == (interval.low, interval.high)
    assert interval.half_width == close((high - low) / 2)


@relaxed
@given(results(10**6), st.data())
def test_undecided_games_count_both_ways(result: tuple[int, int], data: st.DataObject) -> None:
    most, games = result
    fewest = data.draw(st.integers(0, most))
    interval = wilson_between(fewest, most, games)
    assert isinstance(interval, Interval)
    assert interval.low == wilson(fewest, games).low
    assert interval.high == wilson(most, games).high
    between = wilson(data.draw(st.integers(fewest, most)), games)
    assert interval.low <= between.low
    assert between.high <= interval.high
    assert wilson_between(most, most, games) == wilson(most, games)


def binomials(games: int, chance: float) -> np.ndarray:
    """The chance of every number of successes."""
    k = np.arange(games + 1)
    factorials = np.array([math.lgamma(n + 1) for n in range(games + 1)])
    logs = factorials[games] - factorials - factorials[::-1] + k * math.log(chance) + (games - k) * math.log1p(-chance)
    weights: np.ndarray = np.exp(logs)
    return weights


def coverage(games: int, chances: Sequence[float]) -> list[float]:
    """How often Wilson intervals contain each of the chances: summed over all results, without sampling."""
    lows, highs = np.array([wilson(k, games) for k in range(games + 1)]).T
    return [float(binomials(games, p)[(lows <= p) & (p <= highs)].sum()) for p in chances]


def test_wilson_covers_the_chance_as_often_as_known() -> None:
    # Summed with scipy.stats.binom. Discreteness makes single chances miss 95 %, on either side: 92 % at worst here.
    chances = (0.5, 0.9, 0.975, 0.999)
    few, many = coverage(50, chances), coverage(1000, chances)
    assert few == [close(share, 0, 1e-5) for share in (0.93509, 0.97031, 0.96380, 0.95121)]
    assert many == [close(share, 0, 1e-5) for share in (0.94632, 0.94910, 0.94688, 0.91979)]
    assert 0.945 < statistics.mean(few + many) < 0.95


@pytest.mark.parametrize("games", [50, 200, 1000])
def test_wilson_covers_95_percent_on_average(games: int) -> None:
    covered = coverage(games, [(k + 0.5) / 400 for k in range(400)])
    assert statistics.mean(covered) == close(0.95, 0, 0.003)
    assert min(covered) > 0.83  # beside the ends, where games * chance is near 0.2: a known weakness of the method


# Means ------------------------------------------------------------------------------------------------------


def mean_from(numbers: Sequence[int], unit: int = 1) -> Mean:
    return mean_of(len(numbers), sum(numbers), sum(number * number for number in numbers), unit)


def test_mean_of_a_worked_example() -> None:
    mean = mean_from([2, 4, 4, 4, 5, 5, 7, 9])
    assert isinstance(mean, Mean)
    assert mean.mean == 5
    assert mean.deviation == close(math.sqrt(32 / 7))
    assert mean.half_width == close(2.364624251592784 * math.sqrt(32 / 7 / 8))
    assert tuple(mean) == (mean.mean, mean.half_width, mean.deviation)


@pytest.mark.parametrize("number", [-3, 0, 1, 24, 10**9])
def test_one_game_tells_nothing_about_the_spread(number: int) -> None:
    mean = mean_from([number])
    assert mean.mean == number
    assert mean.half_width == math.inf
    assert mean_from([number], 4).mean == number / 4
    assert mean_from([number], 4).half_width == math.inf


@relaxed
@given(st.integers(2, 10**8), st.integers(-(10**12), 10**12), st.integers(1, 1000))
def test_equal_games_have_no_spread(games: int, number: int, unit: int) -> None:
    mean = mean_of(games, games * number, games * number * number, unit)
    assert mean == (number / unit, 0, 0)


numbers = st.sampled_from([3, 100, 10**6, 10**12]).flatmap(
    lambda most: st.lists(st.integers(-most, most), min_size=2, max_size=40)
)


@relaxed
@given(numbers, st.integers(1, 1000))
def test_mean_of_agrees_with_the_standard_library(values: list[int], unit: int) -> None:
    exact = [Fraction(value, unit) for value in values]
    mean = mean_from(values, unit)
    assert mean.mean == close(float(statistics.mean(exact)), 1e-14)
    deviation = float(statistics.stdev(exact))
    assert mean.deviation == close(deviation, 1e-13)
    assert mean.half_width == close(student(len(values) - 1) * deviation / math.sqrt(len(values)), 1e-12)


@relaxed
@given(numbers, st.integers(2, 10**6))
def test_mean_of_does_not_depend_on_the_unit(values: list[int], unit: int) -> None:
    assert mean_from([value * unit for value in values], unit) == tuple(close(x, 1e-13) for x in mean_from(values))


@relaxed
@given(numbers, st.integers(-(10**12), 10**12))
def test_the_spread_does_not_depend_on_the_place(values: list[int], shift: int) -> None:
    here, there = mean_from(values), mean_from([value + shift for value in values])
    assert there.deviation == close(here.deviation, 1e-13)
    assert there.half_width == close(here.half_width, 1e-13)


@relaxed
@given(numbers)
def test_the_interval_of_the_mean_narrows_with_more_games(values: list[int]) -> None:
    assume(len(set(values)) > 1)
    assert mean_from(values * 2).half_width < mean_from(values).half_width


@pytest.mark.parametrize("unit", [1, 1000])
@pytest.mark.parametrize("larger", [1, 7, 5 * 10**7, 10**8 - 1])
@pytest.mark.parametrize("base", [10**9, -(10**9), 10**15])
def test_tiny_spreads_of_huge_numbers_stay_exact(base: int, larger: int, unit: int) -> None:
    # In floats the squares lose the spread altogether: it is the last of 35 digits or more.
    games = 10**8
    total = games * base + larger
    squares = (games - larger) * base * base + larger * (base + 1) ** 2
    mean = mean_of(games, total, squares, unit)
    deviation = math.sqrt(Fraction(larger * (games - larger), games * (games - 1))) / unit
    assert mean.mean == close(float(Fraction(total, games * unit)), 1e-15)
    assert mean.deviation == close(deviation, 1e-13)
    assert mean.half_width == close(NORMAL * deviation / math.sqrt(games), 1e-7)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search each of the quantiles only once."""
    monkeypatch.setattr(module, "student", functools.cache(student))


def covered(samples: np.ndarray, truth: float, unit: int = 1) -> float:
    """The share of the rows of integers whose interval contains the truth."""
    inside = 0
    games = samples.shape[1]
    for total, squares in zip(samples.sum(1).tolist(), (samples**2).sum(1).tolist(), strict=True):
        mean = mean_of(games, total, squares, unit)
        inside += abs(mean.mean - truth) <= mean.half_width
    return inside / len(samples)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("games", [2, 10, 30])
def test_intervals_of_normal_numbers_cover_95_percent(games: int) -> None:
    # 40000 samples: the standard error is 0.11 %. With the normal quantile, 10 games would cover only 91.8 %.
    samples = np.rint(np.random.default_rng(1).normal(24_000, 3000, (40_000, games))).astype(np.int64)
    assert covered(samples, 24, 1000) == close(0.95, 0, 0.004)


@pytest.mark.usefixtures("quick")
def test_intervals_cover_the_mean_of_wins_and_a_few_losses() -> None:
    # 1 % of the games count as 90: so skewed that the intervals of 1000 games cover 93.75 % (of two million samples
    # drawn elsewhere) instead of 95 %. Here 8000 are drawn, with a standard error of 0.27 %.
    random = np.random.default_rng(2)
    samples = np.rint(random.normal(24_000, 3000, (8000, 1000))).astype(np.int64)
    samples[random.random(samples.shape) < 0.01] = 90_000
    assert covered(samples, 0.99 * 24 + 0.01 * 90, 1000) == close(0.9375, 0, 0.009)


# Student ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("freedom", "quantile_975"),
    [
        # scipy.stats.t.ppf(0.975, freedom)
        (1, 12.706204736174694),
        (2, 4.302652729749462),
        (3, 3.1824463052837078),
        (4, 2.7764451051977934),
        (5, 2.5705818356363146),
        (6, 2.4469118511449786),
        (7, 2.364624251592784),
        (9, 2.262157162798205),
        (10, 2.228138851986274),
        (15, 2.131449545559776),
        (20, 2.085963447265864),
        (29, 2.045229642132703),
        (30, 2.0422724563012378),
        (31, 2.039513446396408),
        (49, 2.0095752371292392),
        (60, 2.0002978220142604),
        (99, 1.9842169515864174),
        (100, 1.9839715185235518),
        (120, 1.9799304050824402),
        (200, 1.9718962236339088),
        (999, 1.9623414611334493),
        (1000, 1.9623390808264083),
        (1001, 1.9623367052808798),
        (9999, 1.960201263621357),
        (10**5, 1.9599877075346095),
        (10**6, 1.959966356814107),
        (10**8, 1.9599640082627663),
    ],
)
def test_student_gives_the_known_quantiles(freedom: int, quantile_975: float) -> None:
    assert student(freedom) == close(quantile_975, 1e-9 if freedom <= 10**6 else 2e-8)


def test_student_in_closed_form() -> None:
    assert student(1) == close(math.tan(math.pi * 0.475), 1e-10)
    assert student(2) == close(0.95 * math.sqrt(2 / (1 - 0.95**2)), 1e-10)


def test_student_falls_to_the_normal_quantile() -> None:
    values = [student(freedom) for freedom in [*range(1, 120), *(int(10 ** (k / 4)) for k in range(9, 21))]]
    assert all(more > less for more, less in zip(values, values[1:], strict=False))
    assert min(values) > NORMAL


# McNemar ----------------------------------------------------------------------------------------------------


def exact_mcnemar(only_first: int, only_second: int) -> float:
    """Twice the lesser tail of fair coins, in whole numbers."""
    games = only_first + only_second
    tail, ways = 0, 1
    for k in range(min(only_first, only_second) + 1):
        tail += ways
        ways = ways * (games - k) // (k + 1)
    assert ways == math.comb(games, min(only_first, only_second) + 1)
    return float(min(Fraction(1), Fraction(2 * tail, 2**games)))


def large_mcnemar(only_first: int, only_second: int) -> float:
    """The same for many games: the middle by Stirling's series, and from there by the ratios of the neighbours."""
    games, most = only_first + only_second, max(only_first, only_second)
    middle = (games + 1) // 2
    k = np.arange(middle, min(games, middle + 6 * math.isqrt(games)), dtype=float)
    ratios = np.cumprod((games - k) / (k + 1))
    chances = np.concatenate([[1.0], ratios])[most - middle :]
    return min(1.0, 2 * math.fsum(chances) * math.exp(-1 / (8 * middle)) / math.sqrt(math.pi * middle))


def test_mcnemar_equals_the_exact_sum() -> None:
    for only_first in range(41):
        for only_second in range(41):
            found = mcnemar(only_first, only_second)
            assert found == close(exact_mcnemar(only_first, only_second), 1e-11), (only_first, only_second)
            assert found <= 1, (only_first, only_second)


@pytest.mark.parametrize(
    ("only_first", "only_second"),
    [(100, 130), (500, 600), (0, 1000), (3, 900), (1000, 1001), (1000, 1002), (1000, 1100), (2500, 2720), (2000, 3000)],
)
def test_mcnemar_equals_the_exact_sum_of_more_games(only_first: int, only_second: int) -> None:
    assert mcnemar(only_first, only_second) == close(exact_mcnemar(only_first, only_second), 1e-10)


@pytest.mark.parametrize(
    ("only_first", "only_second", "chance"),
    [
        # scipy.stats.binomtest(only_first, only_first + only_second).pvalue
        (5, 0, 0.0625),
        (6, 0, 0.03125),
        (10, 2, 0.03857421875),
        (12, 3, 0.03515625),
        (25, 15, 0.1538599441628321),
        (60, 40, 0.05688793364098089),
        (10_000, 10_300, 0.035852359736159044),
        (1_000_000, 1_002_000, 0.15771445281314467),
        (1_000_000, 1_002_800, 0.04795035498895817),
        (50_000_000, 50_010_000, 0.31738310028989786),
        (100_000_000, 100_020_000, 0.15734071918388778),
        (100_000_000, 100_040_000, 0.004682903466967446),
        (100_000_000, 100_100_000, 1.557955648201467e-12),
    ],
)
def test_mcnemar_gives_the_known_chances(only_first: int, only_second: int, chance: float) -> None:
    assert mcnemar(only_first, only_second) == close(chance, tolerance(only_first + only_second))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 10, 1000, 10**5, 10**8])
def test_mcnemar_of_equal_counts_is_one(count: int) -> None:
    assert mcnemar(count, count) == 1.0
    assert mcnemar(count, count + 1) == close(1.0, tolerance(2 * count))  # the two tails are all there is
    assert mcnemar(count, count + 1) <= 1


def test_the_sums_of_these_tests_agree() -> None:
    for pair in [(1000, 1001), (1000, 1002), (1000, 1100), (1100, 1001), (2500, 2720)]:
        assert large_mcnemar(*pair) == close(exact_mcnemar(*pair), 1e-9)


@relaxed
@example(10**8, 0.0003)
@example(10**8, 5.0)
@given(st.sampled_from([10**4, 10**6, 10**8]).flatmap(lambda n: st.integers(n // 10, n)), st.floats(0, 5))
def test_mcnemar_is_accurate_for_many_games(fewest: int, deviations: float) -> None:
    most = fewest + int(deviations * math.sqrt(2 * fewest))
    assert mcnemar(fewest, most) == close(large_mcnemar(fewest, most), tolerance(fewest + most))


@relaxed
@given(st.integers(0, 3000) | st.integers(0, 10**8), st.integers(0, 3000) | st.integers(0, 10**8))
def test_mcnemar_is_symmetric_and_a_chance(only_first: int, only_second: int) -> None:
    chance = mcnemar(only_first, only_second)
    assert 0 <= chance <= 1
    assert mcnemar(only_second, only_first) == chance


@relaxed
@given(st.integers(0, 10**5), st.integers(1, 10**4))
def test_mcnemar_falls_with_the_gap(fewest: int, gap: int) -> None:
    assert mcnemar(fewest, fewest + gap) >= mcnemar(fewest, fewest + gap + 1) * (1 - 1e-9)


def test_mcnemar_is_fast() -> None:
    start = time.process_time()
    for gap in (0, 1, 2, 100, 10_000, 30_000, 10**6, 10**8):
        assert 0 <= mcnemar(10**8, 10**8 - gap) <= 1
    assert time.process_time() - start < 1  # a sum over all of the tail would take a minute


# Quantiles --------------------------------------------------------------------------------------------------


def exact_quantile(counts: Sequence[int], share: Fraction) -> int | None:
    total = sum(counts)
    return next((k for k in range(len(counts)) if sum(counts[: k + 1]) >= share * total), None) if total else None


@pytest.mark.parametrize(
    ("counts", "share", "place"),
    [
        ([1], 0.5, 0),
        ([0, 0, 3], 0.01, 2),
        ([1, 1], 0.5, 0),
        ([1, 1], 0.51, 1),
        ([9, 1], 0.9, 0),
        ([9, 0, 1], 0.9, 0),
        ([9, 0, 1], 0.91, 2),
        ([0, 9, 0, 0, 1, 0], 1.0, 4),
        ([19, 1], 0.95, 0),
        ([18, 2], 0.95, 1),
        ([99, 1], 0.99, 0),
        ([10**12 - 1, 10**12 + 1], 0.5, 1),
        ([10**12, 10**12], 0.5, 0),
    ],
)
def test_quantile_finds_the_place(counts: list[int], share: float, place: int) -> None:
    assert quantile(counts, share) == place
    assert quantile(tuple(counts), share) == place


@pytest.mark.parametrize("counts", [[], [0], [0] * 90])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 1.0])
def test_quantile_of_nothing(counts: list[int], share: float) -> None:
    assert quantile(counts, share) is None


@relaxed
@given(st.lists(st.integers(0, 4) | st.integers(0, 10**9), max_size=12), st.integers(1, 64))
def test_quantile_is_the_smallest_place(counts: list[int], parts: int) -> None:
    assert quantile(counts, parts / 64) == exact_quantile(counts, Fraction(parts, 64))


@pytest.mark.parametrize("percent", [25, 50, 75, 80, 90, 95, 99])
def test_quantile_takes_percents_as_they_are_written(percent: int) -> None:
    for total in range(1, 1001):
        at_least = -(-percent * total // 100)  # as many reach the share, and one fewer does not
        assert quantile([at_least, total - at_least], percent / 100) == 0
        assert quantile([at_least - 1, total - at_least + 1], percent / 100) == 1


# The incomplete beta function -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "x", "value"),
    [
        # scipy.special.betainc(a, b, x)
        (1, 1, 0.3, 0.3),
        (2, 3, 0.4, 0.5248),
        (0.5, 0.5, 0.1, 0.20483276469913345),
        (0.5, 0.5, 0.5, 0.5),
        (0.5, 0.5, 1e-6, 0.0006366198784709245),
        (5, 0.5, 0.9, 0.3166429150200122),
        (50, 0.5, 0.98, 0.1562435078668179),
        (500, 0.5, 0.999, 0.31731044730971725),
        (10, 20, 0.3, 0.3640040810719437),
        (100, 100, 0.45, 0.0783879327122203),
        (200, 3, 0.999, 0.9988334368468834),
        (3, 200, 0.001, 0.0011665631531165765),
        (1000, 1000, 0.48, 0.03677948327863959),
        (1000, 1001, 0.5, 0.5089195055729272),
        (10_000, 2, 0.99, 2.2712625983144453e-42),
        (30_000, 31_000, 0.49, 0.18650112221025655),
        (100_000, 100_000, 0.5, 0.5),
        (50_000_000, 50_010_000, 0.5, 0.8413326493468762),
        (49_990_000, 50_010_001, 0.5, 0.9772552668785531),
    ],
)
def test_incomplete_beta_gives_the_known_values(a: float, b: float, x: float, value: float) -> None:
    assert incomplete_beta(a, b, x) == close(value, tolerance(a + b))
    assert incomplete_beta(b, a, 1 - x) == close(1 - value, 0, tolerance(a + b))


shapes = st.floats(0.5, 10) | st.floats(0.5, 5000) | st.integers(1, 10**5).map(lambda k: k / 2)


@relaxed
@given(shapes, shapes)
def test_incomplete_beta_runs_from_0_to_1(a: float, b: float) -> None:
    assert incomplete_beta(a, b, 0.0) == 0
    assert incomplete_beta(a, b, 1.0) == 1
    values = [incomplete_beta(a, b, k / 16) for k in range(17)]
    assert all(0 <= value <= 1 + 1e-12 for value in values)
    assert all(less <= more + 1e-9 for less, more in zip(values, values[1:], strict=False))


@relaxed
@given(shapes, shapes, st.integers(0, 1024).map(lambda k: k / 1024))
def test_incomplete_beta_mirrors(a: float, b: float, x: float) -> None:
    assert incomplete_beta(a, b, x) + incomplete_beta(b, a, 1 - x) == close(1.0, 1e-9)


@relaxed
@given(st.floats(0.5, 300), st.floats(0.001, 0.999))
def test_incomplete_beta_of_a_power(a: float, x: float) -> None:
    assert incomplete_beta(a, 1, x) == close(x**a, 1e-10, 1e-300)
    assert incomplete_beta(1, a, x) == close(-math.expm1(a * math.log1p(-x)), 1e-10)


@relaxed
@given(st.integers(1, 80), st.data())
def test_incomplete_beta_is_the_tail_of_the_binomials(games: int, data: st.DataObject) -> None:
    least, parts = data.draw(st.integers(1, games)), data.draw(st.integers(1, 63))
    chance = Fraction(parts, 64)
    tail = sum(math.comb(games, k) * chance**k * (1 - chance) ** (games - k) for k in range(least, games + 1))
    assert incomplete_beta(least, games - least + 1, parts / 64) == close(float(tail), 1e-10)


@pytest.mark.parametrize("freedom", [1, 2, 5, 30, 300, 5000])
def test_incomplete_beta_knows_the_tails_of_student(freedom: int) -> None:
    assert incomplete_beta(freedom / 2, 0.5, freedom / (freedom + student(freedom) ** 2)) == close(0.05, 1e-8)
