"""The small parts of every notation: whole numbers, items joined by commas, and texts quoted in messages."""

from __future__ import annotations

import re
from collections.abc import Callable

from solver.errors import Refused

_DIGITS = re.compile(r"[0-9]{1,9}")  # ASCII only, and never long enough to be slow
_LARGE = re.compile(r"[0-9]{1,19}|[0-9]{1,3}([_,][0-9]{3}){1,6}")
_QUOTED_AT_MOST = 40  # characters


def quote(text: str, most: int = _QUOTED_AT_MOST) -> str:
    """The text as a message shows it: in quotes, on one line, shortened if it is long."""
    return f"'{printable(text, most)}'"


def printable(text: str, most: int) -> str:
    """The text with what cannot be printed escaped, and no longer than so many characters of it."""
    shown = text if len(text) <= most else text[: most - 3] + "..."
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in shown)


def counted(number: int, noun: str) -> str:
    """A number with its noun: 'no cards', '1 card', '2 cards'."""
    return f"{number or 'no'} {noun if number == 1 else noun + 's'}"


def read_number(text: str, what: str, low: int, high: int) -> int:
    """A whole number between two bounds; `what` says in the message what it was meant to be."""
    if not _DIGITS.fullmatch(text) or not low <= int(text) <= high:
        raise Refused(f"{what} must be a number from {low} to {high}, not {quote(text)}")
    return int(text)


def number_between(low: int, high: int) -> Callable[[str], int]:
    """A parser of whole numbers; digits may be grouped by `_` or `,`."""

    def read(text: str) -> int:
        number = re.sub("[_,]", "", text.strip()) if _LARGE.fullmatch(text.strip()) else ""
        if not number or not low <= int(number) <= high:
            raise Refused(f"expected a number from {low} to {high:,}, not {quote(text)}")
        return int(number)

    return read


def split_items(text: str) -> list[str]:
    """The items between the commas of a text, none of them empty; an empty text has none."""
    if not text.strip():
        return []
    items = [item.strip() for item in text.split(",")]
    if "" in items:
        at = items.index("")
        where = "between two commas"
        if at == len(items) - 1:
            where = "after the last comma"
        elif at == 0:
            where = "before the first comma"
        raise Refused(f"nothing stands {where} in {quote(text.strip())}")
    return items
