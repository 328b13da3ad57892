"""Games played in chunks, in this process, in others, or on other machines; they come back in their order.

A chunk is a pure function of the run and the numbers of its games, so who plays it and how large it is cannot matter.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

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


class WorkerDied(Exception):
    """A process that played games ended by itself."""


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


class Team(NamedTuple):
    """Who plays: an executor with so many workers, or (None) this process itself."""

    executor: Executor | None = None
    workers: int = 1
    seconds: float = LOCAL_SECONDS  # that a chunk is to take
    play: Play = play_chunk


def chunks(runs: tuple[Run, ...], first: int, stop: int, team: Team) -> Iterator[Chunk]:
    """The games from `first` up to `stop`, in order."""
    size = 1
    handed = first
    most = IN_FLIGHT * team.workers if team.executor is not None else 1
    under_way: deque[Future[Chunk]] = deque()
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
    except BrokenProcessPool:
        raise WorkerDied("a process that played games has died") from None
    finally:
        for future in under_way:
            future.cancel()


def _submit(team: Team, runs: tuple[Run, ...], first: int, games: int) -> Future[Chunk]:
    if team.executor is not None:
        return team.executor.submit(team.play, runs, first, games)
    done: Future[Chunk] = Future()
    done.set_result(team.play(runs, first, games))
    return done


@contextmanager
def local_team(jobs: int) -> Iterator[Team]:
    """This process for one job, otherwise so many processes."""
    if jobs == 1:
        yield Team()
        return
    # Forked processes have everything loaded already; elsewhere than on Linux that is not safe.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    executor = ProcessPoolExecutor(jobs, context, _begin_work)
    executor.submit(os.getpid).result()  # starts them all, before a bar has a thread that a fork would cut off
    try:
        yield Team(executor, jobs)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _begin_work() -> None:
    """In a new process: leave Ctrl-C to the parent, and end with it even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
