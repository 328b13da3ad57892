"""Puzzle files: reading them with every fault named by its line, and writing them."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from solver.errors import Refused
from solver.goal import Goal
from solver.move import Card, Move
from solver.notation import (
    parse_cards,
    parse_move,
    parse_position,
    parse_rules,
    parse_spells,
    print_card,
    print_move,
    print_position,
    print_rules,
)
from solver.notation.goals import parse_goal, print_goal
from solver.notation.numbers import quote
from solver.position import Position
from solver.rules import DECK_SIZE, RULEBOOK, Rules

T = TypeVar("T")

KEYS = ("title", "author", "position", "hand", "draw", "spells", "rules", "goal", "within", "claims")
CLAIM_KEYS = ("cards", "solutions", "key")
MOST_SOLUTIONS = 10**18


@dataclass(frozen=True)
class Claims:
    """What the author says of a puzzle; None is not claimed."""

    cards: int | None = None
    solutions: int | None = None
    key: Move | None = None


@dataclass(frozen=True)
class Puzzle:
    """A puzzle as its file has it."""

    position: Position
    hand: tuple[Card, ...]
    draw: tuple[Card, ...] = ()
    title: str = ""
    author: str = ""
    spells: tuple[str, ...] = ()
    rules: Rules = RULEBOOK
    goal: Goal | None = None
    within: int | None = None
    claims: Claims = field(default_factory=Claims)


class Faults(Refused):
    """Everything that is wrong with a file, a sentence each."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def parse_puzzle(text: str, name: str) -> Puzzle:
    """The puzzle in the text of a file of that name; all its faults are refused together."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        reason, _, place = str(problem).partition(" (at line ")
        line = f":{place.split(',')[0]}" if place else ""
        raise Faults([f"{name}{line}: {reason[:1].lower()}{reason[1:]}"]) from None
    return _Reader(text, name).read(data)


class _Reader:
    """Reads one file and collects its faults."""

    def __init__(self, text: str, name: str) -> None:
        self.lines = text.splitlines()
        self.name = name
        self.faults: list[str] = []

    def read(self, data: dict[str, Any]) -> Puzzle:
        self._unknown(data, KEYS)
        claims = data.get("claims", {})
        if not isinstance(claims, dict):
            self._fault("claims", "claims must be a table: a line [claims] with its keys below")
            claims = {}
        self._unknown(claims, CLAIM_KEYS)
        title, author = (self._value(data, key, str, "a text", str, "") for key in ("title", "author"))
        rules = self._value(data, "rules", str, "a text", parse_rules, RULEBOOK)
        spells: tuple[str, ...] = self._value(
            data, "spells", list, "a list of names", lambda names: parse_spells(_joined(names)), ()
        )
        for key in ("position", "hand"):
            if key not in data:
                self.faults.append(f"{self.name}: the key '{key}' is missing")
        position = self._value(data, "position", str, "a text", lambda text: parse_position(text, rules), None)
        extra = "extra-roll" in spells
        cards: dict[str, tuple[Card, ...]] = {
            key: self._value(data, key, list, "a list of cards", lambda names: _cards(names, extra), ())
            for key in ("hand", "draw")
        }
        goal = self._value(data, "goal", str, "a text", parse_goal, None)
        count = len(cards["hand"]) + len(cards["draw"])
        if count > DECK_SIZE:
            self._fault("hand", f"hand and draw have {count} cards, and the deck {DECK_SIZE}")
        within = self._number(data, "within", 1, max(1, count), f"hand and draw have {count} cards")
        found = Claims(
            self._number(claims, "cards", 1, within or max(1, count), "there are no more cards to play"),
            self._number(claims, "solutions", 1, MOST_SOLUTIONS, "a puzzle has a solution"),
            self._value(claims, "key", str, "a move", parse_move, None),
        )
        if self.faults:
            raise Faults(self.faults)
        assert position is not None
        return Puzzle(position, cards["hand"], cards["draw"], title, author, spells, rules, goal, within, found)

    def _unknown(self, table: dict[str, Any], known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                close = difflib.get_close_matches(key, known, 1)
                hint = f"did you mean '{close[0]}'?" if close else f"expected one of {', '.join(known)}"
                self._fault(key, f"{quote(key)} is no key of a puzzle; {hint}")

    def _value(
        self, table: dict[str, Any], key: str, kind: type, what: str, parse: Callable[[Any], T], default: T
    ) -> T:
        if key not in table:
            return default
        if not isinstance(table[key], kind):
            self._fault(key, f"{key} must be {what}, not {quote(str(table[key]))}")
            return default
        try:
            return parse(table[key])
        except Refused as reason:
            self._fault(key, f"{key}: {reason}")
            return default

    def _number(self, table: dict[str, Any], key: str, low: int, high: int, why: str) -> int | None:
        if key not in table:
            return None
        value = table[key]
        if not isinstance(value, int) or isinstance(value, bool):
            self._fault(key, f"{key} must be a whole number, not {quote(str(value))}")
            return None
        if not low <= value <= high:
            self._fault(key, f"{key} must be from {low} to {high} ({why}), not {value}")
            return None
        return value

    def _fault(self, key: str, message: str) -> None:
        pattern = re.compile(rf"""\s*(\[\s*)?["']?{re.escape(key)}["']?\s*[\]=]""")
        line = next((number for number, line in enumerate(self.lines, 1) if pattern.match(line)), None)
        self.faults.append(f"{self.name}{f':{line}' if line else ''}: {message}")


def _joined(names: list[Any]) -> str:
    for name in names:
        if not isinstance(name, str):
            raise Refused(f"expected names in quotes, not {quote(str(name))}")
    return ",".join(names)


def _cards(names: list[Any], extra: bool) -> tuple[Card, ...]:
    if len(names) > DECK_SIZE:
        raise Refused(f"{len(names)} cards, and the deck has {DECK_SIZE}")
    return parse_cards(_joined(names), extra=extra) if names else ()


def print_puzzle(puzzle: Puzzle) -> str:
    """The text of a puzzle's file."""
    lines = [f"{key} = {_quoted(text)}" for key, text in (("title", puzzle.title), ("author", puzzle.author)) if text]
    lines.append(f"position = {_quoted(print_position(puzzle.position))}")
    lines.append(f"hand = {_list(print_card(card) for card in puzzle.hand)}")
    if puzzle.draw:
        lines.append(f"draw = {_list(print_card(card) for card in puzzle.draw)}")
    if puzzle.spells:
        lines.append(f"spells = {_list(puzzle.spells)}")
    if puzzle.rules != RULEBOOK:
        lines.append(f"rules = {_quoted(print_rules(puzzle.rules))}")
    if puzzle.goal is not None:
        lines.append(f"goal = {_quoted(print_goal(puzzle.goal))}")
    if puzzle.within is not None:
        lines.append(f"within = {puzzle.within}")
    claims = puzzle.claims
    if claims != Claims():
        lines.append("\n[claims]")
        lines += [f"{key} = {getattr(claims, key)}" for key in ("cards", "solutions") if getattr(claims, key)]
        if claims.key is not None:
            lines.append(f"key = {_quoted(print_move(claims.key))}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _list(items: Any) -> str:
    return "[" + ", ".join(_quoted(item) for item in items) + "]"
