"""Batch runs: files that can be cut off anywhere, answers that depend on nothing but the games, honest numbers."""

from __future__ import annotations

import json
import os
import random
import resource
import shlex
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from solver.batch.conduct import Pair, Single, Target, conduct
from solver.batch.processes import WorkerDied
from solver.batch.run import Run, run_of
from solver.batch.statistics import mcnemar, wilson
from solver.batch.tally import LUCK_UNIT, Score, Tally
from solver.batch.work import Chunk, Team, chunks, local_team
from solver.cli.batch import parse_until, target_of
from solver.cli.group import run as run_command
from solver.cli.numbers import worth
from solver.notation import parse_position
from solver.policy.names import parse_policy
from solver.search.simulate import LOST, UNDECIDED
from solver.search.situation import EVERY_CARD, Situation

ROOT = str(Path(__file__).parent.parent)  # so that commands use this copy of the program in any folder
GAMES = 400
ASKED = ["simulate", "--policy", "greedy", "--seed", "5", "--games", str(GAMES)]


@pytest.fixture
def towers(capfd):
    def call(*words):
        code = run_command([str(word) for word in words])
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A file that was never disturbed."""
    path = tmp_path_factory.mktemp("whole") / "run.jsonl"
    assert run_command([*ASKED, "--jobs", "1", "--out", str(path)]) == 0
    return path.read_bytes()


@pytest.fixture(scope="module")
def lucky(tmp_path_factory):
    path = tmp_path_factory.mktemp("lucky") / "run.jsonl"
    assert run_command(["simulate", "--games", "60", "--less-luck", "--jobs", "1", "--out", str(path)]) == 0
    return path.read_bytes()


def greedy(seed=5):
    return Run(Situation(parse_position("start"), (), EVERY_CARD), parse_policy("greedy"), seed)


# Files ------------------------------------------------------------------------------------------------------


def test_a_header_then_a_line_a_game(whole):
    header, *games = (json.loads(line) for line in whole.splitlines())
    assert run_of(header) == greedy()
    assert [game["game"] for game in games] == list(range(GAMES))
    assert {game["result"] for game in games} <= {"won", "lost"}
    assert all((game["cards"] is None) == (game["result"] == "lost") for game in games)


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_same_bytes_for_any_number_of_processes(jobs, whole, towers, tmp_path):
    path = tmp_path / "run.jsonl"
    assert towers(*ASKED, "--jobs", jobs, "--out", path)[0] == 0
    assert path.read_bytes() == whole


@pytest.mark.parametrize("most", [1, 7, 1000])
def test_chunks_of_any_size_are_the_same_games(most, monkeypatch, whole):
    monkeypatch.setattr("solver.batch.work.MOST_GAMES", most)
    parts = list(chunks((greedy(),), 3, 50, Team()))
    assert max(part.stop - part.first for part in parts) <= most
    cards = [int(cards) for part in parts for cards in part.cards[0]]
    assert cards == [json.loads(line)["cards"] or LOST for line in whole.splitlines()[4:51]]


def test_cut_off_anywhere_and_gone_on_with(whole, towers, tmp_path):
    path = tmp_path / "run.jsonl"
    end = whole.index(b"\n")
    chance = random.Random(1)
    somewhere = chance.sample(range(len(whole)), 4)
    for place in [0, 1, end - 1, end, end + 1, end + 2, len(whole) - 1, len(whole), *somewhere]:
        path.write_bytes(whole[:place])
        code, _, err = towers(*ASKED, "--jobs", "1", "--out", path, "--resume")
        assert (code, err) == (0, "")
        assert path.read_bytes() == whole, place


def test_with_luck_too(lucky, towers, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(lucky[: len(lucky) - 30])
    assert towers("simulate", "--games", 60, "--jobs", 1, "--out", path, "--resume")[0] == 0
    assert path.read_bytes() == lucky


def test_what_is_not_said_is_in_the_file_and_more_games_extend_it(whole, towers, tmp_path):
    path = tmp_path / "run.jsonl"
    assert towers(*ASKED[:-1], 90, "--jobs", 1, "--out", path)[0] == 0
    assert towers("simulate", "--games", GAMES, "--jobs", 1, "--out", path, "--resume")[0] == 0
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--policy", "random"], "another policy"),
        (["--seed", "6"], "another seed"),
        (["--rules", "card-limit=40"], "other rules: none, not 'card-limit=40'"),
        (["--spells", "draw-two"], "other spells: none, not 'draw-two'"),
        (["--position", "K/1/1/1/-/-/-/-/-/-/-/-/-/-/-/-"], "another position"),
        (["--less-luck"], "another choice about --less-luck: without it, not with it"),
    ],
)
def test_a_file_of_other_games_is_refused(words, sentence, whole, towers, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(whole)
    code, out, err = towers("simulate", "--games", GAMES, *words, "--out", path, "--resume")
    assert (code, out) == (2, "")
    assert "run.jsonl" in err
    assert sentence in err
    assert path.read_bytes() == whole


def edited(content, **fields):
    first, rest = content.split(b"\n", 1)
    return json.dumps({**json.loads(first), **fields}).encode() + b"\n" + rest


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda content: edited(content, engine="0" * 12), "another engine"),
        (lambda content: edited(content, seed=-1), "header"),
        (lambda content: edited(content, seed=10**30), "header"),
        (lambda content: edited(content, policy="mine:Mine,name=\x1b[31m"), "line 1: expected a policy that can be"),
        (lambda content: edited(content, spells=[5]), "header"),
        (lambda content: edited(content, position="K/K"), "line 1: a board has 16 spaces"),
        (lambda content: edited(content, format_version=2), "has format 2"),
        (lambda content: content.replace(b'{"game":9,', b'{"game":8,'), "line 11: expected a line such as"),
        (lambda content: content.replace(b'"won"', b'"lost"', 1), "expected a line such as"),
        (lambda content: b"Dear diary,\n" + content, "line 1: expected the header"),
        (lambda content: b"[" * 90_000 + b"\n", "line 1: expected the header"),
    ],
)
def test_a_damaged_file_is_refused_and_left_alone(change, sentence, whole, towers, tmp_path):
    path = tmp_path / "run.jsonl"
    content = change(whole)
    path.write_bytes(content)
    code, out, err = towers("simulate", "--games", GAMES, "--jobs", 1, "--out", path, "--resume")
    assert (code, out) == (2, "")
    assert sentence in err
    assert path.read_bytes() == content


def test_a_file_has_no_code_run(whole, towers, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(edited(whole, policy=f"os:system,command=touch {tmp_path / 'called'}"))
    assert towers("simulate", "--games", GAMES, "--out", path, "--resume")[0] == 2
    towers("runs", "show", path)
    assert not (tmp_path / "called").exists()


def test_what_a_file_says_cannot_command_the_terminal(whole, towers, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(edited(whole, version="\x1b[2J" * 100, engine="\x07\ud800"))
    code, out, _ = towers("runs", "show", path)
    assert code == 0
    assert "towers \\x1b[2J" in out
    assert not {"\x1b", "\x07"} & set(out)
    assert max(map(len, out.splitlines()[-1:])) < 200


def test_the_luck_of_a_file_is_told_apart(lucky, towers, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(edited(lucky, spells=["draw-two"], position="start-spells"))
    code, _, err = towers("simulate", "--games", 60, "--mode", "solo", "--out", path, "--resume")
    assert code == 2
    assert "other spells: 'draw-two', not none" in err


def test_places_that_cannot_be_written(whole, towers, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("there").write_bytes(whole)
    os.mkfifo("pipe")
    Path("link").symlink_to("nowhere")
    for name in ("there", "no/run", ".", "pipe", "link", "/dev/null", "-", "", "x" * 300):
        for more in ([], ["--resume"]):
            if (name, more) == ("there", ["--resume"]):
                continue
            code, out, err = towers(*ASKED, "--out", name, *more)
            assert (code, out) == (2, ""), name
            assert err.startswith("towers: ")
            assert err.count("\n") == 1
            assert ("--resume goes on" in err) == (name == "there"), name
    assert Path("there").read_bytes() == whole
    assert sorted(os.listdir()) == ["link", "pipe", "there"]


def begin(*words, **settings):
    return subprocess.Popen(
        [sys.executable, "-m", "solver", *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": ROOT}, **settings,
    )  # fmt: skip


def wait_for(path, size):
    begun = time.monotonic()
    while not path.exists() or path.stat().st_size < size:
        assert time.monotonic() - begun < 100
        time.sleep(0.01)


def go_on(err):
    """The words of the command that a message names."""
    return shlex.split(err.split("to go on: ")[1].splitlines()[0])[1:]


LONG = ["simulate", "--policy", "random", "--seed", "3", "--games", "100000"]


@pytest.fixture(scope="module")
def long_run(tmp_path_factory):
    path = tmp_path_factory.mktemp("long") / "run.jsonl"
    assert run_command([*LONG, "--jobs", "2", "--out", str(path)]) == 0
    return path.read_bytes()


def children(parent):
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) == parent:
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def test_killed_again_and_again(long_run, tmp_path):
    """The run itself and its workers are killed in turn; nobody is left, and in the end the file is the same."""
    path = tmp_path / "run.jsonl"
    chance = random.Random(2)
    for kill_worker in (False, True, False):
        before = path.stat().st_size if path.exists() else 0
        process = begin(*LONG, "--jobs", 2, "--out", path, "--resume")
        wait_for(path, before + chance.randrange(1, len(long_run) // 8))
        workers = children(process.pid)
        assert len(workers) == 2
        os.kill(workers[0] if kill_worker else process.pid, signal.SIGKILL)
        _, err = process.communicate(timeout=60)
        if kill_worker:
            assert process.returncode == 1
            assert "a process that played games has died" in err
        deadline = time.monotonic() + 20
        while any(Path(f"/proc/{each}").exists() for each in workers) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(Path(f"/proc/{each}").exists() for each in workers)
        assert path.stat().st_size < len(long_run)
    assert run_command([*LONG, "--out", str(path), "--resume"]) == 0
    assert path.read_bytes() == long_run


def test_ctrl_c_and_a_second_run(long_run, towers, tmp_path):
    path = tmp_path / "run.jsonl"
    process = begin(*LONG, "--jobs", 2, "--json", "--out", path)
    wait_for(path, 20_000)
    process.send_signal(signal.SIGSTOP)  # or it might be done before the second run has even started
    code, _, err = towers(*LONG, "--out", path, "--resume")
    assert code == 2
    assert "another run is writing" in err
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGCONT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert json.loads(out)["complete"] is False
    assert json.loads(out)["games"] == path.read_bytes().count(b"\n") - 1
    assert towers(*go_on(err))[0] == 0
    assert path.read_bytes() == long_run


POLICIES = """
from pathlib import Path

class Loops:
    def choose(self, situation, options):
        Path("begun").touch()
        while True:
            pass

class Tires:
    played = 0

    def choose(self, situation, options):
        if Path("tired").exists() and situation.played == 0:
            Tires.played += 1
            if Tires.played > 3:
                raise RuntimeError("too\\n\\nmuch")
        return options[0]

class Confused:
    def choose(self, situation, options):
        return options[0]

    def value(self, situation):
        return 500 * (situation.hand[-1].face == "w1")

class Leaves:
    def choose(self, situation, options):
        raise SystemExit(7)
"""


def ended(process, timeout):
    """What a process that was sent Ctrl-C has printed; nothing of it is left."""
    workers = children(process.pid)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert process.returncode == 130, err
    assert err.count("\n") == 1
    assert err.startswith("towers: stopped after ")
    assert not any(Path(f"/proc/{each}").exists() for each in workers)
    return out


@pytest.mark.parametrize("pauses", [[0.05], [0.3], [0.01, 0.02, 0.05]])
def test_ctrl_c_again_and_again(pauses, tmp_path):
    words = ["simulate", "--policy", "greedy", "--games", 1_000_000, "--jobs", 2, "--out", tmp_path / "run.jsonl"]
    process = begin(*words, start_new_session=True)
    wait_for(tmp_path / "run.jsonl", 2000)
    os.killpg(process.pid, signal.SIGINT)
    for pause in pauses:
        time.sleep(pause)
        os.killpg(process.pid, signal.SIGINT)
    assert "again: towers simulate" in ended(process, 20)


@pytest.mark.parametrize(("policy", "jobs"), [("mine:Loops", 1), ("mine:Loops", 2), ("expectimax:depth=4", 2)])
def test_ctrl_c_does_not_wait_for_a_game(policy, jobs, tmp_path):
    (tmp_path / "mine.py").write_text(POLICIES)
    words = ["simulate", "--policy", policy, "--jobs", jobs, "--out", "run"]
    process = begin(*words, cwd=tmp_path, start_new_session=True)
    if policy == "mine:Loops":
        wait_for(tmp_path / "begun", 0)
    else:
        wait_for(tmp_path / "run", 1)
        time.sleep(1)  # by then it plays
    os.killpg(process.pid, signal.SIGINT)
    assert "no games" in ended(process, 20)
    assert (tmp_path / "run").read_bytes().count(b"\n") == 1


def test_a_worker_ends_at_its_end_and_not_before():
    with local_team(2) as team:
        tasks = [team.crew.submit(pow, base, 2) for base in range(9)]
        tasks.pop(5).cancel()
        assert [task.result() for task in tasks] == [0, 1, 4, 9, 16, 36, 49, 64]
        with pytest.raises(ZeroDivisionError):
            team.crew.submit(divmod, 1, 0).result()
        with pytest.raises(WorkerDied):
            team.crew.submit(os._exit, 3).result()


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(POLICIES)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("mine", None)


def test_a_policy_that_fails_on_the_way(mine, towers):
    asked = ["simulate", "--policy", "mine:Tires", "--games", 9, "--jobs", 1]
    Path("tired").touch()
    code, out, err = towers(*asked, "--out", "run")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "game 3 of seed 1, turn 1: RuntimeError: too much; 1 games are safe; to go on: " in err
    Path("tired").unlink()
    assert towers(*go_on(err))[0] == 0
    assert Path("run").read_bytes().count(b"\n") == 10


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_policy_that_would_end_python(jobs, mine, towers):
    code, out, err = towers("simulate", "--policy", "mine:Leaves", "--games", 9, "--jobs", jobs)
    assert (code, out) == (2, "")
    assert "failed in game 0 of seed 1, turn 1: SystemExit: 7" in err


def test_luck_that_made_it_worse_is_not_praised(mine, towers):
    code, out, _ = towers("simulate", "--policy", "mine:Confused", "--games", 4, "--jobs", 1, "--less-luck")
    assert code == 0
    assert "luck taken off: that made it worse" in out
    assert "fewer games" not in out
    assert worth(0.25) == "that made it worse, 4.0 times as many games needed"


def test_a_full_disk(whole, towers, tmp_path):
    path = tmp_path / "run.jsonl"
    process = begin(
        *ASKED, "--jobs", 1, "--out", path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9000, resource.RLIM_INFINITY)),
    )  # fmt: skip
    _, err = process.communicate(timeout=100)
    assert process.returncode == 1
    assert "cannot write" in err
    content = path.read_bytes()
    games = content.count(b"\n") - 1
    assert f"; {games} games are safe" in err
    assert whole.startswith(content)
    assert towers(*go_on(err))[0] == 0
    assert path.read_bytes() == whole


def test_show_and_export(whole, lucky, towers, tmp_path):
    path, table = tmp_path / "run.jsonl", tmp_path / "games.csv"
    path.write_bytes(whole + b'{"game":400,"res')
    shown = json.loads(towers("runs", "show", path, "--json")[1])
    asked = json.loads(towers(*ASKED, "--jobs", 1, "--json")[1])
    assert asked.pop("complete")
    assert shown == asked
    rows = towers("runs", "export", path)[1].splitlines()
    assert rows[0] == "game,result,cards"
    assert len(rows) == GAMES + 1
    path.write_bytes(lucky)
    assert towers("runs", "export", path, "--to", table)[0] == 0
    lines = [json.loads(line) for line in lucky.splitlines()[1:]]
    assert table.read_text() == "game,result,cards,luck\n" + "".join(
        f"{line['game']},{line['result']},{line['cards']},{line['luck']}\n" for line in lines
    )
    assert towers("runs", "export", path, "--to", path)[0] == 2
    assert path.read_bytes() == lucky


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_export_leaves_links_and_permissions_alone(suffix, lucky, towers, tmp_path):
    pytest.importorskip("pyarrow")
    path, table, link = tmp_path / "run.jsonl", tmp_path / f"games{suffix}", tmp_path / f"link{suffix}"
    path.write_bytes(lucky)
    table.write_bytes(b"")
    table.chmod(0o640)
    link.symlink_to(table.name)
    assert towers("runs", "export", path, "--to", link)[0] == 0
    assert link.is_symlink()
    assert table.stat().st_size > 100
    assert table.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_export_onto_a_full_disk(suffix, whole, tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "run.jsonl"
    path.write_bytes(whole)
    process = begin(
        "runs", "export", path, "--to", tmp_path / f"games{suffix}",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY)),
    )  # fmt: skip
    _, err = process.communicate(timeout=100)
    assert process.returncode == 1, err
    assert err.startswith("towers: cannot write ")
    assert err.count("\n") == 1
    assert os.listdir(tmp_path) == ["run.jsonl"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a file that is always full")
def test_a_picture_that_cannot_be_written_in_the_end_loses_nothing(whole, towers, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(whole)
    for words in ([*ASKED, "--jobs", 1], ["runs", "show", path]):
        code, out, err = towers(*words, "--plot", "/dev/full")
        assert code == 1
        assert "again: towers simulate" in out
        assert "cannot write '/dev/full': No space left" in err


def test_parquet_is_the_same_table(lucky, towers, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path, table = tmp_path / "run.jsonl", tmp_path / "games.parquet"
    path.write_bytes(lucky)
    assert towers("runs", "export", path, "--to", table)[0] == 0
    assert parquet.read_table(table).to_pylist() == [json.loads(line) for line in lucky.splitlines()[1:]]


# Numbers ----------------------------------------------------------------------------------------------------


def test_the_numbers_agree_with_each_other(towers):
    code, out, _ = towers(*ASKED, "--json", "--jobs", 1)
    told = json.loads(out)
    assert code == 0
    cards = [int(cards) for cards, games in told["histogram"].items() for _ in range(games)]
    assert len(cards) + told["lost"] == told["games"] == GAMES == sum(each["games"] for each in told["grades"])
    costs = np.array(cards + [90] * told["lost"])
    assert told["mean"] == pytest.approx(costs.mean())
    assert told["mean_half_width"] == pytest.approx(1.966 * costs.std(ddof=1) / GAMES**0.5, rel=1e-3)
    wins = sum(each <= 30 for each in cards)
    assert (told["win_rate"], told["win_low"], told["win_high"]) == (wins / GAMES, *wilson(wins, GAMES))
    for name in ("seed", "policy", "rules", "version", "engine"):
        assert name in told
    other = json.loads(towers(*ASKED, "--json", "--within", 26, "--loss-cards", 500)[1])
    assert other["histogram"] == told["histogram"]
    assert other["wins"] == sum(each <= 26 for each in cards)


@pytest.mark.parametrize("policy", ["random", "greedy", "learned"])
def test_the_table_fits_a_terminal(policy, towers, tmp_path):
    picture = tmp_path / "plot.svg"
    code, out, err = towers("simulate", "--policy", policy, "--games", 200, "--plot", picture)
    assert (code, err) == (0, "")
    table = out.split("\nagain: ")[0]
    assert max(map(len, table.splitlines())) <= 80
    assert "95 % interval" in table
    assert ET.parse(picture).getroot().tag.endswith("svg")


def test_undecided_games_count_both_ways():
    tally = Tally(Score())
    tally.add(np.array([20, 35, LOST, UNDECIDED, UNDECIDED]), np.zeros(5, dtype=np.int64))
    told = tally.summary()
    assert (told.lost, told.undecided, told.wins) == (1, 2, 1)
    assert told.win_interval == (wilson(1, 5).low, wilson(3, 5).high)
    assert told.mean.mean == pytest.approx((20 + 35 + 3 * 90) / 5)


def test_the_order_of_the_parts_does_not_matter():
    chance = np.random.default_rng(1)
    cards, lucks = chance.integers(15, 60, 20_000), chance.integers(-(10**6), 10**6, 20_000)
    tallies = []
    for step in (20_000, 777):
        tally = Tally(Score(), with_luck=True)
        for first in list(range(0, 20_000, step))[::-1]:
            tally.add(cards[first : first + step], lucks[first : first + step])
        tallies.append(tally.summary())
    assert tallies[0] == tallies[1]
    assert tallies[0].mean.mean == pytest.approx((cards - lucks / LUCK_UNIT).mean())
    assert tallies[0].mean.deviation == pytest.approx((cards - lucks / LUCK_UNIT).std(ddof=1))


@pytest.mark.parametrize("jobs", [1, 2])
def test_until_it_is_narrow_enough(jobs, towers):
    told = json.loads(towers("simulate", "--policy", "learned", "--until", "0.15cards", "--json", "--jobs", jobs)[1])
    assert told["games"] == 2000
    assert told["mean_half_width"] <= 0.15
    fewer = Tally()
    with local_team(1) as team:
        conduct((Run(greedy().start, parse_policy("learned"), 1),), Single(fewer), Target(1000), team)
    assert fewer.mean.half_width > 0.15
    assert told["complete"]


@pytest.mark.parametrize("text", ["0.00001%", "12.345678%", ".000001cards", "1%", "100%,2.50cards", "123.456789cards"])
def test_until_is_shown_as_it_is_understood(text):
    until = parse_until(text)
    assert parse_until(str(until)) == until
    assert target_of(None, parse_until(str(until))) == target_of(None, until)
    assert "e" not in str(until)


def test_less_luck_needs_fewer_games(towers):
    plain, less = (
        json.loads(towers("simulate", "--games", 400, "--json", *more)[1]) for more in ([], ["--less-luck"])
    )
    assert less["histogram"] == plain["histogram"]
    assert less["plain_mean"] == plain["mean"]
    assert less["mean_half_width"] < 0.6 * plain["mean_half_width"]
    assert less["fewer_games"] == pytest.approx((plain["mean_half_width"] / less["mean_half_width"]) ** 2)
    assert abs(less["mean"] - plain["mean"]) < 2.5 * plain["mean_half_width"]


def test_compare(towers, whole):
    told, turned = (
        json.loads(towers("compare", *policies, "--games", GAMES, "--seed", 5, "--json")[1])
        for policies in (("--policy", "learned", "--policy", "greedy"), ("--policy", "greedy", "--policy", "learned"))
    )
    assert told["difference"] == -turned["difference"] == pytest.approx(told["a"]["mean"] - told["b"]["mean"])
    assert told["win_difference"] == pytest.approx(told["a"]["win_rate"] - told["b"]["win_rate"])
    assert told["only_a_won"] - told["only_b_won"] == told["a"]["wins"] - told["b"]["wins"]
    assert told["p_value"] == mcnemar(told["only_a_won"], told["only_b_won"])
    assert sum(told["fewer_cards"].values()) == GAMES
    greedy_cards = [json.loads(line)["cards"] for line in whole.splitlines()[1:]]
    assert sum(told["b"]["histogram"].values()) == sum(cards is not None for cards in greedy_cards)


def test_comparing_with_oneself_and_spells(towers):
    same = json.loads(towers("compare", "--policy", "learned", "--policy", "learned", "--games", 50, "--json")[1])
    assert (same["difference"], same["difference_half_width"], same["p_value"]) == (0, 0, 1)
    assert same["variance_shrunk"] is None
    code, out, _ = towers("compare", "--spells", "piggyback", "--spells", "nudge-keep", "--games", 20)
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80


def test_pairing_shrinks_the_variance_of_what_goes_together():
    chance = np.random.default_rng(3)
    first = chance.integers(18, 34, 5000)
    second = first + chance.integers(0, 2, 5000)
    pair = Pair(Tally(), Tally())
    pair.add(Chunk(0, np.array([first, second]), np.zeros((2, 5000), dtype=np.int64), 1.0))
    assert pair.shrunk == pytest.approx((first.var() + second.var()) / (second - first).var())
    assert pair.shrunk > 50
    assert pair.only == (int(((first <= 30) & (second > 30)).sum()), 0)


# Bad input --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("simulate --games 0", "--games: expected a number from 1"),
        ("simulate --until 5", "--until: expected a half-width"),
        ("simulate --until 0%", "--until: expected a half-width"),
        ("simulate --until 1%,2%", "--until: expected one half-width of each kind"),
        ("simulate --until 1cards,2%,2card", "--until: expected one half-width of each kind"),
        ("simulate --plot no/plot.svg", "--plot: cannot write 'no/plot.svg': there is no such folder"),
        ("runs show x --plot .", "--plot: cannot write '.': it is a folder"),
        ("simulate --out -", "--out: expected the name of a file, not '-'"),
        (f"runs show {'x' * 300}", "File name too long"),
        ("simulate --policy nobody", "--policy: expected one of random"),
        ("simulate --policy nobody:Here", "cannot use the policy 'nobody:Here'"),
        ("simulate --mode spells", "expected --spells"),
        ("simulate --mode solo --spells draw-two", "a solo game has no spells"),
        ("simulate --position K/1", "--position: a board has 16 spaces"),
        ("simulate --position start --spells draw-two", "has bottles"),
        ("simulate --resume", "expected --out"),
        ("simulate --resume --out run.jsonl", "expected --games or --until"),
        ("compare --games 1 --policy learned --policy greedy", "expected at least 2"),
        ("simulate --jobs 2 --cluster local:2", "not both"),
        ("simulate --policy random --less-luck --out x.jsonl", "luck cannot be taken off"),
        ("simulate --policy random --less-luck", "luck cannot be taken off"),
        ("compare --policy learned", "expected --policy twice"),
        ("compare --policy learned --policy greedy --policy random", "given 3 times"),
        ("runs show nothing.jsonl", "cannot read 'nothing.jsonl'"),
        ("runs export run.txt --to games.txt", "ends with .csv or .parquet"),
    ],
)
def test_bad_input_is_one_sentence(words, sentence, towers, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = towers(*shlex.split(words))
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_help_and_policies_start_without_numba():
    for words in (["simulate", "--help"], ["compare", "--help"], ["policies"]):
        code = f"import sys; from solver.cli.group import run; run({words}); sys.exit('numba' in sys.modules)"
        assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
