"""The tables of a value: those that ship with the package, those of a file, and a hand-made one."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from solver.errors import Refused
from solver.jit import FloatArray
from solver.value import features
from solver.value.chances import FURTHER, ROWS, bell_curves
from solver.value.features import BOTTLE_CODES, LEFT_CODES, MASKS, MOST_PRISONS, SIZE, Weights

VERSION = 1  # of the patterns; tables learned for others say nothing
SHIPPED = Path(__file__).parent
# What reading a file can raise that is damaged, or something else altogether.
UNREADABLE = (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error)
SOLO, SPELLS = "solo", "spells"
KINDS = (SOLO, SPELLS)

# The hand-made value: cards for each wizard and each surface with imprisoned ones, and for each empty bottle.
CARDS_A_WIZARD = 2.6
CARDS_A_PRISON = 1.3
CARDS_A_BOTTLE = 1.0
# What it saves that somebody can enter now, and once the keep has moved: more for more spaces, but less and less so.
SAVED_NOW, SAVED_NEXT = 0.4, 0.25
# What it saves that a card kept brings somebody in, now, next and after that.
SAVED_BY_CARD = (1.0, 0.6, 0.3)


@dataclass(frozen=True)
class Value:
    """A value: its tables, how it spreads, and where it comes from."""

    weights: Weights
    chances: FloatArray
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """A short name for exactly these numbers."""
        return digest_of(self.weights.astype(np.float16), self.chances.astype(np.float16))


def digest_of(weights: np.ndarray[Any, Any], chances: np.ndarray[Any, Any]) -> str:
    """The hash of the numbers as they are stored."""
    used = np.trim_zeros(weights, "b")
    return hashlib.sha256(used.tobytes() + chances.tobytes()).hexdigest()[:12]


@contextmanager
def whole_file(file: Path) -> Iterator[BinaryIO]:
    """A file to write that takes its place when it is complete, and only then."""
    beside = file.with_name(file.name + ".part")
    try:
        with beside.open("wb") as stream:
            yield stream
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def save(value: Value, stream: BinaryIO) -> None:
    """Write a value, with half precision, which is enough."""
    weights, chances = value.weights.astype(np.float16), value.chances.astype(np.float16)
    about = {**value.about, "version": VERSION, "digest": digest_of(weights, chances)}
    np.savez_compressed(stream, weights=np.trim_zeros(weights, "b"), chances=chances, about=np.array(json.dumps(about)))


def load(file: Path) -> Value:
    """Read a value; refused if it is damaged or made for other patterns."""
    try:
        with np.load(file, allow_pickle=False) as content:
            about = dict(json.loads(str(content["about"])))
            stored, chances = content["weights"].ravel(), content["chances"]
    except UNREADABLE as problem:
        raise Refused(f"'{file.name}' holds no value of positions ({type(problem).__name__})") from None
    if about.get("version") != VERSION:
        raise Refused(
            f"'{file.name}' has version {about.get('version')}, and this is version {VERSION}; learn it again"
        )
    if len(stored) > SIZE or chances.shape != (ROWS, FURTHER + 1) or about.get("digest") != digest_of(stored, chances):
        raise Refused(f"'{file.name}' is damaged")
    weights = np.zeros(SIZE, dtype=np.float32)
    weights[: len(stored)] = stored
    return Value(weights, chances.astype(np.float64), about)


@cache
def shipped(kind: str) -> Value:
    """The value that comes with the package, for SOLO or for SPELLS."""
    return load(SHIPPED / f"{kind}.npz")


def charge_bottles(weights: Weights, cards: float) -> None:
    """Let each empty bottle take so many cards, whatever else is on the board."""
    empty = np.broadcast_to(np.arange(BOTTLE_CODES)[None, :, None], (BOTTLE_CODES, BOTTLE_CODES, LEFT_CODES**2))
    weights[features.BOTTLES : features.BOTTLES + empty.size] = cards * empty.ravel()


@cache
def hand_made() -> Value:
    """A value that nobody learned: wizards to bring home, those imprisoned, and who can enter soon."""
    weights = np.zeros(SIZE, dtype=np.float32)
    board = np.arange(LEFT_CODES).reshape(-1, 1, 1)
    prisons = np.arange(MOST_PRISONS + 1).reshape(1, 1, -1)
    left = CARDS_A_WIZARD * board + CARDS_A_PRISON * prisons
    weights[features.LEFT : features.LEFT + LEFT_CODES**2 * (MOST_PRISONS + 1)] = np.broadcast_to(
        left, (LEFT_CODES, LEFT_CODES, MOST_PRISONS + 1)
    ).ravel()
    spaces = np.sqrt([mask.bit_count() for mask in range(MASKS)])
    soon = SAVED_NOW * spaces[:, None] + SAVED_NEXT * spaces[None, :]
    weights[features.REACH_TWO : features.REACH_TWO + MASKS**2] = -soon.ravel()
    able = np.arange(MASKS) >> np.array([[0], [2], [4]]) & 3  # see features.ability
    better = np.maximum(able[:, :, None], able[:, None, :]) / 3
    by_card = np.tensordot(SAVED_BY_CARD, better, axes=1)
    weights[features.ABLE : features.ABLE + MASKS**2 * LEFT_CODES] = -np.repeat(by_card.ravel(), LEFT_CODES)
    charge_bottles(weights, CARDS_A_BOTTLE)
    return Value(weights, bell_curves(), {"kind": "hand-made"})
