"""The exact value of every choice in a turn while the deck's order and the die are unknown.

It finishes the whole tree (`expectimax`), so it is for late endings and small decks; where the tree is too large it
refuses.
"""

from __future__ import annotations

import numpy as np

from solver.engine.turn import MAX_TURNS
from solver.errors import Refused
from solver.jit import IntArray
from solver.rules import DIE_SIDES, DRAW_TWO_CARDS, FACES, HAND_SIZE, MAX_BOTTLES
from solver.search.choices import ranked
from solver.search.exact import Limits
from solver.search.expectimax import FREE, KEY, NOT_YET, PAUSE, SIZE, Memory, finish, refill
from solver.search.outlook import ROW, Aim, State, after_turn, settle
from solver.search.outset import aim_of, check, state_of
from solver.search.situation import Choice, Objective, Situation

FIRST_ROWS = 1 << 16  # of the table
ROWS_EACH = 2  # rows of the table for each state in it
ROW_BYTES = (KEY + 1) * 8
CHUNK = 200_000  # states between two looks at Ctrl-C: some tenths of a second


def choices(situation: Situation, objective: Objective, limits: Limits) -> list[Choice]:
    """Every choice of a turn with its exact value, the best first; refused if the tree is larger than the limits."""
    check(situation)
    return ranked(situation, objective, Tree(situation, objective, limits))


class Tree:
    """The tree below a turn, finished as far as it was asked for."""

    def __init__(self, situation: Situation, objective: Objective, limits: Limits) -> None:
        self.state = state_of(situation)
        self.aim = aim_of(situation, objective)
        self.limits = limits
        self.memory = _memory(situation, self.aim, self.state)

    def cost(self, row: IntArray, limit: float) -> float:
        """The cost of a turn; if it is not below the limit, anything from there on."""
        after = State(*(int(number) for number in after_turn(self.state, row)))
        over, cost = settle(after, self.aim)
        if over or cost >= limit:
            return float(cost)
        while True:
            room = len(self.memory.keys) // ROWS_EACH
            self.memory.counts[PAUSE] = min(self.memory.counts[SIZE] + CHUNK, room, self.limits.nodes)
            cost = finish(after, limit, self.aim, self.memory, 0)
            if cost != NOT_YET:
                return float(cost)
            if self.memory.counts[SIZE] >= self.limits.nodes:
                raise Refused(_too_large(f"{self.limits.nodes:,} positions"))
            if self.memory.counts[SIZE] >= room:
                self._grow()

    def _grow(self) -> None:
        length = 2 * len(self.memory.keys)
        if (length + len(self.memory.keys)) * ROW_BYTES > self.limits.memory:
            raise Refused(_too_large(f"{self.limits.memory >> 20:,} MiB of memory"))
        keys = np.full((length, KEY), FREE, dtype=np.int64)
        costs = np.empty(length)
        refill(self.memory.keys, self.memory.costs, keys, costs)
        self.memory = self.memory._replace(keys=keys, costs=costs)


def _memory(situation: Situation, aim: Aim, state: State) -> Memory:
    """Memory for a tree. Only what is written to of the scratch space becomes real."""
    casts = MAX_BOTTLES if situation.position.bottles else 0
    depth = max(aim.most - state.played, 0) + casts + 1  # a turn costs a card, but for `retrieve-card`
    faces = max(HAND_SIZE, len(situation.hand)) + 1  # whose turns are listed together, the refresh being one
    if "draw-two" in situation.spells:
        faces = len(FACES) if situation.rules.spell_costs["draw-two"] == 0 else faces + DRAW_TWO_CARDS * casts
    length = MAX_TURNS * min(faces, len(FACES))
    return Memory(
        keys=np.full((FIRST_ROWS, KEY), FREE, dtype=np.int64),
        costs=np.empty(FIRST_ROWS),
        counts=np.zeros(2, dtype=np.int64),
        rows=np.empty((depth, length, ROW), dtype=np.int64),
        bounds=np.empty((depth, length)),
        outcomes=np.empty((depth, 2 * DIE_SIDES)),
    )


def _too_large(limit: str) -> str:
    return f"the tree is too large to be finished with {limit}; fewer cards in the deck or within reach make it smaller"
