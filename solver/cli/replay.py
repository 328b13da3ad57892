"""`towers replay`: check a game record and show each position."""

from __future__ import annotations

import click

from solver.cli.common import Command, draw, file_name, prepare_engine, print_json, read_file, with_json
from solver.errors import Refused
from solver.notation import parse_record, print_cards, print_move, print_position
from solver.notation.numbers import counted
from solver.rules import grade


@click.command("replay", cls=Command, short_help="Check a game record and show each position.")
@click.argument("record")
@click.option("--boards", is_flag=True, help="Draw the board after every turn.")
@with_json
def command(record: str, boards: bool, as_json: bool) -> None:
    """Check RECORD, a .towers file or - for stdin, against the rules and show each position.

    \b
    Example:
      towers replay game.towers --boards
    """
    text = read_file(record)
    try:
        written = parse_record(text)
        prepare_engine()
        from solver.game import PLAYING, WON, replay, start_of

        steps = list(replay(written))  # all of it, so that nothing is shown of a record that is wrong
    except Refused as reason:
        raise Refused(f"{file_name(record)}: {reason}") from None
    start = start_of(written)
    end = steps[-1].after if steps else start
    score = end.discards if end.status == WON else None
    if as_json:
        print_json(
            {
                "status": end.status,
                "cards": end.discards,
                "grade": None if end.status == PLAYING else grade(score),
                "start": print_position(start.position),
                "turns": [
                    {
                        "turn": number,
                        "move": print_move(turn.move),
                        "position": print_position(after.position),
                        "hand": print_cards(after.hand),
                        "discards": after.discards,
                    }
                    for number, (turn, after) in enumerate(steps, start=1)
                ],
            }
        )
        return
    click.echo(f"start  {print_position(start.position)}  hand {print_cards(start.hand)}")
    for number, (turn, after) in enumerate(steps, start=1):
        click.echo(f"{number:>4}.  {print_move(turn.move)}")
        click.echo(f"       {print_position(after.position)}  hand {print_cards(after.hand) or 'empty'}")
        if boards:
            click.echo(draw(after.position))
    if end.status == PLAYING:
        click.echo(f"in progress, {counted(end.discards, 'card')} played, {end.pile} in the draw pile")
    else:
        click.echo(f"{end.status} with {counted(end.discards, 'card')}: {grade(score)}")
