"""How hard a puzzle is: measured on what a solver has to see through, not guessed."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from solver.engine.turn import MAX_TURNS
from solver.errors import Refused
from solver.move import Card
from solver.notation import print_move
from solver.puzzle.file import Puzzle
from solver.puzzle.verify import problem_of
from solver.rules import FACES
from solver.search.answer import Answer
from solver.search.cards import REACH
from solver.search.evaluate import CARD, guess
from solver.search.exact import EVERY_CARD, LimitHit, Limits, Search
from solver.search.goal import distance
from solver.search.problem import CODE, DISCARDS, HAND, ROW, A, B, Problem, play_option
from solver.search.table import KEY, contents

MOST_PAIRS = 2_000_000  # counted; beyond that a puzzle is as large as any
MOST_MEMORY = 1 << 30  # bytes for counting them
# What one card more may be where a puzzle has none to spare: those with one number; the others do what these do.
SPARE = tuple(Card(face.name) for face in FACES if face.rolls == 0 and 0 in (face.wizard, face.tower))

# Points. Each measure is scaled so that a usual puzzle has 0 to 1 of it, and weighted by how much it hides the key.
SIZE = 2.5  # ten million pairs of position and hand within reach
NARROW = 2.0  # one first move in 64 is right
TEMPTING = 1.0  # every wrong first move would be right with one card more
BLUFF = 1.5  # wrong first moves are refuted only half way through
GREEDY_FAILS = 1.0  # the move that looks best is wrong
STARS = (2.6, 3.9, 5.1, 6.2)  # points from which a puzzle has two, three, four, five stars


class Rating(NamedTuple):
    """The measures and the stars that they make."""

    stars: int
    points: float
    pairs: int  # different pairs of position and hand within reach, up to MOST_PAIRS
    first_moves: int
    keys: int
    near_misses: int  # first moves that need just one card more
    greedy_fails: bool
    plausible: float  # turns that a wrong first move survives the lower bound, on average
    cards: int


class Rated(NamedTuple):
    """A puzzle with its proof and its difficulty."""

    puzzle: Puzzle
    answer: Answer
    rating: Rating


def rate(puzzle: Puzzle, answer: Answer, limits: Limits | None = None) -> Rating:
    """Rate a puzzle by its proved answer; refused if a measure would take more than the limits."""
    limits = limits or Limits()
    try:
        return _rate(puzzle, answer, limits)
    except LimitHit as limit:
        raise Refused(f"it is too large to be rated with {limit}") from None


def _rate(puzzle: Puzzle, answer: Answer, limits: Limits) -> Rating:
    assert answer.counted
    assert answer.cards is not None
    cards = answer.cards
    keys = {print_move(key.move) for key in answer.keys}
    problem = problem_of(puzzle)
    firsts = _first_moves(problem)
    near_misses = _near_misses(puzzle, cards, limits) - keys
    pairs = _pairs_in_reach(problem, cards)
    greedy = min(firsts, key=lambda move: (firsts[move], move))
    wrong = len(firsts) - len(keys)
    plausible = _turns_survived(problem, cards, limits) / wrong if wrong else 0.0
    points = (
        SIZE * min(math.log10(pairs) / 7, 1)
        + NARROW * min(math.log2(len(firsts) / len(keys)) / 6, 1)
        + TEMPTING * (len(near_misses) / wrong if wrong else 0)
        + BLUFF * min(2 * plausible / cards, 1)
        + GREEDY_FAILS * (greedy not in keys)
    )
    stars = 1 + sum(points >= least for least in STARS)
    return Rating(stars, points, pairs, len(firsts), len(keys), len(near_misses), greedy not in keys, plausible, cards)


def _first_moves(problem: Problem) -> dict[str, int]:
    """Every first move and the guess of what it leaves: the greedy player takes the least."""
    cards = problem.cards.table(1)
    rows = np.empty((MAX_TURNS, ROW), dtype=np.int64)
    goal = problem.setting.goal
    guesses = {}
    for option in range(cards.first[0], cards.first[1]):
        count = play_option(*problem.start, cards.options, option, problem.setting, rows)
        for row in rows[:count].copy():
            reach = cards.hands[row[HAND], REACH]
            score = guess(row[A], row[B], distance(row[A], row[B], goal), reach, goal) + CARD * row[DISCARDS]
            guesses[print_move(problem.move(1, 0, int(row[CODE])))] = int(score)
    return guesses


def _near_misses(puzzle: Puzzle, cards: int, limits: Limits) -> set[str]:
    """The first moves that reach the goal with one card more than the fewest, keys among them.

    The one card more is the puzzle's own, or if that has no more, any that could come last.
    """
    larger = [puzzle]
    if len(puzzle.hand) + len(puzzle.draw) <= cards:
        larger = [replace(puzzle, draw=(*puzzle.draw, card)) for card in SPARE]
    moves: set[str] = set()
    for each in larger:
        search = Search(problem_of(each), limits)
        run = search.forward(cards + 1)
        search.count_back(run)
        moves.update(print_move(key.move) for key in search.keys(run))
    return moves


def _pairs_in_reach(problem: Problem, cards: int) -> int:
    """How many different pairs of position and hand can be met with so many cards, up to MOST_PAIRS."""
    try:
        run = Search(problem, Limits(MOST_PAIRS, MOST_MEMORY)).forward(EVERY_CARD, last=cards)
    except LimitHit:
        return MOST_PAIRS
    return min(sum(len(layer) for layer in run.layers), MOST_PAIRS)


def _turns_survived(problem: Problem, cards: int, limits: Limits) -> int:
    """How many turns it takes in all until the lower bound has refuted each wrong first move."""
    search = Search(problem, limits)
    run = search.forward(cards)
    search.count_back(run)
    if len(run.layers) == 1:
        return 0
    right = {tuple(pair) for pair in contents(run.lines[1])[:, :KEY].tolist()}
    wrong = [pair for pair in run.layers[1] if tuple(pair.tolist()) not in right]
    return sum(len(search.forward(cards, pair.reshape(1, KEY), turn=2).layers) for pair in wrong)
