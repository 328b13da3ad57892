"""`towers show`: a position as a picture."""

from __future__ import annotations

import click

from solver.cli.common import Command, draw, print_json, rules_option, single_option, with_json, write_file
from solver.errors import Refused
from solver.notation import parse_position, print_position
from solver.rules import Rules


@click.command("show", cls=Command, short_help="Draw a position.")
@click.argument("position")
@single_option("--svg", metavar="FILE", help="Draw a picture into this file instead.")
@single_option("--title", metavar="TEXT", help="A title for the picture.")
@rules_option
@with_json
def command(position: str, svg: str | None, title: str | None, rules: Rules, as_json: bool) -> None:
    """Draw POSITION: "BOARD HOME BOTTLES", or start, or start-spells.

    \b
    Examples:
      towers show start
      towers show "-/1r2/-/-/2t/-/-/-/rtK/-/-/-/-/-/-/- 7 2/1" --svg board.svg
    """
    board = parse_position(position, rules)
    if svg is not None:
        from solver.draw import draw_svg

        write_file(svg, draw_svg(board, title=title or ""))
    elif title is not None:
        raise Refused("--title is for the picture that --svg draws")
    if as_json:
        print_json(
            {
                "position": print_position(board),
                "spaces": [
                    {
                        "ground": stack.ground,
                        "towers": [{"raven": tower.raven, "wizards": tower.wizards} for tower in stack.towers],
                    }
                    for stack in board.stacks
                ],
                "keep": board.keep,
                "home": board.home,
                "on_board": board.on_board,
                "imprisoned": board.imprisoned,
                "bottles": board.bottles and {"full": board.bottles.full, "empty": board.bottles.empty},
            }
        )
    elif svg is None:
        click.echo(draw(board))
        click.echo(print_position(board))
