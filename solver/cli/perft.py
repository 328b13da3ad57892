"""`towers perft`: count the lines that named cards allow."""

from __future__ import annotations

import sys
from typing import Any

import click
from tqdm import tqdm

from solver.cli.common import prepare_engine, print_json, with_json, with_rules
from solver.notation import parse_cards, parse_position, print_cards, print_move, print_position, print_rules
from solver.rules import Rules


@click.command("perft", short_help="Count the lines that named cards allow.")
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
      towers perft start-spells w2t4,w3,wd2=5 --spells piggyback,free-wizard --divide
    """
    board = parse_position(position, rules)
    played = parse_cards(cards)
    prepare_engine()
    from solver.engine.code import decode
    from solver.layout import pack
    from solver.referee import Referee
    from solver.search import perft

    perft.check(played, spells)
    referee = Referee(rules, spells)
    start = pack(board)
    count_all = perft.count_lines if lines_only else perft.count_positions
    answer: dict[str, Any] = {
        "position": print_position(board),
        "cards": print_cards(played),
        "spells": list(spells),
        "rules": print_rules(rules),
    }
    with tqdm(unit=" moves", unit_scale=True, disable=not sys.stderr.isatty(), leave=False, delay=1) as bar:

        def progress(moves: int) -> None:
            bar.update(moves - bar.n)

        total = count_all(start, played, referee.table, progress)
        if divide and not referee.goal_reached(board):
            bar.reset()
            answer["divide"] = {
                print_move(decode(code, played[0])): count_all(after, played[1:], referee.table)
                for code, after in perft.first_moves(start, played[0], referee.table)
            }
    if as_json:
        answer["divide"] = {move: _figures(count) for move, count in answer.get("divide", {}).items()}
        if not divide:
            del answer["divide"]
        print_json({**answer, **_figures(total), "moves": total.moves, "seconds": total.seconds})
        return
    for move, count in answer.get("divide", {}).items():
        positions = "" if count.positions is None else f"{count.positions:>16,}"
        click.echo(f"{count.lines:>16,}{positions}  {move}")
    click.echo(f"lines      {total.lines:,}")
    if total.positions is not None:
        click.echo(f"positions  {total.positions:,}")
    speed = f", {total.moves / total.seconds / 1e6:.1f} million a second" if total.seconds > 0.1 else ""
    click.echo(f"moves      {total.moves:,} in {total.seconds:.2f} s{speed}")


def _figures(count: Any) -> dict[str, int]:
    figures = {"lines": count.lines, "positions": count.positions}
    return {name: figure for name, figure in figures.items() if figure is not None}
