"""Call every kernel once, on something tiny, so that it is compiled or loaded."""

from __future__ import annotations

from solver import deal
from solver.layout import pack
from solver.move import Card
from solver.notation import parse_position
from solver.referee import Referee
from solver.search import beam, exact
from solver.search.perft import count_lines, count_positions
from solver.search.problem import Problem
from solver.search.table import grown, new_table


def warm_up() -> None:
    """Compile the kernels that the commands use."""
    referee = Referee()
    position = parse_position("K/-/-/-/-/-/-/-/-/-/-/-/-/-/-/1")
    referee.legal(position, Card("wtd1", (1,)))
    referee.goal_reached(position)
    cards = (Card("w2"), Card("w2"))
    count_lines(pack(position), cards, referee.table)
    count_positions(pack(position), cards, referee.table)
    grown(new_table(values=1))
    deal.deck(0, 0)
    deal.roll(0, 0, 1, 0)


def warm_up_search() -> None:
    """Compile the kernels of the searches with known cards, and those of the engine with them."""
    warm_up()
    position = parse_position("K/-/-/-/-/-/-/-/-/-/-/-/-/-/-/1")
    problem = Problem(position, (Card("w1"), Card("w2")))
    exact.solve(problem)
    beam.search(problem, width=1)
