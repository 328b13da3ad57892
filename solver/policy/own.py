"""Players of the user's own: a Python class named `module:Class`, which is asked at every choice."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import Any, Protocol, SupportsFloat

import numpy as np

from solver import deal
from solver.errors import Refused
from solver.game import PLAYING, WON, turn
from solver.move import Card, Move
from solver.notation import Record
from solver.notation.numbers import printable
from solver.policy.names import PolicyName
from solver.policy.options import Option, options_of
from solver.policy.player import Games, draw_from, hands_of, opening, order_of, record_of
from solver.referee import Referee
from solver.rules import DIE_SIDES, FACE_NUMBER, FACES, HAND_SIZE
from solver.search.simulate import LOST, UNDECIDED
from solver.search.situation import Situation

MOST_EXPECTED = 1000  # cards, also below 0; the luck of a game, a sum of some hundred of them, has 6 digits at the most
LONGEST_FAULT = 300  # characters of an exception in a message
MOST_TOGETHER = 2  # cards drawn at once in mid-game, whose luck is measured; more have too many ways to come
_ANYTHING = (Exception, SystemExit)  # a user's code can raise


class Policy(Protocol):
    """What a class must have. It may also have `value(situation) -> float`: the cards at the end, as it expects.

    Then luck can be taken off. `value` is asked before choices, with the cards in the hand known.
    """

    def choose(self, situation: Situation, options: Sequence[Option]) -> Option | None:
        """One of the options; None gives the game up, which leaves it undecided."""


def _fault(what: str, problem: BaseException) -> Refused:
    """What the user's code raised as one sentence."""
    if isinstance(problem, Refused):
        return problem
    raised = " ".join("".join(traceback.format_exception_only(problem)).split())
    return Refused(f"{what}: {printable(raised, LONGEST_FAULT)}")


def load(name: PolicyName) -> Policy:
    """An instance of the class that was named."""
    module_name, _, class_name = name.name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:  # as for `python -m`: modules are looked for in the folder one works in, too
        sys.path.insert(0, here)
    try:
        found: Any = getattr(importlib.import_module(module_name), class_name)
        if not inspect.isclass(found):
            raise TypeError(f"{class_name} is no class")
        policy: Any = found(**dict(name.options))
        if not callable(getattr(policy, "choose", None)):
            raise TypeError(f"{class_name} has no method 'choose(situation, options)'")
    except _ANYTHING as problem:
        raise _fault(f"cannot use the policy '{name}'", problem) from None
    return policy  # type: ignore[no-any-return]


def source_digest(policy: Policy) -> str:
    """A short name for the text of the module that a policy comes from."""
    source = inspect.getsource(sys.modules[type(policy).__module__])
    return hashlib.sha256(source.encode()).hexdigest()[:12]


class OwnPlayer:
    """Plays by asking a policy."""

    def __init__(self, name: PolicyName, start: Situation, seed: int, with_luck: bool = False) -> None:
        self.name = name
        self.start = start
        self.seed = seed
        self._policy = load(name)
        self._referee = Referee(start.rules, start.spells)
        self._value: Callable[[Situation], object] | None = None
        self.expected = nan
        if with_luck:
            try:
                self._value = getattr(self._policy, "value", None)
                if not callable(self._value):
                    raise Refused(f"luck cannot be taken off with '{name}': it has no method 'value(situation)'")
                self.expected = self._before_draw(start, start.hand, 0 if start.hand else HAND_SIZE)
            except _ANYTHING as problem:
                raise _fault(f"the policy '{name}' failed before the first game", problem) from None

    def play(self, first: int, games: int) -> Games:
        """Play so many games, from number `first` on."""
        played = [self._play(first + number) for number in range(games)]
        return Games(np.array([each.cards for each in played]), np.array([each.luck for each in played]))

    def record(self, game: int) -> Record:
        """Play one game and write down how it went."""
        return record_of(self.start, self.seed, game, self._play(game).moves)

    def _play(self, game: int) -> _Sitting:
        sitting = _Sitting(self, game)
        try:
            sitting.play()
        except _ANYTHING as problem:
            where = f"game {game} of seed {self.seed}, turn {len(sitting.moves) + 1}"
            raise _fault(f"the policy '{self.name}' failed in {where}", problem) from None
        return sitting

    def _worth(self, situation: Situation) -> float:
        """What the policy expects; refused if it is no number of cards, which no file could hold."""
        assert self._value is not None
        found = self._value(situation)
        number = float(found) if isinstance(found, SupportsFloat) else nan
        if not abs(number) <= MOST_EXPECTED:
            raise ValueError(f"value() returned {found!r:.40}, no number from {-MOST_EXPECTED} to {MOST_EXPECTED}")
        return number

    def _before_draw(self, situation: Situation, kept: tuple[Card, ...], owed: int) -> float:
        """What is expected before so many cards are drawn."""
        total = 0.0
        for hand in hands_of(situation.deck, owed):
            drawn = tuple(Card(FACES[face].name) for face in hand.faces)
            total += hand.chance * self._worth(with_cards(situation, kept, drawn))
        return total


def with_cards(situation: Situation, kept: tuple[Card, ...], drawn: tuple[Card, ...]) -> Situation:
    """The situation after cards were drawn from its deck."""
    deck = list(situation.deck)
    for card in drawn:
        deck[FACE_NUMBER[card.face]] -= 1
    return replace(situation, hand=(*kept, *drawn), deck=tuple(deck), rolled=None, new_roll=None)


class _Sitting:
    """One game: its moves, and what became of it."""

    def __init__(self, player: OwnPlayer, game: int) -> None:
        self.player = player
        self.game = game
        self.moves: list[Move] = []
        self.cards = UNDECIDED
        self.luck = 0.0

    def play(self) -> None:
        """Play to the end."""
        player = self.player
        order = order_of(player.start, player.seed, self.game)
        state = opening(player.start, order)
        situation = with_cards(player.start, (), state.hand) if not player.start.hand else player.start
        self._note(player.expected, situation)
        while state.status == PLAYING:
            move = self._turn(situation)
            if move is None:
                return
            after = turn(player._referee, state, move)
            state, drawn = draw_from(after, order)
            self.moves.append(move)
            before = replace(situation, position=state.position, played=state.discards, rolled=None, new_roll=None)
            situation = with_cards(before, after.hand, drawn)
            if player._value is not None and state.status == PLAYING and 0 < after.owed <= MOST_TOGETHER:
                self._note(player._before_draw(before, after.hand, after.owed), situation)
        self.cards = state.discards if state.status == WON else LOST

    def _note(self, expected: float, situation: Situation) -> None:
        """Add to the luck by how much something changed what was expected."""
        if self.player._value is not None:
            self.luck += self.player._worth(situation) - expected

    def _turn(self, situation: Situation) -> Move | None:
        """A whole turn; None if the policy gives up."""
        referee = self.player._referee
        number = 0  # of the next roll
        options = options_of(referee, situation)
        while True:
            chosen = self.player._policy.choose(situation, options)
            if chosen is None:
                return None
            if chosen not in options:
                raise ValueError(f"choose() returned what is none of the options: {chosen!r}")
            if not chosen.is_roll:
                return chosen.move
            card = chosen.card
            assert card is not None, "a refresh has no roll"
            roll = int(deal.roll(self.player.seed, self.game, len(self.moves) + 1, number))
            number += 1
            if chosen.move is not None:
                situation = replace(situation, new_roll=roll)
                options = options_of(referee, situation)
                continue
            before = situation
            situation = replace(before, rolled=Card(card.face, (*card.rolls, roll)))
            if self.player._value is not None:
                self._note(self._before_roll(before, card), situation)
            options = options_of(referee, situation)

    def _before_roll(self, situation: Situation, card: Card) -> float:
        rolled = [Card(card.face, (*card.rolls, side)) for side in range(1, DIE_SIDES + 1)]
        return sum(self.player._worth(replace(situation, rolled=each)) for each in rolled) / DIE_SIDES
