"""Has all kernels compiled or loaded in the background, while the page is there already and says so."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

# What a part of the page needs; the names under which the commands keep them, too.
TABLE, PLANNING, ADVICE, REVIEW, PLAYING = "the table", "the search", "the advice", "the review", "the lookahead"

_log = logging.getLogger("uvicorn.error")


class Kernels:
    """The state of the kernels."""

    def __init__(self) -> None:
        self.ready = False
        self.done: set[str] = set()
        self.doing = "starting"
        self._then: Callable[[], None] = lambda: None

    def begin(self, then: Callable[[], None]) -> None:
        """Begin to make them ready; `then` is called when they are."""
        self._then = then
        threading.Thread(target=self._prepare, name="kernels", daemon=True).start()

    def _prepare(self) -> None:
        try:
            self._compile()
        except Exception as problem:
            _log.exception("the kernels cannot be compiled")
            self.doing = f"the kernels cannot be compiled: {problem}"
            return
        self.doing = ""
        self.ready = True
        self._then()

    def _compile(self) -> None:
        from solver.advice.warm import warm_up_advice
        from solver.batch.warm import DEEPER, GAMES, PLANS
        from solver.jit import prepare
        from solver.play.warm import warm_up_table
        from solver.review.warm import warm_up_review

        groups = [
            (TABLE, warm_up_table), (ADVICE, warm_up_advice), PLANS, (REVIEW, warm_up_review), GAMES, DEEPER
        ]  # fmt: skip
        for name, warm_up in groups:
            self.doing = f"loading {name}"
            prepare(name, warm_up, self._announce)
            self.done.add(name)

    def _announce(self, message: str) -> None:
        self.doing = message
        _log.info(message)
