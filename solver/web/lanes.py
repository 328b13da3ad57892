"""Long work: done by threads in lanes, told line by line, given up when nobody listens any more or its time is over.

Each kind of work has a lane of its own, so that long proofs never keep a hint waiting. Kernels let other threads run.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from fastapi import Request
from fastapi.responses import StreamingResponse

from solver.errors import Refused
from solver.web.asked import Plain
from solver.web.guard import Receive, Scope, Send, Unwelcome

_log = logging.getLogger("uvicorn.error")

LINES = "application/x-ndjson"
MOST_UNREAD = 50  # messages that wait for a slow reader; news beyond that is dropped, the answer never


class Stopped(Exception):
    """Work is given up: nobody listens any more, or its time is over."""


class Job:
    """A piece of work, as it sees itself: what it tells, and whether it is to go on."""

    def __init__(self, seconds: float, send: Callable[[Plain], None]) -> None:
        self.seconds = seconds
        self._send = send
        self._left = threading.Event()
        self._began: float | None = None

    def tell(self, news: Plain) -> None:
        """Say how far it has come; raises `Stopped` if that is of no use any more."""
        self.check()
        self._send({"so_far": news})

    def check(self) -> None:
        """Raise `Stopped` if the work is of no use any more."""
        if self._began is None:
            self._began = time.monotonic()
        if self._left.is_set():
            raise Stopped("it was cancelled")
        if time.monotonic() - self._began > self.seconds:
            raise Stopped(f"it was given up after {self.seconds:.0f} seconds, as long as a request may take here")

    def leave(self) -> None:
        """Nobody listens any more."""
        self._left.set()

    def end(self, reason: str) -> None:
        """Give up without waiting for the work to notice."""
        self.leave()
        self._send({"stopped": reason})


Work = Callable[[Job], Plain]


@dataclass
class Lane:
    """Threads for one kind of work, and how much of it may wait."""

    name: str
    workers: int
    waiting: int
    seconds: float  # that one piece may take

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.workers, thread_name_prefix=self.name)
        self._jobs: set[Job] = set()  # touched by the event loop only
        self._is_closed = False

    @property
    def under_way(self) -> int:
        """How many pieces of work there are, with those that wait."""
        return len(self._jobs)

    def close(self) -> None:
        """Give up everything, and take nothing more."""
        self._is_closed = True
        for job in self._jobs:
            job.end("the server is being stopped")
        self._pool.shutdown(wait=False, cancel_futures=True)

    def stream(self, work: Work) -> StreamingResponse:
        """Do the work; the answer is a line of JSON for each news, and a last one: answer, refused or stopped."""
        if self._is_closed:
            raise Unwelcome(503, "the server is being stopped")
        if len(self._jobs) >= self.workers + self.waiting:
            raise Unwelcome(429, f"{len(self._jobs)} pieces of {self.name} are under way or waiting; try again later")
        loop = asyncio.get_running_loop()
        messages: asyncio.Queue[Plain] = asyncio.Queue()

        def put(message: Plain) -> None:
            if "so_far" not in message or messages.qsize() < MOST_UNREAD:
                messages.put_nowait(message)

        def send(message: Plain) -> None:
            loop.call_soon_threadsafe(put, message)

        job = Job(self.seconds, send)
        self._jobs.add(job)
        future = self._pool.submit(_run, work, job, send)

        def done(_: Future[None]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._jobs.discard, job)

        future.add_done_callback(done)

        def leave() -> None:
            job.leave()
            future.cancel()

        return Lines(_lines(messages), leave)


class Lines(StreamingResponse):
    """A stream whose work ends with it, also if nobody was there any more when it was to begin."""

    def __init__(self, lines: AsyncIterator[bytes], leave: Callable[[], None]) -> None:
        super().__init__(lines, media_type=LINES)
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it all, or as much as is wanted."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


def lane_of(request: Request, name: str) -> Lane:
    """A lane of the application that a request came to."""
    lane: Lane = request.app.state.lanes[name]
    return lane


def _run(work: Work, job: Job, send: Callable[[Plain], None]) -> None:
    try:
        job.check()
        send({"answer": work(job)})
    except Stopped as reason:
        send({"stopped": str(reason)})
    except Refused as reason:
        send({"refused": str(reason)})
    except MemoryError:
        send({"stopped": "there is not enough memory"})
    except Exception:
        _log.exception("a piece of work failed")
        send({"stopped": "something in the program went wrong; the terminal in which it runs says what"})


async def _lines(messages: asyncio.Queue[Plain]) -> AsyncIterator[bytes]:
    while True:
        message = await messages.get()
        yield json.dumps(message).encode() + b"\n"
        if "so_far" not in message:
            return
