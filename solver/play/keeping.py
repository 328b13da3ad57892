"""The file a game is kept in: a record, with what is needed to go on in comments. Comments of the player's stay.

Comments of ours begin with `# towers:` and say where the cards come from, and which die card lies on the table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from solver.errors import Refused
from solver.move import Card
from solver.notation import Record, RecordTurn, parse_card, parse_cards, parse_record, print_card, print_record
from solver.notation.deals import parse_deal
from solver.notation.records import lines_of
from solver.play.luck import Dealt, Luck, Told
from solver.play.table import Table, check_unseen
from solver.search.situation import EVERY_CARD

_MARK = "# towers:"
_DEALT = re.compile(r"deal (\S+)(?: after (\S+))?")
_ROLLED = re.compile(r"rolled (\S+?)(?: \+extra-roll=([1-6]))?")
_TURN = re.compile(r"\s*[0-9]+\s*\.")
_RESULT = re.compile(r"\s*\[\s*result\b", re.IGNORECASE)


@dataclass
class Kept:
    """A game as its file has it."""

    luck: Luck | None = None  # None: the file does not say
    rolled: Card | None = None
    rolled_line: int = 0
    new_roll: int | None = None
    head: list[str] = field(default_factory=list)  # the lines before the first turn
    turns: list[tuple[RecordTurn, list[str]]] = field(default_factory=list)  # each with its lines and those after it

    def text(self, table: Table, luck: Luck) -> str:
        """The text of the file as the game stands now; lines of turns that are still the same stay as they were."""
        fresh = print_record(table.record).splitlines()
        tags = [line for line in fresh if line.startswith("[") and not _RESULT.match(line)]
        written = [line for line in fresh if not line.startswith("[")]
        result = [line for line in fresh if _RESULT.match(line)]
        same = 0
        while same < min(len(self.turns), table.turns) and self.turns[same][0] == table.record.turns[same]:
            same += 1
        head = self.head or tags
        if self.luck != luck:
            head = [f"{_MARK} {luck}", *head]
        rolled = [] if table.rolled is None else [f"{_MARK} rolled {print_card(table.rolled)}"]
        if table.new_roll is not None:
            rolled[0] += f" +extra-roll={table.new_roll}"
        old = [line for _, lines in self.turns[:same] for line in lines]
        return "\n".join([*head, *old, *written[same:], *rolled, *result]) + "\n"


def parse_kept(text: str) -> tuple[Record, Kept]:
    """The record of a file, and what else is in it; a message names the line."""
    record = parse_record(text)
    kept = Kept()
    turns = iter(record.turns)
    lines = kept.head
    for number, line in enumerate(lines_of(text), start=1):
        if line.strip().startswith(_MARK):
            try:
                if _read_mark(line.strip().removeprefix(_MARK).strip(), kept):
                    kept.rolled_line = number
                    continue  # it is true for now only
            except Refused as reason:
                raise Refused(f"line {number}: {reason}") from None
        if _RESULT.match(line):
            continue
        if _TURN.match(line):
            lines = []
            kept.turns.append((next(turns), lines))
        lines.append(line)
    if isinstance(kept.luck, Dealt):
        kept.luck.check(record)
    return record, kept


def table_of(record: Record, kept: Kept) -> Table:
    """The game as it stood when it was kept, with a die card that lay on the table; a message names its line."""
    table = Table(record)
    if kept.rolled is not None:
        try:
            table.put_down(kept.rolled)
            if kept.new_roll is not None:
                table.cast_extra_roll(kept.new_roll)
        except Refused as reason:
            raise Refused(f"line {kept.rolled_line}: {reason}") from None
    return table


def _read_mark(text: str, kept: Kept) -> bool:
    """Read a comment of ours; return whether it is about the card on the table."""
    if rolled := _ROLLED.fullmatch(text):
        kept.rolled = parse_card(rolled[1])
        kept.new_roll = int(rolled[2]) if rolled[2] else None
        return True
    if dealt := _DEALT.fullmatch(text):
        known = parse_cards(dealt[2]) if dealt[2] else ()
        check_unseen(known, EVERY_CARD)
        kept.luck = Dealt(*parse_deal(dealt[1]), known)
    elif text == str(Told()):
        kept.luck = Told()
    else:
        raise Refused(f"expected '{Dealt(7)}', '{Told()}' or 'rolled wd2=4' after '{_MARK}'")
    return False
