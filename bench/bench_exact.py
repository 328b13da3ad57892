"""Exact search and beam: made puzzles, beside brute force over the reference engine; positions a second; whole deals.

Run: .venv/bin/python -m pytest bench -s
"""

import sys
import time
from pathlib import Path

import pytest

from solver.notation import parse_position, print_card, print_position
from solver.puzzle.make import Wish, make
from solver.puzzle.verify import problem_of
from solver.search import beam
from solver.search.answer import Verdict
from solver.search.cards import Deal
from solver.search.exact import Limits, Search, solve
from solver.search.problem import Problem
from solver.search.warm import warm_up_search

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import test_exact
from test_exact import Brute, Puzzle

test_exact.MOST_NODES = 10**9  # here brute force may take its time

SEED = 2  # of the made puzzles


@pytest.fixture(scope="module", autouse=True)
def compiled():
    warm_up_search()


def made(cards, count):
    """Puzzles from positions with all nine towers."""
    return [problem_of(each.puzzle) for each in make(Wish(cards), count, SEED)]


@pytest.mark.parametrize(("cards", "count", "limit"), [(5, 100, 1.0), (7, 20, 30.0)])
def test_made_puzzles(benchmark, cards, count, limit):
    """Every puzzle proved and all solutions counted: how many within the limit, on one core."""
    problems = made(cards, count)

    def prove():
        return [solve(problem) for problem in problems]

    answers = benchmark.pedantic(prove, rounds=1)
    assert all(answer.verdict is Verdict.PROVED and answer.cards == cards for answer in answers)
    seconds = sorted(answer.seconds for answer in answers)
    in_time = sum(each < limit for each in seconds)
    print(
        f"\n{cards} cards: {in_time} of {count} proved in under {limit:g} s; "
        f"median {seconds[count // 2] * 1000:.1f} ms, longest {seconds[-1]:.2f} s"
    )


def test_against_brute_force(benchmark):
    """Four-card puzzles, beside breadth-first search over the reference engine in the same run."""
    puzzles = [each.puzzle for each in make(Wish(4), 3, SEED)]
    problems = [problem_of(puzzle) for puzzle in puzzles]
    answers = benchmark.pedantic(lambda: [solve(problem) for problem in problems], rounds=5)
    ours = benchmark.stats.stats.min
    began = time.perf_counter()
    for puzzle, answer in zip(puzzles, answers, strict=True):
        hand, draw = (tuple(print_card(card) for card in cards) for cards in (puzzle.hand, puzzle.draw))
        result = Brute(Puzzle(print_position(puzzle.position), hand, draw)).result()
        assert (result.cards, sum(result.keys.values())) == (answer.cards, answer.solutions)
    theirs = time.perf_counter() - began
    print(f"\nbrute force {theirs:.1f} s, exact search {ours * 1000:.1f} ms: {theirs / ours:,.0f} times")


def test_positions_a_second(benchmark):
    """A whole deal, forward and back, one thread."""
    search = Search(Problem(parse_position("start"), deal=Deal(1)), Limits())

    def prove():
        search.nodes = 0
        search.answer(search.forward(17))

    benchmark.pedantic(prove, rounds=3, warmup_rounds=1)
    print(f"\n{search.nodes:,} positions, {search.nodes / benchmark.stats.stats.min / 1e6:.2f} million a second")


@pytest.mark.parametrize("jobs", [1, 2])
def test_beam(benchmark, jobs):
    """A beam over a whole deal with one thread and with two."""
    problem = Problem(parse_position("start"), deal=Deal(1))
    answer = benchmark.pedantic(beam.search, (problem, 10_000, None, jobs), rounds=3)
    print(f"\n{jobs} threads: {answer.cards} cards, {answer.nodes / benchmark.stats.stats.min:,.0f} positions a second")
