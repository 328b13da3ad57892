"""Puzzle files: reading them with every fault named by its line, and writing them."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
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
from solver.notation.numbers import counted, quote
from solver.position import Position
from solver.rules import DECK_SIZE, RULEBOOK, Rules

T = TypeVar("T")

KEYS = ("title", "author", "position", "hand", "draw", "spells", "rules", "goal", "within", "claims")
CLAIM_KEYS = ("cards", "solutions", "key")
MOST_TEXT = 20_000  # characters of a file; the longest puzzle with 90 cards has a tenth of that
MOST_FAULTS = 20  # told of one file
LONGEST_TITLE = 200  # characters, of an author's name too
LONGEST_NUMBER = 3000  # digits, decimal or not; with some more Python will not convert one
EXPECTED = "expected lines such as within = 4, and texts in quotes"


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
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)  # of the keys in the file


class Faults(Refused):
    """Everything that is wrong with a file, a sentence each; of very many the first ones."""

    def __init__(self, faults: list[str]) -> None:
        more = [f"and {len(faults) - MOST_FAULTS:,} more like these"] if len(faults) > MOST_FAULTS else []
        self.faults = [*faults[:MOST_FAULTS], *more]
        super().__init__("\n".join(self.faults))


def place(name: str, line: int | None) -> str:
    """The begin of a message about a file, or about a line of it."""
    return f"{name}:{line}: " if line else f"{name}: "


def parse_puzzle(text: str, name: str) -> Puzzle:
    """The puzzle in the text of a file of that name; all its faults are refused together."""
    if len(text) > MOST_TEXT:  # reading TOML can take the square of its length
        raise Faults([f"{name}: expected at most {MOST_TEXT:,} characters, and there are {len(text):,}"])
    try:
        return _Reader(text, name).read(tomllib.loads(text))
    except Faults:
        raise
    except RecursionError:
        raise Faults([f"{name}: lists stand in lists too deeply; {EXPECTED}"]) from None
    except ValueError as problem:
        raise Faults([_syntax_fault(text, name, problem)]) from None


def _syntax_fault(text: str, name: str, problem: ValueError) -> str:
    if not isinstance(problem, tomllib.TOMLDecodeError):  # Python refuses to convert a number
        number = re.search(f"[0-9a-fA-F_]{{{LONGEST_NUMBER},}}", text)
        line = text.count("\n", 0, number.start()) + 1 if number else None
        return f"{place(name, line)}a number has too many digits"
    reason, _, where = str(problem).partition(" (at line ")
    line = int(where.split(",")[0]) if where else None
    return f"{place(name, line)}this is not TOML: {reason[:1].lower()}{reason[1:]}; {EXPECTED}"


class _Lines:
    """Finds the lines on which keys stand; tomllib does not tell."""

    _TEXT_OR_COMMENT = re.compile(
        r'''"""(?:\\.|[^\\])*?"""|\'{3}.*?\'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*''', re.DOTALL
    )

    def __init__(self, text: str) -> None:
        def hide(match: re.Match[str]) -> str:  # what could look like a line with a key, but for its line breaks
            hidden = match[0].startswith("#") or "\n" in match[0]
            return "\n" * match[0].count("\n") if hidden else match[0]

        self.visible = self._TEXT_OR_COMMENT.sub(hide, text)

    def of(self, key: str, table: str | None = None) -> int | None:
        """The line of a key, or of a key of a table, however the table is written."""
        at, before = 0, r"^[ \t]*\[{0,2}[ \t]*"
        for word in (key,) if table is None else (table, key):
            pattern = re.compile(rf"""(?:{before})(["']?)(?P<key>{re.escape(word)})\1[ \t]*[=.\]]""", re.MULTILINE)
            match = pattern.search(self.visible, at)
            if match is None:
                return None
            at, before = match.end("key"), r"^[ \t]*|[{,.][ \t]*"
        return self.visible.count("\n", 0, at) + 1


class _Reader:
    """Reads one file and collects its faults."""

    def __init__(self, text: str, name: str) -> None:
        self.lines = _Lines(text)
        self.name = name
        self.faults: list[str] = []

    def read(self, data: dict[str, Any]) -> Puzzle:
        self._unknown(data, KEYS)
        claims = data.get("claims", {})
        if not isinstance(claims, dict):
            self._fault("claims", "claims must be a table: a line [claims] with its keys below")
            claims = {}
        self._unknown(claims, CLAIM_KEYS, "claims")
        title, author = (self._value(data, key, str, "a text", _one_line, "") for key in ("title", "author"))
        rules = self._value(data, "rules", str, "a text", parse_rules, RULEBOOK)
        spells: tuple[str, ...] = self._value(
            data, "spells", list, "a list of names", lambda names: parse_spells(_joined(names)), ()
        )
        for key in ("position", "hand"):
            if key not in data:
                self.faults.append(f"{place(self.name, None)}the key '{key}' is missing")
        position = self._value(data, "position", str, "a text", lambda text: parse_position(text, rules), None)
        hand, draw = (self._cards(data, key, "extra-roll" in spells) for key in ("hand", "draw"))
        goal = self._value(data, "goal", str, "a text", parse_goal, None)
        count = DECK_SIZE if hand is None or draw is None else len(hand) + len(draw)
        if count > DECK_SIZE:
            self._fault("hand", f"hand and draw have {count} cards, and the deck {DECK_SIZE}")
        within = self._number(data, "within", count, f"there are {counted(count, 'card')}")
        found = Claims(
            self._number(claims, "cards", within or count, "there are no more to play", "claims"),
            self._number(claims, "solutions", None, "a puzzle has a solution", "claims"),
            self._value(claims, "key", str, "a move", parse_move, None, "claims"),
        )
        if self.faults:
            raise Faults(self.faults)
        assert position is not None
        assert hand is not None
        assert draw is not None
        lines = {key: line for key in data if (line := self.lines.of(key)) is not None}
        return Puzzle(position, hand, draw, title, author, spells, rules, goal, within, found, lines)

    def _unknown(self, table: dict[str, Any], known: tuple[str, ...], name: str | None = None) -> None:
        for key in table:
            if key not in known:
                close = difflib.get_close_matches(key, known, 1)
                hint = f"did you mean '{close[0]}'?" if close else f"expected one of {', '.join(known)}"
                self._fault(key, f"{quote(key)} is no key of {name or 'a puzzle'}; {hint}", name)

    def _cards(self, data: dict[str, Any], key: str, extra: bool) -> tuple[Card, ...] | None:
        """The cards of a list, which only a draw pile may do without; None if something is wrong with them."""

        def parse(names: list[Any]) -> tuple[Card, ...] | None:
            if not names and key == "hand":
                raise Refused("it is empty; expected cards such as 'w3'")
            return _cards(names, extra)

        default: tuple[Card, ...] | None = () if key == "draw" and key not in data else None
        return self._value(data, key, list, "a list of cards", parse, default)

    def _value(
        self,
        data: dict[str, Any],
        key: str,
        kind: type,
        what: str,
        parse: Callable[[Any], T],
        default: T,
        table: str | None = None,
    ) -> T:
        if key not in data:
            return default
        if not isinstance(data[key], kind):
            self._fault(key, f"{key} must be {what}, not {_shown(data[key])}", table)
            return default
        try:
            return parse(data[key])
        except Refused as reason:
            message = str(reason)
            self._fault(key, message if message.startswith(f"{key} ") else f"{key}: {message}", table)
            return default

    def _number(
        self, data: dict[str, Any], key: str, high: int | None, why: str, table: str | None = None
    ) -> int | None:
        if key not in data:
            return None
        value = data[key]
        if not isinstance(value, int) or isinstance(value, bool):
            self._fault(key, f"{key} must be a whole number, not {_shown(value)}", table)
            return None
        if value < 1 or (high is not None and value > high):
            bounds = "at least 1" if high is None else f"from 1 to {high}"
            self._fault(key, f"{key} must be {bounds} ({why}), not {quote(str(value))}", table)
            return None
        return value

    def _fault(self, key: str, message: str, table: str | None = None) -> None:
        self.faults.append(place(self.name, self.lines.of(key, table)) + message)


def _shown(value: object) -> str:
    """A value of the wrong kind, as the file has it."""
    return quote(value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False))


def _one_line(text: str) -> str:
    if len(text) > LONGEST_TITLE:
        raise Refused(f"expected at most {LONGEST_TITLE} characters, not {len(text):,}")
    for sign in text:
        if unicodedata.category(sign) in ("Cc", "Zl", "Zp"):  # they would break lines, or worse, on a terminal
            raise Refused(f"expected one line of text, and {quote(sign)} is no sign of one")
    return text


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
    return '"' + "".join(sign if sign.isprintable() else f"\\U{ord(sign):08x}" for sign in escaped) + '"'


def _list(items: Any) -> str:
    return "[" + ", ".join(_quoted(item) for item in items) + "]"
