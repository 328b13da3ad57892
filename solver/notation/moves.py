"""Moves as text: `CARD ACTION [+SPELL ACTION]`, a line a turn."""

from __future__ import annotations

from solver.errors import Refused
from solver.move import CCW, CW, Card, Move, Pair, Piece, Target
from solver.notation.cards import parse_card, print_card
from solver.notation.numbers import quote, read_number
from solver.rules import DIE_SIDES, MAX_TOWERS, SPACES, SPELL_NUMBER

REFRESH = "refresh"
NOTHING = "-"
BEFORE_ACTION = ("extra-roll", "movement-swap")  # these stand before the action they change

_WIZARD_TARGET = ("advance-wizard", "headwind-wizard")
_TOWER_TARGET = ("advance-tower", "headwind-tower", "free-wizard")


def parse_move(text: str) -> Move:
    """A turn. Whether the rules allow it in a position is for the referee to say."""
    words = text.split()
    try:
        return _parse(words)
    except Refused as reason:
        raise Refused(f"move {quote(text.strip())}: {reason}") from None


def _parse(words: list[str]) -> Move:
    if not words:
        raise Refused("expected CARD ACTION, such as 'w3 W5'")
    card = None if words[0].lower() == REFRESH else _parse_played(words[0])
    rest = words[1:]
    written = sum(word.startswith("+") for word in rest)
    if written > 1:
        raise Refused(f"there is one spell a turn, and {written} are written")
    spell, new_roll = None, None
    if rest and rest[0].startswith("+"):
        spell, new_roll = _parse_before(rest.pop(0), card)
    if not rest:
        raise Refused("an action is missing: W and a space, T and space.height, or '-'")
    action = None if rest[0] == NOTHING else _parse_piece(rest[0])
    rest = rest[1:]
    if card is None and (action is None or action.height == 0):
        raise Refused("a refresh moves a tower, such as 'refresh T7.1'")
    if not rest:
        return Move(card, action, spell, None, new_roll)
    if spell is not None:
        raise Refused(f"nothing follows the action here, but {quote(' '.join(rest))} does")
    spell, target = _parse_after(rest)
    return Move(card, action, spell, target)


def _parse_played(text: str) -> Card:
    card = parse_card(text)
    if card.has_die and not card.rolls:
        raise Refused(f"'{card.face}' needs its rolls, such as '{card.face}=4'")
    return card


def _parse_before(word: str, card: Card | None) -> tuple[str, int | None]:
    name, equals, value = word[1:].lower().partition("=")
    if name not in BEFORE_ACTION:
        raise Refused(f"{quote(word)} before the action; only +movement-swap and +extra-roll=N stand there")
    if card is None:
        raise Refused(f"'+{name}' needs a card, and a refresh plays none")
    if name == "extra-roll":
        if not card.has_die:
            raise Refused(f"'+extra-roll' needs a die card, and '{card.face}' has no die")
        return name, read_number(value, "the new roll of '+extra-roll='", 1, DIE_SIDES)
    if equals:
        raise Refused("'+movement-swap' takes no '='")
    return name, None


def _parse_after(words: list[str]) -> tuple[str, Target]:
    name = words[0][1:].lower()
    if not words[0].startswith("+") or name not in SPELL_NUMBER:
        raise Refused(f"{quote(words[0])} is no spell; after the action '+' and a spell's name may follow")
    if name in BEFORE_ACTION:
        raise Refused(f"'+{name}' stands before the action it changes")
    return name, _parse_target(name, words[1:])


def _parse_target(spell: str, words: list[str]) -> Target:
    def takes(count: int, what: str) -> None:
        if len(words) != count:
            raise Refused(f"'+{spell}' takes {what}, not {quote(' '.join(words))}")

    if spell in _WIZARD_TARGET or spell in _TOWER_TARGET:
        wizard = spell in _WIZARD_TARGET
        what = "a wizard such as W5" if wizard else "a tower such as T7.2"
        takes(1, what)
        piece = _parse_piece(words[0])
        if (piece.height == 0) != wizard:
            takes(0, what)
        return piece
    if spell == "swap-towers":
        takes(2, "two spaces such as 3 7")
        first, second = sorted(_parse_space(word) for word in words)
        if first == second:
            raise Refused(f"'+{spell}' takes two different spaces")
        return Pair(first, second)
    if spell == "nudge-keep":
        takes(1, "cw or ccw")
        direction = words[0].lower()
        if direction not in (CW, CCW):
            raise Refused(f"'+{spell}' takes cw or ccw, not {quote(words[0])}")
        return direction
    takes(0, "nothing more")
    return None


def _parse_piece(text: str) -> Piece:
    kind, rest = text[:1].upper(), text[1:]
    if kind == "W":
        return Piece(_parse_space(rest))
    if kind == "T":
        space, dot, height = rest.partition(".")
        if not dot:
            raise Refused(f"{quote(text)} names no height; a tower is T and space.height, such as T7.2")
        return Piece(_parse_space(space), read_number(height, "the height of a tower", 1, MAX_TOWERS))
    raise Refused(f"{quote(text)} is no action; expected W and a space, T and space.height, or '-'")


def _parse_space(text: str) -> int:
    return read_number(text, "a space", 0, SPACES - 1)


def print_move(move: Move) -> str:
    """The canonical text of a move."""
    words = [print_card(move.card) if move.card else REFRESH]
    spell = f"+{move.spell}" if move.spell else ""
    if move.spell in BEFORE_ACTION:
        words.append(spell if move.new_roll is None else f"{spell}={move.new_roll}")
    words.append(print_piece(move.action) if move.action else NOTHING)
    if move.spell and move.spell not in BEFORE_ACTION:
        words.append(spell)
        words.extend(_print_target(move.target))
    return " ".join(words)


def print_piece(piece: Piece) -> str:
    """The text of a piece: `W5` or `T7.2`."""
    return f"T{piece.space}.{piece.height}" if piece.height else f"W{piece.space}"


def _print_target(target: Target) -> list[str]:
    if target is None:
        return []
    if isinstance(target, Piece):
        return [print_piece(target)]
    if isinstance(target, Pair):
        return [str(target.first), str(target.second)]
    return [target]
