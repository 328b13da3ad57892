"""`towers completion`: the script that teaches a shell to complete `towers`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from solver.cli.common import Command
from solver.cli.group import COMPLETE_VARIABLE, NAME, towers


@click.command("completion", cls=Command, short_help="Print the completion script for a shell.")
@click.argument("shell", metavar="SHELL", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for SHELL: bash, zsh or fish.

    \b
    Example:
      towers completion zsh > ~/.zfunc/_towers
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(towers, {}, NAME, COMPLETE_VARIABLE).source())
