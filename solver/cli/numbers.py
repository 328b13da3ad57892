"""How the numbers of many games are shown: as tables and as a picture."""

from __future__ import annotations

import sys
from textwrap import fill
from typing import TYPE_CHECKING

import click

from solver.cli.answers import WIDTH
from solver.notation import print_rules
from solver.notation.numbers import printable
from solver.rules import GRADES

if TYPE_CHECKING:  # they import numba, which takes its time
    from solver.batch.run import Run
    from solver.batch.statistics import Interval, Mean
    from solver.batch.tally import Summary, Tally

LONGEST_MADE = 40  # characters of a version or of an engine's name


def plus_minus() -> str:
    """The sign, or what stands for it where it cannot be shown."""
    return "±" if (sys.stdout.encoding or "ascii").lower().startswith("utf") else "+-"


def percent(part: float, games: int) -> str:
    """A share of some games, with as many decimals as so many can tell apart."""
    return f"{100 * part / games:.{2 if games >= 100_000 else 1}f} %"


def between(interval: Interval, games: int) -> str:
    """An interval of a share."""
    low, high = (percent(end * games, games).removesuffix(" %") for end in interval)
    return f"{low} to {high} %"


def decimals(mean: Mean) -> int:
    """How many decimals of a mean say something: as many as its half-width has, and one more."""
    return 2 if mean.half_width >= 0.02 or mean.half_width == 0 else 3 if mean.half_width >= 0.002 else 4


def mean_text(mean: Mean) -> str:
    """A mean with its interval."""
    places = decimals(mean)
    if mean.half_width == float("inf"):
        return f"{mean.mean:.2f}"
    return f"{mean.mean:.{places}f} {plus_minus()} {mean.half_width:.{places}f}"


def short(tally: Tally) -> str:
    """A few words on the games so far, for a bar."""
    if not tally.games:
        return ""
    mean = tally.mean
    return f"{mean.mean:.2f} cards, {percent(tally.wins, tally.games)} in {tally.score.within}"


def run_line(run: Run) -> str:
    """What was played."""
    start = run.start
    mode = ", ".join(start.spells) if start.spells else "solo"
    rules = print_rules(start.rules) or "rulebook"
    return f"{run.policy}: {mode}; rules: {rules}"


def print_summary(summary: Summary, run: Run, again: str, version: str, engine: str) -> None:
    """The tables and the histogram, and how to get them again."""
    from solver.draw.histogram import histogram_text

    click.echo(fill(run_line(run), WIDTH, break_on_hyphens=False, subsequent_indent="  "))
    if not summary.games:
        click.echo("no games")
        return
    rows = _rows(summary, run)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    click.echo("")
    _print_grades(summary)
    click.echo("")
    ascii_only = plus_minus() != "±"
    click.echo(
        histogram_text(summary.counts, summary.lost, summary.undecided, summary.score.within, WIDTH, ascii_only)
    )
    made = (printable(each, LONGEST_MADE) for each in (version, engine))  # a file can say anything
    click.echo("\nagain: {}\ntowers {}, engine {}".format(again, *made))


def _rows(summary: Summary, run: Run) -> list[tuple[str, str, str]]:
    """Labels, numbers and remarks."""
    games, score = summary.games, summary.score
    lower, median, upper = ("lost" if each is None else str(each) for each in summary.quartiles)
    rows = [("games", f"{games:,}", f"seed {run.seed}, games 0 to {games - 1:,}")]
    spread = f"median {median}, middle half {lower} to {upper}, deviation {summary.plain.deviation:.2f}"
    if summary.fewer_games is None:
        rows.append(("cards", mean_text(summary.mean), spread))
    else:
        rows.append(("cards", mean_text(summary.mean), f"luck taken off: {worth(summary.fewer_games)}"))
        rows.append(("  played", mean_text(summary.plain), spread))
    rows.append((f"within {score.within}", percent(summary.wins, games), between(summary.win_interval, games)))
    counted = f"counted as {score.loss_cards} cards in the mean"
    rows.append(("lost", f"{summary.lost:,}", counted))
    if summary.undecided:
        rows.append(("undecided", f"{summary.undecided:,}", f"{counted}; may be won or lost in the interval"))
    return rows


def worth(fewer_games: float) -> str:
    """What it was good for to take the luck off, if anything."""
    if fewer_games == float("inf"):
        return "no spread is left"
    if fewer_games >= 1:
        return f"{fewer_games:.1f} times fewer games were needed"
    return "that made it worse" + (f", {1 / fewer_games:,.1f} times as many games needed" if fewer_games else "")


def _print_grades(summary: Summary) -> None:
    click.echo(f"{'grade':<14} {'cards':>8} {'games':>13} {'share':>9}   95 % interval")
    low = 0
    for (most, _), grade in zip(GRADES, summary.grades, strict=True):
        cards = f">{low - 1}, lost" if most is None else f"{low}-{most}" if low else f"<{most + 1}"
        share = percent(grade.games, summary.games)
        interval = between(grade.interval, summary.games)
        click.echo(f"{grade.name:<14} {cards:>8} {grade.games:>13,} {share:>9}   {interval}")
        low = 0 if most is None else most + 1


def summary_svg(summary: Summary, run: Run) -> str:
    """The histogram as a picture."""
    from solver.draw.histogram import histogram_svg

    rows = [" ".join(part for part in row if part) for row in _rows(summary, run)]
    caption = "; ".join(rows).replace("+-", "±")
    counts, score = summary.counts, summary.score
    return histogram_svg(counts, summary.lost, summary.undecided, score.within, run_line(run), caption)
