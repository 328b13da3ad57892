"""`towers completion`: the script that teaches a shell to complete `towers`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from solver.cli import towers


@click.command("completion", short_help="Print the completion script for a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    Example:
      towers completion zsh > ~/.zfunc/_towers
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(towers, {}, "towers", "_TOWERS_COMPLETE").source())
