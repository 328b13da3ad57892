"""Processes that work for this one and can be ended in the middle of it, which those of an executor cannot.

Nothing is shared between them, so one that is killed leaves no lock behind that others wait for. There is no thread
either: whoever waits for a result takes in what comes from any of them, and hands out more.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any

AHEAD = 2  # tasks a process may have, so that it need not wait for this one when it is done with the first
END_SECONDS = 1.0  # for a process that has nothing to do to end by itself


class WorkerDied(Exception):
    """A process that played games ended by itself."""


class Task:
    """A call that some process makes, or will make."""

    def __init__(self, crew: Processes, call: tuple[Callable[..., Any], tuple[Any, ...]]) -> None:
        self.call = call
        self._crew = crew
        self._answer: tuple[bool, Any] | None = None

    def answer(self, answer: tuple[bool, Any]) -> None:
        """Whether it went well, and what it returned or raised."""
        self._answer = answer

    def result(self) -> Any:
        """What it returned, once it has; or what it raised is raised here."""
        while self._answer is None:
            self._crew.attend()
        good, found = self._answer
        if not good:
            raise found
        return found

    def cancel(self) -> None:
        """Do not begin with it any more."""
        self._crew.drop(self)


class _Worker:
    """A process, and the tasks it has been given."""

    def __init__(self, context: Any) -> None:
        self.connection, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other,))
        self.process.start()
        other.close()  # then the connection is at its end when the process is
        self.tasks: deque[Task] = deque()

    def give(self, task: Task) -> None:
        try:
            self.connection.send(task.call)
        except OSError:
            raise _died() from None
        self.tasks.append(task)

    def take(self) -> None:
        try:
            answer = self.connection.recv()
        except (EOFError, OSError):
            raise _died() from None
        self.tasks.popleft().answer(answer)


class Processes:
    """So many processes, and the tasks that wait for one."""

    def __init__(self, number: int) -> None:
        # Forked processes have everything loaded already; elsewhere than on Linux that is not safe.
        context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self._workers: list[_Worker] = []
        self._waiting: deque[Task] = deque()
        try:
            with undisturbed():
                for _ in range(number):
                    self._workers.append(_Worker(context))
        except BaseException:
            self.close()
            raise

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Task:
        """Have a function called."""
        task = Task(self, (function, arguments))
        self._waiting.append(task)
        self._hand_out()
        return task

    def attend(self) -> None:
        """Wait until one of them has something to say, and give it more to do."""
        busy = [worker for worker in self._workers if worker.tasks]
        ready = wait([each for worker in busy for each in (worker.connection, worker.process.sentinel)])
        for worker in busy:
            if worker.connection in ready:
                worker.take()
            elif worker.process.sentinel in ready:
                raise _died()
        self._hand_out()

    def drop(self, task: Task) -> None:
        """Forget a task that nobody has been given yet."""
        with suppress(ValueError):
            self._waiting.remove(task)

    def close(self) -> None:
        """End them all: at once, if they are in the middle of something."""
        with undisturbed():
            for worker in self._workers:
                if worker.tasks:
                    worker.process.kill()
                else:
                    with suppress(OSError):
                        worker.connection.send(None)
            for worker in self._workers:
                worker.process.join(END_SECONDS)
                worker.process.kill()
                worker.process.join()
                worker.connection.close()

    def _hand_out(self) -> None:
        while self._waiting:
            worker = min(self._workers, key=lambda each: len(each.tasks))
            if len(worker.tasks) >= AHEAD:
                return
            worker.give(self._waiting.popleft())


@contextmanager
def undisturbed() -> Iterator[None]:
    """A Ctrl-C is heard only when this is over, and by processes and threads that are begun in it never."""
    if threading.current_thread() is not threading.main_thread():  # others hear none
        yield
        return
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))  # another thread can catch it
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
    if heard and callable(before):
        before(signal.SIGINT, None)


def _died() -> WorkerDied:
    return WorkerDied("a process that played games has died")


def _work(connection: Connection) -> None:
    """What a process does: end with its parent, even if that is killed, and answer its calls."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a spawned one may hear Ctrl-C, which is for the parent
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
    while (call := connection.recv()) is not None:
        function, arguments = call
        try:
            answer = True, function(*arguments)
        except BaseException as problem:  # whatever it is, it is for the one who asked
            problem.add_note(traceback.format_exc())  # where it was is lost on the way
            answer = False, problem
        connection.send(answer)
