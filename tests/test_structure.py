"""The shape of the project: who may import whom, and that kernels stay plain."""

import ast
from pathlib import Path

import pytest

import solver
from solver.jit import NOT_COMPILED

PACKAGE = Path(solver.__file__).parent
# From the bottom up; a module may import its own level and those below.
LEVELS = [
    ["errors", "rules", "jit"],
    ["position", "move", "goal"],
    ["layout", "deal", "notation", "draw"],
    ["engine"],
    ["referee", "value"],
    ["search", "game"],
    ["policy"],
    ["puzzle", "advice", "learn", "batch", "play"],
    ["review"],
    ["cli", "web", "__main__"],
]
NUMBA_FREE = [
    "errors", "rules", "position", "move", "goal", "notation", "draw", "cli",
    "advice.asked", "puzzle.file", "puzzle.words", "policy.names", "search.situation",
]  # fmt: skip

LOADED_LATE = ["cli.seat"]  # only when a game is on


def level(room):
    return next(number for number, rooms in enumerate(LEVELS) if room in rooms)


def imports_of(path, top_level_only=False):
    tree = ast.parse(path.read_text("utf-8"))
    for node in tree.body if top_level_only else ast.walk(tree):
        names = [node.module] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        if names == ["solver"] and isinstance(node, ast.ImportFrom):
            names = [f"solver.{alias.name}" for alias in node.names if alias.name != "__version__"]
        yield from (name for name in names if name)


MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if path != PACKAGE / "__init__.py"]


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path):
    for name in imports_of(path):
        if name.startswith("solver."):
            other = name.split(".")[1]
            assert level(other) <= level(room_of(path)), f"{path} imports {name}, which lies above it"


def is_numba_free(name):
    """Whether a module, `room.file` without `solver.`, starts fast: by its room or by itself."""
    room, file = name.split(".")[0], ".".join(name.split(".")[:2])
    return file not in LOADED_LATE and (room in NUMBA_FREE or file in NUMBA_FREE)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_what_starts_fast_imports_no_numba(path):
    if is_numba_free(".".join(path.relative_to(PACKAGE).with_suffix("").parts)):
        heavy = {"numba", "numpy", "llvmlite"}
        for name in imports_of(path, top_level_only=True):
            assert name.split(".")[0] not in heavy
            assert not name.startswith("solver.") or is_numba_free(name.removeprefix("solver."))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_stay_small(path):
    assert len(path.read_text("utf-8").splitlines()) <= 500


@pytest.mark.parametrize("room", NOT_COMPILED)
def test_rooms_left_out_of_the_name_of_the_cache_have_no_kernels(room):
    for path in (PACKAGE / room).rglob("*.py"):
        assert "@kernel" not in path.read_text("utf-8")
