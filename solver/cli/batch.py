"""What the commands that play many games share: what is played, who plays it, and the bar."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

import click
from tqdm import tqdm

from solver.cli.answers import MOST_JOBS
from solver.cli.common import announce, check_writable, file_name, prepare, single_option
from solver.errors import Refused
from solver.notation import parse_position, parse_rules, parse_spells, print_position, print_rules
from solver.notation.deals import MOST_SEED
from solver.notation.numbers import number_between, quote
from solver.notation.positions import START, START_SPELLS
from solver.notation.records import SOLO, SPELLS
from solver.policy.names import PolicyName, parse_policy
from solver.rules import DECK_SIZE, WIN_CARDS, Rules
from solver.search.situation import EVERY_CARD, LOSS_CARDS, Situation

if TYPE_CHECKING:  # they import numba, which takes its time
    from solver.batch.conduct import Target
    from solver.batch.run import Run
    from solver.batch.tally import Score
    from solver.batch.work import Team

F = TypeVar("F", bound=Callable[..., object])

STOPPED, FAILED = 130, 1  # exit codes

USUAL_GAMES = 1000
MOST_GAMES = 10**9  # also where --until ends at the latest
MOST_LOSS = 1_000
SAY_EVERY = 30.0  # seconds between two lines where there is no terminal for a bar
_UNTIL = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?|\.[0-9]{1,6})\s*(%|cards?)", re.IGNORECASE)


# What is asked ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Until:
    """How narrow the intervals are to be, as it was written; None: whatever they are."""

    points: Decimal | None = None  # of the win rate, in percent
    cards: Decimal | None = None

    def __str__(self) -> str:
        parts = ((self.points, "%"), (self.cards, "cards"))
        return ",".join(f"{width:f}{unit}" for width, unit in parts if width is not None)


def parse_until(text: str) -> Until:
    """`0.1%`, `0.02cards`, or both."""
    widths: dict[str, Decimal] = {}
    for item in text.split(","):
        match = _UNTIL.fullmatch(item.strip())
        if match is None or Decimal(match[1]) == 0:
            raise Refused(f"expected a half-width such as 0.1% (of the win rate) or 0.02cards, not {quote(item)}")
        name = "points" if match[2] == "%" else "cards"
        if name in widths:
            raise Refused(f"expected one half-width of each kind at the most, not {quote(text)}")
        widths[name] = Decimal(match[1])
    return Until(**widths)


def parse_mode(text: str) -> str:
    """`solo` or `spells`."""
    if text.strip().lower() not in (SOLO, SPELLS):
        raise Refused(f"expected {SOLO} or {SPELLS}, not {quote(text)}")
    return text.strip().lower()


def parse_cluster_name(text: str) -> str:
    """The name of a cluster."""
    from solver.batch.cluster import parse_cluster  # with numba in its wake, which only this option has to wait for

    return parse_cluster(text)


GAMES = single_option(
    "--games", parse=number_between(1, MOST_GAMES), metavar="N",
    help=f"How many; {USUAL_GAMES:,} unless said otherwise. With --until: at the most.",
)  # fmt: skip
UNTIL = single_option(
    "--until", parse=parse_until, metavar="WIDTH",
    help="Play until the 95 % interval is so narrow on each side: 0.1% (of the win rate), 0.02cards, or both.",
)  # fmt: skip
SEED = single_option(
    "--seed", parse=number_between(0, MOST_SEED), metavar="N", help="Of all luck; 1 unless said otherwise."
)
MODE = single_option("--mode", parse=parse_mode, metavar="MODE", help="solo, or spells; spells if --spells is given.")
POSITION = single_option("--position", metavar="POSITION", help="Where every game begins; the game's own start if not.")
LESS_LUCK = click.option(
    "--less-luck", is_flag=True, help="Take off the luck of draws and rolls: slower, and fewer games are needed."
)


def with_score(command: F) -> F:
    """The options --within and --loss-cards."""
    for option in (
        single_option(
            "--loss-cards", parse=number_between(1, MOST_LOSS), metavar="N", default=str(LOSS_CARDS),
            help=f"What a game not won counts as in the mean; {LOSS_CARDS} unless said otherwise.",
        ),
        single_option(
            "--within", parse=number_between(1, DECK_SIZE), metavar="N", default=str(WIN_CARDS),
            help=f"Cards that count as a win; {WIN_CARDS} unless said otherwise.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def with_team(command: F) -> F:
    """The options --jobs and --cluster."""
    for option in (
        single_option(
            "--cluster", parse=parse_cluster_name, metavar="WHERE",
            help="Play on a Dask cluster: tcp://HOST:PORT, or local:N which starts one here.",
        ),
        single_option(
            "--jobs", parse=number_between(1, MOST_JOBS), metavar="N", help="Processes; one for each core, if not said."
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def start_of(mode: str | None, spells: tuple[str, ...], rules: Rules, position: str | None) -> Situation:
    """What every game begins with."""
    if mode == SOLO and spells:
        raise Refused(f"--spells: a solo game has no spells; the mode would be {SPELLS}")
    if mode == SPELLS and not spells:
        raise Refused("--mode spells: expected --spells with those open, such as piggyback,free-wizard,advance-tower")
    try:
        board = parse_position(position or (START_SPELLS if spells else START), rules)
    except Refused as reason:
        raise Refused(f"--position: {reason}") from None
    if spells and board.bottles is None:
        raise Refused("--position: a game with spells has bottles, such as '0/6' at the end of the position")
    return Situation(board, (), EVERY_CARD, 0, spells, rules)


@dataclass(frozen=True)
class Asked:
    """What is played, as far as the command line says; what it does not say is None."""

    policy: PolicyName | None = None
    mode: str | None = None
    spells: tuple[str, ...] | None = None
    rules: Rules | None = None
    position: str | None = None
    seed: int | None = None
    less_luck: bool = False

    def run(self, known: dict[str, Any] | None = None) -> Run:
        """The run; what was not asked for is as usual, or as a header says that is known."""
        from solver.batch.run import Run

        header = known or {}
        spells = self.spells
        if spells is None:
            spells = () if self.mode == SOLO else parse_spells(",".join(header.get("spells", [])))
        rules = parse_rules(header.get("rules", "")) if self.rules is None else self.rules
        position = self.position
        if position is None and (list(spells), print_rules(rules)) == (header.get("spells"), header.get("rules")):
            position = header.get("position")  # with other spells or rules it might be none, and they are at fault
        policy = parse_policy(header.get("policy", "learned")) if self.policy is None else self.policy
        if self.policy is None and policy.is_own:  # a file may come from anybody, and must not have code run
            name = shlex.quote(str(policy))
            raise Refused(f"the run was made with the policy '{policy}'; to go on, name it: --policy {name}")
        seed = header.get("seed", 1) if self.seed is None else self.seed
        start = start_of(self.mode, spells, rules, position)
        return Run(start, policy, seed, self.less_luck or header.get("less_luck", False))


def target_of(games: int | None, until: Until | None) -> Target:
    """When to stop."""
    from solver.batch.conduct import Target

    if until is None:
        return Target(games or USUAL_GAMES)
    rate = None if until.points is None else float(until.points) / 100
    return Target(games or MOST_GAMES, rate, None if until.cards is None else float(until.cards))


def again(run: Run, games: int, until: Until | None, score: Score, more: list[str]) -> str:
    """The command that plays and counts the same games."""
    start = run.start
    words = ["towers", "simulate", "--policy", str(run.policy), "--seed", str(run.seed)]
    if start.spells:
        words += ["--spells", ",".join(start.spells)]
    if rules := print_rules(start.rules):
        words += ["--rules", rules]
    if start.position != parse_position(START_SPELLS if start.spells else START, start.rules):
        words += ["--position", print_position(start.position)]
    if games != MOST_GAMES:
        words += ["--games", str(games)]
    if until is not None:
        words += ["--until", str(until)]
    if score.within != WIN_CARDS:
        words += ["--within", str(score.within)]
    if score.loss_cards != LOSS_CARDS:
        words += ["--loss-cards", str(score.loss_cards)]
    return shlex.join(words + (["--less-luck"] if run.less_luck else []) + more)


# Who plays --------------------------------------------------------------------------------------------------


def prepare_games(runs: tuple[Run, ...]) -> None:
    """Have the kernels ready that the games need, and say so if they must be compiled first."""
    from solver.batch.warm import groups_of

    for group in groups_of(runs):
        prepare(*group)


@contextmanager
def team_of(jobs: int | None, cluster: str | None, games: int) -> Iterator[Team]:
    """Who plays; few games are not worth several processes."""
    from solver.batch.cluster import cluster_team
    from solver.batch.work import local_team

    if cluster is not None and jobs is not None:
        raise Refused("expected --jobs or --cluster, not both; a cluster has its own workers")
    with cluster_team(cluster) if cluster else local_team(max(1, min(jobs or os.cpu_count() or 1, games))) as team:
        yield team


def be_stopped(message: str) -> int:
    """After Ctrl-C: say so, and do not hear another, which would lose what is still to be shown; the exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    announce(message)
    return STOPPED


@contextmanager
def games_bar(done: int, target: Target, note: Callable[[], str]) -> Iterator[Callable[[int], None]]:
    """A bar on the terminal, a line now and then elsewhere; to be told how many games are done."""
    total = target.games if target.games < MOST_GAMES else None
    if not sys.stderr.isatty():
        yield _lines(done, total, note)
        return
    with tqdm(total=total, initial=done, unit=" games", unit_scale=True, leave=False, dynamic_ncols=True) as bar:

        def tick(games: int) -> None:
            bar.set_description_str(note(), refresh=False)
            bar.update(games - bar.n)

        yield tick


def _lines(done: int, total: int | None, note: Callable[[], str]) -> Callable[[int], None]:
    began = said = time.monotonic()

    def tick(games: int) -> None:
        nonlocal said
        now = time.monotonic()
        if now - said < SAY_EVERY:
            return
        said = now
        speed = (games - done) / (now - began)
        left = f" of {total:,}, {(total - games) / speed / 60:,.0f} min left" if total else ""
        announce(f"{games:,} games{left}, {speed:,.0f} a second; {note()}")

    return tick


def other_file(option: str, name: str | None, taken: str | None) -> None:
    """Refuse early what cannot be written, or would take the place of the file that is read or written already."""
    check_writable(option, name)
    if name is not None and taken is not None and os.path.realpath(name) == os.path.realpath(taken):
        raise Refused(f"{option}: {file_name(name)} is the file of the run; expected another name")
