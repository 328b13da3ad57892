"""The documentation is true: shown commands print what is shown, examples are understood, nothing is left out."""

import re
import shlex
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from solver.cli import COMMANDS
from solver.cli.docs import PAGES
from solver.game import replay
from solver.notation import parse_move, parse_position, parse_record, parse_rules, print_move, print_position
from solver.puzzle import rate
from solver.rules import FACES, GRADES, OPTION_MEANING, SPELLS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
DOCS = {name: resources.files("solver").joinpath("docs", f"{name}.md").read_text("utf-8") for name in PAGES}

# ``` blocks whose first line is a command and whose other lines are what it prints
SHOWN = re.findall(r"```\n\$ scripts/towers (.*)\n((?:.*\n)*?)```", README)
# commands in the table of questions, but not those with a placeholder or a file of the reader's, nor one without end
ASKED = [
    command
    for line in README.splitlines()
    if line.startswith("|")
    for command in re.findall(r"`towers ([^`]+)`", line)
    if not re.search(r"\b[A-Z]{3,}|game\.towers|\.toml|--lines|-o |^serve", command)
]


def towers(command, cwd=ROOT):
    return subprocess.run(
        [sys.executable, "-m", "solver", *shlex.split(command)], cwd=cwd, stdin=subprocess.DEVNULL,
        capture_output=True, encoding="utf-8", check=False, env={"PYTHONIOENCODING": "utf-8", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip


def without_times(text):
    """Seconds and speeds differ from run to run."""
    return re.sub(r"\d+\.\d+ (?=s\b|million)", "TIME ", text)


def test_something_is_shown():
    assert len(SHOWN) >= 2
    assert len(ASKED) >= 6


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_readme_shows_what_is_printed(command, output):
    done = towers(command)
    assert done.returncode == 0, done.stderr
    assert without_times(done.stdout) == without_times(output)


@pytest.mark.parametrize("command", ASKED)
def test_commands_of_the_readme_run(command, tmp_path):
    done = towers(command, tmp_path)
    assert done.returncode == 0, done.stderr


def test_readme_as_a_library():
    example = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", example[1]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_stands_in_the_readme(name):
    assert f"towers {name}" in README


@pytest.mark.parametrize("word", [*OPTION_MEANING, *(row.name for row in (*SPELLS, *FACES, *GRADES))])
def test_every_word_of_the_rules_stands_in_the_docs(word):
    text = DOCS["rules"] + "`w2` `w3` `w4` `t2` `t3` `t4`"  # these are in "w1 to w5"
    assert f"`{word}`" in text or word in [grade.name for grade in GRADES if grade.name in text]


def test_costs_in_the_docs():
    for spell in SPELLS:
        assert f"| `{spell.name}` | {spell.cost} |" in DOCS["rules"]


def test_moves_in_the_docs_are_canonical():
    table = DOCS["notation"].split("## Moves")[1].split("##")[0]
    moves = re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)
    assert len(moves) > 10
    for move in moves:
        assert print_move(parse_move(move)) == move


def test_position_and_rules_in_the_docs():
    start = re.search(r"`(K/\S+ 0 -)`", DOCS["notation"])[1]
    assert print_position(parse_position("start")) == start
    assert start in README
    for options in re.findall(r'--rules "(online[^"]*)"|\[Rules "([^"]*)"\]', DOCS["rules"] + DOCS["notation"]):
        assert parse_rules(options[0] or options[1]) != parse_rules("")


def test_record_in_the_docs():
    record = re.search(r"```\n(\[Mode.*?)```", DOCS["notation"], re.DOTALL)[1]
    assert len(list(replay(parse_record(record)))) == 2


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


def test_pages_are_those_that_exist():
    found = {path.name.removesuffix(".md") for path in resources.files("solver").joinpath("docs").iterdir()}
    assert found == set(PAGES)
    assert towers("docs notation").stdout == DOCS["notation"]
    assert towers("docs nothing").returncode == 2


def test_stars_in_the_docs():
    two, three, four, five = rate.STARS
    assert f"two from {two} points on, three from {three}, four from {four}, five from {five}." in DOCS["puzzles"]
    weights = (rate.SIZE, rate.NARROW, rate.TEMPTING, rate.BLUFF, rate.GREEDY_FAILS)
    assert re.findall(r"\| (\d\.\d) \|$", DOCS["puzzles"], re.MULTILINE) == [str(weight) for weight in weights]
