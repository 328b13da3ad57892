"""The player `clairvoyant`: it knows the deck and all rolls, so it shows what luck allowed, not how to play."""

from __future__ import annotations

from math import nan

import numpy as np

from solver.errors import Refused
from solver.notation import Record
from solver.policy.player import Games, record_of
from solver.search import beam
from solver.search.answer import Answer, Verdict
from solver.search.cards import Deal
from solver.search.problem import Problem
from solver.search.simulate import UNDECIDED
from solver.search.situation import EVERY_CARD, Situation


class Clairvoyant:
    """Plans each game by a beam over the cards and rolls that will come."""

    expected = nan

    def __init__(self, start: Situation, seed: int, width: int) -> None:
        if start.hand or start.deck != EVERY_CARD:
            raise Refused("clairvoyant plays whole games only, from the deal on")
        self.start = start
        self.seed = seed
        self.width = width

    def play(self, first: int, games: int) -> Games:
        """Play so many games, from number `first` on."""
        found = [self._plan(first + number).cards for number in range(games)]
        return Games(np.array([UNDECIDED if cards is None else cards for cards in found]), np.zeros(games))

    def record(self, game: int) -> Record:
        """Play one game and write down how it went; a game in which no line was found is not begun."""
        return record_of(self.start, self.seed, game, self._plan(game).line)

    def _plan(self, game: int) -> Answer:
        start = self.start
        problem = Problem(start.position, spells=start.spells, rules=start.rules, deal=Deal(self.seed, game))
        answer = beam.search(problem, self.width, jobs=1)
        if answer.verdict is Verdict.INTERRUPTED:
            raise KeyboardInterrupt
        return answer
