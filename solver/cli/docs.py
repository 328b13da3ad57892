"""`towers docs`: the pages that come with the program."""

from __future__ import annotations

from importlib import resources

import click

from solver.cli.common import Command
from solver.errors import Refused
from solver.notation.numbers import quote

PAGES = {  # name -> what it is about
    "rules": "the game and every choice made where the rulebook is silent",
    "notation": "how positions, cards, moves and games are written",
    "play": "playing in the terminal, and what a review of a game says",
    "page": "the page that `towers serve` opens, and how to ask it from a program",
    "search": "what the search proves when all cards are known, and how",
    "batch": "playing many games: win rates, intervals, files, clusters, policies of your own",
    "advice": "what to do while the deck and the die are unknown",
    "puzzles": "files of puzzles, the words of problemists, stars",
}


@click.command("docs", cls=Command, short_help="Print a page of the documentation.")
@click.argument("page", required=False)
def command(page: str | None) -> None:
    """Print PAGE of the documentation; without PAGE, list the pages.

    \b
    Example:
      towers docs notation | less
    """
    if page is None:
        for name, about in PAGES.items():
            click.echo(f"{name:<10} {about}")
        return
    if page.lower() not in PAGES:
        raise Refused(f"{quote(page)} is no page; the pages are {', '.join(PAGES)}")
    text = resources.files("solver").joinpath("docs", f"{page.lower()}.md").read_text("utf-8")
    click.echo(text, nl=False)
