"""Deals as text: the seed and the number of the game, `7` or `7:12`."""

from __future__ import annotations

from solver.errors import Refused
from solver.notation.numbers import number_between

MOST_SEED = 2**62


def parse_deal(text: str) -> tuple[int, int]:
    """Seed and game: `7`, or `7:12` for game 12 of that seed."""
    number = number_between(0, MOST_SEED)
    try:
        seed, game = (number(part) for part in (text if ":" in text else f"{text}:0").split(":", 1))
    except Refused as reason:
        raise Refused(f"{reason}; a deal is a seed, or seed:game, such as 7:12") from None
    return seed, game


def print_deal(seed: int, game: int) -> str:
    """The canonical text of a deal."""
    return f"{seed}:{game}" if game else str(seed)
