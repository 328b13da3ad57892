"""The players that look ahead: `greedy`, `learned`, `expectimax`."""

from __future__ import annotations

from math import nan

import numpy as np

from solver import deal
from solver.jit import FloatArray, IntArray, kernel
from solver.notation import Record
from solver.policy.player import Games, hands_of, moves_of, record_of
from solver.rules import HAND_SIZE
from solver.search.expectimax import plays_of
from solver.search.leaf import Judge
from solver.search.lookahead import WIDTHS, glance, look_ahead
from solver.search.outlook import CODE, State
from solver.search.outset import before_deal, judge_of, value_for
from solver.search.pile import pile_of
from solver.search.replies import NO_DRAW, Scratch, card_cost, new_scratch
from solver.search.simulate import (
    GOES_ON,
    MOST_TURNS,
    cards_of,
    draw,
    draw_luck,
    new_log,
    play_deals,
    play_of,
    result_of,
    take_turn,
    write_log,
)
from solver.search.situation import LEARNED, Objective, Situation


@kernel
def expected_of(start: State, piles: IntArray, chances: FloatArray, judge: Judge, scratch: Scratch) -> float:
    """What a game is expected to cost before its first hand is drawn, which is one of these piles."""
    total = 0.0
    for number in range(len(piles)):
        pile = piles[number]
        state = State(start.a, start.b, pile, start.deck - pile, 0, start.left - start.owed, start.played)
        glance(state, judge, scratch, 0)
        total += chances[number] * scratch.costs[0, NO_DRAW]
    return total


class Seer:
    """A player that looks some turns ahead and then asks a value."""

    def __init__(
        self, start: Situation, seed: int, depth: int = 1, value: str = LEARNED, within: int | None = None,
        with_luck: bool = False,
    ) -> None:  # fmt: skip
        self.start = start
        self.seed = seed
        self.depth = depth
        self.with_luck = with_luck
        self._judge = judge_of(start, Objective(within), value_for(start.position, value))
        self._scratch = new_scratch(max(depth, 2))  # the luck of a draw is found on a level of its own
        self._log = new_log()
        self._state = before_deal(start)
        self.expected = self._expected() if with_luck else nan

    def play(self, first: int, games: int) -> Games:
        """Play so many games, from number `first` on."""
        cards, lucks = np.empty(games, dtype=np.int64), np.zeros(games)
        if self.depth == 1:
            play_deals(
                self._state, self.seed, first, self.with_luck, self.expected, self._judge, self._scratch,
                np.empty((1, MOST_TURNS)), self._log, cards, lucks,
            )  # fmt: skip
        else:
            for number in range(games):
                cards[number], lucks[number] = self._play_deeper(first + number)
        return Games(cards, lucks)

    def record(self, game: int) -> Record:
        """Play one game and write down how it went."""
        self.play(game, 1)
        return record_of(self.start, self.seed, game, moves_of(self._log, self.seed, game))

    def _expected(self) -> float:
        if self._state.owed == 0:
            glance(self._state, self._judge, self._scratch, 0)
            return float(self._scratch.costs[0, NO_DRAW])
        hands = list(hands_of(self.start.deck, HAND_SIZE))
        piles = np.array([pile_of(hand.faces) for hand in hands])
        chances = np.array([hand.chance for hand in hands])
        return float(expected_of(self._state, piles, chances, self._judge, self._scratch))

    def _play_deeper(self, game: int) -> tuple[int, float]:
        """What `simulate.play_on` does in a kernel for one turn ahead; its luck is measured by one turn here, too."""
        judge, scratch, log = self._judge, self._scratch, self._log
        order = cards_of(self._state.deck)
        deal.shuffle(order, self.seed, game)
        after = self._state
        luck = 0.0
        turn = 0
        result = GOES_ON
        while result == GOES_ON:
            state = State(*draw(after, order))
            if self.with_luck:
                glance(state, judge, scratch, 0)
                expected = float(scratch.costs[0, NO_DRAW])
                luck += expected - self.expected if turn == 0 else draw_luck(after, expected, judge, scratch)
            look_ahead(state, self.depth, WIDTHS[self.depth], judge, scratch, 0)
            turn += 1
            face = int(scratch.card[0])
            outcomes = scratch.best_outcomes[0]
            play, rolls = play_of(face, state.a, turn, self.seed, game, judge, scratch)
            if self.with_luck:
                luck += float(outcomes[play] - card_cost(outcomes, plays_of(face, state.a, judge.aim), face))
            after = State(*take_turn(state, play, scratch))
            code = int(scratch.replies[0, scratch.best_chosen[0, play], CODE])
            write_log(log, turn, face, rolls, code)
            result = int(result_of(after, judge.aim))
        return result, luck
