"""The group of all commands, and the one place where their failures become sentences and exit codes."""

from __future__ import annotations

import importlib
import os
import sys
from typing import TextIO

import click

from solver import __version__
from solver.cli import COMMANDS
from solver.errors import Failed, Refused
from solver.notation.numbers import printable

NAME = "towers"
COMPLETE_VARIABLE = "_TOWERS_COMPLETE"  # set by the shell when it wants completions instead of an answer
LONGEST_MESSAGE = 300  # characters of a message of click's, which repeats arguments in full


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"solver.cli.{COMMANDS[cmd_name]}")
        command: click.Command = module.command
        return command


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name=NAME)
@click.pass_context
def towers(ctx: click.Context) -> None:
    """Solve the solitaire modes of Wandering Towers.

    \b
    Example:
      towers show start
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(arguments: list[str]) -> int:
    """Run a command; the exit code is its own or 0, 2 for bad input, 1 for a failure, with one sentence on stderr."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  (stays open to the end; nobody hears what is said there)
    if sys.stdout is None:
        return _fail("stdout is closed", 1)
    try:
        answer = _invoke(arguments)
        sys.stdout.flush()
    except Refused as reason:
        return _fail(str(reason), 1 if isinstance(reason, Failed) else 2)
    except click.ClickException as reason:
        message = " ".join(reason.format_message().split())
        return _fail(printable(message, LONGEST_MESSAGE), 2 if isinstance(reason, click.UsageError) else 1)
    except MemoryError:
        return _fail("there is not enough memory", 1)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        _drop(sys.stdout)
        return 0
    except OSError as problem:  # a full disk under stdout or under the compiled kernels
        _drop(sys.stdout)
        return _fail(f"cannot go on: {problem.strerror or problem}", 1)
    return answer if isinstance(answer, int) else 0


def _invoke(arguments: list[str]) -> object:
    # what click's own main does, but for its handling of broken pipes, which it takes for a failure
    if instruction := os.environ.get(COMPLETE_VARIABLE):
        from click.shell_completion import shell_complete

        return shell_complete(towers, {}, NAME, COMPLETE_VARIABLE, instruction)
    try:
        with towers.make_context(NAME, arguments) as context:
            return towers.invoke(context)
    except click.exceptions.Exit as ending:
        return ending.exit_code


def _drop(stream: TextIO) -> None:
    # what is still buffered goes nowhere, or Python would fail once more when it exits
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _fail(message: str, code: int) -> int:
    try:
        click.echo("\n".join(f"{NAME}: {line}" for line in message.split("\n")), err=True)  # a file has many faults
    except OSError:  # nobody can be told
        _drop(sys.stderr)
    return code
