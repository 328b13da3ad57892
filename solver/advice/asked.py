"""What a player says of the cards when asking for advice: read together, with a sentence about what cannot be."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from solver.errors import Refused
from solver.move import Card
from solver.notation import print_cards
from solver.rules import DECK_SIZE, FACES


@dataclass(frozen=True)
class KnownCards:
    """The cards as they were named."""

    hand: tuple[Card, ...]
    seen: tuple[Card, ...] | None
    deck: tuple[Card, ...] | None
    played: int
    rolled: Card | None

    @property
    def left(self) -> tuple[int, ...]:
        """How many of each face are still to be drawn."""
        if self.deck is not None:
            in_deck = Counter(card.face for card in self.deck)
            return tuple(in_deck[face.name] for face in FACES)
        gone = Counter(card.face for card in (*self.hand, *(self.seen or ())))
        return tuple(face.copies - gone[face.name] for face in FACES)


def known_cards(
    hand: tuple[Card, ...] | None,
    seen: tuple[Card, ...] | None,
    deck: tuple[Card, ...] | None,
    played: int | None,
    rolled: Card | None,
    option: str = "",
) -> KnownCards:
    """The cards, or a sentence about what cannot be; `option` stands before the name of what is at fault.

    What is None was not said. The deck is all cards but those of the hand and those seen, if it is not named itself.
    """
    if hand is None:
        raise Refused(f"expected {option}hand with the cards, such as w3,w1t5,td2")
    if seen is not None and deck is not None:
        either = f"{option}seen with the cards discarded, or {option}deck with those to be drawn"
        raise Refused(f"expected {either}, not both")
    others = f"{option}{'seen' if deck is None else 'deck'}"
    more = (seen if deck is None else deck) or ()
    both = Counter(card.face for card in (*hand, *more))
    for face in FACES:
        if both[face.name] > face.copies:
            where = f"{option}hand and {others} have" if more else f"{option}hand has"
            raise Refused(f"{where} {both[face.name]} '{face.name}', and there are {face.copies}")
    if len(hand) + len(more) == DECK_SIZE and deck is None:
        both_are = f"{option}hand and {option}seen are all {DECK_SIZE} cards"
        raise Refused(f"{both_are}, and the game ends when none is left to be drawn")
    if seen is not None and played is not None and played < len(seen):
        raise Refused(f"{option}played: expected at least {len(seen)}, as many as {option}seen has, not '{played}'")
    most = DECK_SIZE - len(hand) - len(deck or ())
    if played is not None and played > most:
        names = f"{option}hand" if deck is None else f"{option}hand and {option}deck"
        less = f"{DECK_SIZE} less those of {names}"
        raise Refused(f"{option}played: expected at most {most}, which is {less}, not '{played}'")
    if rolled is not None and Card(rolled.face) not in hand:
        raise Refused(f"{option}rolled: '{rolled.face}' is not in the hand ({print_cards(hand)})")
    return KnownCards(hand, seen, deck, len(seen or ()) if played is None else played, rolled)
