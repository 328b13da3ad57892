"""Which kernels the games of a run need, and how each group of them is compiled or loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from solver.batch.run import Run
from solver.notation import parse_position
from solver.policy.at_random import RandomPlayer
from solver.policy.names import CLAIRVOYANT, EXPECTIMAX
from solver.policy.seer import Seer
from solver.search.situation import EVERY_CARD, HAND, Situation
from solver.search.warm import warm_up, warm_up_search


class Group(NamedTuple):
    """Kernels that are compiled together; by its name they are known to be there."""

    name: str
    warm_up: Callable[[], None]


_TINY = Situation(parse_position("K/1/1/1/-/-/-/-/-/-/-/-/-/-/-/-"), (), EVERY_CARD)


def warm_up_games() -> None:
    """Compile the kernels that play whole games, and those of the engine with them."""
    warm_up()
    RandomPlayer(_TINY, 0).play(0, 1)
    Seer(_TINY, 0, value=HAND, with_luck=True).play(0, 1)


def _warm_up_deeper() -> None:
    """Compile the kernels that look further ahead, too."""
    warm_up_games()
    Seer(_TINY, 0, 2, value=HAND, with_luck=True).play(0, 1)


GAMES = Group("the games", warm_up_games)
DEEPER = Group("the lookahead", _warm_up_deeper)
PLANS = Group("the search", warm_up_search)


def groups_of(runs: tuple[Run, ...]) -> list[Group]:
    """The groups that some runs need."""
    groups = [GAMES]
    if any(run.policy.name == EXPECTIMAX and run.policy.option("depth") != "1" for run in runs):
        groups.append(DEEPER)
    if any(run.policy.name == CLAIRVOYANT for run in runs):
        groups.append(PLANS)
    return groups
