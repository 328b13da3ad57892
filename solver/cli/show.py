"""`towers show`: a position as a picture."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.common import draw, print_json, with_json, with_rules
from solver.errors import Refused
from solver.notation import parse_position, print_position
from solver.rules import Rules


@click.command("show", short_help="Draw a position.")
@click.argument("position")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw a picture into this file instead.")
@click.option("--title", default="", help="A title for the picture.")
@with_rules
@with_json
def command(
    position: str, svg: Path | None, title: str, rules: Rules, spells: tuple[str, ...], as_json: bool
) -> None:
    """Draw POSITION: "BOARD HOME BOTTLES", or start, or start-spells.

    \b
    Examples:
      towers show start
      towers show "-/1r2/-/-/2t/-/-/-/rtK/-/-/-/-/-/-/- 9 2/1" --svg board.svg
    """
    board = parse_position(position, rules)
    if svg is not None:
        from solver.draw import draw_svg

        try:
            svg.write_text(draw_svg(board, title=title), "utf-8")
        except OSError as problem:
            raise Refused(f"cannot write '{svg}': {problem.strerror}") from None
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
