"""The puzzles that come with the project: every claim of every one is proved, and the collection is what it says."""

from dataclasses import replace
from pathlib import Path

import pytest

from solver.puzzle.file import parse_puzzle, print_puzzle
from solver.puzzle.rate import rate
from solver.puzzle.verify import problem_of, verify
from solver.rules import SPELL_NUMBER
from solver.search.answer import Verdict
from solver.search.exact import solve

FOLDER = Path(__file__).parent.parent / "puzzles"
FILES = sorted(FOLDER.glob("*.toml"))
PUZZLES = {path.stem: parse_puzzle(path.read_text("utf-8"), path.name) for path in FILES}
NO_HELP = "close-keep"  # alone at the table it does nothing, so the point of its puzzle is to leave it alone


@pytest.mark.parametrize("name", PUZZLES)
def test_every_claim_is_proved(name):
    puzzle = PUZZLES[name]
    report = verify(puzzle)
    assert report.proved, report.claims
    assert report.remarks[0] == "sound"
    assert puzzle.claims.cards == puzzle.within
    assert puzzle.claims.key is not None
    assert puzzle.claims.solutions is not None


def test_the_collection_is_worth_having():
    assert len(PUZZLES) >= 60
    titles = [puzzle.title for puzzle in PUZZLES.values()]
    assert all(titles)
    assert len(set(titles)) == len(titles)
    assert {puzzle.within for puzzle in PUZZLES.values()} >= {2, 3, 4, 5, 6, 7, 8}
    assert sum(not puzzle.spells for puzzle in PUZZLES.values()) >= 40


def test_files_are_written_as_the_program_writes_them():
    for path in FILES:
        assert print_puzzle(PUZZLES[path.stem]) == path.read_text("utf-8")


def test_every_star_is_there():
    short = [puzzle for puzzle in PUZZLES.values() if puzzle.within < 6]
    found = {rate(puzzle, solve(problem_of(puzzle))).stars for puzzle in short}
    assert found == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("spell", SPELL_NUMBER)
def test_each_spell_is_the_point_of_a_puzzle(spell):
    with_it = [puzzle for puzzle in PUZZLES.values() if spell in puzzle.spells]
    assert with_it
    for puzzle in with_it:
        without = replace(puzzle, spells=tuple(name for name in puzzle.spells if name != spell))
        expected = Verdict.PROVED if spell == NO_HELP else Verdict.REFUTED
        assert solve(problem_of(without), puzzle.within).verdict is expected
