"""The values of all choices of a turn by looking ahead, deeper and deeper where it matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solver.engine.code import encode
from solver.engine.turn import MAX_TURNS
from solver.jit import FloatArray, IntArray
from solver.move import Card, Move
from solver.rules import DECK_SIZE, DIE_SIDES, FACE_NUMBER
from solver.search.choices import ranked
from solver.search.expectimax import plays_of, roll_cost, turns_of
from solver.search.lookahead import WIDTHS, turn_cost
from solver.search.outlook import CODE, REFRESHING, ROLLS, ROW
from solver.search.outset import judge_of, state_of
from solver.search.replies import new_scratch
from solver.search.simulate import play_rollouts
from solver.search.situation import MOST_DEPTH, Choice, Objective, Situation
from solver.value.weights import Value

# Looked at deeper are, for each way a card can fall, at most so many turns, none that is worse than the best of them
# by more than the margin; and only cards that are not worse than the best card by more than it.
TURNS = {2: 16, 3: 4, 4: 2}
MARGINS = {2: 3.0, 3: 1.0, 4: 0.4}

CHANCE_A_CARD = 0.06  # how much chance a card is, roughly, where it is about being done in time

Key = tuple[int, ...]


class _Play(NamedTuple):
    """A card that fell one way, and the turns it then has."""

    face: int
    play: int
    rows: list[IntArray]


class Rollouts(NamedTuple):
    """Games played to the end."""

    costs: FloatArray  # with the luck taken off, where no card was known
    cards: IntArray  # or LOST


class Estimate:
    """What the choices of a turn cost as far as was looked."""

    def __init__(self, situation: Situation, objective: Objective, value: Value) -> None:
        self.situation = situation
        self.objective = objective
        self.state = state_of(situation)
        self.judge = judge_of(situation, objective, value)
        self.aim = self.judge.aim
        self._scratch = new_scratch(MOST_DEPTH)
        self._plays = list(self._all_plays())
        self._costs: dict[Key, float] = {}
        for each in self._plays:
            for row in each.rows:
                self._look(row, 1)

    @property
    def positions(self) -> int:
        """How many were looked at."""
        return int(self._scratch.boards[0]) + len(self._costs)

    def cost(self, row: IntArray, limit: float) -> float:
        """What a turn costs as far as is known."""
        return self._costs[_key(row)]

    def ranked(self) -> list[Choice]:
        """All choices, the best first."""
        return ranked(self.situation, self.objective, self)

    def deepen(self, depth: int, nodes: int | None = None, played: Move | None = None) -> None:
        """Look one turn further where it matters, the most promising first, until so many positions were looked at.

        It always matters what was `played`. What is not looked at deeper changes as much as the others do on average,
        so that all stay comparable.
        """
        known = dict(self._costs)
        costs = self._card_costs()
        limit = min(costs.values()) + MARGINS[depth] * self._unit
        changes: list[float] = []
        fresh: set[Key] = set()
        for each in sorted(self._plays, key=lambda play: costs[play.face]):
            if costs[each.face] > limit and changes and (played is None or each.face != _face_of(played)):
                continue
            for row in self._worth_a_look(each, depth, known, played):
                if _key(row) in fresh:
                    continue
                if nodes is not None and self.positions >= nodes and changes:
                    break
                self._look(row, depth)
                fresh.add(_key(row))
                changes.append(self._costs[_key(row)] - known[_key(row)])
        for key in self._costs.keys() - fresh:
            self._costs[key] = self.possible(self._costs[key] + float(np.mean(changes)))

    def _worth_a_look(
        self, play: _Play, depth: int, known: dict[Key, float], played: Move | None
    ) -> list[IntArray]:
        """The most promising turns of a card that fell one way, and the one that was played."""
        rows = sorted(play.rows, key=lambda row: known[_key(row)])
        limit = known[_key(rows[0])] + MARGINS[depth] * self._unit
        found = [row for row in rows[: TURNS[depth]] if known[_key(row)] <= limit]
        if played is not None and (play.face, play.play) == (_face_of(played), _play_of(played)):
            code = encode(played)
            found += [row for row in rows if row[CODE] == code]
        return found

    def possible(self, cost: float) -> float:
        """The nearest cost that a game can have."""
        lowest, highest = (self.state.played, max(self.aim.loss, DECK_SIZE)) if self.aim.within < 0 else (0.0, 1.0)
        return float(min(max(cost, lowest), highest))

    def _all_plays(self) -> Iterator[_Play]:
        """Every way a card of the hand, or the one on the table, can fall; and the refresh."""
        rolled = self.situation.rolled
        cards = self.situation.hand if rolled is None else (rolled,)
        faces = list(dict.fromkeys(FACE_NUMBER[card.face] for card in cards))
        if rolled is None and self.aim.refreshing.refresh:
            faces.append(REFRESHING)
        rows = np.empty((MAX_TURNS, ROW), dtype=np.int64)
        for face in faces:
            for play in range(plays_of(face, self.state.a, self.aim)):
                count = turns_of(self.state.a, self.state.b, face, play, self.aim, rows, 0)
                if count:  # a refresh needs a tower that can move
                    yield _Play(face, play, list(rows[:count].copy()))

    @property
    def _unit(self) -> float:
        return 1.0 if self.objective.within is None else CHANCE_A_CARD

    def _look(self, row: IntArray, depth: int) -> None:
        self._costs[_key(row)] = turn_cost(self.state, row, depth, WIDTHS[depth], self.judge, self._scratch)

    def _card_costs(self) -> dict[int, float]:
        """What each card costs."""
        found: dict[int, float] = {}
        for face in {each.face for each in self._plays}:
            outcomes = self._outcomes(face)
            dice = face != REFRESHING and ROLLS[face] > 0 and len(outcomes) >= DIE_SIDES
            found[face] = float(roll_cost(outcomes, len(outcomes), int(ROLLS[face]))) if dice else outcomes.min()
        return found

    def _best_rows(self, face: int) -> IntArray:
        plays = [each for each in self._plays if each.face == face]
        return np.array([min(each.rows, key=lambda row: self._costs[_key(row)]) for each in plays])

    def _outcomes(self, face: int) -> FloatArray:
        return np.array([self._costs[_key(row)] for row in self._best_rows(face)])

    def rollouts(
        self, choice: Choice, seed: int, first: int, number: int, known: Sequence[Card] = ()
    ) -> Rollouts:
        """A choice played to the end in so many games, from the first on; `known` cards come first in each of them."""
        move = choice.move
        face = REFRESHING if choice.card is None else FACE_NUMBER[choice.card.face]
        rows = self._best_rows(face)
        if move is not None:
            code, play = encode(move), _play_of(move)
            plays = [each for each in self._plays if (each.face, each.play) == (face, play)]
            rows = np.array([row for each in plays for row in each.rows if row[CODE] == code])
        outcomes = np.array([self._costs[_key(row)] for row in rows])
        costs, cards = np.empty(number), np.empty(number, dtype=np.int64)
        come = np.array([FACE_NUMBER[card.face] for card in known], dtype=np.int64)
        play_rollouts(
            self.state, face, rows, outcomes, seed, first, come, self.judge, self._scratch, costs, cards
        )
        return Rollouts(costs, cards)


def _face_of(move: Move) -> int:
    return REFRESHING if move.card is None else FACE_NUMBER[move.card.face]


def _play_of(move: Move) -> int:
    """Which way the card of a move fell, as kernels number the ways."""
    if move.new_roll is not None:
        return DIE_SIDES + move.new_roll - 1
    return 0 if move.roll is None else move.roll - 1


def _key(row: IntArray) -> Key:
    return tuple(row.tolist())
