"""`towers what-if`: another move in a turn of a game, with the same luck."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from solver.cli.common import Command, file_name, prepare, print_json, read_file, short_name, single_option, with_json
from solver.cli.numbers import plus_minus
from solver.errors import Refused
from solver.notation import parse_record, print_cards, print_position
from solver.notation.numbers import counted, number_between
from solver.rules import DECK_SIZE, WIN_CARDS

if TYPE_CHECKING:  # they import numba, which takes its time
    from solver.review.what_if import Average, Comparison, Side

MOST_GAMES = 1_000_000
MOST_TURNS = 999
LONGEST_NAME = 32  # characters of the file in the heading


@click.command("what-if", cls=Command, short_help="Another move in a turn of a game, with the same luck.")
@click.argument("record")
@single_option("--turn", parse=number_between(1, MOST_TURNS), metavar="N", help="The turn, from 1.")
@single_option(
    "--move", "text", metavar="MOVE", help='The other move, such as "w3 W5"; or a die card alone, to roll it anew.'
)
@single_option(
    "--games", parse=number_between(2, MOST_GAMES), metavar="N", default="1000",
    help="How often each is played to the end; 1,000 unless said otherwise.",
)
@single_option(
    "--within", parse=number_between(1, DECK_SIZE), metavar="N", default=str(WIN_CARDS),
    help=f"Cards that count as a win; {WIN_CARDS} unless said otherwise.",
)
@with_json
def command(
    record: str, turn: int | None, text: str | None, games: int, within: int, as_json: bool
) -> None:
    """Play on from a turn of RECORD with the move that was played and with another one, over the same luck.

    Once whatever cards come, and once with the cards that did come. The dice are rolled anew, the same for both.

    \b
    Example:
      towers what-if deal-7.towers --turn 1 --move "w3t3 T4.1"
    """
    if turn is None or text is None:
        raise Refused("expected --turn with the number of a turn and --move with the other move")
    written = read_file(record)
    try:
        game = parse_record(written)
    except Refused as reason:
        raise Refused(f"{file_name(record)}: {reason}") from None
    from solver.review.warm import warm_up_review

    prepare("the review", warm_up_review)
    from solver.review.evaluator import Standard
    from solver.review.review import played_of
    from solver.review.what_if import parse_instead, what_if

    try:
        played_of(game)
    except Refused as reason:
        raise Refused(f"{file_name(record)}: {reason}") from None
    try:
        instead = parse_instead(text)
    except Refused as reason:
        raise Refused(f"--move: {reason}") from None
    try:
        with tqdm(total=4 * games, unit=" games", disable=not sys.stderr.isatty(), leave=False, delay=1) as bar:

            def tick(played: int) -> None:
                bar.update(played)

            found = what_if(game, turn, instead, games, Standard(within=within), tick)
    except Refused as reason:
        raise Refused(f"{file_name(record)}, turn {turn}: {reason}") from None
    if as_json:
        print_json(_json(record, found))
    else:
        _print(record, found)


def _print(name: str, found: Comparison) -> None:
    asked = found.situation
    click.echo(print_position(asked.position))
    hand, where = print_cards(asked.hand), f"{short_name(name, LONGEST_NAME)}, turn {found.turn}"
    click.echo(f"{where}: hand {hand}; {counted(asked.played, 'card')} played")
    chance = f"<={found.within}"
    rows = [["", "any cards", chance, "these cards", chance]]
    rows += [[side.name, *_cells(side)] for side in (found.played, found.instead)]
    rows.append(["difference", _signed(found.difference), "", _signed(found.difference_with_these), ""])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *others = (cell.ljust(width) if at == 0 else cell.rjust(width) for at, (cell, width) in
                          enumerate(zip(row, widths, strict=True)))
        click.echo("  ".join([first, *others]).rstrip())
    click.echo(f"{found.games:,} games each, played on by 'learned'; {plus_minus()} is one standard error")


def _cells(side: Side) -> list[str]:
    return [
        _text(side.with_any_cards), f"{100 * side.in_time:.0f}%",
        _text(side.with_these_cards), f"{100 * side.in_time_with_these:.0f}%",
    ]  # fmt: skip


def _text(average: Average) -> str:
    return f"{average.mean:.2f} {plus_minus()} {average.error:.2f}"


def _signed(average: Average) -> str:
    return f"{average.mean:+.2f} {plus_minus()} {average.error:.2f}"


def _json(name: str, found: Comparison) -> dict[str, Any]:
    def side(each: Side) -> dict[str, Any]:
        return {
            "move": each.name,
            "any_cards": each.with_any_cards._asdict(),
            "within_any": each.in_time,
            "these_cards": each.with_these_cards._asdict(),
            "within_these": each.in_time_with_these,
        }

    return {
        "record": name,
        "turn": found.turn,
        "position": print_position(found.situation.position),
        "hand": print_cards(found.situation.hand),
        "played_cards": found.situation.played,
        "these_cards": print_cards(found.known),
        "games": found.games,
        "within": found.within,
        "played": side(found.played),
        "instead": side(found.instead),
        "difference": found.difference._asdict(),
        "difference_with_these_cards": found.difference_with_these._asdict(),
    }
