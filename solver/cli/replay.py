"""`towers replay`: check a game record and show each position."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.common import draw, prepare_engine, print_json, with_json
from solver.errors import Refused
from solver.notation import parse_record, print_cards, print_move, print_position
from solver.rules import grade


@click.command("replay", short_help="Check a game record and show each position.")
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--boards", is_flag=True, help="Draw the board after every turn.")
@with_json
def command(record: Path, boards: bool, as_json: bool) -> None:
    """Check RECORD, a .towers file, against the rules and show each position.

    \b
    Example:
      towers replay game.towers --boards
    """
    text = _read(record)
    try:
        written = parse_record(text)
    except Refused as reason:
        raise Refused(f"{record}: {reason}") from None
    prepare_engine()
    from solver.game import PLAYING, WON, replay, start_of

    state = start_of(written)
    rows = []
    if not as_json:
        click.echo(f"start  {print_position(state.position)}  hand {print_cards(state.hand)}")
    try:
        for number, step in enumerate(replay(written), start=1):
            state = step.after
            rows.append(
                {
                    "turn": number,
                    "move": print_move(step.turn.move),
                    "position": print_position(state.position),
                    "hand": print_cards(state.hand),
                    "discards": state.discards,
                }
            )
            if not as_json:
                click.echo(f"{number:>4}.  {print_move(step.turn.move)}")
                click.echo(f"       {print_position(state.position)}  hand {print_cards(state.hand) or 'empty'}")
                if boards:
                    click.echo(draw(state.position))
    except Refused as reason:
        raise Refused(f"{record}: {reason}") from None
    score = state.discards if state.status == WON else None
    if as_json:
        print_json(
            {
                "status": state.status,
                "cards": state.discards,
                "grade": None if state.status == PLAYING else grade(score),
                "start": print_position(written.position),
                "turns": rows,
            }
        )
    elif state.status == PLAYING:
        click.echo(f"in progress, {state.discards} cards played, {state.pile} in the draw pile")
    else:
        click.echo(f"{state.status} with {state.discards} cards: {grade(score)}")


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as problem:
        raise Refused(f"cannot read '{path}': {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        raise Refused(f"'{path}' is not UTF-8 text (byte {problem.start})") from None
