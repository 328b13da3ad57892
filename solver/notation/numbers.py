"""Reading small whole numbers out of a text, and quoting texts in messages."""

from __future__ import annotations

import re

from solver.errors import Refused

_DIGITS = re.compile(r"[0-9]{1,9}")  # ASCII only, and never long enough to be slow
_QUOTED_AT_MOST = 40  # characters


def quote(text: str) -> str:
    """The text as a message shows it: in quotes, control characters escaped, shortened if it is long."""
    shown = text if len(text) <= _QUOTED_AT_MOST else text[: _QUOTED_AT_MOST - 3] + "..."
    return "'" + shown.encode("unicode_escape").decode("ascii") + "'"


def read_number(text: str, what: str, low: int, high: int) -> int:
    """A whole number between two bounds; `what` says in the message what it was meant to be."""
    if not _DIGITS.fullmatch(text) or not low <= int(text) <= high:
        raise Refused(f"{what} must be a number from {low} to {high}, not {quote(text)}")
    return int(text)
