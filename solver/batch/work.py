"""Games played in chunks, in this process, in others, or on other machines; they come back in their order.

A chunk is a pure function of the run and the numbers of its games, so who plays it and how large it is cannot matter.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from typing import NamedTuple, Protocol

import numpy as np

from solver.batch.processes import Processes
from solver.batch.run import Run
from solver.batch.tally import LUCK_UNIT
from solver.batch.warm import groups_of
from solver.jit import IntArray, prepare
from solver.policy.player import Player
from solver.policy.players import player_for

# A chunk is to take about so long: short for a bar and for Ctrl-C, and long enough that handing it over costs nothing.
LOCAL_SECONDS = 0.4
CLUSTER_SECONDS = 2.0
MOST_GAMES = 50_000  # of a chunk
GROWTH = 8  # how many times larger a chunk may be than the one before
IN_FLIGHT = 3  # chunks under way for each worker


class Chunk(NamedTuple):
    """Some games in a row, a line for each of the runs that were played side by side."""

    first: int
    cards: IntArray
    lucks: IntArray  # in parts of LUCK_UNIT
    seconds: float

    @property
    def stop(self) -> int:
        """The number of the first game that is not in it."""
        return self.first + int(self.cards.shape[1])

    def part(self, first: int, stop: int) -> Chunk:
        """The games from one number up to another."""
        span = slice(first - self.first, stop - self.first)
        return self._replace(first=first, cards=self.cards[:, span], lucks=self.lucks[:, span])


class _Seats(threading.local):
    """The players of this thread: they are asked for chunk after chunk of the same runs."""

    runs: tuple[Run, ...] = ()
    players: tuple[Player, ...] = ()


_seats = _Seats()


def play_chunk(runs: tuple[Run, ...], first: int, games: int) -> Chunk:
    """Play some games in a row, in each of the runs."""
    if _seats.runs != runs:
        for group in groups_of(runs):
            prepare(*group, lambda message: None)
        _seats.players = tuple(player_for(run.policy, run.start, run.seed, run.less_luck) for run in runs)
        _seats.runs = runs
    began = time.perf_counter()
    played = [player.play(first, games) for player in _seats.players]
    seconds = time.perf_counter() - began
    lucks = np.array([np.rint(each.lucks * LUCK_UNIT) for each in played]).astype(np.int64)
    return Chunk(first, np.array([each.cards for each in played]), lucks, seconds)


Play = Callable[[tuple[Run, ...], int, int], Chunk]


class Handed(Protocol):
    """A chunk that somebody plays."""

    def result(self) -> Chunk:
        """Wait for it."""

    def cancel(self) -> object:
        """It is not needed any more."""


class Crew(Protocol):
    """Those who play chunks elsewhere: the processes of this machine, or an executor."""

    def submit(self, play: Play, runs: tuple[Run, ...], first: int, games: int, /) -> Handed:
        """Have a chunk played."""


class Team(NamedTuple):
    """Who plays: a crew of so many, or (None) this process itself."""

    crew: Crew | None = None
    workers: int = 1
    seconds: float = LOCAL_SECONDS  # that a chunk is to take
    play: Play = play_chunk


def chunks(runs: tuple[Run, ...], first: int, stop: int, team: Team) -> Iterator[Chunk]:
    """The games from `first` up to `stop`, in order."""
    size = 1
    handed = first
    most = IN_FLIGHT * team.workers if team.crew is not None else 1
    under_way: deque[Handed] = deque()
    try:
        while handed < stop or under_way:
            while handed < stop and len(under_way) < most:
                games = min(size, stop - handed)
                under_way.append(_submit(team, runs, handed, games))
                handed += games
            chunk = under_way.popleft().result()
            wanted = team.seconds * (chunk.stop - chunk.first) / max(chunk.seconds, 1e-6)
            size = int(max(1, min(wanted, GROWTH * size, MOST_GAMES)))
            yield chunk
    finally:
        for handed_over in under_way:
            handed_over.cancel()


def _submit(team: Team, runs: tuple[Run, ...], first: int, games: int) -> Handed:
    if team.crew is not None:
        return team.crew.submit(team.play, runs, first, games)
    done: Future[Chunk] = Future()
    done.set_result(team.play(runs, first, games))
    return done


@contextmanager
def local_team(jobs: int) -> Iterator[Team]:
    """This process for one job, otherwise so many processes."""
    if jobs == 1:
        yield Team()
        return
    with closing(Processes(jobs)) as crew:
        yield Team(crew, jobs)
