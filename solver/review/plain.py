"""A review as plain numbers and texts, for scripts and pages."""

from __future__ import annotations

from typing import Any

from solver.advice.words import choice_text, reason_of
from solver.notation import print_cards, print_move, print_position, print_rules
from solver.review.ledger import Account, Decision, Luck, TurnAccount
from solver.review.words import luck_words, verdict


def account_json(name: str, account: Account) -> dict[str, Any]:
    """A review for scripts."""
    return {
        "record": name,
        "spells": list(account.start.spells),
        "rules": print_rules(account.start.rules),
        "depth": account.depth,
        "within": account.within,
        "status": account.status,
        "cards": account.end.discards,
        "grade": account.grade or None,
        "expected": account.expected,
        "luck_of_cards": account.luck_of_cards,
        "luck_of_dice": account.luck_of_dice,
        "losses": account.losses,
        "drift": account.drift,
        "result": account.result,
        "accuracy": account.accuracy,
        "verdict": verdict(account),
        "deal": _luck_json(account.deal),
        "turns": [_turn_json(turn) for turn in account.turns],
    }


def _turn_json(turn: TurnAccount) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "move": print_move(turn.move),
        "position": print_position(turn.before.position),
        "hand": print_cards(turn.before.hand),
        "expected": turn.expected,
        "chance": turn.chance,
        "exact": turn.exact,
        "loss": turn.loss,
        "points": turn.points,
        "label": turn.label or None,
        "drift": turn.drift,
        "decisions": [_decision_json(each) for each in turn.decisions],
        "rolls": [_luck_json(each) for each in turn.rolls],
        "draw": None if turn.draw is None else _luck_json(turn.draw),
    }


def _decision_json(decision: Decision) -> dict[str, Any]:
    return {
        "played": choice_text(decision.played),
        "value": decision.played.value,
        "best": choice_text(decision.best),
        "best_value": decision.best.value,
        "why": reason_of(decision.situation, decision.best),
        "loss": decision.loss,
        "points": decision.points,
        "close": decision.close,
        "fine": decision.is_fine,
        "label": decision.label or None,
        "choices": decision.choices,
    }


def _luck_json(luck: Luck) -> dict[str, Any]:
    return {"kind": luck.kind, "came": luck_words(luck), "luck": luck.amount}
