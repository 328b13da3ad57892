"""The file of a run: a header, then a line a game in order. It can be cut off anywhere and gone on with.

    {"format": "towers-run", ..., "policy": "learned", "seed": 7, ...}
    {"game":0,"result":"won","cards":23}
    {"game":1,"result":"lost","cards":null}

With luck measured a line ends with `,"luck":-0.8125}`: cards that draws and rolls cost, or (below 0) saved.
"""

from __future__ import annotations

import fcntl
import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from stat import S_ISREG
from typing import IO, Any

import numpy as np

from solver.batch.run import FORMAT, FORMAT_VERSION, run_of
from solver.batch.tally import LUCK_UNIT
from solver.batch.work import Chunk
from solver.errors import Refused
from solver.notation.numbers import quote
from solver.rules import DECK_SIZE
from solver.search.simulate import LOST, UNDECIDED

MOST_HEADER = 100_000  # bytes; a file whose first line is longer is something else
READ_TOGETHER = 10_000  # games
LONGEST_NAME = 200  # characters of a file's name in a message
NAMES = {LOST: "lost", UNDECIDED: "undecided"}
NUMBERS = {name: number for number, name in NAMES.items()}
_LINE = re.compile(
    rb'\{"game":(\d{1,18}),"result":"(won|lost|undecided)","cards":(\d{1,3}|null)(?:,"luck":(-?\d{1,6}\.\d{4}))?\}\n'
)
# What must be the same for a file to be gone on with, what shapes others first, and how a message calls what is not;
# the version need not be, for the engine's digest says more.
_SAME = {
    "spells": "other spells",
    "rules": "other rules",
    "position": "another position",
    "policy": "another policy",
    "seed": "another seed",
    "less_luck": "another choice about --less-luck",
    "engine": "another engine",
    "policy_digest": "another text or value of the policy",
    "expected": "another expectation at the start",
}


def shown(path: Path) -> str:
    """The name of a file as a message shows it: what tells one from another is often at its end."""
    return quote(str(path), LONGEST_NAME)


def lines_of(part: Chunk, with_luck: bool) -> bytes:
    """The lines of some games of one run."""
    lines = []
    lucks = part.lucks[0].tolist()
    for number, cards in enumerate(part.cards[0].tolist()):
        result, shown = ("won", cards) if cards >= 0 else (NAMES[cards], "null")
        luck = f',"luck":{_decimal(lucks[number])}' if with_luck else ""
        lines.append(f'{{"game":{part.first + number},"result":"{result}","cards":{shown}{luck}}}\n')
    return "".join(lines).encode()


def _decimal(luck: int) -> str:
    whole, rest = divmod(abs(luck), LUCK_UNIT)
    return f"{'-' if luck < 0 else ''}{whole}.{rest:04}"


class RunFile:
    """A file that is being written, locked against anybody else who would write it."""

    def __init__(self, path: Path, header: dict[str, Any], resume: bool) -> None:
        self.path = path
        self.with_luck = bool(header["less_luck"])
        self.games = 0  # whose lines are whole, as far as they were read or written here
        self._first_line = (json.dumps(header) + "\n").encode()
        self._is_new = not path.exists()
        self._file = _open(path, resume)
        try:
            _lock(self._file, path)
            if self._begins_here():
                self._write(self._first_line)
                self.games = 0
            else:
                with path.open("rb") as reader:
                    check_same(read_header(reader, path), header, path)
        except BaseException:
            self.close()
            raise

    def read(self) -> Iterator[Chunk]:
        """The games in the file; to be read to the end before anything is appended, which cuts off a torn last line."""
        with self.path.open("rb") as reader:
            end = len(reader.readline())
            for part, size in read_games(reader, self.path, self.with_luck):
                end += size
                self.games = part.stop
                yield part
        self._file.truncate(end)
        self._file.seek(end)

    def append(self, part: Chunk) -> None:
        """Write more games."""
        self._write(lines_of(part, self.with_luck))

    def forget(self) -> None:
        """Remove the file, if it was made here and no game ever came into it."""
        if self._is_new and not self.games:
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file, which unlocks it."""
        self._file.close()

    def _begins_here(self) -> bool:
        """Whether nothing but a part of the header is there, which is then removed."""
        self._file.seek(0)
        start = self._file.read(MOST_HEADER + 1)
        if b"\n" in start or not self._first_line.startswith(start):
            return False
        self._file.truncate(0)
        self._file.seek(0)
        return True

    def _write(self, content: bytes) -> None:
        while content:
            size = int(self._file.write(content))
            self.games += content.count(b"\n", 0, size)
            content = content[size:]


def _open(path: Path, resume: bool) -> Any:
    try:
        if resume and path.exists():
            if not S_ISREG(path.stat().st_mode):
                raise Refused(f"{shown(path)} is not a regular file")
            return path.open("r+b", buffering=0)
        return path.open("x+b", buffering=0)
    except FileExistsError:
        so = "--resume goes on with it" if path.is_file() else "expected another name, for it is no regular file"
        raise Refused(f"{shown(path)} is there already; {so}") from None
    except OSError as problem:
        raise Refused(f"cannot write {shown(path)}: {problem.strerror}") from None


def _lock(file: Any, path: Path) -> None:
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Refused(f"another run is writing {shown(path)}") from None


def read_header(file: IO[bytes], path: Path) -> dict[str, Any]:
    """The header of a file, which is then read up to its first game; refused if it describes no run."""
    line = file.readline(MOST_HEADER)
    try:
        header = json.loads(line)
        known = isinstance(header, dict) and header.get("format") == FORMAT
    except (ValueError, RecursionError):
        known = False
    if not known:
        raise Refused(f"{shown(path)}: line 1: expected the header of a run of `towers simulate --out`")
    if header.get("format_version") != FORMAT_VERSION:
        has = f"{header.get('format_version')!r:.20}"
        raise Refused(f"{shown(path)} has format {has}, and this program reads {FORMAT_VERSION}")
    try:
        run_of(header)
    except Refused as reason:
        raise Refused(f"{shown(path)}: line 1: {reason}") from None
    return dict(header)


def check_same(found: dict[str, Any], wanted: dict[str, Any], path: Path) -> None:
    """Refuse a file of other games."""
    for name, what in _SAME.items():
        if found.get(name) != wanted[name]:
            raise Refused(f"{shown(path)} was made with {what}: {_said(found.get(name))}, not {_said(wanted[name])}")


def _said(value: object) -> str:
    """What a header has, in a message."""
    if isinstance(value, bool):
        return "with it" if value else "without it"
    if isinstance(value, list):
        value = ",".join(value)
    if value in ("", None):
        return "none"
    return quote(value, LONGEST_NAME) if isinstance(value, str) else str(value)


def read_games(file: IO[bytes], path: Path, with_luck: bool) -> Iterator[tuple[Chunk, int]]:
    """The games from here on, some at a time, with the bytes they take; refused where a line is not as it should be.

    A last line that is not complete is passed over: a run is writing it, or was stopped while it did.
    """
    game = 0
    while lines := list(islice(file, READ_TOGETHER)):
        whole = lines if lines[-1].endswith(b"\n") else lines[:-1]
        if whole:
            yield _chunk(whole, game, path, with_luck), sum(map(len, whole))
        if len(whole) < len(lines):
            return
        game += len(whole)


def _chunk(lines: list[bytes], first: int, path: Path, with_luck: bool) -> Chunk:
    cards, lucks = [], []
    for game, line in enumerate(lines, start=first):
        match = _LINE.fullmatch(line)
        if match is None or not _fits(match, game, with_luck):
            luck = ',"luck":0.1250' if with_luck else ""
            expected = f'{{"game":{game},"result":"won","cards":23{luck}}}'
            found = quote(line.decode("utf-8", "replace").rstrip("\n"))
            raise Refused(f"{shown(path)}: line {game + 2}: expected a line such as {expected}, not {found}")
        cards.append(int(match[3]) if match[2] == b"won" else NUMBERS[match[2].decode()])
        lucks.append(int(match[4].replace(b".", b"")) if with_luck else 0)
    return Chunk(first, np.array([cards]), np.array([lucks]), 0.0)


def _fits(match: re.Match[bytes], game: int, with_luck: bool) -> bool:
    cards = None if match[3] == b"null" else int(match[3])
    known = (cards is not None and cards <= DECK_SIZE) if match[2] == b"won" else cards is None
    return known and int(match[1]) == game and (match[4] is not None) == with_luck
