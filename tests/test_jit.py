"""The cache of compiled kernels: made once, shared, and none the worse for damage."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import solver
from solver import jit

COUNT = ["-m", "solver", "perft", "start", "w2t4,w3,t2"]


def start(folder, **extra):
    environment = {**os.environ, jit.FOLDER_VARIABLE: str(folder), **extra}
    return subprocess.Popen(
        [sys.executable, *COUNT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


def finish(process):
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert out.startswith("lines      630\npositions  605\n")
    return err


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A cache folder filled by two processes that began at once."""
    folder = tmp_path_factory.mktemp("kernels")
    errors = sorted(finish(process) for process in [start(folder), start(folder)])
    assert sum("compiling the engine, once" in error for error in errors) == 1
    return folder


def test_the_second_run_compiles_nothing(compiled):
    assert finish(start(compiled)) == ""


def test_a_damaged_cache_is_made_anew(compiled, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(compiled, folder)
    damaged = list(folder.rglob("*.nbi")) + list(folder.rglob("*.nbc"))
    assert damaged
    for file in damaged:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    assert "compiling" in finish(start(folder))
    assert finish(start(folder)) == ""


def test_a_folder_that_cannot_be_written_only_costs_time(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert "no place to keep" in finish(start(tmp_path / "file"))


def test_old_kernels_are_removed_and_nothing_else(tmp_path):
    old, new, machine, other_machine = ("0123456789a" + digit for digit in "bcde")
    keep = [
        f"kernels-{new}-{machine}",
        f"kernels-{new}-{other_machine}",
        f"kernels-{old}",
        f"kernels-{old}-{machine}-saved",
        "kernels-of-my-own",
        "other",
    ]
    for name in [*keep, f"kernels-{old}-{machine}"]:
        (tmp_path / name).mkdir()
    jit._remove_outdated(tmp_path, keep=f"kernels-{new}-")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(keep)


ASK = [sys.executable, "-c", "from solver.jit import cache_folder; print(cache_folder())"]


def copy_package(root):
    package = root / "solver"
    shutil.copytree(Path(solver.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    return package


def test_two_copies_share_a_place_and_remove_nothing_of_each_other(tmp_path):
    folders = []
    for name in ("one", "two"):
        with (copy_package(tmp_path / name) / "rules.py").open("a", encoding="utf-8") as rules:
            rules.write(f"# {name}\n")
        environment = {**os.environ, jit.FOLDER_VARIABLE: str(tmp_path / "shared")}
        asked = subprocess.run(ASK, cwd=tmp_path / name, env=environment, capture_output=True, text=True, check=True)
        folders.append(Path(asked.stdout.strip()))
    assert len(set(folders)) == 2
    assert all(folder.is_dir() and tmp_path / "shared" / "towers" in folder.parents for folder in folders)


def test_an_edit_in_another_module_begins_a_new_folder(tmp_path):
    package = copy_package(tmp_path)

    def folder():
        return subprocess.run(ASK, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    before = folder()
    assert folder() == before
    (package / "cli" / "show.py").write_text("# no kernel depends on this\n")
    assert folder() == before
    rules = package / "rules.py"
    rules.write_text(rules.read_text("utf-8").replace("ADVANCE_TOWER_STEPS = 2", "ADVANCE_TOWER_STEPS = 3"), "utf-8")
    assert folder() != before


def test_lowest_bit():
    assert [jit.lowest_bit(mask) for mask in (1, 0b1000, 0b1010, 1 << 60)] == [0, 3, 1, 60]
