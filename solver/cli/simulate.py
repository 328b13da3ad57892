"""`towers simulate`: many games, and what they say about a policy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import solver
from solver.cli.batch import (
    FAILED,
    GAMES,
    LESS_LUCK,
    MODE,
    POSITION,
    SEED,
    UNTIL,
    Asked,
    Until,
    again,
    be_stopped,
    games_bar,
    other_file,
    prepare_games,
    target_of,
    team_of,
    with_score,
    with_team,
)
from solver.cli.common import (
    Command,
    announce,
    check_writable,
    file_name,
    print_json,
    single_option,
    with_json,
    write_file,
)
from solver.cli.numbers import print_summary, short, summary_svg
from solver.errors import Refused
from solver.notation import parse_rules, parse_spells
from solver.policy.names import PolicyName, parse_policy
from solver.rules import Rules

if TYPE_CHECKING:  # they import numba, which takes its time
    from solver.batch.conduct import Target
    from solver.batch.file import RunFile
    from solver.batch.run import Run
    from solver.batch.tally import Tally
    from solver.batch.work import Chunk


@click.command("simulate", cls=Command, short_help="Play many games: win rate, mean and grades, with intervals.")
@GAMES
@UNTIL
@MODE
@single_option("--spells", parse=parse_spells, metavar="A,B,C", help="The open spells, joined by commas.")
@single_option("--policy", parse=parse_policy, metavar="NAME", help="Who plays; learned, unless said otherwise.")
@single_option("--rules", parse=parse_rules, metavar="OPTIONS", help='Rule options, such as "online" or "refresh=on".')
@POSITION
@SEED
@with_score
@LESS_LUCK
@with_team
@single_option("--out", metavar="FILE", help="Write a line for each game into this file.")
@click.option("--resume", is_flag=True, help="Go on with the file that --out names, where it was stopped.")
@single_option("--plot", metavar="FILE", help="Draw the histogram into this file, as SVG.")
@with_json
def command(
    games: int | None,
    until: Until | None,
    mode: str | None,
    spells: tuple[str, ...] | None,
    policy: PolicyName | None,
    rules: Rules | None,
    position: str | None,
    seed: int | None,
    within: int,
    loss_cards: int,
    less_luck: bool,
    jobs: int | None,
    cluster: str | None,
    out: str | None,
    resume: bool,
    plot: str | None,
    as_json: bool,
) -> int:
    """Play whole games and estimate how good a policy is. The same seed deals the same games to every policy.

    \b
    Examples:
      towers simulate --games 10000 --seed 7
      towers simulate --until 0.5% --spells piggyback,free-wizard,advance-tower
      towers simulate --policy greedy --games 2000 --out run.jsonl
    """
    if resume and out is None:
        raise Refused("--resume goes on with a file; expected --out with its name")
    check_writable("--out", out)
    other_file("--plot", plot, out)
    asked = Asked(policy, mode, spells, rules, position, seed, less_luck)
    run = asked.run(_known_header(out) if resume and out else None)
    if resume and games is None and until is None:
        raise Refused("--resume: expected --games or --until too, which say how far to go on")
    target = target_of(games, until)
    prepare_games((run,))
    from solver.batch.plain import run_json, summary_json
    from solver.batch.run import engine_digest
    from solver.batch.tally import Score, Tally

    tally = Tally(Score(within, loss_cards), run.less_luck)
    resuming = again(run, target.games, until, tally.score, [] if out is None else ["--out", out, "--resume"])
    ending = _play(_Job(run, target, tally, jobs, cluster, out, resume), resuming)
    summary = tally.summary()
    if as_json:
        print_json({**summary_json(summary), **run_json(run), "complete": ending == 0})
    else:
        repeat = again(run, max(target.games, tally.games), until, tally.score, [])
        print_summary(summary, run, repeat, solver.__version__, engine_digest())
    if plot is not None:  # last, so that nothing is lost if it cannot be written any more
        write_file(plot, summary_svg(summary, run))
    return ending


@dataclass(frozen=True)
class _Job:
    """What is to be played, and with whom."""

    run: Run
    target: Target
    tally: Tally
    jobs: int | None
    cluster: str | None
    out: str | None
    resume: bool


def _play(job: _Job, resuming: str) -> int:
    """Play the games; what stops them early is told in a sentence, and what was played is kept: the exit code."""
    from solver.batch.conduct import Single, conduct
    from solver.batch.processes import WorkerDied

    measured = Single(job.tally)
    go_on = f"; to go on: {resuming}" if job.out is not None else ""
    with _file_of(job) as file, team_of(job.jobs, job.cluster, job.target.games - measured.games) as team:
        keep = _forget if file is None else file.append
        try:
            with games_bar(measured.games, job.target, lambda: short(job.tally)) as tick:
                conduct((job.run,), measured, job.target, team, keep, tick)
        except KeyboardInterrupt:
            return be_stopped(f"stopped after {measured.games:,} games{go_on}")
        except WorkerDied as problem:
            announce(f"{problem}, after {measured.games:,} games{go_on}")
            return FAILED
        except Refused as problem:
            if file is None:
                raise
            raise Refused(f"{problem}; {measured.games:,} games are safe{go_on}") from None
        except OSError as problem:
            if file is None:
                raise
            name = file_name(str(file.path))
            announce(f"cannot write {name} any further: {problem.strerror}; {file.games:,} games are safe{go_on}")
            return FAILED
    return 0


def _forget(part: Chunk) -> None:
    """Without a file games are counted, and no more."""


@contextmanager
def _file_of(job: _Job) -> Iterator[RunFile | None]:
    """The file that keeps the games that are played; those that were there already are counted first."""
    from solver.batch.file import RunFile
    from solver.policy.players import digest_of, player_for

    if job.out is None:
        yield None
        return
    run, tally = job.run, job.tally
    expected = player_for(run.policy, run.start, run.seed, run.less_luck).expected
    file = RunFile(Path(job.out), run.header(digest_of(run.policy, run.start), expected), job.resume)
    try:
        for part in file.read():
            tally.add(part.cards[0], part.lucks[0])
        yield file
    except Refused:  # before the first game, so that the command can be given again as it should have been
        file.forget()
        raise
    finally:
        file.close()


def _known_header(out: str) -> dict[str, Any] | None:
    """The header of the file that is gone on with, if it has one."""
    from solver.batch.file import read_header

    path = Path(out)
    if not os.path.isfile(out):  # what is no file is refused when it is to be written
        return None
    try:
        with path.open("rb") as file:
            return read_header(file, path) if b"\n" in file.peek() else None
    except OSError as problem:
        raise Refused(f"cannot read {file_name(out)}: {problem.strerror}") from None
