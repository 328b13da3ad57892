"""The account of a game: what was expected, and everything that changed it. It must add up, and it says so itself.

result = expected at the start + luck + losses + drift

All in cards of the discard pile at the end, so more is worse: luck above zero is bad luck. *Drift* is what the
evaluator changed its mind by from one look to the next; where it is exact there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from solver.game import LOST, PLAYING, WON, State
from solver.move import Card, Move
from solver.rules import grade
from solver.search.situation import Choice, Situation

DEAL, ROLL, DRAW = "deal", "roll", "draw"  # where luck comes from
DOUBTFUL = 5.0  # cards of drift; more, and the account says little
LEAST_TOLD = 0.005  # cards, or winning chance; less reads as nothing
# Points of winning chance, in hundredths, from which a loss has a name.
LABELS = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))


class Luck(NamedTuple):
    """By how much cards that came, or a roll, changed what was expected."""

    kind: str
    came: tuple[Card, ...]  # the cards drawn, or the card rolled with its rolls so far
    amount: float
    new_roll: int | None = None  # the roll, if `extra-roll` brought it


@dataclass(frozen=True)
class Decision:
    """One choice in a turn: a card, whether to keep a roll, a move."""

    situation: Situation
    best: Choice
    played: Choice
    loss: float  # cards, never less than zero
    points: float  # of winning chance, from 0 to 1
    close: bool  # the difference is within the error of the estimate
    choices: int  # how many there were

    @property
    def label(self) -> str:
        """The name of the loss; none if it is small, or too close to call."""
        if self.close:
            return ""
        return next((name for points, name in LABELS if self.points >= points), "")

    @property
    def second_thought(self) -> float:
        """By how much playing it out changed what was lost."""
        return self.played.value - self.best.value - self.loss

    @property
    def is_fine(self) -> bool:
        """Whether nothing was given away, as far as can be told."""
        return self.close or self.played is self.best or self.loss <= 0


@dataclass(frozen=True)
class TurnAccount:
    """One turn."""

    number: int
    move: Move
    before: Situation
    expected: float  # before the turn, with the hand known
    chance: float  # to be done in time, then
    drift: float  # by how much `expected` differs from what was said after the draw before
    decisions: tuple[Decision, ...]
    rolls: tuple[Luck, ...]
    draw: Luck | None
    exact: bool

    @property
    def loss(self) -> float:
        """The cards given away."""
        return sum(each.loss for each in self.decisions)

    @property
    def points(self) -> float:
        """The winning chance given away."""
        return sum(each.points for each in self.decisions)

    @property
    def luck(self) -> float:
        """What dice and cards did."""
        return sum(each.amount for each in self.rolls) + (self.draw.amount if self.draw else 0.0)

    @property
    def label(self) -> str:
        """The name of the first loss that has one."""
        return next((each.label for each in self.decisions if each.label), "")

    @property
    def is_fine(self) -> bool:
        """Whether every decision was the best one, or too close to call."""
        return all(each.is_fine for each in self.decisions)


@dataclass(frozen=True)
class Account:
    """A whole game."""

    start: Situation  # before the deal
    expected: float  # then
    chance: float
    deal: Luck
    turns: tuple[TurnAccount, ...]
    end: State
    result: float  # the cards, what a lost game counts as, or what is expected if it goes on
    final_chance: float
    last_drift: float
    within: int
    depth: int

    @property
    def luck_of_cards(self) -> float:
        """What the deal and the draws did."""
        return self.deal.amount + sum(turn.draw.amount for turn in self.turns if turn.draw)

    @property
    def luck_of_dice(self) -> float:
        """What the rolls did."""
        return sum(roll.amount for turn in self.turns for roll in turn.rolls)

    @property
    def luck(self) -> float:
        """What all chance did."""
        return self.luck_of_cards + self.luck_of_dice

    @property
    def losses(self) -> float:
        """What play gave away."""
        return sum(turn.loss for turn in self.turns)

    @property
    def drift(self) -> float:
        """By how much the evaluator changed its mind."""
        return sum(turn.drift for turn in self.turns) + self.last_drift

    @property
    def is_doubtful(self) -> bool:
        """Whether the evaluator knew little of the game, as of one that was thrown away."""
        return abs(self.drift) >= DOUBTFUL

    @property
    def status(self) -> str:
        """Won, lost or still being played."""
        return self.end.status

    @property
    def grade(self) -> str:
        """The rulebook's word for the result; '' while the game goes on."""
        if self.status == PLAYING:
            return ""
        return grade(self.end.discards if self.status == WON else None)

    @property
    def is_lost(self) -> bool:
        """Whether the game was lost."""
        return self.status == LOST

    @property
    def fine(self) -> int:
        """The turns that gave nothing away, as far as can be told."""
        return sum(turn.is_fine for turn in self.turns)

    @property
    def accuracy(self) -> float:
        """Their share."""
        return self.fine / len(self.turns) if self.turns else 1.0
