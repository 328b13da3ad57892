"""Players: what decides every turn of a game, by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.errors import Refused
from solver.jit import IntArray
from solver.layout import pack
from solver.position import Position
from solver.rules import RULEBOOK, Rules
from solver.search.lookahead import Width
from solver.search.outset import judge_of
from solver.search.replies import new_scratch
from solver.search.simulate import MOST_TURNS, play_deal, play_deals
from solver.search.situation import EVERY_CARD, HAND, LEARNED, MOST_DEPTH, Objective, Situation
from solver.value.weights import SOLO, SPELLS, Value, hand_made, shipped

# How wide the tree is by its depth: at the last turns nothing is left out.
WIDTHS = {1: Width(1, 0.0), 2: Width(6, 1.5), 3: Width(3, 0.8), 4: Width(2, 0.5)}
FEWEST = Objective()


@dataclass(frozen=True)
class Policy:
    """A player that looks some turns ahead."""

    depth: int = 1
    value: str = LEARNED

    def __str__(self) -> str:
        if self.depth == 1 and self.value == LEARNED:
            return LEARNED
        return f"expectimax:depth={self.depth}" + (f",value={self.value}" if self.value != LEARNED else "")

    def play(
        self, position: Position, seed: int, first: int, games: int, spells: tuple[str, ...] = (),
        rules: Rules = RULEBOOK, objective: Objective = FEWEST,
    ) -> IntArray:  # fmt: skip
        """Deal and play games from a position: the cards that each took, or simulate.LOST."""
        situation = Situation(position, (), EVERY_CARD, 0, spells, rules)
        judge = judge_of(situation, objective, value_for(position, self.value))
        scratch = new_scratch(self.depth)
        packed = pack(position)
        cards = np.empty(games, dtype=np.int64)
        if self.depth == 1:
            play_deals(*packed, seed, first, judge, scratch, np.empty((1, MOST_TURNS)), cards)
        else:
            width = WIDTHS[self.depth]
            for game in range(games):
                cards[game] = play_deal(packed, seed, first + game, self.depth, width, judge, scratch)
        return cards


def value_for(position: Position, name: str = LEARNED) -> Value:
    """The value that fits a position."""
    if name == HAND:
        return hand_made()
    if name != LEARNED:
        raise Refused(f"expected {LEARNED} or {HAND} as the value, not '{name}'")
    return shipped(SOLO if position.bottles is None else SPELLS)


def parse_policy(text: str) -> Policy:
    """`learned`, or `expectimax:depth=2`, with `,value=hand` for the hand-made value."""
    name, _, options = text.strip().partition(":")
    if name == LEARNED and not options:
        return Policy()
    depth, value = 2, LEARNED
    if name != "expectimax":
        raise Refused(f"expected 'learned' or 'expectimax:depth=N' as the policy, not '{text}'")
    for option in filter(None, options.split(",")):
        key, _, given = option.partition("=")
        if key == "depth" and given.isdecimal() and 1 <= int(given) <= MOST_DEPTH:
            depth = int(given)
        elif key == "value" and given in (LEARNED, HAND):
            value = given
        else:
            raise Refused(f"policy: expected depth=1 to {MOST_DEPTH} or value={LEARNED} or {HAND}, not '{option}'")
    return Policy(depth, value)
