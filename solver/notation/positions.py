"""Positions as text: `BOARD HOME BOTTLES`."""

from __future__ import annotations

import re

from solver.errors import Refused
from solver.notation.numbers import counted, quote, read_number
from solver.position import Position, Stack, Tower
from solver.rules import (
    MAX_BOTTLES,
    MAX_ON_SURFACE,
    MAX_TOWERS,
    MAX_WIZARDS,
    RULEBOOK,
    SPACES,
    START_BOARD,
    Bottles,
    Rules,
)

START, START_SPELLS = "start", "start-spells"
EMPTY_SPACE = "-"
NO_BOTTLES = "-"

_PIECE = re.compile(r"([rRtT]?)([0-9]*)")


def parse_position(text: str, rules: Rules = RULEBOOK) -> Position:
    """The position a text describes; the words `start` and `start-spells` are known (bottles as the rules say)."""
    parts = text.split()
    word = parts[0].lower() if parts else ""
    if word in (START, START_SPELLS):
        if len(parts) > 1:
            raise Refused(f"'{word}' stands alone, but {quote(' '.join(parts[1:]))} follows")
        return parse_position(START_BOARD if word == START else f"{START_BOARD} 0 {rules.start_bottles}")
    if not 1 <= len(parts) <= 3:
        raise Refused(
            f"a position is BOARD HOME BOTTLES, such as '{START_BOARD} 0 -', or '{START}' or '{START_SPELLS}', "
            f"not {quote(text.strip())}"
        )
    stacks, keep = _parse_board(parts[0])
    home = read_number(parts[1], "the number of wizards home", 0, MAX_WIZARDS) if len(parts) > 1 else 0
    bottles = _parse_bottles(parts[2]) if len(parts) > 2 else None
    position = Position(stacks, keep, home, bottles)
    if position.on_board + home > MAX_WIZARDS:
        raise Refused(
            f"{counted(position.on_board, 'wizard')} on the board and {home} home make {position.on_board + home} "
            f"(at most {MAX_WIZARDS})"
        )
    return position


def _parse_board(text: str) -> tuple[tuple[Stack, ...], int]:
    spaces = text.split("/")
    if len(spaces) != SPACES:
        hint = ""
        if len(spaces) == 1:
            hint = f"; '{START}' and '{START_SPELLS}' are the words for the usual starts"
        raise Refused(f"a board has {SPACES} spaces joined by '/', but {quote(text)} has {len(spaces)}{hint}")
    stacks = []
    keeps: list[int] = []
    for number, space in enumerate(spaces):
        stack, has_keep = _parse_space(number, space)
        if has_keep:
            if keeps:
                raise Refused(f"space {number}: a second keep 'K'; the first is on space {keeps[0]}")
            if stack.visible:
                raise Refused(f"space {number}: {quote(space)} has a wizard under the keep")
            keeps.append(number)
        stacks.append(stack)
    if not keeps:
        raise Refused("no space has the keep 'K'; exactly one must")
    seen = 0
    for number, stack in enumerate(stacks):
        seen += len(stack.towers)
        if seen > MAX_TOWERS:
            raise Refused(f"space {number}: with its towers there are more than {MAX_TOWERS} on the board")
    return tuple(stacks), keeps[0]


def _parse_space(number: int, text: str) -> tuple[Stack, bool]:
    if text == EMPTY_SPACE:
        return Stack(0, ()), False
    if not text:
        raise Refused(f"space {number}: nothing between the '/'; an empty space is '{EMPTY_SPACE}'")
    ground = 0
    towers: list[Tower] = []
    at = 0
    while at < len(text):
        if text[at] == "K":
            if at + 1 < len(text):
                raise Refused(f"space {number}: in {quote(text)} something stands on the keep")
            return Stack(ground, tuple(towers)), True
        match = _PIECE.match(text, at)
        if not match or match.end() == at:
            wanted = "expected digits, 'r', 't' or 'K', or '-' alone"
            if text[at] == "k":
                wanted = "the keep is an upper case 'K'"
            raise Refused(f"space {number}: {quote(text[at])} in {quote(text)} means nothing here; {wanted}")
        kind, digits = match.groups()
        wizards = _parse_wizards(number, match.group(), digits)
        if kind:
            towers.append(Tower(kind in "rR", wizards))
        else:
            ground = wizards
        at = match.end()
    return Stack(ground, tuple(towers)), False


def _parse_wizards(number: int, piece: str, digits: str) -> int:
    if not digits:
        return 0
    if digits.startswith("0"):
        raise Refused(f"space {number}: {quote(piece)} writes a zero; a surface without wizards has no number")
    if len(digits) > 1 or int(digits) > MAX_ON_SURFACE:
        raise Refused(
            f"space {number}: {quote(piece)} puts {digits[:9]} wizards on one surface (at most {MAX_ON_SURFACE})"
        )
    return int(digits)


def _parse_bottles(text: str) -> Bottles | None:
    if text == NO_BOTTLES:
        return None
    return parse_bottles(text, "bottles", or_else=f", or '{NO_BOTTLES}' for none")


def parse_bottles(text: str, what: str, or_else: str = "") -> Bottles:
    """Bottles as `full/empty`; `what` begins the message if they are not, `or_else` says what else may stand there."""
    full, slash, empty = text.partition("/")
    if not slash:
        raise Refused(f"{what} must be written full/empty, such as '2/3'{or_else}, not {quote(text)}")
    bottles = Bottles(
        read_number(full, f"{what}: the number of full ones", 0, MAX_BOTTLES),
        read_number(empty, f"{what}: the number of empty ones", 0, MAX_BOTTLES),
    )
    if sum(bottles) > MAX_BOTTLES:
        raise Refused(f"{what}: {bottles} makes {sum(bottles)} (at most {MAX_BOTTLES})")
    return bottles


def print_position(position: Position) -> str:
    """The canonical text of a position."""
    board = "/".join(
        _print_space(stack, has_keep=space == position.keep) for space, stack in enumerate(position.stacks)
    )
    bottles = NO_BOTTLES if position.bottles is None else str(position.bottles)
    return f"{board} {position.home} {bottles}"


def _print_space(stack: Stack, has_keep: bool) -> str:
    def count(wizards: int) -> str:
        return str(wizards) if wizards else ""

    towers = "".join(("r" if raven else "t") + count(wizards) for raven, wizards in stack.towers)
    return count(stack.ground) + towers + ("K" if has_keep else "") or EMPTY_SPACE
