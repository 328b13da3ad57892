"""Advice as plain numbers and texts, for scripts and pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.advice.words import choice_text, move_text, reason_of
from solver.notation import print_card
from solver.notation.moves import NOTHING, print_piece
from solver.rules import GRADES, WIN_CARDS
from solver.search.situation import Advice, Choice, Objective, Plan, Situation


def advice_json(asked: Situation, aim: Objective, advice: Advice, shown: Sequence[Choice]) -> dict[str, Any]:
    """Advice for scripts."""
    best = advice.choices[0]
    return {
        "value": best.value,
        "exact": advice.exact,
        "depth": advice.depth,
        "positions": advice.positions,
        "rollouts": advice.rollouts,
        "moves": [
            {
                "move": choice_text(choice),
                "card": None if choice.card is None else print_card(choice.card),
                "value": choice.value,
                "error": choice.error,
                "worse": worse_by(choice, best, aim),
                "within": chance_in_time(choice, aim),
                "grades": _grades_json(choice),
                "close": choice.close,
                "why": reason_of(asked, choice),
                "plan": None if choice.plan is None else _plan_json(choice.plan),
            }
            for choice in shown
        ],
    }


def _grades_json(choice: Choice) -> dict[str, float] | None:
    if not choice.odds:
        return None
    return {name: odds for (_, name), odds in zip(GRADES, choice.odds, strict=True)}


def _plan_json(plan: Plan) -> dict[str, Any]:
    pieces = plan.after_extra_roll.items()
    return {
        "keep": [list(rolls) for rolls in plan.keep],
        "replies": {str(roll): move_text(move) for roll, move in plan.replies.items()},
        "after_extra_roll": {str(roll): print_piece(piece) if piece else NOTHING for roll, piece in pieces},
    }


def worse_by(choice: Choice, best: Choice, aim: Objective) -> float:
    """How much worse a choice is than the best one: cards, or probability."""
    return max(0.0, choice.value - best.value if aim.within is None else best.value - choice.value)


def chance_in_time(choice: Choice, aim: Objective) -> float | None:
    """The chance to be done within the number asked for or, if none is, within that of the rulebook's goal."""
    if aim.within is not None:
        return choice.value
    if not choice.odds:
        return None
    return sum(odds for (most, _), odds in zip(GRADES, choice.odds, strict=True) if most and most <= WIN_CARDS)
