"""Game records, `.towers` files: tags, then a line a turn. Reading checks the form; `solver.game` replays."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from solver.errors import Refused
from solver.move import Card, Move
from solver.notation.cards import parse_unrolled, print_cards
from solver.notation.moves import parse_move, print_move
from solver.notation.numbers import quote
from solver.notation.options import parse_rules, parse_spells, print_rules
from solver.notation.positions import START, START_SPELLS, parse_position, print_position
from solver.position import Position
from solver.rules import HAND_SIZE, RULEBOOK, SPELLS_IN_A_GAME, Rules

SOLO, SPELLS = "solo", "spells"
TAGS = ("Mode", "Spells", "Rules", "Position", "Hand", "Result")
EXAMPLES = {"Spells": "piggyback,free-wizard,advance-tower", "Hand": "w3,td2,w1t5"}  # of tags that may be missed
IN_PROGRESS = ""

_TAG = re.compile(r'\[\s*([A-Za-z]+)\s+"([^"]*)"\s*\]')
_TURN = re.compile(r"([0-9]{1,9})\s*\.\s*([^|]*)(?:\|(.*))?")
_RESULT = re.compile(r"lost|won [1-9][0-9]{0,2}")

T = TypeVar("T")


@dataclass(frozen=True)
class RecordTurn:
    """A turn as written: the move, the cards drawn at its end, and the line of the file it stands on."""

    move: Move
    drawn: tuple[Card, ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Record:
    """A game as written; nothing in it has been checked against the rules yet."""

    position: Position
    hand: tuple[Card, ...]
    turns: tuple[RecordTurn, ...] = ()
    spells: tuple[str, ...] = ()
    rules: Rules = RULEBOOK
    result: str = IN_PROGRESS  # "won 27", "lost", or nothing while the game goes on
    hand_line: int = field(default=0, compare=False)
    result_line: int = field(default=0, compare=False)


def lines_of(text: str) -> list[str]:
    """The lines of a file as editors count them; other signs that end lines for Python may stand in comments."""
    *lines, last = re.split(r"\r\n|\r|\n", text)
    return [*lines, last] if last else lines


def parse_record(text: str) -> Record:
    """A record from the text of a file; a message names the line."""
    tags: dict[str, tuple[str, int]] = {}
    turns: list[RecordTurn] = []
    for number, raw in enumerate(lines_of(text), start=1):
        line = raw.split("#", 1)[0].strip()
        if not line:
            continue
        try:
            if line.startswith("["):
                name, value = _parse_tag(line)
                if name in tags:
                    raise Refused(f"the tag {name} stands on line {tags[name][1]} already")
                if turns and name != "Result":
                    raise Refused(f"the tag {name} must stand before the first turn")
                tags[name] = (value, number)
            else:
                if "Result" in tags:
                    at = f"the result on line {tags['Result'][1]}"
                    raise Refused(f"a turn after {at}; the tag Result stands after the last turn")
                turns.append(_parse_turn(line, number, len(turns) + 1))
        except Refused as reason:
            raise Refused(f"line {number}: {reason}") from None
    if not tags and not turns:
        raise Refused("the record is empty; expected tags such as [Mode \"solo\"] and a line a turn")
    return _assemble(tags, tuple(turns))


def _parse_tag(line: str) -> tuple[str, str]:
    match = _TAG.fullmatch(line)
    if not match:
        raise Refused(f"{quote(line)} is no tag; expected [Name \"value\"]")
    name = match.group(1).capitalize()
    if name not in TAGS:
        raise Refused(f"{quote(match.group(1))} is no tag of a record; the tags are {', '.join(TAGS)}")
    return name, match.group(2)


def _parse_turn(line: str, number: int, expected: int) -> RecordTurn:
    match = _TURN.fullmatch(line)
    if not match:
        raise Refused(f"{quote(line)} is no turn; expected '{expected}. CARD ACTION | cards drawn'")
    if int(match.group(1)) != expected:
        raise Refused(f"turn {expected} was expected here, not turn {int(match.group(1))}")
    try:
        move = parse_move(match.group(2))
        drawn = match.group(3) or ""
        cards = parse_unrolled(drawn) if drawn.strip() else ()
    except Refused as reason:
        raise Refused(f"turn {expected}: {reason}") from None
    return RecordTurn(move, cards, number)


def _assemble(tags: dict[str, tuple[str, int]], turns: tuple[RecordTurn, ...]) -> Record:
    def read(name: str, parse: Callable[[str], T], default: str | None = None) -> T:
        if name not in tags:
            if default is None:
                raise Refused(f"the tag {name} is missing; expected one such as [{name} \"{EXAMPLES[name]}\"]")
            return parse(default)
        value, line = tags[name]
        try:
            return parse(value.strip())
        except Refused as reason:
            raise Refused(f"line {line}: {name}: {reason}") from None

    def line_of(name: str) -> int:
        return tags[name][1] if name in tags else 0

    mode = read("Mode", _parse_mode, SPELLS if "Spells" in tags else SOLO)
    if mode == SOLO and "Spells" in tags:
        raise Refused(f"line {line_of('Spells')}: Spells: a solo game has no spells; the mode would be '{SPELLS}'")
    rules = read("Rules", parse_rules, "")
    return Record(
        read("Position", lambda text: parse_position(text, rules), START_SPELLS if mode == SPELLS else START),
        read("Hand", _parse_hand),
        turns,
        read("Spells", _parse_some_spells) if mode == SPELLS else (),
        rules,
        read("Result", _parse_result, IN_PROGRESS),
        line_of("Hand"),
        line_of("Result"),
    )


def _parse_mode(text: str) -> str:
    if text.lower() not in (SOLO, SPELLS):
        raise Refused(f"expected '{SOLO}' or '{SPELLS}', not {quote(text)}")
    return text.lower()


def parse_game_spells(text: str) -> tuple[str, ...]:
    """The spells that are open in a game, which has at most three; none of them: solo."""
    spells = parse_spells(text)
    if len(spells) > SPELLS_IN_A_GAME:
        raise Refused(f"a game with spells has 1 to {SPELLS_IN_A_GAME} of them, not {len(spells)}")
    return spells


def _parse_some_spells(text: str) -> tuple[str, ...]:
    spells = parse_game_spells(text)
    if not spells:
        raise Refused(f"a game with spells has 1 to {SPELLS_IN_A_GAME} of them, not none")
    return spells


def _parse_hand(text: str) -> tuple[Card, ...]:
    hand = parse_unrolled(text)
    if len(hand) != HAND_SIZE:
        raise Refused(f"a game begins with {HAND_SIZE} cards in the hand, and {quote(text)} has {len(hand)}")
    return hand


def _parse_result(text: str) -> str:
    if text and not _RESULT.fullmatch(text.lower()):
        raise Refused(f"expected 'won N' or 'lost', not {quote(text)}")
    return text.lower()


def print_record(record: Record) -> str:
    """The canonical text of a record."""
    lines = [f'[Mode "{SPELLS if record.spells else SOLO}"]']
    if record.spells:
        lines.append(f'[Spells "{",".join(record.spells)}"]')
    if record.rules != RULEBOOK:
        lines.append(f'[Rules "{print_rules(record.rules)}"]')
    lines.append(f'[Position "{_position_word(record)}"]')
    lines.append(f'[Hand "{print_cards(record.hand)}"]')
    for number, turn in enumerate(record.turns, start=1):
        drawn = f" | {print_cards(turn.drawn)}" if turn.drawn else ""
        lines.append(f"{number}. {print_move(turn.move)}{drawn}")
    if record.result:
        lines.append(f'[Result "{record.result}"]')
    return "\n".join(lines) + "\n"


def _position_word(record: Record) -> str:
    for word in (START, START_SPELLS):
        if record.position == parse_position(word, record.rules):
            return word
    return print_position(record.position)
