"""`towers solve`: verdicts and exit codes, what --json has, limits, deals, beams and Ctrl-C."""

from __future__ import annotations

import json
from contextlib import contextmanager

import pytest

import solver.cli.solve
from solver.cli.group import run
from solver.errors import Refused
from solver.notation import parse_cards, parse_move, parse_position, print_move
from solver.puzzle.make import Wish, make
from solver.puzzle.verify import problem_of
from solver.search import beam, exact
from solver.search.answer import Verdict
from solver.search.cards import Deal
from solver.search.problem import Problem

# Two wizards under a tower, the keep two on: the tower goes, w2 brings one home, the keep goes on to 12, then w5.
BIRDS = "-/-/-/-/-/-/-/2r/t/K/-/-/-/-/-/- 10 -"
LATE = "-/1r2/-/-/2t/-/-/1/rtK/-/-/-/-/-/-/- 6 -"  # six left; a deal brings them home in about ten cards
FIELDS = ("verdict", "cards", "lower_bound", "solutions", "keys", "line", "nodes", "seconds", "limit")


@pytest.fixture
def solve(capsys):
    def call(*arguments: str) -> tuple[int, str]:
        code = run(["solve", *arguments])
        return code, capsys.readouterr().out

    return call


@pytest.fixture
def answer(solve):
    def call(*arguments: str) -> dict:
        code, out = solve(*arguments, "--json")
        found = json.loads(out)
        assert code == {"proved": 0, "refuted": 1, "undecided": 3, "interrupted": 130}[found["verdict"]]
        return found

    return call


def same(one: dict, other: dict) -> bool:
    return {**one, "seconds": 0} == {**other, "seconds": 0}


def test_proved(solve, answer):
    found = answer(BIRDS, "--hand", "w2,t1,w5", "--draw", "w4")
    assert {*FIELDS} <= {*found}
    assert [found[field] for field in FIELDS[:4]] == ["proved", 3, 3, 1]
    assert (found["keys"], found["line"]) == (["t1 T7.1"], ["t1 T7.1", "w2 W7", "w5 W7"])
    assert found["nodes"] > 0
    assert found["seconds"] >= 0
    assert found["limit"] is None
    code, out = solve(BIRDS, "--hand", "w2,t1,w5", "--draw", "w4")
    assert code == 0
    assert out.splitlines()[:2] == ["3 is the fewest, in one way only", "   1. t1 T7.1"]


def test_many_first_moves_fit_a_terminal(solve):
    code, out = solve("1/1/1/1/1/1/1/1/1/K/-/-/-/-/-/- 3 -", "--hand", "t1,w1t1*3,w2,w4", "--goal", "home 4")
    assert code == 0
    assert "first moves, with their lines: " in out
    assert max(map(len, out.splitlines())) <= 80
    many = "1/1/1/1/-/1/1/1/1/K/-/-/r/-/-/- 4 4/2"
    spells = "advance-wizard,advance-tower,nudge-keep"
    code, out = solve(many, "--hand", "w1,w2,w3,w4", "--goal", "home 5", "--spells", spells)
    assert code == 0
    assert " more" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("more", "words"), [((), "no solution with these cards"), (("--within", "2"), "no solution within 2")]
)
def test_refuted(solve, answer, more, words):
    draw = "w4" if not more else "w5"
    arguments = (BIRDS, "--hand", "w2,t1", "--draw", draw, *more)
    found = answer(*arguments)
    assert (found["verdict"], found["cards"], found["solutions"], found["line"]) == ("refuted", None, None, [])
    assert solve(*arguments)[1].startswith(words)


@pytest.mark.parametrize(("option", "limit"), [(("--max-nodes", "1000"), "1,000 positions"),
                                               (("--max-memory", "1M"), "1 MiB of memory")])  # fmt: skip
def test_undecided_with_bounds(answer, solve, option, limit):
    more = () if "--max-nodes" in option else ("--max-nodes", "200,000")
    found = answer("start", "--deal", "7", *option, *more)
    assert (found["verdict"], found["limit"], found["cards"]) == ("undecided", limit, None)
    assert found["lower_bound"] >= 12  # a card each
    code, out = solve("start", "--deal", "7", *option, *more)
    assert (code, out.splitlines()[0]) == (
        3, f"undecided, stopped by {limit}: at least {found['lower_bound']} are needed",
    )  # fmt: skip


def test_a_line_replays_with_the_referee(answer):
    found = answer(LATE, "--deal", "7:3")
    assert found["verdict"] == "proved"
    problem = Problem(parse_position(LATE), deal=Deal(7, 3))
    *_, last = problem.replay([parse_move(move) for move in found["line"]])
    assert last.on_board == 0
    assert len(found["line"]) == found["cards"]
    with pytest.raises(Refused, match="not allowed"):
        list(problem.replay([parse_move(move) for move in found["line"][1:]]))


def test_a_deal_is_the_same_for_any_jobs(answer):
    one = answer(LATE, "--deal", "7:3", "--jobs", "1")
    assert same(one, answer(LATE, "--deal", "7:3", "--jobs", "2"))
    assert one["deal"] == {"seed": 7, "game": 3}
    assert not same(one, answer(LATE, "--deal", "7:4"))


def test_a_beam_proves_nothing_and_is_the_same_for_any_jobs(answer, solve):
    one = answer("start", "--deal", "7", "--width", "50", "--jobs", "1")
    assert same(one, answer("start", "--deal", "7", "--width", "50", "--jobs", "2"))
    assert one["cards"] == len(one["line"]) >= one["lower_bound"] >= 12
    easy = answer(BIRDS, "--hand", "w2,t1,w5", "--width", "100")  # where it could know better
    assert (easy["verdict"], easy["cards"], easy["solutions"]) == ("undecided", 3, None)
    assert answer(BIRDS, "--hand", "w2", "--width", "100")["verdict"] == "undecided"
    assert "solvable in 3" in solve(BIRDS, "--hand", "w2,t1,w5", "--width", "100")[1]


def test_a_wide_beam_finds_what_is_proved():
    for puzzle, answer, _ in make(Wish(3), 10, 5):
        found = beam.search(problem_of(puzzle), 10_000)
        assert found.cards == answer.cards == exact.solve(problem_of(puzzle)).cards == 3
        assert found.verdict is Verdict.UNDECIDED
        assert [*map(print_move, found.line)][0] == print_move(answer.keys[0].move)


@pytest.mark.parametrize(("beams", "solved"), [(False, False), (True, True)])
def test_ctrl_c_keeps_what_there_is(solve, monkeypatch, beams, solved):
    @contextmanager
    def bar():
        def progress(what: str, nodes: int) -> None:
            if "beam of 1,000" in what if beams else True:
                raise KeyboardInterrupt

        yield progress

    monkeypatch.setattr(solver.cli.solve, "search_bar", bar)
    code, out = solve("start", "--deal", "7")
    assert code == 130
    assert "interrupted, stopped by Ctrl-C: " in out
    assert ("   1. " in out) == ("solvable in" in out) == solved


def test_boards_and_grades(solve, answer):
    found = answer(LATE, "--deal", "7:3")
    code, out = solve(LATE, "--deal", "7:3", "--show")
    assert code == 0
    assert sum("home" in line for line in out.splitlines()) == len(found["line"]) + 1  # a board each, and the start
    assert "Exceptional" in out.splitlines()[-1]


BAD = [
    (("start",), "expected --hand with the cards, or --deal with a seed"),
    (("start", "--hand", "w1", "--deal", "1"), "not both"),
    (("start", "--deal", "1", "--draw", "w1"), "--draw goes with --hand"),
    (("start", "--hand", "x9"), "--hand: card 1 of 'x9': 'x9' is no card"),
    (("start", "--hand", "w1", "--draw", ""), "--draw: no card is written"),
    (("start", "--hand", "w1*91"), "from 1 to 90, not '91'"),
    (("start", "--hand", "w1*60", "--draw", "w1*60"), "hand and draw have 120 cards, and the deck 90"),
    (("start", "--hand", "wd2"), "'wd2' needs its rolls named"),
    (("start", "--deal", "x"), "--deal: expected a number from 0 to"),
    (("start", "--deal", "1:"), "seed:game, such as 7:12"),
    (("start", "--deal", "1:2:3"), "not '2:3'"),
    (("start", "--deal", "-1"), "not '-1'"),
    (("start", "--deal", "9" * 19), "from 0 to 4,611,686,018,427,387,904"),
    (("start", "--hand", "w1", "--within", "0"), "--within: expected a number from 1 to 90, not '0'"),
    (("start", "--hand", "w1", "--goal", "home"), "--goal: "),
    (("start", "--hand", "w1", "--goal", "keep on 0"), "meets the goal already"),
    (("start", "--hand", "w1", "--max-nodes", "1e6"), "--max-nodes: expected a number"),
    (("start", "--hand", "w1", "--max-nodes", "1,00"), "not '1,00'"),
    (("start", "--hand", "w1", "--max-memory", "0M"), "expected a size such as 500M"),
    (("start", "--hand", "w1", "--jobs", "0"), "--jobs: expected a number from 1 to 256"),
    (("start", "--hand", "w1", "--width", "0"), "--width: expected a number"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=[words for _, words in BAD])
def test_bad_input(capsys, arguments, words):
    assert run(["solve", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.startswith("towers: ")
    assert err.count("\n") == 1


def test_long_numbers_are_read(answer):
    # 2 * 10**9 nodes and a seed of 12 digits: more than nine digits are numbers too
    found = answer(BIRDS, "--deal", "123456789012", "--max-nodes", "2_000_000_000")
    assert found["deal"]["seed"] == 123456789012
    assert found["verdict"] == "proved"
    assert parse_cards(found["line"][0].split()[0])
