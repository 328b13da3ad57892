"""The one compile decorator and the folder where compiled kernels are kept.

numba recompiles a cached kernel only when that kernel's *own* file changes; a constant edited in another
module would go unnoticed. So the cache folder is named after a hash of every source a kernel can depend on,
and of what else shapes the machine code: an edit, another numba or another processor begin a new folder.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import llvmlite.binding
import numba
import numpy as np
import numpy.typing as npt
from filelock import FileLock, Timeout
from numba import config
from numba.core.extending import overload

numba_config: Any = config  # its settings are made at run time, so no type checker knows them

F = TypeVar("F", bound=Callable[..., object])
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
FloatArray: TypeAlias = npt.NDArray[np.float64]

PACKAGE = Path(__file__).resolve().parent
NOT_COMPILED = ("cli", "web", "batch", "puzzle", "advice", "play", "review", "draw")  # they have no kernels
FOLDER_VARIABLE = "TOWERS_CACHE_DIR"  # for those who want the cache in a place of their own
_FOLDER = re.compile(r"kernels-[0-9a-f]{12}-[0-9a-f]{12}")  # sources and machine; nothing else is ours to remove


@cache
def cache_folder() -> Path | None:
    """The folder for compiled kernels, made if need be; None if there is no place to write."""
    sources = _digest(
        f"{path.relative_to(PACKAGE)}:{path.read_text('utf-8')}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in NOT_COMPILED
    )
    machine = _digest(
        (
            numba.__version__,
            np.__version__,
            platform.python_version(),
            llvmlite.binding.get_host_cpu_name(),
            str(numba_config.BOUNDSCHECK),
        )
    )
    for home in _homes():
        folder = home / f"kernels-{sources}-{machine}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError:
            continue
        _remove_outdated(home, keep=f"kernels-{sources}-")
        return folder
    return None


def _homes() -> list[Path]:
    """Where the cache may live: the place asked for, else beside the package, else the user's cache."""
    # one folder a copy of the package: two copies of different age must not remove each other's kernels
    own = Path("towers") / _digest([str(PACKAGE)])
    asked = os.environ.get(FOLDER_VARIABLE)
    if asked:
        return [Path(asked) / own]
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return [PACKAGE / "__pycache__", user / own]


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def _remove_outdated(home: Path, keep: str) -> None:
    for old in home.iterdir():
        if _FOLDER.fullmatch(old.name) and not old.name.startswith(keep):
            shutil.rmtree(old, ignore_errors=True)


def kernel(function: F) -> F:
    """Compile on first call, keep the result on disk, and let other Python threads run meanwhile.

    Kernels take and return plain numbers and arrays, and trust what they are given.
    """
    folder = cache_folder()
    before = numba_config.CACHE_DIR
    # numba reads this when it decorates; restored so that other users of numba in the process keep theirs
    numba_config.CACHE_DIR = str(folder or "")
    try:
        compiled = numba.njit(cache=folder is not None, nogil=True, error_model="numpy")(function)
    finally:
        numba_config.CACHE_DIR = before
    return cast(F, _with_plain_numbers(compiled))


def _with_plain_numbers(compiled: Any) -> Any:
    """A constant handed to the kernel is a number like any other; numba would compile it once more for each of them."""
    plain: Any = numba.types.unliteral
    find_template = compiled.get_call_template
    compiled.get_call_template = lambda args, kws: find_template(
        tuple(map(plain, args)), {name: plain(each) for name, each in dict(kws).items()}
    )
    return compiled


def prepare(group: str, warm_up: Callable[[], None], announce: Callable[[str], None]) -> None:
    """Have a group of kernels compiled, once for all processes; `announce` is told if that takes a while.

    `warm_up` calls each kernel of the group on a tiny input. A damaged cache is thrown away and made anew.
    """
    folder = cache_folder()
    if folder is None:
        announce(f"compiling {group} (found no place to keep the result; {FOLDER_VARIABLE} can name one) ...")
        warm_up()
        return
    ready = folder / f"{group}.ready"
    if ready.exists():
        try:
            warm_up()
            return
        except Exception:  # unpickling a damaged cache can raise anything
            for file in folder.rglob("*.nb?"):
                file.unlink(missing_ok=True)
            ready.unlink(missing_ok=True)
    lock = FileLock(folder / "lock")  # numba's cache does not survive two processes that write it at once
    try:
        lock.acquire(timeout=0)
    except Timeout:
        announce(f"waiting for another process that is compiling {group} ...")
        lock.acquire()
    try:
        if not ready.exists():
            announce(f"compiling {group}, once; this takes about half a minute ...")
        warm_up()
        ready.touch()
    finally:
        lock.release()


def lowest_bit(mask: int) -> int:
    """The number of the lowest bit set in a mask that is not empty: 0b1000 -> 3."""
    return int(mask & -mask).bit_length() - 1


@numba.extending.intrinsic
def _count_trailing_zeros(typing_context, mask):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.cttz(arguments[0], numba.core.cgutils.true_bit)

    return numba.int64(numba.int64), generate


@overload(lowest_bit)
def _lowest_bit(mask):  # type: ignore[no-untyped-def]
    def compiled(mask):  # type: ignore[no-untyped-def]
        return _count_trailing_zeros(mask)  # type: ignore[call-arg]

    return compiled
