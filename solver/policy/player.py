"""What every player can do: play dealt games, and tell how one of them went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb, prod
from typing import NamedTuple, Protocol

import numpy as np

from solver import deal
from solver.engine.code import SPELL, decode
from solver.game import PLAYING, WON, State, draw, turn
from solver.jit import FloatArray, IntArray
from solver.layout import get
from solver.move import Card, Move
from solver.notation import Record
from solver.notation.records import RecordTurn
from solver.referee import Referee
from solver.rules import EXTRA_ROLL, FACES, HAND_SIZE
from solver.search.outlook import REFRESHING
from solver.search.outset import state_of
from solver.search.simulate import LOG_CODE, LOG_FACE, LOG_ROLLS, OVER, cards_of
from solver.search.situation import Situation


class Games(NamedTuple):
    """Games played one after the other: the cards that each took, or LOST or UNDECIDED; and the luck of each."""

    cards: IntArray
    lucks: FloatArray  # in cards; nothing but zeros where it was not asked for


class Player(Protocol):
    """Plays the games of one seed from one start."""

    expected: float  # cards, before anything was dealt; what luck is measured from (NaN if it is not)

    def play(self, first: int, games: int) -> Games:
        """Play so many games, from number `first` on."""

    def record(self, game: int) -> Record:
        """Play one game and write down how it went."""


class Hand(NamedTuple):
    """A hand that may be drawn first, as numbers of faces, and how likely it is."""

    faces: tuple[int, ...]
    chance: float


def hands_of(deck: tuple[int, ...], cards: int) -> Iterator[Hand]:
    """Every hand of so many cards that can be drawn from a deck, given as the number of copies of each face."""
    total = comb(sum(deck), cards)
    for faces in combinations_with_replacement(range(len(deck)), cards):
        ways = prod(comb(deck[face], faces.count(face)) for face in set(faces))
        if ways:
            yield Hand(faces, ways / total)


def order_of(start: Situation, seed: int, game: int) -> tuple[Card, ...]:
    """The cards of a game in the order they are drawn in, the first hand included if it is not known."""
    order = cards_of(state_of(start).deck)
    deal.shuffle(order, seed, game)
    return tuple(Card(FACES[face].name) for face in order.tolist())


def opening(start: Situation, order: tuple[Card, ...]) -> State:
    """The game before its first turn, with the cards in this order."""
    hand = start.hand or order[:HAND_SIZE]
    return State(start.position, hand, len(order) - (0 if start.hand else HAND_SIZE), start.played)


def draw_from(state: State, order: tuple[Card, ...]) -> tuple[State, tuple[Card, ...]]:
    """The game after the cards owed were drawn; and these cards. The draw pile is the last cards of the order."""
    at = len(order) - state.pile
    drawn = order[at : at + state.owed]
    return draw(state, drawn), drawn


def record_of(start: Situation, seed: int, game: int, moves: Sequence[Move]) -> Record:
    """The record of a game from its moves."""
    referee = Referee(start.rules, start.spells)
    order = order_of(start, seed, game)
    state = opening(start, order)
    hand = state.hand
    turns: list[RecordTurn] = []
    for move in moves:
        state, drawn = draw_from(turn(referee, state, move), order)
        turns.append(RecordTurn(move, drawn, 0))
    result = f"{WON} {state.discards}" if state.status == WON else "" if state.status == PLAYING else state.status
    return Record(start.position, hand, tuple(turns), start.spells, start.rules, result)


def moves_of(log: IntArray, seed: int, game: int) -> list[Move]:
    """The moves that a log of `search.simulate` stands for."""
    rows = log[: int(np.argmax(log[:, LOG_FACE] == OVER))]
    return [_move_of(row, seed, game, number) for number, row in enumerate(rows.tolist(), start=1)]


def _move_of(row: list[int], seed: int, game: int, number: int) -> Move:
    face, rolls, code = row[LOG_FACE], row[LOG_ROLLS], row[LOG_CODE]
    if face == REFRESHING:
        return decode(code, Card(FACES[0].name))  # no card is played, so it does not matter which
    thrown = tuple(int(deal.roll(seed, game, number, each)) for each in range(rolls))
    new_roll = int(deal.roll(seed, game, number, rolls)) if get(code, SPELL) == EXTRA_ROLL else None
    return decode(code, Card(FACES[face].name, thrown), new_roll)
