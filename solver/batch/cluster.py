"""The games of a run played by a Dask cluster: one that is running somewhere, or one of processes on this machine.

Dask hands out the chunks, and has those of a worker that is gone played again by another. They come back in order, and
what is in them depends on the run alone, so the result is the same as on one machine.
"""

from __future__ import annotations

import logging
import os
import re
import signal
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from multiprocessing import resource_tracker
from typing import Any

from solver.batch.processes import WorkerDied, undisturbed
from solver.batch.run import Run, engine_digest
from solver.batch.work import CLUSTER_SECONDS, Chunk, Handed, Play, Team, play_chunk
from solver.errors import Refused
from solver.notation.numbers import quote

LOCAL = re.compile(r"local:([1-9][0-9]{0,2})")
ADDRESS = re.compile(r"(tcp|tls)://[^\s/]+:[0-9]{1,5}")
MOST_FAILURES = 20  # workers that may die over one chunk before it is given up; dying workers are not its fault
CONNECT_SECONDS = 10
# Workers that are gone are no news, for their games are played again; and what fails is said in a sentence of ours.
TALKATIVE = ("distributed", "distributed.client", "distributed.worker", "tornado", "tornado.application", "asyncio")


def parse_cluster(text: str) -> str:
    """`local:4`, or the address of a scheduler."""
    if not LOCAL.fullmatch(text.strip()) and not ADDRESS.fullmatch(text.strip()):
        raise Refused(f"expected local:N for N processes, or an address such as tcp://host:8786, not {quote(text)}")
    return text.strip()


@contextmanager
def cluster_team(address: str) -> Iterator[Team]:
    """The workers of a cluster."""
    try:
        dask: Any = import_module("dask")  # both without types
        dask.config.set({"logging": dict.fromkeys(TALKATIVE, "critical")})  # before it reads its settings
        distributed: Any = import_module("distributed")
    except ImportError:
        raise Refused("--cluster needs Dask, which comes with: pip install 'towers-solver[cluster]'") from None
    dask.config.set({"distributed.scheduler.allowed-failures": MOST_FAILURES})
    local = LOCAL.fullmatch(address)
    cluster: Any = None
    client: Any = None
    try:
        if local:
            resource_tracker.ensure_running()  # it would end the silence of the thread that begins the workers
            with undisturbed():
                cluster = distributed.LocalCluster(
                    n_workers=int(local[1]), threads_per_worker=1, host="127.0.0.1", dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )  # fmt: skip
        client = _connect(distributed, cluster, address)
        workers = sum(client.nthreads().values())
        if workers == 0:
            raise Refused(f"the cluster at {address} has no workers; start some with: dask worker {address}")
        play = partial(play_on_worker, engine_digest())
        yield Team(_Crew(client.get_executor(pure=False)), workers, CLUSTER_SECONDS, play)
    finally:
        with undisturbed():
            if cluster is not None:
                _end_workers(cluster)
            for each in (client, cluster):
                if each is not None:
                    each.close()


class _Crew:
    """Has chunks played by a cluster, which can be lost."""

    def __init__(self, executor: Any) -> None:
        self._executor = executor

    def submit(self, play: Play, runs: tuple[Run, ...], first: int, games: int, /) -> Handed:
        """Have a chunk played."""
        with _losses():
            return _Handed(self._executor.submit(play, runs, first, games))


class _Handed:
    """A chunk that the cluster plays."""

    def __init__(self, future: Any) -> None:
        self._future = future

    def result(self) -> Chunk:
        """Wait for it."""
        with _losses():
            chunk: Chunk = self._future.result()
            return chunk

    def cancel(self) -> object:
        """It is not needed any more."""
        return self._future.cancel()


@contextmanager
def _losses() -> Iterator[None]:
    """A scheduler that has gone, or a chunk over which every worker dies, ends the run; in the words of any crew."""
    try:
        yield
    except Refused:
        raise
    except (CancelledError, OSError, RuntimeError, import_module("distributed").KilledWorker) as problem:
        raise WorkerDied(f"the cluster cannot go on ({type(problem).__name__})") from None


def _connect(distributed: Any, cluster: Any, address: str) -> Any:
    try:
        return distributed.Client(cluster or address, timeout=CONNECT_SECONDS)
    except OSError as problem:
        raise Refused(f"there is no Dask scheduler at {address} ({problem})") from None


def _end_workers(cluster: Any) -> None:
    """Left to itself, Dask waits some seconds for those that are in the middle of a chunk."""
    for nanny in cluster.workers.values():
        nanny.close_gracefully()  # it does not begin another
        if nanny.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGKILL)


def play_on_worker(engine: str, runs: tuple[Run, ...], first: int, games: int) -> Chunk:
    """Play some games on a worker, if it has the same program."""
    if engine_digest() != engine:
        raise Refused(f"a worker of the cluster has another engine: {engine_digest()}, and here it is {engine}")
    return play_chunk(runs, first, games)
