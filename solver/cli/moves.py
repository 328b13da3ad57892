"""`towers moves`: every legal turn with a card."""

from __future__ import annotations

import click

from solver.cli.common import Command, prepare_engine, print_json, with_json, with_rules
from solver.notation import parse_card, parse_position, print_card, print_move, print_position
from solver.notation.numbers import counted
from solver.rules import Rules


@click.command("moves", cls=Command, short_help="List every legal move with a card.")
@click.argument("position")
@click.argument("card")
@with_rules
@with_json
def command(position: str, card: str, rules: Rules, spells: tuple[str, ...], as_json: bool) -> None:
    """List every legal move with CARD in POSITION, and where it leads.

    A die card may name its rolls (wd2=4,6; the last one counts); without them all six are listed.

    \b
    Examples:
      towers moves start w1t5
      towers moves "-/1r2/-/-/2t/-/-/-/rtK/-/-/-/-/-/-/- 7 2/1" wd2=4
      towers moves start-spells t3 --spells free-wizard,advance-tower
    """
    board = parse_position(position, rules)
    played = parse_card(card)
    prepare_engine()
    from solver.referee import Referee

    referee = Referee(rules, spells)
    turns = [
        (print_move(move), print_position(after), referee.goal_reached(after))
        for move, after in referee.legal(board, played)
    ]
    if as_json:
        rows = [{"move": move, "position": after, "goal": goal} for move, after, goal in turns]
        print_json({"position": print_position(board), "card": print_card(played), "moves": rows})
        return
    width = max(len(move) for move, _, _ in turns)
    for move, after, goal in turns:
        click.echo(f"{move:<{width}}  {after}{'  goal' if goal else ''}")
    click.echo(counted(len(turns), "move"), err=True)
