"""`towers perft`: count the lines that named cards allow."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from solver.cli.common import Command, prepare_engine, print_json, with_json, with_rules
from solver.move import Card
from solver.notation import parse_cards, parse_position, print_cards, print_move, print_position, print_rules
from solver.position import Position
from solver.rules import Rules

if TYPE_CHECKING:  # they import numba, which takes its time
    from solver.layout import Packed
    from solver.referee import Referee
    from solver.search.perft import Count


@click.command("perft", cls=Command, short_help="Count the lines that named cards allow.")
@click.argument("position")
@click.argument("cards")
@with_rules
@click.option("--divide", is_flag=True, help="Count per first move as well.")
@click.option("--lines", "lines_only", is_flag=True, help="Walk through every line; keep no set of positions.")
@with_json
def command(
    position: str, cards: str, rules: Rules, spells: tuple[str, ...], divide: bool, lines_only: bool, as_json: bool
) -> None:
    """Play CARDS in that order from POSITION and count the lines and the different positions.

    Die cards name their roll. With refresh=on, a refresh may stand in for any card.

    \b
    Examples:
      towers perft start w2t4,w3,t2,w1t5
      towers perft start-spells w2t4,w3,wd2=5 --spells piggyback --divide
    """
    board = parse_position(position, rules)
    played = parse_cards(cards)
    from solver.referee import Referee
    from solver.search.perft import check

    check(played, spells)
    prepare_engine()
    total, parts = _count(Referee(rules, spells), board, played, divide, lines_only)
    if as_json:
        asked = {
            "position": print_position(board),
            "cards": print_cards(played),
            "spells": list(spells),
            "rules": print_rules(rules),
        }
        divided = {"divide": {move: _figures(part) for move, part in parts.items()}} if divide else {}
        print_json({**asked, **divided, **_figures(total), "moves": total.moves, "seconds": total.seconds})
        return
    for move, part in parts.items():
        positions = "" if part.positions is None else f"{part.positions:>16,}"
        click.echo(f"{part.lines:>16,}{positions}  {move}")
    click.echo(f"lines      {total.lines:,}")
    if total.positions is not None:
        click.echo(f"positions  {total.positions:,}")
    speed = f", {total.moves / total.seconds / 1e6:.1f} million a second" if total.seconds > 0.1 else ""
    click.echo(f"moves      {total.moves:,} in {total.seconds:.2f} s{speed}")


def _count(
    referee: Referee, board: Position, cards: Sequence[Card], divide: bool, lines_only: bool
) -> tuple[Count, dict[str, Count]]:
    """The whole count and, if asked for, that after each first move; a bar on the terminal shows the moves made."""
    from solver.engine.code import decode
    from solver.layout import pack
    from solver.search import perft

    count_all = perft.count_lines if lines_only else perft.count_positions
    start = pack(board)
    parts: dict[str, Count] = {}
    try:
        with tqdm(unit=" moves", unit_scale=True, disable=not sys.stderr.isatty(), leave=False, delay=1) as bar:

            def count(begin: Packed, cards: Sequence[Card]) -> Count:
                before = bar.n
                return count_all(begin, cards, referee.table, lambda moves: bar.update(before + moves - bar.n))

            total = count(start, cards)
            if divide and not referee.goal_reached(board):
                for code, after in perft.first_moves(start, cards[0], referee.table):
                    parts[print_move(decode(code, cards[0]))] = count(after, cards[1:])
    except MemoryError:
        raise click.ClickException("there is not enough memory for so many positions; --lines keeps none") from None
    return total, parts


def _figures(count: Count) -> dict[str, int]:
    figures = {"lines": count.lines, "positions": count.positions}
    return {name: figure for name, figure in figures.items() if figure is not None}
