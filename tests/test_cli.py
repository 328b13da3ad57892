"""The commands as a user runs them."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from solver.cli import COMMANDS, towers

LEFT = "-/1r2/-/-/2t/-/-/-/rtK/-/-/-/-/-/-/- 7 2/1"
RECORD = """[Mode "spells"]
[Spells "piggyback,free-wizard,advance-tower"]
[Position "start-spells"]
[Hand "w3,td2,w1t5"]
1. w3 W5 | w2t4
2. td2=3,1 T1.1 +advance-tower T4.1 | w4   # a comment
"""


def run(*arguments, **environment):
    """The command in a process of its own: (exit code, stdout, stderr)."""
    done = subprocess.run(
        [sys.executable, "-m", "solver", *arguments],
        capture_output=True, text=True, timeout=300, env={**os.environ, **environment}, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def answer(*arguments):
    code, out, err = run(*arguments, "--json")
    assert code == 0, err
    return json.loads(out)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name):
    result = CliRunner().invoke(towers, [name, "--help"])
    assert result.exit_code == 0
    assert f"towers {name}" in result.output.split("Example", 1)[1]


def test_help_does_not_import_numba():
    check = (
        "import sys, solver.cli\n"
        "solver.cli.towers(['--help'], standalone_mode=False)\n"
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
    six = answer("moves", "start", "wd2")["moves"]
    assert {row["move"].split()[0] for row in six} == {f"wd2={roll}" for roll in range(1, 7)}


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


TWO_KEEPS = "K/-/-/-/-/-/-/-/-/K/-/-/-/-/-/-"


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
        (["perft", "start", "w1,wd2"], ["card 2", "wd2=4"]),
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
    lines = [line for line in err.splitlines() if "compiling" not in line]
    assert len(lines) == 1
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
