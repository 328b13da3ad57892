"""What can be done at one point of a turn, in plain objects: for players that are not kernels."""

from __future__ import annotations

from typing import NamedTuple

from solver.move import Card, Move
from solver.position import Position
from solver.referee import Referee, Turn
from solver.search.situation import Situation


class Option(NamedTuple):
    """A whole turn, or one throw of the die in it."""

    card: Card | None  # None: a refresh
    move: Move | None = None  # None: roll the card, for the first time or again
    after: Position | None = None  # the position that the move leads to; None before a roll

    @property
    def is_roll(self) -> bool:
        """Whether the die is thrown and the turn goes on: a roll that the card allows, or one by `extra-roll`."""
        return self.after is None


def options_of(referee: Referee, situation: Situation) -> list[Option]:
    """Everything that can be done: with any card of the hand, or with the one that lies on the table."""
    rolled = situation.rolled
    if rolled is not None and situation.new_roll is not None:
        return _after_extra_roll(referee, situation.position, rolled, situation.new_roll)
    if rolled is not None:
        return _with_rolled(referee, situation.position, rolled)
    found: list[Option] = []
    for card in dict.fromkeys(situation.hand):
        if card.has_die:
            found.append(Option(card))
        else:
            found += [_option(card, each) for each in referee.legal(situation.position, card) if each.move.card]
    if referee.rules.refresh:
        some = next((card for card in situation.hand if not card.has_die), Card(situation.hand[0].face, (1,)))
        found += [_option(None, each) for each in referee.legal(situation.position, some) if each.move.card is None]
    return found


def _with_rolled(referee: Referee, position: Position, rolled: Card) -> list[Option]:
    turns = [each for each in referee.legal(position, rolled) if each.move.card is not None]
    found = [_option(rolled, each) for each in turns if each.move.new_roll is None]
    if len(rolled.rolls) < rolled.data.rolls:
        found.append(Option(rolled))
    if any(each.move.new_roll is not None for each in turns):
        found.append(Option(rolled, Move(rolled, None, "extra-roll")))
    return found


def _after_extra_roll(referee: Referee, position: Position, rolled: Card, new_roll: int) -> list[Option]:
    """What can be done once `extra-roll` was cast and brought this number."""
    turns = referee.legal(position, rolled)
    return [_option(rolled, each) for each in turns if each.move.new_roll == new_roll]


def _option(card: Card | None, turn: Turn) -> Option:
    return Option(card, turn.move, turn.position)
