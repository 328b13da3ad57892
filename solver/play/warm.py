"""Call every kernel that a game at the table needs once, so that it is compiled or loaded."""

from __future__ import annotations

from solver.notation import parse_position
from solver.policy.player import order_of
from solver.search.situation import EVERY_CARD, Situation
from solver.search.warm import warm_up


def warm_up_table() -> None:
    """Compile the kernels of a game that is played by hand."""
    warm_up()
    order_of(Situation(parse_position("start"), (), EVERY_CARD), 0, 0)
