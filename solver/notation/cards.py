"""Cards and hands as text: `w3,w1t5*2,wd2=4,6`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from solver.errors import Refused
from solver.move import Card
from solver.notation.numbers import counted, quote, read_number, split_items
from solver.rules import DECK_SIZE, DIE_SIDES, FACE_NUMBER, FACES

MOST_COPIES = DECK_SIZE  # `*n` never names more cards than a deck has


def parse_cards(text: str, *, extra: bool = False) -> tuple[Card, ...]:
    """Cards joined by commas; a bare digit belongs to the die card before it, `*n` repeats.

    With `extra` a die card may name one roll more, the one that `extra-roll` would bring.
    """
    items = split_items(text)
    if not items:
        raise Refused("no card is written; expected cards joined by commas, such as 'w3,w1t5*2'")
    cards: list[Card] = []
    open_die = False  # whether a bare digit may follow: the last item is a die card with a roll and no `*n`
    for number, item in enumerate(items, start=1):
        try:
            body, star, times = item.partition("*")
            repeat = read_number(times.strip(), "what follows '*'", 1, MOST_COPIES) if star else 1
            body = body.strip()
            if open_die and body.isascii() and body.isdigit():
                face, rolls = cards.pop()
                card = _checked(Card(face, (*rolls, _parse_roll(body))), extra)
            else:
                card = parse_card(body, extra=extra)
            cards.extend([card] * repeat)
            open_die = bool(card.rolls) and not star
        except Refused as reason:
            raise Refused(f"card {number} of {quote(text.strip())}: {reason}") from None
    return tuple(cards)


def parse_unrolled(text: str, where: str = "") -> tuple[Card, ...]:
    """Cards without rolls, as they are dealt and held; `where` ends the message, such as by where a roll goes."""
    cards = parse_cards(text)
    for card in cards:
        if card.rolls:
            raise Refused(f"'{print_card(card)}' names a roll; expected '{card.face}'{where}")
    return cards


def parse_rolled(text: str) -> Card:
    """A die card that lies on the table, with its rolls so far."""
    card = parse_card(text)
    if not card.rolls:
        what = "its rolls so far, such as 'wd2=4'" if card.has_die else "a die card with its rolls so far"
        raise Refused(f"expected {what}, not {quote(text)}")
    return card


def parse_card(text: str, *, extra: bool = False) -> Card:
    """One card, with its rolls if they are named: `w3`, `wd2`, `wd2=4,6`; with `extra` one roll more than usual."""
    name, equals, rolls = text.strip().partition("=")
    face = name.strip().lower()
    if face not in FACE_NUMBER:
        raise Refused(f"{quote(name)} is no card; the cards are {', '.join(card.name for card in FACES)}")
    if not equals:
        return Card(face)
    return _checked(Card(face, tuple(_parse_roll(roll) for roll in rolls.split(","))), extra)


def _parse_roll(text: str) -> int:
    return read_number(text.strip(), "a roll", 1, DIE_SIDES)


def _checked(card: Card, extra: bool) -> Card:
    if not card.has_die:
        raise Refused(f"'{card.face}' has no die, so no roll can be named")
    most = card.data.rolls + extra
    if len(card.rolls) > most:
        why = " with extra-roll" if extra else ""
        raise Refused(f"'{card.face}' has at most {counted(most, 'roll')}{why}, not {len(card.rolls)}")
    return card


def print_card(card: Card) -> str:
    """The canonical text of a card."""
    rolls = ",".join(map(str, card.rolls))
    return f"{card.face}={rolls}" if rolls else card.face


def print_cards(cards: Iterable[Card]) -> str:
    """The canonical text of a row of cards, in their order; equal neighbours without rolls become `*n`."""
    parts = []
    for card, group in groupby(cards):
        count = len(list(group))
        if count > 1 and not card.rolls:
            parts.append(f"{print_card(card)}*{count}")
        else:
            parts.extend([print_card(card)] * count)
    return ",".join(parts)
