"""A goal as kernels test it, and the proof that it is still some cards away.

The lower bound counts *events*. To bring home a wizard, to uncover a surface with wizards by moving the tower on it,
and to fill a bottle by covering somebody are events, and one card makes at most one of the first kind, or one tower
move, which uncovers at most one surface and fills at most one bottle. So n wizards to bring home, with k surfaces to
uncover for it and f bottles to fill, take at least n + max(k, f) cards. A spell adds at most one event (a wizard or a
tower moved, a bottle filled, a turn for no card), `free-wizard` at most two (it uncovers and can bring home), and
there are no more casts than bottles pay for.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from solver.errors import Refused
from solver.goal import ALL, Goal
from solver.jit import kernel, lowest_bit
from solver.layout import EMPTY, FENCE, FULL, HOME, KEEP, ROOF, Packed, get, tower_at, wizards_on_ground
from solver.position import Position
from solver.rules import MAX_BOTTLES, MAX_ON_SURFACE, Rules

# Spells that can bring a goal nearer by themselves, and by how many events a cast at the most.
EVENTS_OF = {
    "advance-wizard": 1,
    "headwind-wizard": 1,
    "advance-tower": 1,
    "headwind-tower": 1,
    "free-wizard": 2,
    "piggyback": 1,
    "fill-potion": 1,
    "retrieve-card": 1,
}


class GoalTable(NamedTuple):
    """A goal in numbers, and what the open spells can do for it."""

    home: int  # at least so many home
    empty: int  # at most so many bottles empty
    nobody_imprisoned: bool
    keep: int  # the space the keep stands on, or -1
    spare: int  # wizards beyond those that must go home
    events_a_cast: int  # 0: no open spell brings the goal nearer
    cheapest: int  # what such a cast costs at the least
    free_turns: bool  # a turn may cost no card


def goal_table(goal: Goal | None, position: Position, rules: Rules, spells: Collection[str]) -> GoalTable:
    """The table of a goal, or of the game's own goal (None); refused where the position can never meet it."""
    wizards = position.home + position.on_board
    if goal is None:
        goal = Goal(home=ALL, bottles=MAX_BOTTLES if position.bottles and rules.bottles_in_goal else None)
    home = wizards if goal.home == ALL else goal.home or 0
    if home > wizards:
        raise Refused(f"the goal is {home} wizards home, and the position has {wizards}")
    if goal.bottles is not None and position.bottles is None:
        raise Refused(f"the goal is {goal.bottles} bottles not empty, and the position has no bottles")
    helpful = [name for name in spells if name in EVENTS_OF and rules.offers(name)]
    return GoalTable(
        home,
        MAX_BOTTLES - (goal.bottles or 0),
        goal.nobody_imprisoned,
        -1 if goal.keep is None else goal.keep,
        wizards - home,
        max((EVENTS_OF[name] for name in helpful), default=0),
        min((rules.spell_costs[name] for name in helpful), default=0),
        "retrieve-card" in spells,
    )


@kernel
def covered(a: int, b: int) -> tuple[int, int]:
    """How many surfaces with wizards lie directly under a tower, and how many wizards are imprisoned there."""
    surfaces = 0
    wizards = 0
    tower = 0
    space_before = -1
    fence = get(b, FENCE)
    while fence != 0:
        space = lowest_bit(fence) - tower
        below = get(tower_at(b, tower - 1), ROOF) if space == space_before else wizards_on_ground(a, space)
        if below > 0:
            surfaces += 1
            wizards += below
        space_before = space
        tower += 1
        fence &= fence - 1
    return surfaces, wizards


class Distance(NamedTuple):
    """What is missing: wizards to bring home, and tower moves for uncovering or filling, both at the least."""

    home: int
    towers: int
    imprisoned: int  # wizards under towers, needed or not


@kernel
def distance(a: int, b: int, goal: GoalTable) -> Distance:
    """The events that must still happen."""
    home = max(goal.home - get(a, HOME), 0)
    towers = max(get(a, EMPTY) - goal.empty, 0)
    surfaces, imprisoned = covered(a, b)
    if goal.nobody_imprisoned:
        towers = max(towers, surfaces)
    elif home > 0:
        if goal.spare == 0:
            towers = max(towers, surfaces)
        else:  # those who may stay on the board may as well be the imprisoned ones
            towers = max(towers, (imprisoned - goal.spare + MAX_ON_SURFACE - 1) // MAX_ON_SURFACE)
    return Distance(home, towers, imprisoned)


@kernel
def reached(a: int, b: int, goal: GoalTable) -> bool:
    """Whether the goal is met."""
    if get(a, HOME) < goal.home or get(a, EMPTY) > goal.empty:
        return False
    if goal.keep >= 0 and get(a, KEEP) != goal.keep:
        return False
    return not goal.nobody_imprisoned or covered(a, b)[0] == 0


def bound_of(position: Packed, goal: GoalTable) -> int:
    """The fewest cards that a position needs at the least."""
    missing = distance(*position, goal)
    return int(least_cards(position.a, missing.home + missing.towers, goal))


@kernel
def least_cards(a: int, events: int, goal: GoalTable) -> int:
    """The fewest cards for so many events, in a position that has not met the goal."""
    if goal.events_a_cast == 0:
        return max(events, 1)
    least = 0
    if not goal.free_turns:  # then a turn is a card, and has one cast at the most
        least = max((events + goal.events_a_cast) // (goal.events_a_cast + 1), 1)
    if goal.cheapest > 0:
        casts = (get(a, FULL) + get(a, EMPTY)) // goal.cheapest
        least = max(least, events - goal.events_a_cast * casts)
    return least
