"""Options and output that several commands share."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TypeVar

import click

from solver.notation import parse_rules, parse_spells
from solver.rules import Rules

F = TypeVar("F", bound=Callable[..., object])


def _rules(ctx: click.Context, parameter: click.Parameter, value: str) -> Rules:
    return parse_rules(value)


def _spells(ctx: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    return parse_spells(value)


def with_rules(command: F) -> F:
    """The options --spells and --rules, parsed."""
    command = click.option(
        "--rules", callback=_rules, default="", metavar="OPTIONS",
        help='Rule options, such as "online" or "refresh=on, swap-towers=1"; see `towers rules`.',
    )(command)  # fmt: skip
    return click.option(
        "--spells", callback=_spells, default="", metavar="A,B,C", help="The open spells, joined by commas."
    )(command)


def with_json(command: F) -> F:
    """The option --json."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object for scripts.")(command)


def print_json(answer: object) -> None:
    """One JSON object on stdout."""
    click.echo(json.dumps(answer, indent=2))


def announce(message: str) -> None:
    """A line on stderr about something that takes a while."""
    click.echo(f"towers: {message}", err=True)


def prepare_engine() -> None:
    """Have the kernels of the engine ready, and say so if they must be compiled first."""
    from solver import jit
    from solver.search.warm import warm_up

    jit.prepare("the engine", warm_up, announce)


def draw(position: object) -> str:
    """The board as the terminal can show it: in colour on a terminal, plain in a pipe."""
    from solver.draw import draw_text
    from solver.position import Position

    assert isinstance(position, Position)
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return draw_text(position, colour=sys.stdout.isatty(), ascii_only=not encoding.startswith("utf"))
