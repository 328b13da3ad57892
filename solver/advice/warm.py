"""Call every kernel of the advice once, so that it is compiled or loaded."""

from __future__ import annotations

from solver.advice.advise import Budget, advise
from solver.move import Card
from solver.notation import parse_position
from solver.rules import FACES
from solver.search.situation import HAND, Situation
from solver.search.warm import warm_up


def warm_up_advice() -> None:
    """Compile the kernels of the advice, and those of the engine with them."""
    warm_up()
    position = parse_position("K/1/1/1/-/-/-/-/-/-/-/-/-/-/-/-")
    deck = tuple(min(face.copies, 1) for face in FACES)
    tiny = Situation(position, (Card("w3"), Card("w3"), Card("w4")), deck)
    advise(tiny, budget=Budget(depth=3, value=HAND))
    advise(Situation(position, (Card("w3"),), (1, 1, *(0 for _ in FACES[2:]))), budget=Budget(exact=True))
