"""The commands as a user runs them."""

import json
import os
import pty
import resource
import shlex
import signal
import subprocess
import sys
import time

import click
import pytest
from click.testing import CliRunner

from solver.cli import COMMANDS
from solver.cli.common import Command, read_file, write_file
from solver.cli.group import run as run_here
from solver.cli.group import towers
from solver.errors import Refused

LEFT = "-/1r2/-/-/2t/-/-/-/rtK/-/-/-/-/-/-/- 7 2/1"
PUZZLE = """title = "Two birds"
position = "-/-/-/-/-/-/-/2r/t/K/-/-/-/-/-/- 10 -"
hand = ["w2", "t1", "w5"]
draw = ["w4"]
"""
RECORD = """[Mode "spells"]
[Spells "piggyback,free-wizard,advance-tower"]
[Position "start-spells"]
[Hand "w3,td2,w1t5"]
1. w3 W5 | w2t4
2. td2=3,1 T1.1 +advance-tower T4.1 | w4   # a comment
"""

GAME = """[Hand "w1t5,t1,w3t3"]
1. w1t5 W3 | wtd1
2. wtd1=2 W3 | wtd1
"""

TOWERS = [sys.executable, "-m", "solver"]
USUAL = {name: value for name, value in os.environ.items() if name not in ("PYTHONUNBUFFERED", "NO_COLOR")}


def run(*arguments, cwd=None, stdin="", **environment):
    """The command in a process of its own: (exit code, stdout, stderr)."""
    done = subprocess.run(
        [*TOWERS, *arguments], input=stdin, cwd=cwd,
        capture_output=True, text=True, timeout=300, env={**USUAL, **environment}, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def shell(line):
    """A line of bash in which $towers is the command: (exit code, stdout, stderr)."""
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; towers={shlex.quote(shlex.join(TOWERS))}; {line}"],
        capture_output=True, text=True, timeout=300, env=USUAL, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def said(err):
    """What a command said on stderr, but for its note that it compiles."""
    return [line for line in err.splitlines() if "compiling" not in line]


def answer(*arguments):
    code, out, err = run(*arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def all_commands():
    """Every command by its words: `show`, `puzzle`, `puzzle verify`, ..."""
    for name in COMMANDS:
        yield name
        command = towers.get_command(click.Context(towers), name)
        if isinstance(command, click.Group):
            yield from (f"{name} {each}" for each in command.commands)


NAMES = list(all_commands())


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_with_an_example(name):
    result = CliRunner().invoke(towers, [*name.split(), "--help"])
    assert result.exit_code == 0
    assert f"towers {name}" in result.output.split("Example", 1)[1]


def examples():
    """Every line of every help that can be pasted, without a redirection at its end; `serve` would never end."""
    for name in ["", *(name for name in NAMES if name != "serve")]:
        shown = CliRunner().invoke(towers, [*name.split(), "--help"]).output
        for line in shown.splitlines():
            if line.strip().startswith("towers "):
                yield line.strip().split(" > ")[0].split(" | ")[0]


@pytest.mark.parametrize("line", list(examples()))
def test_examples_of_the_help_run(line, tmp_path):
    (tmp_path / "game.towers").write_text(RECORD, "utf-8")
    (tmp_path / "deal-7.towers").write_text(GAME, "utf-8")
    (tmp_path / "puzzles").mkdir()
    (tmp_path / "puzzles" / "01-first-steps.toml").write_text(PUZZLE, "utf-8")
    if line.startswith("towers runs"):
        assert run("simulate", "--policy", "random", "--games", "3", "--out", "run.jsonl", cwd=tmp_path)[0] == 0
    line = line.replace("*", "01-first-steps")
    code, out, err = run(*shlex.split(line)[1:], cwd=tmp_path)
    assert code == 0, err
    assert out or [path for end in ("*.svg", "*.html", "*.parquet", "mine/*.toml") for path in tmp_path.glob(end)]


def test_there_are_examples():
    assert len(list(examples())) > len(COMMANDS)


HELPS = [[*name.split(), "--help"] for name in NAMES]


@pytest.mark.parametrize("arguments", [[], ["rules"], ["rules", "online"], *HELPS])
def test_lines_fit_a_terminal(arguments):
    shown = CliRunner().invoke(towers, arguments).output
    assert shown
    assert max(map(len, shown.splitlines())) <= 80


def test_bare_towers_prints_its_help():
    code, out, err = run()
    assert (code, err) == (0, "")
    assert out == run("--help")[1]


@pytest.mark.parametrize("name", NAMES)
def test_every_command_says_what_is_too_much(name):
    command = towers
    for word in name.split():
        command = command.get_command(click.Context(command), word)
    assert isinstance(command, Command | click.Group)


def test_help_does_not_import_numba():
    check = (
        "import sys, solver.cli.group\n"
        "solver.cli.group.towers(['--help'], standalone_mode=False)\n"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", check], check=True, capture_output=True)


def test_version():
    assert run("--version")[1].startswith("towers, version ")


def test_show_draws_plain_text_in_a_pipe():
    code, out, _ = run("show", "start", PYTHONIOENCODING="utf-8")
    assert code == 0
    assert "KEEP" in out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80
    assert run("show", "start", PYTHONIOENCODING="ascii")[1].isascii()


def test_show_json_and_svg(tmp_path):
    shown = answer("show", LEFT)
    assert (shown["position"], shown["keep"], shown["home"], shown["imprisoned"]) == (LEFT, 8, 7, 3)
    picture = tmp_path / "board.svg"
    assert run("show", LEFT, "--svg", str(picture))[0] == 0
    assert picture.read_text("utf-8").lstrip().startswith("<svg") or "<svg" in picture.read_text("utf-8")
    code, _, err = run("show", LEFT, "--svg", str(tmp_path / "no" / "board.svg"))
    assert (code, err.count("\n")) == (2, 1)


def test_moves_lists_where_each_leads():
    listed = answer("moves", LEFT, "w1t5", "--spells", "free-wizard")["moves"]
    assert {"move": "w1t5 W1", "position": "-/1r1/1/-/2t/-/-/-/rtK/-/-/-/-/-/-/- 7 2/1", "goal": False} in listed
    assert any(row["move"] == "w1t5 W1 +free-wizard T4.1" for row in listed)
    six = answer("moves", "start", " WD2 ")
    assert six["card"] == "wd2"
    assert {row["move"].split()[0] for row in six["moves"]} == {f"wd2={roll}" for roll in range(1, 7)}


def test_moves_writes_each_refresh_once():
    settings = ["--rules", "refresh=on", "--spells", "extra-roll,close-keep"]
    listed = [row["move"] for row in answer("moves", LEFT, "wtd1", *settings)["moves"]]
    assert len(listed) == len(set(listed))
    refreshes = [move for move in listed if move.startswith("refresh")]
    assert listed[-len(refreshes) :] == refreshes
    with_another = [row["move"] for row in answer("moves", LEFT, "w1", *settings)["moves"]]
    assert refreshes == [move for move in with_another if move.startswith("refresh")]


def test_perft_json():
    counted = answer("perft", "start", "w2t4,w3,t2")
    assert (counted["lines"], counted["positions"]) == (630, 605)
    walked = answer("perft", "start", "w2t4,w3,t2", "--lines")
    assert (walked["lines"], walked["moves"]) == (630, 714)
    assert "positions" not in walked
    assert walked["seconds"] < 5


def test_perft_divide_adds_up():
    counted = answer("perft", "start", "w2t4,w3,t2", "--divide")
    assert len(counted["divide"]) == 14
    assert sum(row["lines"] for row in counted["divide"].values()) == 630
    assert answer("perft", "K/-/-/-/-/-/-/-/-/-/-/-/-/-/-/- 12", "w1", "--divide")["divide"] == {}


def test_perft_with_options():
    plain = answer("perft", "start-spells", "t3", "--spells", "swap-towers")
    free = answer("perft", "start-spells", "t3", "--spells", "swap-towers", "--rules", "refresh=on, swap-towers=0")
    assert plain["lines"] == 9
    assert free["rules"] == "refresh=on, swap-towers=0"
    assert free["lines"] > 9 * 20


def test_rules_shows_the_options_chosen():
    code, out, _ = run("rules", "online")
    assert code == 0
    assert "swap-towers" in out
    assert answer("rules", "online")["spells"]["swap-towers"] == 1
    assert sum(answer("rules")["cards"].values()) == 90


def test_replay(tmp_path):
    record = tmp_path / "game.towers"
    record.write_text(RECORD, "utf-8")
    replayed = answer("replay", str(record))
    assert replayed["status"] == "playing"
    assert [turn["hand"] for turn in replayed["turns"]] == ["td2,w1t5,w2t4", "w1t5,w2t4,w4"]
    code, out, _ = run("replay", str(record), "--boards")
    assert code == 0
    assert "in progress" in out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell):
    result = CliRunner().invoke(towers, ["completion", shell])
    assert result.exit_code == 0
    assert "_TOWERS_COMPLETE" in result.output


# Files ------------------------------------------------------------------------------------------------------


def test_a_record_from_stdin_or_with_a_mark_before_it(tmp_path):
    expected = run("replay", "-", stdin=RECORD)
    assert expected[0] == 0, expected[2]
    record = tmp_path / "game.towers"
    record.write_text(RECORD, "utf-8-sig")
    assert run("replay", str(record))[:2] == expected[:2]


def test_a_wrong_record_is_not_shown_in_part():
    code, out, err = run("replay", "-", "--boards", stdin=RECORD.replace("T4.1 |", "T4.1 | w1,"))
    assert (code, out) == (2, "")
    assert "stdin: line 6: turn 2: this turn draws 1 card, and 2 are written" in err


def test_a_file_too_long_is_not_read():
    with pytest.raises(Refused, match="'/dev/zero' is longer than 1 MB"):
        read_file("/dev/zero")


def test_a_full_disk_leaves_the_old_file_whole(tmp_path):
    picture = tmp_path / "board.svg"
    write_file(str(picture), "old")
    picture.chmod(0o640)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # so that the write fails as on a full disk
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limit[1]))
    try:
        with pytest.raises(Refused, match="cannot write '.*board.svg': File too large"):
            write_file(str(picture), "new" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, before)
    assert picture.read_text("utf-8") == "old"
    write_file(str(picture), "new")
    assert picture.read_text("utf-8") == "new"
    assert picture.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["board.svg"]


def test_links_and_pipes_are_written_through(tmp_path):
    (tmp_path / "link.svg").symlink_to(tmp_path / "board.svg")
    write_file(str(tmp_path / "link.svg"), "new")
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "board.svg").read_text("utf-8") == "new"
    assert run("show", "start", "--svg", "/dev/stdout")[1].startswith("<")


# Failures ---------------------------------------------------------------------------------------------------


def test_a_reader_that_has_seen_enough():
    # more than a pipe holds, so that it is still being written when `head` goes
    code, out, err = shell("$towers moves start-spells wtd1 --rules online --spells swap-towers,nudge-keep | head -1")
    assert (code, out.count("\n"), said(err)) == (0, 1, [])


@pytest.mark.parametrize("command", ["show start", "--help", "rules --json"])
@pytest.mark.parametrize(("where", "reason"), [(">/dev/full", "No space left on device"), (">&-", "stdout is closed")])
def test_output_that_cannot_be_written(command, where, reason):
    code, _, err = shell(f"$towers {command} {where}")
    assert (code, err.count("\n")) == (1, 1)
    assert reason in err


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
def test_stderr_that_cannot_be_written(where):
    assert shell(f"$towers perft start w1 {where}")[0] == 0
    assert shell(f"$towers show nothing {where}")[0] == 2


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("solver.search.perft.count_positions", ["perft", "start", "w1"], "--lines keeps none"),
        ("solver.cli.show.parse_position", ["show", "start"], "not enough memory"),
    ],
)
def test_too_little_memory(monkeypatch, capsys, name, arguments, words):
    def fail(*_):
        raise MemoryError

    assert run_here(arguments) == 0  # which also compiles, and perft itself is run for that
    capsys.readouterr()
    monkeypatch.setattr(name, fail)
    assert run_here(arguments) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert words in err


def test_bad_input_is_refused_before_anything_is_compiled(monkeypatch, capsys):
    monkeypatch.setattr("solver.cli.perft.prepare_engine", lambda: pytest.fail("compiles first"))
    assert run_here(["perft", "start", "w1,wd2"]) == 2
    assert "'wd2' needs its roll" in capsys.readouterr().err


def test_perft_reports_its_progress_while_it_divides(monkeypatch):
    shown = []

    class Bar:
        n = 0

        def __init__(self, **_):
            shown.append(self)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.closed_at = self.n

        def update(self, more):
            self.n += more

    monkeypatch.setattr("solver.cli.perft.tqdm", Bar)
    result = CliRunner().invoke(towers, ["perft", "start", "w2t4,w3,t2", "--lines", "--divide", "--json"])
    moves = json.loads(result.stdout)["moves"]
    assert shown[0].closed_at == 2 * moves - 14  # the second time without the 14 first moves


@pytest.mark.parametrize("delay", [0.05, 0.2, 0.5, 1.0])
def test_ctrl_c_leaves_no_traceback(delay):
    # A shell without job control lets what it runs in the background ignore Ctrl-C; the tests may be run by one.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    begin = [sys.executable, "-c", f"{heed}; print(flush=True); from solver.cli import main; main()"]
    endless = "w2t4,w3,t2,w1t5,w4t4,w2t2,t3,w4,w2t4,w3,t2,w1t5"
    process = subprocess.Popen(
        [*begin, "perft", "start", endless, "--lines"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.readline()  # Python itself has begun
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode in (130, -signal.SIGINT)  # the latter while kernels are loaded
    assert said(err) in ([], ["towers: stopped"])


@pytest.mark.parametrize(
    ("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colours_on_a_terminal(environment, coloured):
    ours, theirs = pty.openpty()
    subprocess.run([*TOWERS, "show", "start"], stdout=theirs, env={**USUAL, "TERM": "xterm", **environment}, check=True)
    os.close(theirs)
    assert (b"\x1b[" in os.read(ours, 2000)) is coloured
    os.close(ours)


TWO_KEEPS = "K/-/-/-/-/-/-/-/-/K/-/-/-/-/-/-"
EMPTY_0 = "-/K" + "/-" * 14


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", TWO_KEEPS], ["space 9", "second keep", "space 0"]),
        (["show", "r8/" + "-/" * 14 + "K"], ["space 0", "'r8'", "at most 6"]),
        (["show", ""], ["position"]),
        (["show"], ["Missing argument"]),
        (["moves", "start", "w9"], ["'w9' is no card"]),
        (["moves", "start", "w1=3"], ["no die"]),
        (["moves", "start", "w1", "--spells", "fly"], ["'fly' is no spell"]),
        (["show", "K" + "/-" * 15, "0", "-"], ["'0 -'", "put the position in quotes"]),
        (["moves", EMPTY_0, "0", "-", "w1"], ["'- w1'", "put the position in quotes"]),
        (["moves", "start", "w1", "w2"], ["more arguments than expected: 'w2'"]),
        (["docs", "rules", "\x1b[31m" + "x" * 100], ["'\\x1b[31mxxx", "...'"]),
        (["show", EMPTY_0.replace("K", "Kr")], ["space 1: in 'Kr' something stands on the keep"]),
        (["show", "start 0 -"], ["'start' stands alone"]),
        (["show", "start", "--title", "x"], ["--title", "--svg"]),
        (["show", "start", "--svg", ""], ["name of the file is empty"]),
        (["show", "start", "--svg", "."], ["cannot write '.': Is a directory"]),
        (["show", "start", "--spells", "piggyback"], ["--spells"]),
        (["moves", "start", "w1", "--spells", "piggyback", "--spells", "draw-two"], ["--spells is given 2 times"]),
        (["moves", "start", "w1", "--rules", "", "--rules", "online"], ["--rules is given 2 times"]),
        (["moves", "start", "w1", "--rules", "refresh=on,refresh=off"], ["--rules: ", "'refresh' is named twice"]),
        (["perft", "start", "w1,wd2"], ["'wd2' needs its roll", "wd2=4"]),
        (["completion"], ["bash, zsh, fish"]),
        (["replay", ""], ["name of the file is empty"]),
        (["replay", "-"], ["the record is empty"]),
        (["replay", "no\n\x1b[31m"], ["'no\\n\\x1b[31m'"]),
        (["no\x1bne"], ["'no\\x1bne'"]),
        (["show", "--" + "x" * 1000], ["xxx..."]),
        (["perft", "start", "w1,wd2=7"], ["card 2", "1 to 6"]),
        (["perft", "start-spells", "w1", "--spells", "draw-two"], ["draw-two", "no meaning"]),
        (["perft", "start", "w1*90,w1*90,w1*90"], ["at most 200"]),
        (["perft", "start", "w1", "--rules", "refresh=maybe"], ["refresh", "on or off"]),
        (["perft", "start", "w1", "--rules", "haste=on"], ["'haste'", "no option"]),
        (["rules", "mine"], ["preset"]),
        (["replay", "no-such-file.towers"], ["no-such-file.towers", "No such file"]),
        (["nonsense"], ["No such command"]),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(arguments, words):
    code, out, err = run(*arguments)
    assert code == 2
    assert out == ""
    lines = said(err)
    assert len(lines) == 1
    assert len(lines[0]) < 400
    for word in words:
        assert word in lines[0]


def test_a_record_with_an_illegal_turn_names_line_and_reason(tmp_path):
    record = tmp_path / "game.towers"
    record.write_text(RECORD.replace("1. w3 W5", "1. w3 W7"), "utf-8")
    code, _, err = run("replay", str(record))
    assert code == 2
    assert "line 5: turn 1" in err
    assert "space 7 shows no wizard" in err
    record.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in run("replay", str(record))[2]
    record.write_text("", "utf-8")
    assert "empty" in run("replay", str(record))[2]
