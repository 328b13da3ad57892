"""`towers policies`: who can play."""

from __future__ import annotations

import textwrap

import click

from solver.cli.answers import WIDTH
from solver.cli.common import Command, print_json, with_json
from solver.policy.names import CATALOGUE


@click.command("policies", cls=Command, short_help="List the policies that can play, with their parameters.")
@with_json
def command(as_json: bool) -> None:
    """List the policies for simulate and compare, with their parameters.

    \b
    Example:
      towers policies
    """
    if as_json:
        print_json(
            [
                {
                    "name": entry.name,
                    "about": entry.about,
                    "parameters": [
                        {"name": each.name, "usual": each.usual, "range": each.range, "meaning": each.meaning}
                        for each in entry.parameters
                    ],
                }
                for entry in CATALOGUE
            ]
        )
        return
    for entry in CATALOGUE:
        _print_row(f"{entry.name:<12} ", entry.about)
        for each in entry.parameters:
            _print_row(f"  {each.name + '=':<10} ", f"{each.meaning}: {each.range}; {each.usual} unless given")
    click.echo("\nParameters follow a colon: expectimax:depth=3,value=hand")
    click.echo("A class of your own is module:Class; see `towers docs batch`.")


def _print_row(head: str, text: str) -> None:
    click.echo(textwrap.fill(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)))
