"""Every choice of a turn with its value, and a die card with its plan, whoever tells what a turn costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from solver.engine.code import decode
from solver.engine.turn import MAX_TURNS
from solver.jit import IntArray
from solver.move import Card, Move, Piece
from solver.notation import print_card, print_move
from solver.rules import DIE_SIDES, FACE_NUMBER
from solver.search.expectimax import plays_of, roll_cost, turns_of
from solver.search.outlook import CODE, REFRESHING, ROW, Aim, State
from solver.search.situation import Choice, Objective, Plan, Situation

TIE_DIGITS = 12
TIE = 10.0**-TIE_DIGITS  # costs that differ by less differ by how they were rounded
ANY_COST = float("inf")


def _text(choice: Choice) -> str:
    if choice.move is not None:
        return print_move(choice.move)
    return print_card(choice.card) if choice.card else ""


class _Reply(NamedTuple):
    """A turn that may be the best one for a roll."""

    cost: float
    text: str
    move: Move


class Judgement(Protocol):
    """Tells what a turn costs."""

    state: State
    aim: Aim

    def cost(self, row: IntArray, limit: float) -> float:
        """The cost of a turn; if it is not below the limit, anything from there on."""


class _Root:
    """The first turn."""

    def __init__(self, situation: Situation, objective: Objective, judgement: Judgement) -> None:
        self.objective = objective
        self.hand = situation.hand
        self.state = judgement.state
        self.aim = judgement.aim
        self.cost = judgement.cost
        self.rows = np.empty((MAX_TURNS, ROW), dtype=np.int64)

    def value(self, cost: float) -> float:
        """What a cost means to the player."""
        return cost if self.objective.within is None else 1.0 - cost

    def moves(self, card: Card | None) -> Iterator[Choice]:
        """Every turn with a card that needs no roll, or with its last roll, or (None) every refresh."""
        if card is None and not self.aim.refreshing.refresh:
            return
        face, play = _face_and_play(card)
        for row in self._turns(face, play):
            yield Choice(self.value(self.cost(row, ANY_COST)), card, decode(int(row[CODE]), card or self.hand[0]))

    def moves_by_extra_roll(self, card: Card, new_roll: int) -> Iterator[Choice]:
        """Every turn with a card for which `extra-roll` brought a number."""
        for row in self._turns(FACE_NUMBER[card.face], DIE_SIDES + new_roll - 1):
            yield Choice(self.value(self.cost(row, ANY_COST)), card, decode(int(row[CODE]), card, new_roll))

    def throws(self, card: Card) -> Iterator[Choice]:
        """Rolling a card for the first time or again, if it has a roll left; and the spell that gives one more."""
        face = FACE_NUMBER[card.face]
        plays = int(plays_of(face, self.state.a, self.aim))
        left = card.data.rolls - len(card.rolls)
        best = [self._best(card, play) if left or play >= DIE_SIDES else None for play in range(plays)]
        costs = np.array([ANY_COST if reply is None else reply.cost for reply in best])
        pieces = {roll: reply.move.action for roll, reply in enumerate(best[DIE_SIDES:], start=1) if reply}
        by_spell = float(roll_cost(costs, plays, 0))
        if left:
            stages = [float(roll_cost(costs, plays, rolls)) for rolls in range(left + 1)]
            plan = self._plan(card, [reply for reply in best[:DIE_SIDES] if reply], stages, pieces)
            yield Choice(self.value(stages[left]), card, None, plan)
        if card.rolls and pieces:
            yield Choice(self.value(by_spell), card, _cast(card), Plan((), {}, pieces))

    def _plan(self, card: Card, best: list[_Reply], stages: list[float], pieces: dict[int, Piece | None]) -> Plan:
        """The plan for a card; `stages` is what it costs to go on with 0 (by a spell), 1, ... rolls left."""
        rolls = range(1, DIE_SIDES + 1)
        keep: list[tuple[int, ...]] = [()] * len(card.rolls)  # which were given up, as this is rolling again
        for left in range(len(stages) - 2, 0, -1):
            keep.append(tuple(roll for roll in rolls if best[roll - 1].cost <= stages[left] + TIE))
        keep.append(tuple(rolls))
        replies = {roll: best[roll - 1].move for roll in rolls}
        casting = {roll: _cast(_rolled(card, roll)) for roll in rolls if best[roll - 1].cost > stages[0] + TIE}
        return Plan(tuple(keep), replies | casting, pieces if casting else {})

    def _best(self, card: Card, play: int) -> _Reply:
        """The best turn with a card that falls one way; of those that are as good, the first as they are written."""
        new_roll = play % DIE_SIDES + 1
        shown, extra = (_rolled(card, new_roll), None) if play < DIE_SIDES else (card, new_roll)
        best: _Reply | None = None
        for row in self._turns(FACE_NUMBER[card.face], play):
            move = decode(int(row[CODE]), shown, extra)
            limit = ANY_COST if best is None else best.cost + 2 * TIE
            reply = _Reply(self.cost(row, limit), print_move(move), move)
            if best is None or reply.cost < best.cost - TIE or (reply.cost < limit and reply.text < best.text):
                best = reply
        assert best is not None, "a card can always be played"
        return best

    def _turns(self, face: int, play: int) -> list[IntArray]:
        count = turns_of(self.state.a, self.state.b, face, play, self.aim, self.rows, 0)
        return list(self.rows[:count].copy())


def _face_and_play(card: Card | None) -> tuple[int, int]:
    if card is None:
        return REFRESHING, 0
    return FACE_NUMBER[card.face], card.rolls[-1] - 1 if card.rolls else 0


def _rolled(card: Card, roll: int) -> Card:
    return Card(card.face, (*card.rolls, roll))


def _cast(card: Card) -> Move:
    """Casting `extra-roll`, before the new roll is known."""
    return Move(card, None, "extra-roll")


def ranked(situation: Situation, objective: Objective, judgement: Judgement) -> list[Choice]:
    """Every choice of a turn, the best first."""
    root = _Root(situation, objective, judgement)
    if situation.rolled is not None and situation.new_roll is not None:
        found = list(root.moves_by_extra_roll(situation.rolled, situation.new_roll))
    elif situation.rolled is not None:
        found = [*root.moves(situation.rolled), *root.throws(situation.rolled)]
    else:
        found = list(root.moves(None))
        for card in dict.fromkeys(situation.hand):
            found += root.throws(card) if card.has_die else root.moves(card)
    sign = 1 if objective.within is None else -1
    return sorted(found, key=lambda choice: (sign * round(choice.value, TIE_DIGITS), _text(choice)))
