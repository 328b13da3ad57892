"""Game records, `.towers` files: tags, then a line a turn. Reading checks the form; `solver.game` replays."""

from __future__ import annotations

import re
from dataclasses import dataclass

from solver.errors import Refused
from solver.move import Card, Move
from solver.notation.cards import parse_cards, print_cards
from solver.notation.moves import parse_move, print_move
from solver.notation.numbers import quote
from solver.notation.options import parse_rules, parse_spells, print_rules
from solver.notation.positions import START, START_SPELLS, parse_position, print_position
from solver.position import Position
from solver.rules import RULEBOOK, Rules

SOLO, SPELLS = "solo", "spells"
TAGS = ("Mode", "Spells", "Rules", "Position", "Hand", "Result")
IN_PROGRESS = ""

_TAG = re.compile(r'\[\s*([A-Za-z]+)\s+"([^"]*)"\s*\]')
_TURN = re.compile(r"([0-9]{1,9})\s*\.\s*([^|]*)(?:\|(.*))?")
_RESULT = re.compile(r"lost|won [1-9][0-9]{0,2}")


@dataclass(frozen=True)
class RecordTurn:
    """A turn as written: the move, the cards drawn at its end, and the line of the file it stands on."""

    move: Move
    drawn: tuple[Card, ...]
    line: int


@dataclass(frozen=True)
class Record:
    """A game as written; nothing in it has been checked against the rules yet."""

    position: Position
    hand: tuple[Card, ...]
    turns: tuple[RecordTurn, ...] = ()
    spells: tuple[str, ...] = ()
    rules: Rules = RULEBOOK
    result: str = IN_PROGRESS  # "won 27", "lost", or nothing while the game goes on
    result_line: int = 0


def parse_record(text: str) -> Record:
    """A record from the text of a file; a message names the line."""
    tags: dict[str, tuple[str, int]] = {}
    turns: list[RecordTurn] = []
    for number, raw in enumerate(text.splitlines(), start=1):
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
                if "Result" in tags and turns:
                    raise Refused("a turn after the result")
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
        drawn = parse_cards(match.group(3)) if match.group(3) and match.group(3).strip() else ()
        for card in drawn:
            if card.rolls:
                raise Refused(f"the drawn card '{card.face}' cannot have rolls yet")
    except Refused as reason:
        raise Refused(f"turn {expected}: {reason}") from None
    return RecordTurn(move, drawn, number)


def _assemble(tags: dict[str, tuple[str, int]], turns: tuple[RecordTurn, ...]) -> Record:
    def value(name: str, default: str) -> str:
        return tags[name][0].strip() if name in tags else default

    name = "Mode"
    try:
        mode = value("Mode", SPELLS if "Spells" in tags else SOLO).lower()
        if mode not in (SOLO, SPELLS):
            raise Refused(f"the mode is '{SOLO}' or '{SPELLS}', not {quote(mode)}")
        if mode == SOLO and "Spells" in tags:
            name = "Spells"
            raise Refused("a solo game has no spells; the mode would be 'spells'")
        name = "Rules"
        rules = parse_rules(value("Rules", ""))
        name = "Spells"
        spells = parse_spells(value("Spells", ""))
        if mode == SPELLS and not spells:
            raise Refused("a game with spells names them, such as [Spells \"piggyback,free-wizard,advance-tower\"]")
        name = "Position"
        position = parse_position(value("Position", START_SPELLS if mode == SPELLS else START), rules)
        name = "Hand"
        if not value("Hand", ""):
            raise Refused("the hand is missing; expected a tag such as [Hand \"w3,td2,w1t5\"]")
        hand = parse_cards(value("Hand", ""))
        for card in hand:
            if card.rolls:
                raise Refused(f"'{card.face}' cannot have rolls yet")
        name = "Result"
        result = value("Result", IN_PROGRESS).lower()
        if result and not _RESULT.fullmatch(result):
            raise Refused(f"the result is 'won N' or 'lost', not {quote(result)}")
    except Refused as reason:
        place = f"line {tags[name][1]}" if name in tags else "tags"
        raise Refused(f"{place}: {name}: {reason}") from None
    return Record(position, hand, turns, spells, rules, result, tags["Result"][1] if result else 0)


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
