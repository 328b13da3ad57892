"""What was proved about a puzzle as plain numbers and texts, for scripts and pages."""

from __future__ import annotations

from typing import Any

from solver.notation import print_cards, print_position, print_rules
from solver.notation.goals import print_goal
from solver.puzzle.file import Puzzle
from solver.puzzle.verify import Report
from solver.search.plain import answer_json


def certificate_json(puzzle: Puzzle, report: Report) -> dict[str, Any]:
    """What was checked, so that somebody else can check it again."""
    return {
        "title": puzzle.title,
        "position": print_position(puzzle.position),
        "hand": print_cards(puzzle.hand),
        "draw": print_cards(puzzle.draw),
        "spells": {name: puzzle.rules.spell_costs[name] for name in puzzle.spells},
        "rules": print_rules(puzzle.rules) or "rulebook",
        "goal": None if puzzle.goal is None else print_goal(puzzle.goal),
        "within": puzzle.within,
        "claims": [claim._asdict() | {"verdict": claim.verdict.value} for claim in report.claims],
        "remarks": list(report.remarks),
        **answer_json(report.answer),
    }
