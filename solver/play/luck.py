"""Where the cards and rolls of a game come from: dealt by the program from a seed, or told by the player."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from solver import deal
from solver.errors import Refused
from solver.move import Card
from solver.notation import Record, print_cards
from solver.notation.deals import print_deal
from solver.policy.player import order_of
from solver.rules import FACE_NUMBER
from solver.search.situation import EVERY_CARD, Situation

MOST_RANDOM = 1_000_000  # of a seed that was not asked for: short enough to be told to a friend


@dataclass(frozen=True)
class Told:
    """The cards and the die are on the player's own table."""

    def __str__(self) -> str:
        return "cards and die on the table"


@dataclass(frozen=True)
class Dealt:
    """The program deals, as `simulate` deals the same game; where it took over later, after the cards known then."""

    seed: int
    game: int = 0
    after: tuple[Card, ...] = ()

    @classmethod
    def anew(cls, after: tuple[Card, ...] = ()) -> Dealt:
        """Any deal."""
        return cls(secrets.randbelow(MOST_RANDOM), 0, after)

    def __str__(self) -> str:
        later = f" after {print_cards(self.after)}" if self.after else ""
        return f"deal {print_deal(self.seed, self.game)}{later}"

    def deck(self, record: Record) -> tuple[Card, ...]:
        """All cards of a game in their order, the hand first."""
        left = list(EVERY_CARD)
        for card in self.after:
            left[FACE_NUMBER[card.face]] -= 1
        return (*self.after, *order_of(Situation(record.position, (), tuple(left)), self.seed, self.game))

    def next_cards(self, record: Record, number: int) -> tuple[Card, ...]:
        """The next cards to be drawn."""
        begin = len(cards_of(record))
        return self.deck(record)[begin : begin + number]

    def roll(self, turn: int, number: int) -> int:
        """A roll (from 0) of a turn (from 1)."""
        return int(deal.roll(self.seed, self.game, turn, number))

    def check(self, record: Record) -> None:
        """Refuse a record with other cards than are dealt here."""
        drawn = cards_of(record)
        if self.deck(record)[: len(drawn)] != drawn:
            raise Refused(f"the cards of this record are not those of {self}; without that line the rest is dealt anew")


Luck = Told | Dealt


def cards_of(record: Record) -> tuple[Card, ...]:
    """The cards of a record in the order they were drawn in, the hand first."""
    return (*record.hand, *(card for turn in record.turns for card in turn.drawn))
