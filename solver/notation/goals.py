"""Goals as text: `home 9 and keep on 8`."""

from __future__ import annotations

from dataclasses import replace

from solver.errors import Refused
from solver.goal import ALL, Goal
from solver.notation.numbers import quote, read_number
from solver.rules import MAX_BOTTLES, MAX_WIZARDS, SPACES

PARTS = "'all home', 'home 9', 'bottles 4', 'nobody imprisoned' or 'keep on 8', joined by 'and'"


def parse_goal(text: str) -> Goal:
    """Parts joined by `and`, each of them asked for once."""
    words = text.lower().split()
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "and":
            parts.append([])
        else:
            parts[-1].append(word)
    goal = Goal()
    for part in parts:
        following = _with_part(goal, part, text)
        if following == goal:
            raise Refused(f"goal {quote(text)}: {quote(' '.join(part))} is asked for twice")
        goal = following
    return goal


def _with_part(goal: Goal, part: list[str], text: str) -> Goal:
    match part:
        case ["all", "home"]:
            return replace(goal, home=_once(goal.home, ALL, text))
        case ["home", number]:
            home = read_number(number, f"goal {quote(text)}: what follows 'home'", 1, MAX_WIZARDS)
            return replace(goal, home=_once(goal.home, home, text))
        case ["bottles", number]:
            bottles = read_number(number, f"goal {quote(text)}: what follows 'bottles'", 1, MAX_BOTTLES)
            return replace(goal, bottles=_once(goal.bottles, bottles, text))
        case ["nobody", "imprisoned"]:
            return replace(goal, nobody_imprisoned=True)
        case ["keep", "on", number]:
            keep = read_number(number, f"goal {quote(text)}: what follows 'keep on'", 0, SPACES - 1)
            return replace(goal, keep=_once(goal.keep, keep, text))
    raise Refused(f"goal {quote(text)}: expected {PARTS}, not {quote(' '.join(part))}")


def _once(before: int | None, now: int, text: str) -> int:
    if before is not None and before != now:
        raise Refused(f"goal {quote(text)}: the same thing is asked for twice")
    return now


def print_goal(goal: Goal) -> str:
    """The canonical text of a goal."""
    parts = []
    if goal.home is not None:
        parts.append("all home" if goal.home == ALL else f"home {goal.home}")
    if goal.bottles is not None:
        parts.append(f"bottles {goal.bottles}")
    if goal.nobody_imprisoned:
        parts.append("nobody imprisoned")
    if goal.keep is not None:
        parts.append(f"keep on {goal.keep}")
    return " and ".join(parts)
