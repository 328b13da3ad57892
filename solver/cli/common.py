"""Arguments, files and output that several commands share."""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from solver.errors import Failed, Refused
from solver.notation import parse_rules, parse_spells
from solver.notation.numbers import printable, quote
from solver.position import Position

F = TypeVar("F", bound=Callable[..., object])

STDIN = "-"
LONGEST_NAME = 200  # characters of a file's name in a message
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # no fault of who named the file
MOST_BYTES = 1_000_000  # of a file read whole; a long game is a few kilobytes
SLASHES_OF_A_BOARD = 10  # with so many, '-/...' is taken for a board and not for an option or a path


class Command(click.Command):
    """A command that says in one sentence what it cannot take, and takes a position that begins with '-/'."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; a position is handed on without blanks around it."""
        takes_position = any(parameter.name == "position" for parameter in self.params)
        if takes_position:  # a blank before it keeps click from taking it for an option
            args = [f" {each}" if _is_board_like_option(each) else each for each in args]
        ctx.allow_extra_args = True  # refused below, in our words
        super().parse_args(ctx, args)
        position = (ctx.params.get("position") or "").strip()
        if ctx.args and not ctx.resilient_parsing:
            hint = "; put the position in quotes" if "/" in position and " " not in position else ""
            raise Refused(f"there are more arguments than expected: {quote(' '.join(ctx.args))}{hint}")
        if takes_position:
            ctx.params["position"] = position
        return ctx.args


def _is_board_like_option(argument: str) -> bool:
    return argument.startswith("-/") and argument.count("/") >= SLASHES_OF_A_BOARD


def single_option(
    name: str, *short: str, parse: Callable[[str], object] = str, default: str | None = None, **settings: Any
) -> Callable[[F], F]:
    """An option with a value that is parsed and may be given once; click would take the last of several."""

    def read(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> object:
        if len(values) > 1:
            raise Refused(f"{name} is given {len(values)} times, and once is enough")
        value = values[0] if values else default
        try:
            return None if value is None else parse(value)
        except Refused as reason:
            raise Refused(f"{name}: {reason}") from None

    return click.option(name, *short, multiple=True, callback=read, **settings)


def rules_option(command: F) -> F:
    """The option --rules, parsed."""
    return single_option(
        "--rules", parse=parse_rules, default="", metavar="OPTIONS",
        help='Rule options, such as "online" or "refresh=on"; see `towers rules`.',
    )(command)  # fmt: skip


def with_rules(command: F) -> F:
    """The options --spells and --rules, parsed."""
    return single_option(
        "--spells", parse=parse_spells, default="", metavar="A,B,C", help="The open spells, joined by commas."
    )(rules_option(command))


def with_json(command: F) -> F:
    """The option --json."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object for scripts.")(command)


def print_json(answer: object) -> None:
    """One JSON object on stdout."""
    click.echo(json.dumps(answer, indent=2))


def announce(message: str) -> None:
    """A line on stderr about something that takes a while."""
    click.echo(f"towers: {message}", err=True)


def prepare(group: str, warm_up: Callable[[], None]) -> None:
    """Have a group of kernels ready, and say so if they must be compiled first."""
    from solver import jit

    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # numba loses a KeyboardInterrupt, so Ctrl-C ends the process at once
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        jit.prepare(group, warm_up, announce)
    finally:
        signal.signal(signal.SIGINT, before)


def prepare_engine() -> None:
    """Have the kernels of the engine ready."""
    from solver.search.warm import warm_up

    prepare("the engine", warm_up)


def draw(position: Position) -> str:
    """The board as the terminal can show it: in colour if it is one and wants that, plain in a pipe."""
    from solver.draw import draw_text

    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return draw_text(position, colour=colour, ascii_only=not encoding.startswith("utf"))


def file_name(name: str) -> str:
    """The name of a file as a message shows it."""
    return "stdin" if name == STDIN else quote(name, LONGEST_NAME)


def short_name(name: str, most: int) -> str:
    """The end of a file's name, where it is too long for a line."""
    shown = printable(name, MOST_BYTES)
    return shown if len(shown) <= most else f"...{shown[3 - most :]}"


def read_file(name: str) -> str:
    """The text of a file of moderate size, or of stdin if the name is '-'."""
    _check_name(name)
    if name == STDIN and sys.stdin is None:
        raise Refused("stdin is closed")
    try:
        if name == STDIN:
            content = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise Refused(f"{file_name(name)} is longer than {MOST_BYTES // 10**6} MB, too long for a record or puzzle")
        return content.decode("utf-8-sig")  # some editors put a mark before the text
    except OSError as problem:
        raise Refused(f"cannot read {file_name(name)}: {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise Refused(f"{file_name(name)} is not UTF-8 text (line {line}, byte {problem.start})") from None


def check_writable(option: str, name: str | None, taken: Sequence[str] = ()) -> None:
    """Refuse early what could not be written in the end, or would take the place of a file that is read."""
    if name is None:
        return
    if not name or name == STDIN:
        raise Refused(f"{option}: expected the name of a file, not {quote(name)}")
    path = Path(name)
    try:
        path.exists()
    except OSError as problem:  # such as a name that is too long
        raise Refused(f"{option}: cannot write {file_name(name)}: {problem.strerror}") from None
    if any(os.path.realpath(name) == os.path.realpath(each) for each in taken):
        raise Refused(f"{option}: {file_name(name)} is the file that is read; expected another name")
    if path.is_dir():
        raise Refused(f"{option}: cannot write {file_name(name)}: it is a folder")
    if not path.parent.is_dir():
        raise Refused(f"{option}: cannot write {file_name(name)}: there is no such folder")
    if not os.access(path.parent if not path.exists() else path, os.W_OK):
        raise Refused(f"{option}: cannot write {file_name(name)}: it is not allowed")


def write_file(name: str, text: str) -> None:
    """Write a file whole or not at all: into a new file beside it, which then takes its place."""
    _check_name(name)
    if name == STDIN:
        raise Refused(f"expected the name of a file to write, not {quote(name)}")
    fill_file(name, lambda path: path.write_text(text, "utf-8", newline="\n"))


def fill_file(name: str, fill: Callable[[Path], object]) -> None:
    """The same for what is written by a function, which is told where."""
    path = Path(name)
    try:
        if path.exists() and not path.is_file():  # a pipe or a device has no place to be taken
            fill(path)
            return
        path = Path(os.path.realpath(path))  # a link stays a link
        beside = path.with_name(f".towers-{os.getpid()}.part")
        try:
            fill(beside)
            with beside.open("rb+") as file:
                os.fsync(file.fileno())  # it takes the other's place only when it is on disk, should the power go
            if path.exists():
                beside.chmod(path.stat().st_mode)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as problem:
        kind = Failed if problem.errno in NO_ROOM else Refused
        raise kind(f"cannot write {file_name(name)}: {problem.strerror or problem}") from None


def _check_name(name: str) -> None:
    if not name:
        raise Refused("the name of the file is empty")
