"""Call every kernel of a review once, so that it is compiled or loaded."""

from __future__ import annotations

from dataclasses import replace

from solver.advice.warm import warm_up_advice
from solver.move import Card
from solver.notation import parse_position
from solver.policy.player import order_of
from solver.review.evaluator import Evaluator, Standard
from solver.search.situation import EVERY_CARD, HAND, Situation


def warm_up_review() -> None:
    """Compile the kernels of a review, and those of the advice with them."""
    warm_up_advice()
    start = Situation(parse_position("K/1/1/1/-/-/-/-/-/-/-/-/-/-/-/-"), (), EVERY_CARD)
    evaluator = Evaluator(start, Standard(depth=3, value=HAND))
    kept = replace(start, hand=(Card("w1"), Card("w2")), played=80, deck=tuple(min(each, 1) for each in EVERY_CARD))
    evaluator.draws(kept, (Card("w3"),))
    evaluator.draws(replace(kept, hand=(Card("w1"),)), (Card("w3"), Card("w4")))
    order_of(start, 0, 0)
