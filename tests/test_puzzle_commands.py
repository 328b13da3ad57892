"""`towers puzzle ...` as a user runs it, in this process."""

from __future__ import annotations

import io
import json
import sys
import tomllib

import pytest

import solver.cli.puzzle
from solver.cli.group import run
from solver.puzzle import make as making
from solver.search.answer import Answer, Verdict
from test_puzzle import FREE, GOOD


@pytest.fixture
def towers(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {
        "good.toml": GOOD,
        "wrong.toml": GOOD.replace("cards = 3", "cards = 2"),
        "typo.toml": GOOD.replace("author", "autor").replace("all home", "x"),
        "met.toml": GOOD.replace("all home", "home 10"),
        "none.toml": f'position = "{FREE}"\nhand = ["w1"]\n',
        "cooked.toml": f'title = "{"Many ways home " * 5}"\nposition = "{FREE}"\nhand = ["w1", "w5", "w2", "w4"]\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "latin.toml").write_bytes(GOOD.replace("someone", "Günther").encode("latin-1"))

    def call(*arguments: str) -> tuple[int, str, list[str]]:
        code = run(["puzzle", *arguments])
        out, err = capsys.readouterr()
        return code, out, [line for line in err.splitlines() if "compiling" not in line]

    return call


def test_bare_puzzle_is_its_help(towers):
    code, out, err = towers()
    assert (code, err) == (0, [])
    assert "verify" in out


def test_verify_goes_on_after_a_bad_file(towers):
    files = ("nofile.toml", "typo.toml", "latin.toml", "met.toml", "good.toml")
    code, out, err = towers("verify", *files)
    assert code == 2
    assert out.splitlines() == [
        "good.toml: solvable within 3: proved", "good.toml: cards = 3: proved", "good.toml: solutions = 1: proved",
        "good.toml: key = t1 T7.1: proved", "good.toml: sound", "5 files: 4 proved, 4 files with faults",
    ]  # fmt: skip
    assert [line.split(" ")[1] for line in err] == [
        "cannot",
        "typo.toml:2:",
        "typo.toml:7:",
        "'latin.toml'",
        "met.toml:7:",
    ]
    assert "not UTF-8 text (line 2, byte 31)" in err[3]
    code, out, _ = towers("verify", *files, "--json")
    told = json.loads(out)
    assert code == 2
    assert told["summary"]["faulty"] == 4
    assert [len(each.get("faults", ())) for each in told["certificates"]] == [1, 2, 1, 1, 0]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("verify", "good.toml"), 0),
        (("verify", "good.toml", "wrong.toml"), 1),
        (("verify", "good.toml", "--max-nodes", "1"), 3),
        (("verify", "wrong.toml", "--max-nodes", "1"), 1),
        (("solve", "good.toml"), 0),
        (("solve", "none.toml"), 1),
        (("solve", "good.toml", "--max-nodes", "1"), 3),
        (("solve", "typo.toml"), 2),
        (("show", "good.toml", "--solution"), 0),
        (("show", "none.toml", "--solution"), 1),
        (("rate", "good.toml"), 0),
        (("rate", "none.toml"), 3),
        (("rate", "none.toml", "typo.toml", "good.toml"), 2),
    ],
)
def test_exit_codes_and_one_object(towers, arguments, code):
    assert towers(*arguments)[0] == code
    again, out, _ = towers(*arguments, "--json")
    assert again == code
    assert out == "" or isinstance(json.loads(out), dict)


def test_every_fault_is_a_line_of_its_own(towers):
    code, out, err = towers("solve", "typo.toml")
    assert (code, out) == (2, "")
    assert [line[: len("towers: typo.toml:2: ")] for line in err] == ["towers: typo.toml:2: ", "towers: typo.toml:7: "]


def test_show(towers, tmp_path, monkeypatch):
    code, out, _ = towers("show", "good.toml", "--solution")
    assert code == 0
    assert out.count("KEEP") == 4  # the start once, then after each of the three moves
    assert "hand    w2, t1\ndraw    w5\n" in out
    assert max(map(len, out.splitlines())) <= 80
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert towers("show", "-", "--solution") == (code, out, [])
    assert towers("show", "good.toml", "--svg", "board.svg") == (0, "", [])
    assert "Two birds" in (tmp_path / "board.svg").read_text("utf-8")
    long = GOOD.replace('["w5"]', str(["wd3=1,2,3", *["w1t5"] * 80]))
    (tmp_path / "long.toml").write_text(long, "utf-8")
    assert max(map(len, towers("show", "long.toml")[1].splitlines())) <= 80


def test_rate_goes_on_and_fits_a_terminal(towers):
    code, out, err = towers("rate", "typo.toml", "cooked.toml", "none.toml", "good.toml")
    assert code == 2
    assert len(out.splitlines()) == 3
    assert max(map(len, out.splitlines())) <= 80
    assert "none.toml: " in err[-1]


def test_make_writes_the_files_it_tells_of(towers, tmp_path):
    code, out, err = towers("make", "--cards", "2", "--count", "3", "--seed", "1", "--out", "mine")
    assert (code, out, err) == (0, "", ["towers: made 3 of 3 in 'mine'"])
    names = sorted(str(path.relative_to(tmp_path)) for path in (tmp_path / "mine").iterdir())
    assert names == [f"mine/1-2-00{number}.toml" for number in (1, 2, 3)]
    assert towers("verify", *names)[0] == 0
    shown = towers("make", "--cards", "2", "--count", "3", "--seed", "1")[1]
    for name in names:
        assert (tmp_path / name).read_text("utf-8") in shown
    told = json.loads(towers("make", "--cards", "2", "--seed", "1", "--json")[1])
    assert tomllib.loads(told["puzzles"][0]["puzzle"])["claims"]["cards"] == 2


def test_ctrl_c_keeps_the_puzzles_made(towers, tmp_path, monkeypatch):
    real, calls = making.solve, []

    def solve(*arguments):
        calls.append(len([*tmp_path.glob("mine/*")]))
        return real(*arguments) if calls[-1] < 2 else Answer(Verdict.INTERRUPTED, 1)

    monkeypatch.setattr(making, "solve", solve)
    code, _, err = towers("make", "--cards", "2", "--count", "5", "--out", "mine")
    assert (code, err) == (130, ["towers: made 2 of 5 in 'mine'"])
    assert len([*tmp_path.glob("mine/*.toml")]) == 2


def test_make_gives_up(towers, monkeypatch):
    monkeypatch.setattr(making, "MOST_IN_VAIN", 3)
    code, out, err = towers("make", "--cards", "1", "--wizards", "9", "--goal", "home 12", "--json")
    assert (code, json.loads(out)["made"]) == (3, 0)
    assert err[0].startswith("towers: made 0 of 1; ")


def test_ctrl_c_in_rate_and_book(towers, tmp_path, monkeypatch):
    assert towers("book", "good.toml", "-o", "book.html")[0] == 0
    before = (tmp_path / "book.html").read_text("utf-8")
    real = solver.cli.puzzle._solved

    def solved(puzzle, name, effort):
        problem, answer = real(puzzle, name, effort)
        return problem, Answer(Verdict.INTERRUPTED, 1) if name == "wrong.toml" else answer

    monkeypatch.setattr(solver.cli.puzzle, "_solved", solved)
    code, out, _ = towers("rate", "good.toml", "wrong.toml", "cooked.toml", "--json")
    assert code == 130
    assert [row["file"] for row in json.loads(out)["puzzles"]] == ["good.toml"]
    with pytest.raises(KeyboardInterrupt):
        towers("book", "cooked.toml", "wrong.toml", "-o", "book.html")
    assert (tmp_path / "book.html").read_text("utf-8") == before


def test_book_loses_nothing(towers, tmp_path):
    assert towers("book", "good.toml", "none.toml", "-o", "book.html")[0] == 3
    page = (tmp_path / "book.html").read_text("utf-8")
    assert "Two birds" in page
    for files in (["none.toml"], ["good.toml", "typo.toml"], ["good.toml", "nofile.toml"]):
        assert towers("book", *files, "-o", "book.html")[0] in (2, 3)
        assert (tmp_path / "book.html").read_text("utf-8") == page


BAD = [
    (("make",), "expected --cards with a number"),
    (("make", "--cards", "13"), "--cards: expected a number from 1 to 12, not '13'"),
    (("make", "--cards", "2", "--count", "0"), "--count: "),
    (("make", "--cards", "2", "--stars", "6"), "--stars: expected a number from 1 to 5"),
    (("make", "--cards", "2", "--out", ""), "the name of the folder is empty"),
    (("make", "--cards", "2", "--out", "good.toml"), "cannot make the folder 'good.toml': File exists"),
    (("make", "--cards", "2", "--wizards", "3", "--out", "new"), "3 wizards cannot come home with 2 cards"),
    (("book", "good.toml"), "expected -o"),
    (("book", "good.toml", "-o", ""), "is empty"),
    (("book", "good.toml", "-o", "no/book.html"), "cannot write 'no/book.html'"),
    (("show", "good.toml", "--svg", ""), "is empty"),
    (("show", "nofile.toml"), "cannot read 'nofile.toml'"),
    (("solve", "good.toml", "wrong.toml"), "more arguments than expected"),
    (("verify",), "Missing argument 'FILES...'"),
    (("nothing",), "No such command 'nothing'"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=[words for _, words in BAD])
def test_bad_input(towers, tmp_path, arguments, words):
    code, out, err = towers(*arguments)
    assert (code, out, len(err)) == (2, "", 1)
    assert words in err[0]
    assert not (tmp_path / "new").exists()
