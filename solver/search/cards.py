"""Known cards: every hand that can be held, and what each card of it does.

Where all cards are known, what is in the hand and how many were drawn is a small state of its own, beside the
position. It even tells how many cards lie in the discard pile, so all lines to one state have cost the same. Such
states are numbered as they turn up; for each turn, kernels get a table of what can be played from each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver import deal
from solver.errors import Refused
from solver.jit import IntArray
from solver.layout import NIBBLE
from solver.move import Card, Move
from solver.notation import print_card
from solver.referee import Steps, card_steps
from solver.rules import DECK_SIZE, DRAW_TWO_CARDS, FACES, HAND_SIZE, MAX_WIZARDS, SPACES

NEVER = 99  # more cards than there are
DEAD = -1  # a state that cannot go on: the draw pile ran out in a game that is lost by that


@dataclass(frozen=True)
class Deal:
    """A whole game's luck: the deck's order is the draw pile's, and the rolls of a turn do not depend on the card."""

    seed: int
    game: int = 0

    def deck(self) -> tuple[Card, ...]:
        """The cards, the first to be dealt first."""
        return tuple(Card(FACES[number].name) for number in deal.deck(self.seed, self.game).tolist())

    def rolls(self, turn: int, count: int) -> tuple[int, ...]:
        """The first rolls of a turn."""
        return tuple(int(deal.roll(self.seed, self.game, turn, number)) for number in range(count))


class Hand(NamedTuple):
    """The cards held, in a fixed order, and how many were drawn so far."""

    cards: tuple[Card, ...]
    drawn: int


class Option(NamedTuple):
    """A way to play a card of the hand: with which rolls, and what the card then moves."""

    held: Card
    card: Card  # as it is written in the move, with the rolls taken
    new_roll: int | None
    steps: Steps


# Columns of `CardTable.options`
(
    WIZARD,  # how far it moves a wizard
    TOWER,  # and a tower
    EXTRA,  # 1: by casting extra-roll
    NUMBER,  # which option of its hand it is
    PILE,  # cards in the discard pile before it
    HELD,  # cards in the hand before it, all of which a refresh discards
    NEXT,  # the hand after it
    NEXT_RETRIEVED,  # after it with retrieve-card
    NEXT_DRAWN,  # after it with draw-two
    NEXT_REFRESHED,  # after a refresh instead; a hand's first option has it, the others DEAD
) = range(10)
OPTION_COLUMNS = NEXT_REFRESHED + 1

# Columns of `CardTable.hands`
DISCARDED = 0  # cards in the discard pile
REACH = 1  # mask, seen from the keep, of the spaces from which a card of the hand enters it
NEED_WIZARD = 2  # + k: the fewest cards after which k that can move a wizard may have been played
NEED_TOWER = NEED_WIZARD + MAX_WIZARDS + 1  # + k: the same for towers
HAND_COLUMNS = NEED_TOWER + MAX_WIZARDS + 1


class CardTable(NamedTuple):
    """What can be played in one turn; for kernels. (Few arrays: each costs time when kernels hand it on.)"""

    first: IntArray  # the options of hand h are the rows first[h] to first[h + 1] of `options`
    options: IntArray
    hands: IntArray  # of the hands after this turn, REACH and NEED too; a column is 0 where it says nothing


class Cards:
    """All states of hands that a hand and a draw pile can lead to, found turn by turn."""

    def __init__(self, hand: Sequence[Card], draw: Sequence[Card], spells: Collection[str], refresh: bool) -> None:
        _check(hand, draw)
        self.draw = tuple(draw)
        self.luck: Deal | None = None
        self.dealt = len(hand)
        self.spells = frozenset(spells)
        self.refresh = refresh
        self.states: list[Hand] = [Hand(_ordered(hand), 0)]
        self.numbers: dict[Hand, int] = {self.states[0]: 0}
        self.met = {0}  # the states that can be met in the turn whose table is made next
        self.options: list[list[Option]] = []  # of each turn, by row of its table
        self.tables: list[CardTable] = []

    @classmethod
    def of_deal(cls, luck: Deal, spells: Collection[str], refresh: bool) -> Cards:
        """The cards of a whole game; there, an empty draw pile loses."""
        deck = luck.deck()
        cards = cls(deck[:HAND_SIZE], deck[HAND_SIZE:], spells, refresh)
        cards.luck = luck
        return cards

    @property
    def total(self) -> int:
        """All the cards there are."""
        return self.dealt + len(self.draw)

    def table(self, turn: int) -> CardTable:
        """The table of a turn, from 1; tables are made in order."""
        while len(self.tables) < turn:
            self._make_table(len(self.tables) + 1)
        return self.tables[turn - 1]

    def option(self, turn: int, hand: int, number: int) -> Option:
        """What an option of a hand in a turn stands for."""
        return self.options[turn - 1][int(self.tables[turn - 1].first[hand]) + number]

    def _make_table(self, turn: int) -> None:
        options: list[Option] = []
        rows: list[list[int]] = []
        starts: dict[int, int] = {}  # of each hand that can be met in this turn, its first row
        following: set[int] = set()
        for number in sorted(self.met):
            state = self.states[number]
            starts[number] = len(rows)
            for option in self.options_of(state, turn):
                after = [self._number(self._played(state, option.held, None)), DEAD, DEAD, DEAD]
                if "retrieve-card" in self.spells:
                    after[1] = self._number(self._played(state, option.held, "retrieve-card"))
                if "draw-two" in self.spells:
                    after[2] = self._number(self._played(state, option.held, "draw-two"))
                if self.refresh and len(rows) == starts[number]:
                    after[3] = self._number(self._played(state, None, None))
                extra = option.new_roll is not None
                number_here = len(rows) - starts[number]
                rows.append([*option.steps, extra, number_here, self.discards(state), len(state.cards), *after])
                options.append(option)
                following.update(after)
        self.met = following - {DEAD}
        first: list[int] = []
        for number in range(len(self.states), -1, -1):  # a hand not met has no rows: it ends where it begins
            first.append(starts.get(number, first[-1] if first else len(rows)))
        hands = np.zeros((len(self.states), HAND_COLUMNS), dtype=np.int64)
        hands[:, DISCARDED] = [self.discards(state) for state in self.states]
        if self.cards_decide:
            for number in self.met:
                hands[number, REACH] = self._reach(self.states[number], turn + 1)
                hands[number, NEED_WIZARD:] = self._needs(self.states[number])
        self.options.append(options)
        table = np.array(rows, dtype=np.int64).reshape(-1, OPTION_COLUMNS)
        self.tables.append(CardTable(np.array(first[::-1], dtype=np.int64), table, hands))

    @property
    def cards_decide(self) -> bool:
        """Whether a turn is a card that does what its face says, so that `hands` can say what it needs."""
        return not self.spells and not self.refresh

    def discards(self, state: Hand) -> int:
        """The cards in the discard pile when this hand is held."""
        return self.dealt + state.drawn - len(state.cards)

    def options_of(self, state: Hand, turn: int) -> Iterator[Option]:
        """Every way to play a card of a hand in a turn."""
        for card in dict.fromkeys(state.cards):
            if not card.has_die:
                yield Option(card, card, None, card_steps(card))
                continue
            most = card.data.rolls
            rolls = card.rolls if self.luck is None else self.luck.rolls(turn, most + 1)
            for taken in range(1, min(most, len(rolls)) + 1):
                shown = Card(card.face, rolls[:taken])
                yield Option(card, shown, None, card_steps(card, rolls[taken - 1]))
                if "extra-roll" in self.spells and taken < len(rolls):
                    yield Option(card, shown, rolls[taken], card_steps(card, rolls[taken]))

    def after(self, turn: int, state: Hand, move: Move) -> Hand | None:
        """The hand after a move; None if the hand does not allow it, or the game is lost by it."""
        if move.card is None:
            return self._played(state, None, move.spell) if self.refresh and state.cards else None
        for option in self.options_of(state, turn):
            if option.card == move.card and option.new_roll == move.new_roll:
                return self._played(state, option.held, move.spell)
        return None

    def _played(self, state: Hand, held: Card | None, spell: str | None) -> Hand | None:
        """The hand after a turn with a card, or a refresh (None), and its draw; None if that loses the game."""
        rest = list(state.cards)
        if held is None:
            rest = []
        elif spell != "retrieve-card":
            rest.remove(held)
        by_spell = DRAW_TWO_CARDS if spell == "draw-two" else 0
        wanted = by_spell + max(0, HAND_SIZE - len(rest) - by_spell)
        upto = min(state.drawn + wanted, len(self.draw))
        if self.luck is not None and upto == len(self.draw):
            return None
        return Hand(_ordered((*rest, *self.draw[state.drawn : upto])), upto)

    def _number(self, state: Hand | None) -> int:
        if state is None:
            return DEAD
        if state not in self.numbers:
            self.numbers[state] = len(self.states)
            self.states.append(state)
        return self.numbers[state]

    def _needs(self, state: Hand) -> list[int]:
        """The fewest plays after which k cards with a wizard's (a tower's) side may have been played."""
        # play number r (from 1) chooses from the hand, which holds at least three once refilled, and r - 1 more
        at_first = max(HAND_SIZE, len(state.cards))
        needs: list[int] = []
        for side in ("wizard", "tower"):
            need = [0]
            for place, card in enumerate((*state.cards, *self.draw[state.drawn :])):
                if getattr(card.data, side) != 0 and len(need) <= MAX_WIZARDS:
                    need.append(max(need[-1] + 1, place - at_first + 2))
            needs += need + [NEVER] * (MAX_WIZARDS + 1 - len(need))
        return needs

    def _reach(self, state: Hand, turn: int) -> int:
        wizards = {option.steps.wizard for option in self.options_of(state, turn)} - {0}
        return sum(1 << (NIBBLE * (SPACES - steps)) for steps in wizards)


def _ordered(cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards))


def _check(hand: Sequence[Card], draw: Sequence[Card]) -> None:
    if not hand:
        raise Refused("the hand is empty; expected cards such as 'w3,w1t5'")
    if len(hand) + len(draw) > DECK_SIZE:
        raise Refused(f"hand and draw have {len(hand) + len(draw)} cards, and the deck {DECK_SIZE}")


def check_rolls(cards: Sequence[Card]) -> None:
    """Refuse die cards that do not name their rolls, and two that a written line could not tell apart."""
    first_rolls: dict[Card, Card] = {}
    for card in cards:
        if not card.has_die:
            continue
        if not card.rolls:
            raise Refused(f"'{card.face}' needs its rolls named, such as '{card.face}=4'")
        begun = Card(card.face, card.rolls[:1])
        if first_rolls.setdefault(begun, card) != card:
            both = f"'{print_card(first_rolls[begun])}' and '{print_card(card)}'"
            raise Refused(f"{both} begin alike, so a line could not tell which was played")
