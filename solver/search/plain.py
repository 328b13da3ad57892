"""The answer of a search as plain numbers and texts, for scripts and pages."""

from __future__ import annotations

from typing import Any

from solver.notation import print_card, print_move
from solver.search.answer import Answer


def answer_json(answer: Answer) -> dict[str, Any]:
    """An answer for scripts."""
    return {
        "verdict": answer.verdict.value,
        "cards": answer.cards,
        "lower_bound": answer.lower_bound,
        "solutions": answer.solutions if answer.counted else None,
        "keys": [print_move(key.move) for key in answer.keys],
        "key_lines": [key.lines for key in answer.keys],
        "endings": answer.endings if answer.counted else None,
        "idle": [print_card(card) for card in answer.idle],
        "line": [print_move(move) for move in answer.line],
        "nodes": answer.nodes,
        "seconds": answer.seconds,
        "limit": answer.limit or None,
    }
