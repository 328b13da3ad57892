"""The file a game is kept in: a record, with what is needed to go on in comments. Comments of the player's stay.

Comments of ours begin with `# towers:` and say where the cards come from, and which die card lies on the table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from solver.errors import Refused
from solver.move import Card
from solver.notation import Record, RecordTurn, parse_card, parse_record, print_card, print_record
from solver.notation.deals import parse_deal
from solver.play.luck import Dealt, Luck, Told
from solver.play.table import Table

_MARK = "# towers:"
_DEALT = re.compile(r"deal (\S+?)(?: after ([0-9]{1,2}) cards)?")
_ROLLED = "rolled "
_TURN = re.compile(r"\s*[0-9]+\s*\.")
_RESULT = re.compile(r"\s*\[\s*result\b", re.IGNORECASE)


@dataclass
class Kept:
    """A game as its file has it."""

    luck: Luck | None = None  # None: the file does not say
    rolled: Card | None = None
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
        rolled = [] if table.rolled is None else [f"{_MARK} {_ROLLED}{print_card(table.rolled)}"]
        old = [line for _, lines in self.turns[:same] for line in lines]
        return "\n".join([*head, *old, *written[same:], *rolled, *result]) + "\n"


def parse_kept(text: str) -> tuple[Record, Kept]:
    """The record of a file, and what else is in it; a message names the line."""
    record = parse_record(text)
    kept = Kept()
    turns = iter(record.turns)
    lines = kept.head
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip().startswith(_MARK):
            try:
                if _read_mark(line.strip().removeprefix(_MARK).strip(), kept):
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


def _read_mark(text: str, kept: Kept) -> bool:
    """Read a comment of ours; return whether it is about the card on the table."""
    if text.startswith(_ROLLED):
        kept.rolled = parse_card(text.removeprefix(_ROLLED))
        return True
    dealt = _DEALT.fullmatch(text)
    if dealt is not None:
        kept.luck = Dealt(*parse_deal(dealt[1]), int(dealt[2] or 0))
    elif text == str(Told()):
        kept.luck = Told()
    else:
        raise Refused(f"expected '{Dealt(7)}', '{Told()}' or '{_ROLLED}wd2=4' after '{_MARK}'")
    return False
