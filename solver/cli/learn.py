"""`towers learn`: train the value of positions by self-play."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from solver.cli.common import Command, announce, file_name, prepare, print_json, single_option, with_json
from solver.errors import Refused
from solver.notation.deals import MOST_SEED
from solver.notation.numbers import number_between, quote

if TYPE_CHECKING:  # they import numba, which takes its time
    from solver.learn.train import Stage, Training
    from solver.value.weights import Value

SOLO, SPELLS = "solo", "spells"
USUAL_GAMES = {SOLO: 2_000_000, SPELLS: 500_000}
MOST_GAMES = 10**9
MOST_RATE = 10
SHOWN_ROWS = 16  # of the learning curve, in the text
STOPPED = 130
_DECIMAL = re.compile(r"[0-9]{1,3}(\.[0-9]{1,9})?|\.[0-9]{1,9}")


def prepare_learning() -> None:
    """Have the kernels of the learning ready, and say so if they must be compiled first."""
    from solver.learn.warm import warm_up_learning

    prepare("the learning", warm_up_learning)


# What is asked ----------------------------------------------------------------------------------------------


def decimal_up_to(high: int, above_zero: bool = False) -> Callable[[str], float]:
    """A parser of decimal numbers from 0, or from just above it."""

    def read(text: str) -> float:
        number = float(text) if _DECIMAL.fullmatch(text.strip()) else -1.0
        if not 0 <= number <= high or (above_zero and number == 0):
            raise Refused(
                f"expected a number {'above' if above_zero else 'from'} 0 and up to {high}, not {quote(text)}"
            )
        return number

    return read


def parse_kind(text: str) -> str:
    """The kind of game that is learned."""
    kind = text.strip().lower()
    if kind not in USUAL_GAMES:
        raise Refused(f"expected {' or '.join(USUAL_GAMES)} to learn, not {quote(text)}")
    return kind


@dataclass(frozen=True)
class _Files:
    """What is written, and what is read."""

    out: Path
    keep: Path  # the training so far
    resume: Path | None


def _files(out: str | None, keep: str | None, resume: str | None) -> _Files:
    """The files, or a sentence about what cannot be written."""
    if not out:
        raise Refused("expected --out with the file to write, such as --out mine.npz")
    files = _Files(Path(out), Path(keep or f"{out}.training"), Path(resume) if resume else None)
    for option, path in {"--out": files.out, "--keep": files.keep}.items():
        if not path.parent.is_dir():
            raise Refused(f"{option}: there is no folder {file_name(str(path.parent))}")
        if path.is_dir() or not path.name:
            raise Refused(f"{option}: {file_name(str(path))} is a folder")
    if files.out.resolve() == files.keep.resolve():
        raise Refused("--keep: expected another file than --out has")
    goes_on = files.resume is not None and files.resume.resolve() == files.keep.resolve()
    if files.keep.exists() and not goes_on:
        name = file_name(str(files.keep))
        raise Refused(f"{name} is there already, maybe a training that was stopped; give it to --resume, or remove it")
    return files


def _solo_value(name: str) -> Value:
    """The value that learning with spells begins with."""
    from solver.value.weights import load

    value = load(Path(name))
    if value.about.get("kind") != SOLO:
        raise Refused(f"--from: {file_name(name)} was not learned for {SOLO}")
    return value


def _begun(kind: str, settings: dict[str, Any], begin_with: str | None, resume: Path | None) -> Training:
    """The training to go on with, or a new one."""
    given = {name: setting for name, setting in settings.items() if setting is not None}
    if resume is not None and (given or begin_with is not None):
        name = next(iter(given), "from")
        raise Refused(f"--{name} is known to the training that --resume names, and cannot be changed")
    if begin_with is not None and kind != SPELLS:
        raise Refused(f"--from goes with {SPELLS}; {SOLO} begins with nothing")
    from solver.learn.train import Course, Training, load_training

    if resume is None:
        solo = None if begin_with is None else _solo_value(begin_with)
        return Training.begin(Course(kind, **{"games": USUAL_GAMES[kind], **given}), solo)
    training = load_training(resume)
    if training.course.kind != kind:
        raise Refused(f"{file_name(str(resume))} is a training for {training.course.kind}, not for {kind}")
    return training


# The command ------------------------------------------------------------------------------------------------


@click.command("learn", cls=Command, short_help="Train the value of positions by self-play.")
@click.argument("kind")
@single_option(
    "--games", parse=number_between(1, MOST_GAMES), metavar="N",
    help="Games to learn from; 2,000,000 unless said otherwise, and 500,000 for spells.",
)  # fmt: skip
@single_option(
    "--seed", parse=number_between(0, MOST_SEED), metavar="N", help="Of all chance; 1 unless said otherwise."
)
@single_option("--rate", parse=decimal_up_to(MOST_RATE, above_zero=True), metavar="R", help="How fast it learns.")
@single_option("--explore", parse=decimal_up_to(1), metavar="P", help="The share of turns played at random at first.")
@single_option("--from", "begin_with", metavar="FILE", help="With spells: the solo value to begin with.")
@single_option("--resume", metavar="FILE", help="Go on with a training that was stopped.")
@single_option("--keep", metavar="FILE", help="Where the training so far is kept; OUT.training unless said otherwise.")
@single_option("--out", metavar="FILE", help="The file that gets the value.")
@with_json
def command(
    kind: str,
    games: int | None,
    seed: int | None,
    rate: float | None,
    explore: float | None,
    begin_with: str | None,
    resume: str | None,
    keep: str | None,
    out: str | None,
    as_json: bool,
) -> int:
    """Learn what positions are worth from games against chance: KIND is solo or spells.

    Every 20,000 games the training is kept in a file, which is removed at the end. Ctrl-C stops; with --resume the
    training goes on from there, to the same value as if it had not been stopped.

    \b
    Examples:
      towers learn solo --games 2000 --out mine.npz
      towers learn spells --games 200 --seed 7 --out mine.npz
    """
    kind = parse_kind(kind)
    files = _files(out, keep, resume)
    settings = {"games": games, "seed": seed, "rate": rate, "explore": explore}
    training = _begun(kind, settings, begin_with, files.resume)
    prepare_learning()
    try:
        value = _train(training, files)
    except KeyboardInterrupt:
        announce(_how_to_resume(kind, files))
        return STOPPED
    if as_json:
        print_json(
            {
                "kind": kind,
                "games": training.course.games,
                "seed": training.course.seed,
                "mean": value.about["mean"],
                "digest": value.digest,
                "file": str(files.out),
                "curve": training.curve,
            }
        )
        return 0
    click.echo("     games    mean")
    for done, mean in _thinned(training.curve):
        click.echo(f"{done:>10,}  {mean:>6.2f}")
    click.echo(f"mean    {value.about['mean']:.2f} cards in {value.about['checked']:,} games without learning")
    click.echo(f"digest  {value.digest}")
    click.echo(f"file    {files.out}")
    return 0


def _train(training: Training, files: _Files) -> Value:
    """Play the games and write the value; the training is kept on the way, and not any more in the end."""
    from solver.learn.train import save_training
    from solver.value.weights import save, whole_file

    with _bar(training) as (tick, report):
        training.go_on(report, lambda so_far: save_training(so_far, files.keep), tick)
    value = training.finish()
    with whole_file(files.out) as stream:
        save(value, stream)
    files.keep.unlink(missing_ok=True)
    return value


@contextmanager
def _bar(training: Training) -> Iterator[tuple[Callable[[int], None], Callable[[Stage], None]]]:
    """A bar on the terminal with the games, and the mean of the latest."""
    with tqdm(
        total=training.course.games, initial=training.done, unit=" games", unit_scale=True,
        disable=not sys.stderr.isatty(), leave=False,
    ) as bar:  # fmt: skip

        def report(stage: Stage) -> None:
            bar.set_description_str(f"mean {stage.mean:.2f}", refresh=False)

        def tick(done: int) -> None:
            bar.update(done - bar.n)

        yield tick, report


def _how_to_resume(kind: str, files: _Files) -> str:
    kept = files.keep if files.keep.exists() else files.resume
    if kept is None:
        return "stopped before the first 20,000 games, so nothing is kept"
    words = ["towers", "learn", kind, "--resume", str(kept), "--out", str(files.out)]
    if files.keep.name != f"{files.out.name}.training":
        words += ["--keep", str(files.keep)]
    return f"stopped; to go on: {shlex.join(words)}"


def _thinned(curve: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """At most SHOWN_ROWS points of the curve, evenly, the last one always."""
    step = -(-len(curve) // SHOWN_ROWS)
    return curve[::-1][:: max(step, 1)][::-1]
