"""One game: hand, draw pile, discard pile and whether it is won or lost; and the replay of a record."""

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


def drawn_at_the_end(state: State, move: Move, hand_after: int) -> int:
    """How many cards a turn draws in all, if the pile holds enough: for `draw-two`, then up to three."""
    by_spell = DRAW_TWO_CARDS if move.spell == "draw-two" else 0
    return by_spell + max(0, HAND_SIZE - hand_after - by_spell)


def play(referee: Referee, state: State, move: Move, drawn: tuple[Card, ...] | None) -> State:
    """The game after a turn with the cards drawn at its end (None: not known yet); refused if it is not legal."""
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
    after = replace(state, position=position, hand=tuple(hand), discards=discards)
    by_spell = DRAW_TWO_CARDS if move.spell == "draw-two" else 0
    limit = referee.rules.card_limit
    over = None
    if referee.goal_reached(position):
        over = WON
    elif limit is not None and discards >= limit:
        over = LOST
    # A game that is over draws no more, but the two cards of draw-two were drawn before.
    due = by_spell if over else drawn_at_the_end(state, move, len(hand))
    wanted = min(due, state.pile)
    if drawn is None:
        return replace(after, status=over or PLAYING, owed=0 if over else wanted)
    if len(drawn) != wanted:
        raise Refused(_why_not_drawn(wanted, len(drawn), over))
    after = replace(after, hand=(*hand, *drawn), pile=state.pile - wanted)
    if over is None and after.pile == 0:
        over = LOST  # the draw pile is empty, or held too few
    return replace(after, status=over or PLAYING)


def _why_not_drawn(wanted: int, written: int, over: str | None) -> str:
    if over and not wanted:
        return f"the game is {over} with this turn, so nothing is drawn"
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


def _count_copies(seen: Counter[str], cards: tuple[Card, ...]) -> None:
    for card in cards:
        seen[card.face] += 1
        copies = FACES[FACE_NUMBER[card.face]].copies
        if seen[card.face] > copies:
            raise Refused(f"the deck has {copies} '{card.face}', and this is one more")
