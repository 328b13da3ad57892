"""One game: hand, draw pile, discard pile and whether it is won or lost; the replay of a record, and what it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from solver.errors import Refused
from solver.move import Card, Move
from solver.notation import Record, RecordTurn, print_cards
from solver.notation.numbers import counted
from solver.position import Position
from solver.referee import Referee
from solver.rules import DECK_SIZE, DRAW_TWO_CARDS, FACE_NUMBER, FACES, HAND_SIZE
from solver.search.situation import Situation

PLAYING, WON, LOST = "playing", "won", "lost"


@dataclass(frozen=True)
class State:
    """A game between two turns. The cards in the draw pile are only counted."""

    position: Position
    hand: tuple[Card, ...]
    pile: int
    discards: int = 0
    status: str = PLAYING
    owed: int = 0  # cards still to be drawn: a record may stop before its last draw is written


class Step(NamedTuple):
    """A turn of a record and the game after it."""

    turn: RecordTurn
    after: State


def turn(referee: Referee, state: State, move: Move) -> State:
    """The game after a turn, with the cards it draws still owed; refused if it is not legal."""
    if state.status != PLAYING:
        raise Refused(f"the game is {state.status} already")
    hand = list(state.hand)
    if move.card is not None:
        if Card(move.card.face) not in hand:
            raise Refused(f"'{move.card.face}' is not in the hand ({print_cards(state.hand)})")
        hand.remove(Card(move.card.face))
        discarded = 1
    else:
        discarded = len(hand)
        hand = []
    position = referee.play(state.position, move)
    if move.spell == "retrieve-card" and move.card is not None:
        hand.append(Card(move.card.face))
        discarded -= 1
    discards = state.discards + discarded
    status = PLAYING
    if referee.goal_reached(position):
        status = WON
    elif referee.rules.card_limit is not None and discards >= referee.rules.card_limit:
        status = LOST
    # A game that is over draws no more, but the two cards of draw-two were drawn before.
    by_spell = DRAW_TWO_CARDS if move.spell == "draw-two" else 0
    due = by_spell + (max(0, HAND_SIZE - len(hand) - by_spell) if status == PLAYING else 0)
    return State(position, tuple(hand), state.pile, discards, status, min(due, state.pile))


def draw(state: State, drawn: tuple[Card, ...]) -> State:
    """The game after the cards owed were drawn; refused if there are more or fewer of them."""
    if len(drawn) != state.owed:
        raise Refused(_why_not_drawn(state.owed, len(drawn), state.status))
    pile = state.pile - state.owed
    # the draw pile is empty, or held too few
    status = LOST if state.status == PLAYING and pile == 0 else state.status
    return replace(state, hand=(*state.hand, *drawn), pile=pile, status=status, owed=0)


def play(referee: Referee, state: State, move: Move, drawn: tuple[Card, ...] | None) -> State:
    """The game after a turn with the cards drawn at its end (None: not known yet); refused if it is not legal."""
    after = turn(referee, state, move)
    return after if drawn is None else draw(after, drawn)


def _why_not_drawn(wanted: int, written: int, status: str) -> str:
    if status != PLAYING and not wanted:
        return f"the game is {status} with this turn, so nothing is drawn"
    found = f"{written} are" if written > 1 else f"{written or 'none'} is"
    return f"this turn draws {counted(wanted, 'card')}, and {found} written"


def start_of(record: Record) -> State:
    """The game before the first turn of a record."""
    return State(record.position, record.hand, DECK_SIZE - len(record.hand))


def replay(record: Record) -> Iterator[Step]:
    """Play a record turn by turn; the first thing the rules do not allow is refused with its line."""
    referee = Referee(record.rules, record.spells)
    state = start_of(record)
    seen: Counter[str] = Counter()
    try:
        _count_copies(seen, record.hand)
    except Refused as reason:
        raise Refused(f"line {record.hand_line}: Hand: {reason}") from None
    for number, turn in enumerate(record.turns, start=1):
        place = f"line {turn.line}: turn {number}"
        # only the last line of a game that was broken off may lack its draw
        unknown = number == len(record.turns) and not turn.drawn and not record.result
        try:
            state = play(referee, state, turn.move, None if unknown else turn.drawn)
            _count_copies(seen, turn.drawn)
        except Refused as reason:
            raise Refused(f"{place}: {reason}") from None
        yield Step(turn, state)
    result = f"{WON} {state.discards}" if state.status == WON else state.status
    if record.result and record.result != result:
        raise Refused(
            f"line {record.result_line}: the result is '{record.result}', but the game is "
            + (f"'{result}'" if state.status != PLAYING else "not over")
        )


def unseen(record: Record, turns: int | None = None) -> tuple[int, ...]:
    """How many copies of each face nobody has seen yet, after so many turns of a record (None: all of them)."""
    seen = Counter(card.face for card in record.hand)
    for each in record.turns[:turns]:
        seen.update(card.face for card in each.drawn)
    return tuple(face.copies - seen[face.name] for face in FACES)


def situation_of(record: Record, state: State, turns: int | None = None) -> Situation:
    """What the player of a record knows when the game has come so far, after so many turns (None: all of them)."""
    deck = unseen(record, turns)
    return Situation(state.position, state.hand, deck, state.discards, record.spells, record.rules)


def _count_copies(seen: Counter[str], cards: tuple[Card, ...]) -> None:
    for card in cards:
        seen[card.face] += 1
        copies = FACES[FACE_NUMBER[card.face]].copies
        if seen[card.face] > copies:
            raise Refused(f"the deck has {copies} '{card.face}', and this is one more")
