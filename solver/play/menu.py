"""Finding one's turn among all that can be done: by card, then piece, then spell, then its target, or by typing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from solver.errors import Refused
from solver.move import Pair
from solver.notation import parse_move, print_card, print_move
from solver.notation.moves import BEFORE_ACTION, NOTHING, REFRESH, print_piece
from solver.notation.numbers import counted, quote
from solver.policy.options import Option
from solver.position import Position
from solver.referee import Referee, Steps, card_steps
from solver.rules import REFRESH_STEPS, SPACES

Words = tuple[str, ...]
AGAIN, NO_SPELL = "again", "no spell"
CARD, PIECE, SPELL, TARGET = range(4)  # the levels of a menu
EXAMPLES = ("a card such as w3", "a piece such as W5 or T7.2", "a spell such as +piggyback", "a target")


class Entry(NamedTuple):
    """A line of the menu: what is chosen with it, a few words on what it does, and all turns that begin so."""

    words: Words
    note: str
    options: tuple[Option, ...]

    @property
    def label(self) -> str:
        """What the line is called."""
        return self.words[-1]


@dataclass(frozen=True)
class Menu:
    """All turns that begin with some words, where a turn is the words card, piece, spell and target."""

    position: Position
    options: tuple[Option, ...]
    path: Words = ()

    @property
    def entries(self) -> list[Entry]:
        """What can be chosen next."""
        level = len(self.path)
        grouped: dict[str, list[Option]] = {}
        for option in self.options:
            words = words_of(option)
            if words[:level] == self.path and len(words) > level:
                grouped.setdefault(words[level], []).append(option)
        return [
            Entry((*self.path, label), _note(self.position, level, options), tuple(options))
            for label, options in grouped.items()
        ]

    def choose(self, entry: Entry) -> Menu | Option:
        """The turn, or what is still to be chosen. Where there is one way to go on only, it is gone."""
        finished = [option for option in entry.options if words_of(option) == entry.words]
        if finished and len(entry.options) == 1:
            return finished[0]
        menu = Menu(self.position, self.options, entry.words)
        entries = menu.entries
        return menu.choose(entries[0]) if len(entries) == 1 and len(entry.words) > PIECE else menu

    def typed(self, text: str) -> Menu | Option | list[Entry]:
        """What was typed: a whole turn, the beginning of one, or some that begin with these letters.

        Words may be left out that were chosen already. Refused if nothing begins like that.
        """
        wanted = " ".join(text.lower().split())
        if not wanted:
            raise Refused(f"expected {EXAMPLES[len(self.path)]}, or its number")
        for path in (self.path, ()) if self.path else ((),):
            found = self._beginning(path, wanted)
            if found is not None:
                return found
        raise Refused(f"nothing that can be done now begins with {quote(text.strip())}")

    def _beginning(self, path: Words, wanted: str) -> Menu | Option | list[Entry] | None:
        several: dict[Words, list[Option]] = {}
        for option in self.options:
            words = words_of(option)
            if words[: len(path)] != path:
                continue
            rest = words[len(path) :]
            is_open = path and rest[1:] == (NO_SPELL,)  # after a card was chosen a piece is a piece: a spell may follow
            if wanted == " ".join(rest) or (not is_open and wanted in (_joined(rest), _joined(_without_rolls(rest)))):
                return option
            for number in range(1, len(rest)):
                if wanted in (_joined(rest[:number]), _joined(_without_rolls(rest[:number]))) and rest[number - 1]:
                    several.setdefault(words[: len(path) + number], []).append(option)
                    break
            else:
                if _joined(rest).startswith(wanted) or _joined(_without_rolls(rest)).startswith(wanted):
                    several.setdefault(words[: self._level_of(path, wanted)], []).append(option)
        if not several:
            return None
        entries = [
            Entry(words, _note(self.position, len(words) - 1, options), tuple(options))
            for words, options in several.items()
        ]
        return self.choose(entries[0]) if len(entries) == 1 else entries

    def _level_of(self, path: Words, wanted: str) -> int:
        """How many words the beginnings have that are offered for some letters."""
        return min(len(path) + len(wanted.split()), TARGET + 1)


def words_of(option: Option) -> Words:
    """The words of a turn; that no spell is cast is a word of its own, so that it can be chosen."""
    card = REFRESH if option.card is None else print_card(option.card)
    move = option.move
    if move is None:
        return (card, AGAIN) if option.card is not None and option.card.rolls else (card,)
    action = print_piece(move.action) if move.action else NOTHING
    if option.is_roll:
        return (card, f"+{move.spell}")
    if move.spell is None:
        return (card, action, NO_SPELL)
    if move.spell in BEFORE_ACTION and move.new_roll is not None:
        return (card, action)
    if move.spell in BEFORE_ACTION:
        return (card, f"+{move.spell} {action}", NO_SPELL)
    target = print_move(move).split(f"+{move.spell}", 1)[1].strip()
    return (card, action, f"+{move.spell}", target) if target else (card, action, f"+{move.spell}")


def _joined(words: Words) -> str:
    return " ".join(word for word in words if word != NO_SPELL).lower()


def _without_rolls(words: Words) -> Words:
    return (words[0].split("=")[0], *words[1:])


def explain(referee: Referee, position: Position, menu: Menu, text: str) -> str:
    """Why what was typed cannot be done: the rules' reason if it is a whole turn, as far as that can be told."""
    for words in ((*menu.path, text), (text,)):
        try:
            move = parse_move(" ".join(word for word in words if word != NO_SPELL))
        except Refused:
            continue
        cards = dict.fromkeys(option.card.face if option.card else REFRESH for option in menu.options)
        if (move.card.face if move.card else REFRESH) not in cards:
            return f"expected one of {', '.join(cards)}, not {quote(print_move(move))}"
        return f"{quote(print_move(move))} is not allowed: {referee.why_not(position, move)}"
    return ""


# What a line of the menu does -------------------------------------------------------------------------------


def _note(position: Position, level: int, options: list[Option]) -> str:
    """A few words on what all these turns have in common."""
    option = options[0]
    move = option.move
    if level == CARD or option.is_roll or move is None:
        return _note_of_card(option, len(options))
    if level == PIECE:
        plain = next((each for each in options if each.move and each.move.target is None), option)
        return _note_of_piece(position, plain)
    if isinstance(move.target, Pair) and level == TARGET:
        return "exchange their tops"
    return counted(len(options), "way") if level == SPELL and len(options) > 1 else ""


def _note_of_card(option: Option, ways: int) -> str:
    if option.is_roll:
        return "roll once more" if option.card is not None and option.card.rolls else "roll the die"
    if option.move is not None and option.move.action is None:
        return "nothing can move"
    return "throw the hand away" if option.card is None else counted(ways, "way")


def _note_of_piece(position: Position, option: Option) -> str:
    move, after = option.move, option.after
    assert move is not None
    assert after is not None
    if move.action is None:
        return "nothing can move"
    steps = Steps(0, REFRESH_STEPS) if move.card is None else card_steps(move.card, move.roll)
    if move.spell == "movement-swap":
        steps = Steps(steps.tower, steps.wizard)
    space, height = move.action
    target = (space + (steps.tower if height else steps.wizard)) % SPACES
    if not height:
        return "home" if after.home > position.home else f"to {target}"
    covered = position.stacks[target].visible
    freed = position.stacks[space].wizards[height - 1]
    return f"to {target}" + (f", frees {freed}" if freed else "") + (f", covers {covered}" if covered else "")
