"""A turn to be decided while the deck's order and the die are unknown, and what the choices are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from solver.goal import Goal
from solver.move import Card, Move, Piece
from solver.position import Position
from solver.rules import DECK_SIZE, FACES, RULEBOOK, Rules

LEARNED, HAND = VALUES = ("learned", "hand")  # what can judge positions where the tree ends
MOST_DEPTH = 4  # turns that can be looked ahead
EVERY_CARD = tuple(face.copies for face in FACES)  # the deck before anything is dealt
LOSS_CARDS = DECK_SIZE  # what a lost game counts as, unless said otherwise


class Objective(NamedTuple):
    """What the player wants: the fewest cards on average, or to be done within so many, most probably."""

    within: int | None = None  # None: the fewest cards
    loss_cards: int = LOSS_CARDS


@dataclass(frozen=True)
class Situation:
    """All that the player knows before a turn."""

    position: Position
    hand: tuple[Card, ...]  # faces; rolls only for `rolled`
    deck: tuple[int, ...]  # how many of each face of rules.FACES are still to be drawn, in an unknown order
    played: int = 0  # cards in the discard pile
    spells: tuple[str, ...] = ()
    rules: Rules = RULEBOOK
    goal: Goal | None = None  # None: the game's own
    rolled: Card | None = None  # a die card of the hand that lies on the table already, with its rolls so far
    new_roll: int | None = None  # what the spell `extra-roll` has just brought it


class Plan(NamedTuple):
    """How to play a die card: which rolls to keep, and the best move for each."""

    keep: tuple[tuple[int, ...], ...]  # the rolls to keep when 1, 2, ... rolls were made; after the last one all are
    # The best move for each roll that is kept, by the roll, written as if no other had come before it. A move with the
    # spell `extra-roll` and no new roll: cast it, and then look here for the best piece to move, by the new roll.
    replies: Mapping[int, Move]
    after_extra_roll: Mapping[int, Piece | None] = {}


@dataclass(frozen=True)
class Choice:
    """One way to take the turn."""

    value: float  # cards in the discard pile at the end on average, or the probability
    card: Card | None  # None: a refresh
    # None for a die card not rolled yet, and for rolling again; to cast `extra-roll` is a move without its new roll
    move: Move | None = None
    plan: Plan | None = None
    error: float = 0.0  # of an estimate: one standard error of its distance to the best choice
    close: bool = False  # not the best, but too close to it to call
    odds: tuple[float, ...] = ()  # the chance of each grade of rules.GRADES, if known


@dataclass(frozen=True)
class Advice:
    """What to do, and how that was found out."""

    choices: tuple[Choice, ...]  # the best first
    exact: bool  # whether the values are exact
    depth: int  # turns looked ahead; 0 if exact
    positions: int  # looked at
    rollouts: int  # games played to the end from each of the closest choices
