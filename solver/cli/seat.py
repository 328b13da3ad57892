"""The player's seat at a terminal: shows the game, asks, and does what is typed."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from textwrap import fill

import click

from solver.cli.common import draw, file_name, write_file
from solver.cli.ranking import value_text
from solver.errors import Refused
from solver.game import WON
from solver.move import Card, Move
from solver.notation import parse_move, parse_unrolled, print_cards, print_move, print_position
from solver.notation.numbers import counted, read_number
from solver.play.luck import Luck, Told
from solver.play.menu import Entry, Menu, explain
from solver.play.table import Table, check_hand
from solver.policy.options import Option
from solver.rules import DIE_SIDES, FACES, SPELL_NUMBER, SPELLS, grade
from solver.search.situation import Advice, Choice, Objective

NARROWEST, WIDEST = 40, 110  # columns of what is written, however wide the terminal is
HINTS = 5
GAP = "   "
LEAVING = ("quit", "exit")

HELP = """\
number     choose that line of the list
w3 W5      play this, or type the beginning: a card, a card and a piece
hint       the best turns and what they are worth; then a number plays one
why        the reasons for them; why 2: for the second
undo       take back the card on the table, or the last turn
back       choose another card or piece
board      draw the board again        deck   what is left in the deck
save FILE  write a copy                quit   stop; the game is kept"""


class Quit(Exception):
    """The player has had enough for now."""


Ask = Callable[[str], str]
Keep = Callable[[], None]  # writes the game's file, or refuses


def ask_terminal(prompt: str) -> str:
    """Ask for a line; Ctrl-D is as good as quitting."""
    try:
        return input(prompt)
    except (EOFError, RuntimeError):  # the latter if stdin is closed
        click.echo()
        raise Quit from None


class Seat:
    """Plays one game with a player."""

    def __init__(self, table: Table, luck: Luck, file: Callable[[], str], keep: Keep, ask: Ask = ask_terminal) -> None:
        self.table = table
        self.luck = luck
        self._text = file  # of the game's file as it is now
        self._write = keep
        self._ask = ask
        self._menu: Menu | None = None
        self._listed: Sequence[Entry | Option] = ()
        self._advice: Advice | None = None

    def play(self) -> None:
        """Play to the end of the game, or until the player quits."""
        if self.table.state.owed:
            self._draw()
        self._show()
        while not self.table.is_over:
            if self._menu is None:
                self._menu = self.table.menu
                self._advice = None
                self._list(self._menu.entries)
            try:
                self._do(self._ask(self._prompt()).strip())
            except Refused as reason:
                say(str(reason))

    # What is typed ------------------------------------------------------------------------------------------

    def _do(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        if text.lower() in LEAVING:
            raise Quit
        command = {
            "?": self._help, "help": self._help, "hint": self._hint, "undo": self._undo, "back": self._back,
            "board": self._show, "deck": self._deck,
        }.get(text.lower())  # fmt: skip
        if command is not None:
            command()
        elif word.lower() == "why":
            self._why(rest.strip())
        elif word.lower() == "save":
            self._save(rest.strip())
        elif text.isascii() and text.isdigit():
            self._choose(self._listed[read_number(text, "the number of a line", 1, len(self._listed)) - 1])
        else:
            self._typed(text)

    def _typed(self, text: str) -> None:
        assert self._menu is not None
        if isinstance(self.luck, Told) and "=" in text:  # with rolls, it is a whole turn as it was played on the table
            self._finish(parse_move(text))
            return
        if "=" in text and self.table.rolled is None:
            raise Refused("the die is rolled for you; type the card alone")
        try:
            found = self._menu.typed(text)
        except Refused as reason:
            why = explain(self.table.referee, self.table.state.position, self._menu, text)
            raise Refused(why or f"{reason}; help tells what can be typed") from None
        if isinstance(found, list):
            self._list(found)
        else:
            self._go_on(found)

    def _choose(self, chosen: Entry | Option) -> None:
        assert self._menu is not None
        self._go_on(chosen if isinstance(chosen, Option) else self._menu.choose(chosen))

    def _go_on(self, found: Menu | Option) -> None:
        if isinstance(found, Menu):
            self._menu = found
            self._list(found.entries)
        elif found.is_roll:
            self._roll(found)
        else:
            assert found.move is not None
            self._finish(found.move)

    def _finish(self, move: Move) -> None:
        self.table.play(move)
        self._menu = None
        click.echo(f"  {self.table.turns}. {print_move(move)}")
        self._keep()
        if self.table.state.owed:
            self._draw()
        if self.table.is_over:
            self._end()
        else:
            self._show()

    def _roll(self, option: Option) -> None:
        card = option.card
        assert card is not None
        turn = self.table.turns + 1
        if isinstance(self.luck, Told):
            told = self._ask_roll()
            if told is None:
                return
            number = told
        else:
            number = self.luck.roll(turn, len(card.rolls))
            click.echo(f"  {card.face} rolls a {number}")
        self.table.roll(option, number)
        self._keep()
        self._menu = None

    def _ask_roll(self) -> int | None:
        """What the player rolled; None if the card stays in the hand after all."""
        while True:
            text = self._ask("what did you roll? ").strip()
            if text.lower() in LEAVING:
                raise Quit
            if text.lower() in ("undo", "back"):
                self._menu = None
                return None
            try:
                return read_number(text, "a roll", 1, DIE_SIDES)
            except Refused as reason:
                say(f"{reason}; back takes the card back")

    def _draw(self) -> None:
        owed = self.table.state.owed
        if not isinstance(self.luck, Told):
            drawn = self.luck.next_cards(self.table.record, owed)
            self.table.draw(drawn)
            click.echo(f"  drawn: {print_cards(drawn)}")
        while self.table.state.owed:
            text = self._ask(f"which {'card' if owed == 1 else counted(owed, 'card')} did you draw? ").strip()
            try:
                if text.lower() == "undo":
                    self.table.undo()
                elif text.lower() == "deck":
                    self._deck()
                elif text.lower() in LEAVING:
                    raise Quit
                elif text.lower() in ("", "help", "?"):
                    say("type what you drew, such as w3; deck shows what is left; undo takes the turn back; quit stops")
                else:
                    self.table.draw(parse_unrolled(text))
            except Refused as reason:
                say(str(reason))
        self._keep()

    def _keep(self) -> None:
        """Write the file. If that fails the game goes on all the same; the player is told, and at the end again."""
        try:
            self._write()
        except Refused as reason:
            say(f"{reason}; the last turn is NOT kept; it is tried again with the next one, and save FILE takes a copy")

    def _help(self) -> None:
        for line in HELP.splitlines():
            click.echo(fill(line, columns(), subsequent_indent=" " * 11, drop_whitespace=False).rstrip())
        for name in self.table.record.spells:
            say(f"{self._priced(name)}: {SPELLS[SPELL_NUMBER[name] - 1].effect}")

    def _undo(self) -> None:
        self.table.undo()
        self._keep()
        self._menu = None
        self._show()

    def _back(self) -> None:
        self._menu = None

    def _save(self, name: str) -> None:
        if not name:
            raise Refused("expected the name of a file after save, such as save my.towers")
        if os.path.exists(name):
            raise Refused(f"{file_name(name)} exists; expected a new name")
        write_file(name, self._text())
        say(f"a copy is in {file_name(name)}")

    def _hint(self) -> None:
        self._consider()
        assert self._advice is not None
        best = self._advice.choices[0]
        shown = self._advice.choices[:HINTS]
        options = {option.move or option.card: option for option in self.table.options}
        self._listed = [options[choice.move or choice.card] for choice in shown]
        rows = [(_choice_text(choice), *_worth(choice, best)) for choice in shown]
        width = max(len(row[0]) for row in rows)
        for number, (text, worth, note) in enumerate(rows, 1):
            line = f"  {number}  {text.ljust(width)}  {worth}  {note}".rstrip()
            click.echo(line if len(line) <= columns() else fill(line, columns(), subsequent_indent="     "))
        say("a number plays one of these; back lists everything again")

    def _why(self, which: str) -> None:
        from solver.advice.words import plan_words, reason_of

        if self._advice is None:
            self._hint()
        assert self._advice is not None
        shown = self._advice.choices[:HINTS]
        if which:
            shown = (shown[read_number(which, "the number after why", 1, len(shown)) - 1],)
        for choice in shown:
            say(f"{_choice_text(choice)}: {reason_of(self.table.situation, choice)}.")
        if len(shown) == 1 and shown[0].plan is not None and shown[0].card is not None:
            for line in plan_words(shown[0].card, shown[0].plan):
                click.echo(fill(line, columns(), initial_indent="    ", subsequent_indent="      "))

    def _consider(self) -> None:
        if self._advice is not None:
            return
        from solver.advice.advise import advise
        from solver.cli.advise import thinking
        from solver.cli.answers import prepare_advice

        prepare_advice()
        try:
            with thinking(Objective()) as news:
                self._advice = advise(self.table.situation, news=news)
        except KeyboardInterrupt:
            raise Refused("stopped thinking") from None

    # What is shown ------------------------------------------------------------------------------------------

    def _prompt(self) -> str:
        assert self._menu is not None
        return f"{' '.join(self._menu.path)}> " if self._menu.path else "> "

    def _show(self) -> None:
        state = self.table.state
        self._board()
        counts = f"{counted(state.discards, 'card')} played, {state.pile} in the deck"
        click.echo(f"turn {self.table.turns + 1}: {counts}")
        self._deck()
        if self.table.record.spells:
            told = f"spells  {', '.join(map(self._priced, self.table.record.spells))}"
            click.echo(fill(told, columns(), subsequent_indent=" " * 8, break_on_hyphens=False))
        click.echo(f"hand  {print_cards(state.hand)}")
        if self._menu is not None:
            self._list(self._menu.entries)

    def _priced(self, spell: str) -> str:
        """A spell and its cost; or that it cannot be cast by these rules."""
        rules = self.table.record.rules
        return f"{spell} {rules.spell_costs[spell]}" if rules.offers(spell) else f"{spell} (not under these rules)"

    def _board(self) -> None:
        """The board, or its notation where the terminal is too narrow for it."""
        position = self.table.state.position
        drawn = draw(position)
        plain = re.sub("\x1b\\[[0-9;]*m", "", drawn)
        if max(map(len, plain.splitlines())) > columns():
            text = print_position(position).replace("/", "/ ")
            drawn = fill(text, columns(), break_long_words=False, break_on_hyphens=False)
        click.echo(drawn)

    def _deck(self) -> None:
        left = self.table.situation.deck
        shown = [f"{face.name}\N{NO-BREAK SPACE}{copies}" for face, copies in zip(FACES, left, strict=True) if copies]
        text = fill("  ".join(shown), columns(), initial_indent="left  ", subsequent_indent="      ")
        click.echo(text.replace("\N{NO-BREAK SPACE}", " "))

    def _list(self, entries: list[Entry]) -> None:
        self._listed = entries
        cells = [f"{number} {entry.label} {entry.note}".rstrip() for number, entry in enumerate(entries, 1)]
        for line in in_columns(cells, columns()):
            click.echo(line)

    def _end(self) -> None:
        state = self.table.state
        self._board()
        score = state.discards if state.status == WON else None
        click.echo(f"{state.status} with {counted(state.discards, 'card')}: {grade(score)}")


def ask_hand(ask: Ask = ask_terminal) -> tuple[Card, ...]:
    """The first hand of a game on the player's own table."""
    while True:
        try:
            text = ask("which cards are in your hand? ").strip()
            if text.lower() in LEAVING:
                raise Quit
            hand = parse_unrolled(text)
            check_hand(hand)
            return hand
        except Refused as reason:
            say(str(reason))


def _choice_text(choice: Choice) -> str:
    from solver.advice.words import choice_text

    return choice_text(choice)


def _worth(choice: Choice, best: Choice) -> tuple[str, str]:
    aim = Objective()
    if choice is best:
        return f"{value_text(choice.value, aim)} cards", ""
    same = value_text(choice.value, aim) == value_text(best.value, aim)
    return f"{value_text(choice.value, aim)}", "as good" if same else "too close to call" if choice.close else ""


def say(text: str) -> None:
    """A sentence to the player, in lines that fit."""
    click.echo(fill(text, columns(), initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False))


def columns() -> int:
    """How wide what is written may be."""
    wide = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80
    return max(NARROWEST, min(wide, WIDEST)) - 1


def in_columns(cells: Sequence[str], width: int) -> list[str]:
    """Cells side by side, as many columns as there is room for, read from top to bottom."""
    if not cells:
        return []
    for rows in range(1, len(cells) + 1):
        parts = [cells[start : start + rows] for start in range(0, len(cells), rows)]
        widths = [max(map(len, part)) for part in parts]
        if sum(widths) + len(GAP) * (len(parts) - 1) + 2 <= width or rows == len(cells):
            lines = []
            for row in range(rows):
                line = [part[row].ljust(wide) for part, wide in zip(parts, widths, strict=True) if row < len(part)]
                lines.append(("  " + GAP.join(line)).rstrip())
            return lines
    raise AssertionError("one column always fits")


def has_line_editing() -> None:
    """Let the arrow keys work where the terminal can do that."""
    if sys.stdin.isatty() and os.environ.get("TERM") != "dumb":
        try:
            import readline  # noqa: F401
        except ImportError:
            return
