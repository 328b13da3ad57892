"""The games of a run played by a Dask cluster: one that is running somewhere, or one of processes on this machine.

Dask hands out the chunks, and has those of a worker that is gone played again by another. They come back in order, and
what is in them depends on the run alone, so the result is the same as on one machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any

from solver.batch.run import Run, engine_digest
from solver.batch.work import CLUSTER_SECONDS, Chunk, Team, play_chunk
from solver.errors import Refused
from solver.notation.numbers import quote

LOCAL = re.compile(r"local:([1-9][0-9]{0,2})")
ADDRESS = re.compile(r"(tcp|tls)://[^\s/]+:[0-9]{1,5}")
MOST_FAILURES = 20  # workers that may die over one chunk before it is given up; dying workers are not its fault
CONNECT_SECONDS = 10


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
        # A worker that is gone is no news for a user whose games are played again; set before it reads its settings.
        dask.config.set({"logging.distributed": "error"})
        distributed: Any = import_module("distributed")
    except ImportError:
        raise Refused("--cluster needs Dask, which comes with: pip install 'towers-solver[cluster]'") from None
    dask.config.set({"distributed.scheduler.allowed-failures": MOST_FAILURES})
    local = LOCAL.fullmatch(address)
    cluster: Any = None
    try:
        if local:
            cluster = distributed.LocalCluster(
                n_workers=int(local[1]), threads_per_worker=1, host="127.0.0.1", dashboard_address=None,
            )  # fmt: skip
        client = distributed.Client(cluster if local else address, timeout=CONNECT_SECONDS)
    except OSError as problem:
        raise Refused(f"there is no Dask scheduler at {address} ({problem})") from None
    try:
        workers = sum(client.nthreads().values())
        if workers == 0:
            raise Refused(f"the cluster at {address} has no workers; start some with: dask worker {address}")
        play = partial(play_on_worker, engine_digest())
        yield Team(client.get_executor(pure=False), workers, CLUSTER_SECONDS, play)
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def play_on_worker(engine: str, runs: tuple[Run, ...], first: int, games: int) -> Chunk:
    """Play some games on a worker, if it has the same program."""
    if engine_digest() != engine:
        raise Refused(f"a worker of the cluster has another engine: {engine_digest()}, and here it is {engine}")
    return play_chunk(runs, first, games)
