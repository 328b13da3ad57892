"""The command `towers`: every command in a file of its own, loaded when it is called."""

from __future__ import annotations

import importlib
import os
import sys

import click

from solver import __version__
from solver.errors import Refused

COMMANDS = {  # name -> module of this package that holds `command`; the order of the help
    "show": "show",
    "moves": "moves",
    "replay": "replay",
    "perft": "perft",
    "rules": "rules",
    "docs": "docs",
    "completion": "completion",
}


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is asked for."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """A position whose space 0 is empty begins with '-/': keep it from being taken for an option."""
        return super().parse_args(ctx, [f" {each}" if each.startswith("-/") else each for each in args])

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


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="towers")
def towers() -> None:
    """Solve the solitaire modes of Wandering Towers.

    \b
    Example:
      towers show start
    """


def main() -> None:
    """Run the command; bad input ends with one sentence and exit code 2, Ctrl-C with 130."""
    try:
        status = towers.main(standalone_mode=False)
        sys.stdout.flush()
    except Refused as reason:
        _stop(f"towers: {reason}", 2)
    except click.UsageError as reason:
        _stop(f"towers: {reason.format_message()}", 2)
    except click.ClickException as reason:
        _stop(f"towers: {reason.format_message()}", 1)
    except (KeyboardInterrupt, click.Abort):
        _stop("towers: stopped", 130)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(status if isinstance(status, int) else 0)


def _stop(message: str, code: int) -> None:
    click.echo(message, err=True)
    sys.exit(code)
