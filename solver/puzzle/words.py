"""Puzzles in plain words: what is asked, and how hard it is."""

from __future__ import annotations

from solver.notation.goals import print_goal
from solver.puzzle.file import Puzzle

MOST_STARS = 5


def stars(number: int) -> str:
    """Difficulty as text."""
    return "★" * number + "☆" * (MOST_STARS - number)


def task(puzzle: Puzzle, cards: int | None) -> str:
    """What is asked, in a sentence."""
    if puzzle.goal is not None:
        aim = _in_words(print_goal(puzzle.goal))
    elif puzzle.position.bottles and puzzle.position.bottles.empty and puzzle.rules.bottles_in_goal:
        aim = "bring everybody home and leave no bottle empty"
    else:
        aim = "bring everybody home"
    with_cards = "" if cards is None else f" with {cards} {'card' if cards == 1 else 'cards'}"
    return f"{aim[0].upper()}{aim[1:]}{with_cards}."


def _in_words(goal: str) -> str:
    words = []
    for part in goal.split(" and "):
        name, _, number = part.rpartition(" ")
        words.append(
            {
                "home": f"have {number} wizards home",
                "bottles": f"have {number} bottles that are not empty",
                "keep on": f"have the keep on space {number}",
                "all": "bring everybody home",
                "nobody": "have nobody imprisoned",
            }[name]
        )
    return ", and ".join(words)
