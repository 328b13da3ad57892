"""The games of a run as a table for other programs: CSV, or Parquet with the extra of that name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from solver.batch.file import NAMES
from solver.batch.tally import LUCK_UNIT
from solver.batch.work import Chunk
from solver.errors import Refused

Row = tuple[int, str, int | None, float | None]
COLUMNS = ("game", "result", "cards", "luck")


def rows_of(parts: Iterable[Chunk], with_luck: bool) -> Iterator[list[Row]]:
    """The games as rows, some at a time."""
    for part in parts:
        lucks = part.lucks[0].tolist()
        yield [
            (
                part.first + number,
                "won" if cards >= 0 else NAMES[cards],
                cards if cards >= 0 else None,
                lucks[number] / LUCK_UNIT if with_luck else None,
            )
            for number, cards in enumerate(part.cards[0].tolist())
        ]


def write_csv(groups: Iterable[list[Row]], with_luck: bool, file: IO[str]) -> int:
    """Write the rows as CSV, some at a time; return how many there were."""
    columns = len(COLUMNS) if with_luck else len(COLUMNS) - 1
    file.write(",".join(COLUMNS[:columns]) + "\n")
    games = 0
    for rows in groups:
        lines = [",".join("" if each is None else str(each) for each in row[:columns]) + "\n" for row in rows]
        file.writelines(lines)
        games += len(rows)
    return games


def write_parquet(groups: Iterable[list[Row]], with_luck: bool, path: Path) -> int:
    """Write the rows as Parquet, a row group at a time; return how many there were."""
    try:
        arrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise Refused("Parquet needs pyarrow, which comes with: pip install 'towers-solver[parquet]'") from None
    fields = [("game", arrow.int64()), ("result", arrow.string()), ("cards", arrow.int16()), ("luck", arrow.float64())]
    schema = arrow.schema(fields if with_luck else fields[:-1])
    games = 0
    with parquet.ParquetWriter(str(path), schema) as writer:
        for rows in groups:
            columns = list(zip(*rows, strict=True))[: len(schema)]
            writer.write_table(arrow.table([list(column) for column in columns], schema=schema))
            games += len(rows)
    return games
