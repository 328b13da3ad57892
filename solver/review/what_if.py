"""Another move in a turn of a game: both played to the end many times, with the same luck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from typing import NamedTuple

import numpy as np

from solver.advice.estimate import Estimate
from solver.advice.words import choice_text
from solver.errors import Refused
from solver.game import replay, situation_of, start_of
from solver.jit import FloatArray
from solver.move import Card, Move
from solver.notation import Record, parse_card, parse_move, print_cards
from solver.referee import Referee
from solver.review.evaluator import USUAL, Standard
from solver.search.outset import value_for
from solver.search.situation import Choice, Objective, Situation

USUAL_GAMES = 1000
CHUNK = 100  # games between two looks at Ctrl-C

Tick = Callable[[int], None]


class Average(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float


@dataclass(frozen=True)
class Side:
    """What a move came to."""

    name: str
    with_any_cards: Average  # whatever comes, with the luck taken off
    in_time: float  # the share of these games that were done in time
    with_these_cards: Average  # the cards of the record come first, in their order
    in_time_with_these: float


@dataclass(frozen=True)
class Comparison:
    """The move that was played and another one."""

    situation: Situation
    turn: int
    known: tuple[Card, ...]  # the cards that came after the turn
    played: Side
    instead: Side
    difference: Average  # of the other move to the one played, over the same luck; below zero: it is better
    difference_with_these: Average
    games: int
    within: int


def parse_instead(text: str) -> Card | Move:
    """A whole turn, or a die card alone, which is then rolled in every game."""
    if " " not in text.strip() and text.strip().lower() != "refresh":
        card = parse_card(text)
        if not card.has_die:
            raise Refused(f"'{text.strip()}' does not say what it moves; expected a turn such as '{card.face} W5'")
        if not card.rolls:
            return card
    return parse_move(text)


def what_if(
    record: Record,
    number: int,
    instead: Card | Move,
    games: int = USUAL_GAMES,
    standard: Standard = USUAL,
    tick: Tick | None = None,
) -> Comparison:
    """Play on from a turn (from 1) with the move that was played, and with another one."""
    situation = _before(record, number)
    played = record.turns[number - 1].move
    _check(situation, instead)
    known = tuple(card for turn in record.turns[number - 1 :] for card in turn.drawn)
    (name, any_cards, these), (other, other_any, other_these) = (
        _play_on(situation, each, known, games, standard, tick) for each in (played, instead)
    )

    def side(text: str, free: _Games, fixed: _Games) -> Side:
        return Side(text, _average(free.costs), free.in_time, _average(fixed.costs), fixed.in_time)

    return Comparison(
        situation, number, known, side(name, any_cards, these), side(other, other_any, other_these),
        _average(other_any.costs - any_cards.costs), _average(other_these.costs - these.costs), games, standard.within,
    )  # fmt: skip


class _Games(NamedTuple):
    costs: FloatArray
    in_time: float


def _before(record: Record, number: int) -> Situation:
    """What was known before a turn."""
    steps = list(replay(record))
    if not steps:
        raise Refused("no turn was played yet")
    if not 1 <= number <= len(steps):
        raise Refused(f"expected the number of a turn from 1 to {len(steps)}, not {number}")
    state = start_of(record) if number == 1 else steps[number - 2].after
    return situation_of(record, state, number - 1)


def _check(situation: Situation, instead: Card | Move) -> None:
    """Refuse a move that could not have been made."""
    card = instead if isinstance(instead, Card) else instead.card
    if card is not None and Card(card.face) not in situation.hand:
        raise Refused(f"'{card.face}' was not in the hand ({print_cards(situation.hand)})")
    if isinstance(instead, Move):
        Referee(situation.rules, situation.spells).play(situation.position, instead)


def _play_on(
    situation: Situation, chosen: Card | Move, known: tuple[Card, ...], games: int, standard: Standard,
    tick: Tick | None,
) -> tuple[str, _Games, _Games]:  # fmt: skip
    """The name of a choice, and games with any cards and with those that came."""
    if isinstance(chosen, Card):
        choice = Choice(0.0, chosen)
    else:
        choice = Choice(0.0, chosen.card, chosen)
        if chosen.card is not None and chosen.card.rolls:
            situation = replace(situation, rolled=chosen.card, new_roll=chosen.new_roll)
    objective = Objective(loss_cards=standard.loss_cards)
    estimate = Estimate(situation, objective, value_for(situation.position, standard.value))
    found = []
    for come in ((), known):
        costs, cards = [], []
        for first in range(0, games, CHUNK):
            part = estimate.rollouts(choice, 0, first, min(CHUNK, games - first), come)
            costs.append(part.costs)
            cards.append(part.cards)
            if tick is not None:
                tick(len(part.costs))
        ends = np.concatenate(cards)
        in_time = float(np.mean((ends > 0) & (ends <= standard.within)))
        found.append(_Games(np.concatenate(costs), in_time))
    free, fixed = found
    return choice_text(choice), free, fixed


def _average(numbers: FloatArray) -> Average:
    spread = float(np.std(numbers, ddof=1)) if len(numbers) > 1 else float("inf")
    return Average(float(np.mean(numbers)), spread / sqrt(len(numbers)))

