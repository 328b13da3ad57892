"""What lies on the table: the game so far, the card just rolled, and what can be done. Any turn can be taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from solver.errors import Refused
from solver.game import PLAYING, WON, State, draw, replay, situation_of, start_of, turn, unseen
from solver.move import Card, Move
from solver.notation import Record, RecordTurn, print_card, print_cards
from solver.notation.numbers import counted
from solver.play.menu import PIECE, Menu, words_of
from solver.policy.options import Option, options_of
from solver.referee import Referee
from solver.rules import FACES, HAND_SIZE
from solver.search.situation import EVERY_CARD, Situation


class Table:
    """A game in progress. It asks nobody: cards and rolls are told to it."""

    def __init__(self, record: Record) -> None:
        self.record = replace(record, result="")
        self.referee = Referee(record.rules, record.spells)
        self._states = [start_of(record), *(step.after for step in replay(record))]
        self.rolled: Card | None = None  # a die card that was put down, with its rolls so far
        self.new_roll: int | None = None  # what `extra-roll` then brought

    @property
    def state(self) -> State:
        """The game after the last turn."""
        return self._states[-1]

    @property
    def turns(self) -> int:
        """How many turns were played."""
        return len(self.record.turns)

    @property
    def is_over(self) -> bool:
        """Whether the game is won or lost, and nothing is left to be drawn."""
        return self.state.status != PLAYING and not self.state.owed

    @property
    def situation(self) -> Situation:
        """What the player knows."""
        return replace(situation_of(self.record, self.state), rolled=self.rolled, new_roll=self.new_roll)

    @property
    def options(self) -> list[Option]:
        """Everything that can be done now."""
        return options_of(self.referee, self.situation)

    @property
    def menu(self) -> Menu:
        """The same, to be found by card, piece, spell and target; what lies on the table is settled already."""
        options = tuple(self.options)
        return Menu(self.state.position, options, words_of(options[0])[:PIECE] if self.rolled is not None else ())

    def roll(self, option: Option, number: int) -> None:
        """Roll the die as an option has it, or cast `extra-roll`; it brought this number."""
        assert option.is_roll
        assert option.card is not None
        if option.move is not None:
            self.cast_extra_roll(number)
        else:
            self.put_down(Card(option.card.face, (*option.card.rolls, number)))

    def put_down(self, rolled: Card) -> None:
        """Put a die card of the hand on the table, with its rolls so far; or one roll more with the one there."""
        if Card(rolled.face) not in self.state.hand:
            raise Refused(f"'{rolled.face}' is not in the hand ({print_cards(self.state.hand)})")
        if not rolled.has_die or not 1 <= len(rolled.rolls) <= rolled.data.rolls:
            raise Refused(f"'{print_card(rolled)}' is no die card with its rolls so far")
        self.rolled, self.new_roll = rolled, None

    def cast_extra_roll(self, new_roll: int) -> None:
        """Cast `extra-roll` for the card on the table; it brought this number."""
        if not any(option.is_roll and option.move is not None for option in self.options):
            raise Refused("'extra-roll' cannot be cast now")
        self.new_roll = new_roll

    def play(self, move: Move) -> None:
        """Play a turn; what it draws is then owed. Refused if the rules, or a card on the table, do not allow it."""
        lies = self.rolled
        if lies is not None and not self._is_played_by(move):
            more = "" if self.new_roll is None else f" with +extra-roll={self.new_roll}"
            raise Refused(f"'{print_card(lies)}'{more} lies on the table; undo takes it back")
        self._states.append(turn(self.referee, self.state, move))
        self._write((*self.record.turns, RecordTurn(move, (), 0)))
        self.rolled = self.new_roll = None
        if not self.state.owed:
            self.draw(())

    def _is_played_by(self, move: Move) -> bool:
        """Whether a turn plays the card on the table; it may have been rolled again meanwhile."""
        lies, card = self.rolled, move.card
        if lies is None or card is None or card.face != lies.face:
            return False
        if self.new_roll is not None:
            return (card, move.new_roll) == (lies, self.new_roll)
        return card.rolls[: len(lies.rolls)] == lies.rolls

    def draw(self, drawn: tuple[Card, ...]) -> None:
        """Draw the cards owed."""
        if len(drawn) != self.state.owed:
            raise Refused(f"expected {counted(self.state.owed, 'card')}, not {len(drawn)}")
        check_unseen(drawn, unseen(self.record))
        self._states[-1] = draw(self.state, drawn)
        *earlier, last = self.record.turns
        self._write((*earlier, replace(last, drawn=drawn)))

    def undo(self) -> None:
        """Take back the card on the table or, if there is none, the last turn."""
        if self.rolled is not None:
            self.rolled = self.new_roll = None
            return
        if not self.record.turns:
            raise Refused("nothing was played yet")
        self._states.pop()
        self._write(self.record.turns[:-1])

    def _write(self, turns: tuple[RecordTurn, ...]) -> None:
        state = self.state
        result = ""
        if self.is_over:
            result = f"{WON} {state.discards}" if state.status == WON else state.status
        self.record = replace(self.record, turns=turns, result=result)


def check_hand(hand: Sequence[Card]) -> None:
    """Refuse what cannot be the first hand of a game."""
    if len(hand) != HAND_SIZE:
        raise Refused(f"expected {HAND_SIZE} cards such as w3,td2,w1t5, not {len(hand)}")
    check_unseen(hand, EVERY_CARD)


def check_unseen(cards: Sequence[Card], left: Sequence[int]) -> None:
    """Refuse cards of which the deck has no copy left."""
    wanted = Counter(card.face for card in cards)
    for face, copies in zip(FACES, left, strict=True):
        if wanted[face.name] > copies:
            raise Refused(f"the deck has {copies or 'no'} '{face.name}' left")
