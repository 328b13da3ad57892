"""A run that is killed again and again, and what is left of it: its file must be the same as if nothing had happened.

    .venv/bin/python bench/kills.py
    .venv/bin/python bench/kills.py --kills 200 --seed 2

Makes an undisturbed run of some seconds, then starts and resumes the same run and kills the process, or one of its
workers, with SIGKILL at random moments: while it loads, and while it plays. A file that is complete is compared and
begun anew, until there were enough kills. Ends with 1 if a file differs, a process is left over, or a run whose worker
died did not say so. Needs Linux, for it finds the workers in /proc.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from os import kill
from pathlib import Path

NEAR = "K/1/1/1/-/-/-/-/-/-/-/-/-/-/-/- 9 -"  # from the start a random player loses every game, so all are alike
SETTLED = 5.0  # seconds in which workers must be gone
LOADING = 0.25  # the share of kills before the first game was written
PLAYING = 0.15  # seconds of play before a kill, at most
PARENT, WORKER = "the process itself", "a worker"


def stat_of(pid: int) -> tuple[str, int] | None:
    """State and parent of a process; None if there is none."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return None
    return state, int(parent)


def alive(pid: int) -> bool:
    found = stat_of(pid)
    return found is not None and found[0] not in "ZX"


def children_of(pid: int) -> list[int]:
    numbers = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit()]
    return [each for each in numbers if (stat_of(each) or ("", 0))[1] == pid and alive(each)]


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


class Bench:
    def __init__(self, games: int, jobs: int, seed: int, folder: Path) -> None:
        self.folder = folder
        self.command = [sys.executable, "-m", "solver", "simulate", "--policy", "random", "--position", NEAR]
        self.words = [*self.command, "--games", str(games), "--jobs", str(jobs)]
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.same = True
        self.loading = 0.0  # seconds until the first game is written

    def start(self, path: Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*self.words, "--out", str(path), "--resume"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )

    def undisturbed(self, path: Path) -> bytes:
        subprocess.run([*self.command, "--games", "1"], check=True, capture_output=True)  # which also compiles
        began = time.perf_counter()
        process = self.start(path)
        while size_of(path) < 1000 and process.poll() is None:
            time.sleep(0.002)
        self.loading = time.perf_counter() - began
        _, err = process.communicate()
        if process.returncode:
            sys.exit(f"the undisturbed run failed: {err}")
        print(f"undisturbed: {time.perf_counter() - began:.1f} s, of which {self.loading:.1f} s until it plays")
        return path.read_bytes()

    def kill_once(self, path: Path) -> bool:
        """Start or resume, and kill; False if the run was complete before."""
        size = size_of(path)
        process = self.start(path)
        try:
            if self.chance.random() < LOADING:
                time.sleep(self.chance.uniform(0, self.loading))
            else:
                while size_of(path) < size + 1000 and process.poll() is None:
                    time.sleep(0.002)
                time.sleep(self.chance.uniform(0, PLAYING))
            workers = children_of(process.pid)
            kind = self.chance.choice((PARENT, WORKER)) if workers else PARENT
            if process.poll() is not None:
                if process.returncode:
                    self.faults.append(f"ended by itself with {process.returncode}: {process.stderr.read()}")
                return False
            kill(process.pid if kind == PARENT else self.chance.choice(workers), signal.SIGKILL)
            _, err = process.communicate(timeout=60)
            end = time.monotonic() + SETTLED
            while any(map(alive, workers)) and time.monotonic() < end:
                time.sleep(0.01)
            if any(map(alive, workers)):
                self.faults.append(f"workers were left over after {kind} was killed")
        finally:
            process.kill()
        self.counts[kind] += 1
        if kind == WORKER and process.returncode == 0:
            self.counts["had nothing to do any more"] += 1
        elif kind == WORKER and (process.returncode != 1 or "has died, after" not in err or "Traceback" in err):
            self.faults.append(f"a worker died, and the run ended with {process.returncode}: {err.strip()[-300:]}")
        if kind == PARENT and not workers:
            self.counts["before it had workers"] += 1
        if path.exists() and not path.read_bytes().endswith(b"\n"):
            self.counts["left a torn line"] += 1
        return True

    def run(self, kills: int) -> int:
        whole = self.undisturbed(self.folder / "whole.jsonl")
        path = self.folder / "killed.jsonl"
        files = 0
        began = time.perf_counter()
        while self.counts[PARENT] + self.counts[WORKER] < kills:
            if self.kill_once(path):
                if not whole.startswith(path.read_bytes() if path.exists() else b""):
                    self.counts["left what is not a beginning of the file"] += 1
            elif self.faults:
                break
            else:
                files += 1
                self.compare(path, whole)
        if path.exists():
            files += 1
            process = self.start(path)
            process.communicate()
            self.compare(path, whole)
        total = self.counts[PARENT] + self.counts[WORKER]
        print(f"{total} kills in {time.perf_counter() - began:.0f} s, over {files} files of {len(whole):,} bytes")
        for what, times in self.counts.items():
            print(f"  {times:4} {what}")
        for fault in self.faults:
            print(f"FAULT: {fault}")
        print("every file is byte-identical" if self.same else "THE FILES DIFFER")
        return 0 if self.same and not self.faults else 1

    def compare(self, path: Path, whole: bytes) -> None:
        self.same = self.same and path.read_bytes() == whole
        path.unlink()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kills", type=int, default=50)
    options.add_argument("--games", type=int, default=100_000)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return Bench(given.games, given.jobs, given.seed, Path(folder)).run(given.kills)


if __name__ == "__main__":
    sys.exit(main())
