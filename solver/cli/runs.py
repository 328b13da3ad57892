"""`towers runs`: the files that `towers simulate --out` writes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from solver.cli.batch import again, other_file, with_score
from solver.cli.common import Command, announce, file_name, fill_file, print_json, single_option, with_json, write_file
from solver.cli.numbers import print_summary, summary_svg
from solver.errors import Refused

if TYPE_CHECKING:  # they import numba, which takes its time
    from solver.batch.work import Chunk

CSV, PARQUET = ".csv", ".parquet"


@click.group("runs", invoke_without_command=True, short_help="Show or export the file of a run.")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Show or export a file that `towers simulate --out` has written, or is writing.

    \b
    Example:
      towers runs show run.jsonl
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command("show", cls=Command, short_help="The tables and the histogram of a run.")
@click.argument("file")
@with_score
@single_option("--plot", metavar="FILE", help="Draw the histogram into this file, as SVG.")
@with_json
def show(file: str, within: int, loss_cards: int, plot: str | None, as_json: bool) -> None:
    """Show what the games in FILE came to.

    \b
    Example:
      towers runs show run.jsonl --within 25
    """
    other_file("--plot", plot, file)
    with _games(file) as (header, games):
        from solver.batch.plain import run_json, summary_json
        from solver.batch.run import run_of
        from solver.batch.tally import Score, Tally

        run = run_of(header)
        tally = Tally(Score(within, loss_cards), run.less_luck)
        for part in games:
            tally.add(part.cards[0], part.lucks[0])
    summary = tally.summary()
    if as_json:
        made = {"version": header["version"], "engine": header["engine"]}
        print_json({**summary_json(summary), **run_json(run), **made})
    else:
        repeat = again(run, summary.games, None, summary.score, [])
        print_summary(summary, run, repeat, header["version"], header["engine"])
    if plot is not None:
        write_file(plot, summary_svg(summary, run))


@command.command("export", cls=Command, short_help="The games of a run as CSV or Parquet.")
@click.argument("file")
@single_option("--to", "target", metavar="FILE", help="A .csv or .parquet file; CSV on stdout unless given.")
def export(file: str, target: str | None) -> None:
    """Write the games in FILE as a table: game, result, cards, and luck where it was measured.

    \b
    Examples:
      towers runs export run.jsonl > games.csv
      towers runs export run.jsonl --to games.parquet
    """
    other_file("--to", target, file)
    suffix = CSV if target is None else Path(target).suffix.lower()
    if suffix not in (CSV, PARQUET):
        raise Refused(f"--to: expected a name that ends with {CSV} or {PARQUET}, not {file_name(target or '')}")
    with _games(file) as (header, games):
        from solver.batch.export import rows_of, write_csv, write_parquet

        with_luck = bool(header["less_luck"])
        groups = rows_of(games, with_luck)
        if target is None:
            write_csv(groups, with_luck, sys.stdout)
            return
        written = 0

        def write(path: Path) -> None:
            nonlocal written
            if suffix == PARQUET:
                written = write_parquet(groups, with_luck, path)
            else:
                with path.open("w", encoding="utf-8", newline="\n") as stream:
                    written = write_csv(groups, with_luck, stream)

        fill_file(target, write)
    announce(f"{written:,} games written to {file_name(target)}")


@contextmanager
def _games(file: str) -> Iterator[tuple[dict[str, Any], Iterator[Chunk]]]:
    """The header of a file and its games, some at a time."""
    path = Path(file)
    if os.path.exists(file) and not os.path.isfile(file):
        raise Refused(f"{file_name(file)} is not a regular file")
    try:
        stream: IO[bytes] = path.open("rb")
    except OSError as problem:
        raise Refused(f"cannot read {file_name(file)}: {problem.strerror}") from None
    from solver.batch.file import read_games, read_header

    with stream:
        header = read_header(stream, path)
        yield header, (part for part, _ in read_games(stream, path, bool(header["less_luck"])))
