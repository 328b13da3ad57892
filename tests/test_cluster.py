"""Games played by a Dask cluster: the same bytes as on one machine, also when a worker is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from solver.batch.cluster import cluster_team, parse_cluster, play_on_worker
from solver.batch.conduct import Single, Target, conduct
from solver.batch.run import Run
from solver.batch.tally import Tally
from solver.batch.work import Team
from solver.errors import Refused
from solver.notation import parse_position
from solver.policy.names import parse_policy
from solver.search.situation import EVERY_CARD, Situation

pytest.importorskip("distributed")

RUN = Run(Situation(parse_position("start"), (), EVERY_CARD), parse_policy("greedy"), 5)
ROOT = str(Path(__file__).parent.parent)  # so that commands use this copy of the program in any folder
GAMES = 2500


def simulate(*more, **settings):
    words = ["-m", "solver", "simulate", "--seed", "5", *more]
    for name, usual in (("--policy", "greedy"), ("--games", str(GAMES))):
        words += [] if name in more else [name, usual]
    return subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": ROOT}, **settings,
    )  # fmt: skip


def finish(process):
    out, err = process.communicate(timeout=200)
    assert process.returncode == 0, err
    return out


def below(parent):
    """The processes that a process has started, and those that they have."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) == parent:
                found += [int(folder.name), *below(int(folder.name))]
        except OSError:  # it has ended meanwhile
            continue
    return found


def workers_of(parent):
    return [each for each in below(parent) if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="workers are found in /proc")
def test_a_killed_worker_changes_nothing(tmp_path):
    alone, together = tmp_path / "alone.jsonl", tmp_path / "together.jsonl"
    shown = finish(simulate("--jobs", "1", "--json", "--out", str(alone)))
    process = simulate("--cluster", "local:2", "--json", "--out", str(together))
    begun = time.monotonic()
    while not together.exists() or together.stat().st_size < 1500:  # the header, and some games
        assert process.poll() is None, process.communicate()
        assert time.monotonic() - begun < 120
        time.sleep(0.02)
    assert together.stat().st_size < alone.stat().st_size
    os.kill(workers_of(process.pid)[0], signal.SIGKILL)
    assert finish(process) == shown
    assert together.read_bytes() == alone.read_bytes()


def test_a_policy_that_fails_is_one_sentence(tmp_path):
    (tmp_path / "mine.py").write_text("class Fails:\n    def choose(self, situation, options):\n        return 1 / 0\n")
    process = simulate("--cluster", "local:2", "--policy", "mine:Fails", cwd=tmp_path)
    out, err = process.communicate(timeout=200)
    assert (process.returncode, out) == (2, "")
    assert err.startswith("towers: the policy 'mine:Fails' failed in game 0 of seed 5, turn 1: ZeroDivisionError")
    assert err.count("\n") == 1


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="workers are found in /proc")
@pytest.mark.parametrize("policy", ["greedy", "mine:Loops"])
def test_ctrl_c_ends_it_quietly_and_soon(policy, tmp_path):
    (tmp_path / "mine.py").write_text(
        "class Loops:\n    def choose(self, situation, options):\n"
        "        open('begun', 'w')\n        while True:\n            pass\n"
    )
    process = simulate(
        "--cluster", "local:2", "--policy", policy, "--games", str(10**6), "--out", "run.jsonl", cwd=tmp_path,
        start_new_session=True,
    )  # fmt: skip
    begun = time.monotonic()
    run = tmp_path / "run.jsonl"
    while not (tmp_path / "begun").exists() and (not run.exists() or run.stat().st_size < 1500):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() - begun < 120
        time.sleep(0.02)
    workers = workers_of(process.pid)
    assert len(workers) == 2
    for _ in range(2):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.05)
    try:
        out, err = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert process.returncode == 130
    assert err.count("\n") == 1
    assert err.startswith("towers: stopped after ")
    assert out.startswith(policy)
    assert not any(Path(f"/proc/{each}/cmdline").exists() for each in workers)


def test_a_scheduler_that_goes_ends_the_run_in_a_sentence(tmp_path):
    from distributed import LocalCluster

    run = tmp_path / "run.jsonl"
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)
    process = simulate("--cluster", cluster.scheduler_address, "--games", str(10**6), "--out", str(run))
    begun = time.monotonic()
    while not run.exists() or run.stat().st_size < 1500:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() - begun < 120
        time.sleep(0.02)
    cluster.close()
    out, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "Traceback" not in err
    assert "towers: the cluster cannot go on" in err
    assert "to go on: towers simulate" in err
    assert out.startswith("greedy")


def test_a_wrong_way_to_ask_for_a_cluster_leaves_no_file_behind(tmp_path):
    run = tmp_path / "run.jsonl"
    process = simulate("--jobs", "2", "--cluster", "local:2", "--out", str(run))
    assert "not both" in process.communicate(timeout=60)[1]
    assert process.returncode == 2
    assert not run.exists()


def test_a_cluster_that_is_running_already():
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=2, host="127.0.0.1", dashboard_address=None) as cluster:
        counts = []
        for address in (cluster.scheduler_address, None):
            measured = Single(Tally())
            if address is None:
                conduct((RUN,), measured, Target(300), Team())
            else:
                with cluster_team(address) as team:
                    assert team.workers == 2
                    conduct((RUN,), measured, Target(300), team)
            counts.append(measured.tally.counts.tolist())
    assert counts[0] == counts[1]


def test_workers_of_another_version_are_refused():
    with pytest.raises(Refused, match="another engine"):
        play_on_worker("0" * 12, (RUN,), 0, 1)


def test_nobody_there():
    with pytest.raises(Refused, match="no Dask scheduler at tcp://127.0.0.1:1"), cluster_team("tcp://127.0.0.1:1"):
        pass


@pytest.mark.parametrize("text", ["", "local", "local:0", "local:x", "127.0.0.1:8786", "http://host:1", "tcp://host"])
def test_names_that_are_no_cluster(text):
    with pytest.raises(Refused, match="expected local:N"):
        parse_cluster(text)
