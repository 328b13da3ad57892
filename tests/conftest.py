"""All kernels are compiled before the first test, once; then every process of the test run has a copy of its own.

numba's cache does not survive two processes that write it at once, and some tests compile kernels of their own types.
"""

import atexit
import os
import shutil
import signal
import tempfile

SHARED, OWN = "TOWERS_TESTS_KERNELS", "TOWERS_CACHE_DIR"


def pytest_configure(config):
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # a shell does so in the background; commands inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(config, "workerinput"):
        _take_copy()
    elif not config.option.collectonly and not config.option.help:
        _compile()


def _compile():
    from solver.advice.warm import warm_up_advice
    from solver.batch.warm import DEEPER, GAMES
    from solver.jit import cache_folder, prepare
    from solver.learn.warm import warm_up_learning
    from solver.play.warm import warm_up_table
    from solver.review.warm import warm_up_review
    from solver.search.warm import warm_up, warm_up_search

    groups = [
        ("the engine", warm_up), ("the search", warm_up_search), ("the advice", warm_up_advice), GAMES, DEEPER,
        ("the learning", warm_up_learning), ("the table", warm_up_table), ("the review", warm_up_review),
    ]  # fmt: skip
    for group in groups:
        prepare(*group, print)
    os.environ[SHARED] = str(cache_folder() or "")


def _take_copy():
    shared = os.environ[SHARED]
    os.environ[OWN] = tempfile.mkdtemp(prefix="towers-kernels-")
    atexit.register(shutil.rmtree, os.environ[OWN], ignore_errors=True)
    from solver.jit import cache_folder

    if shared:
        shutil.copytree(shared, cache_folder(), dirs_exist_ok=True)
