"""Boards as the page shows them."""

from __future__ import annotations

from fastapi import APIRouter

from solver.draw import draw_svg
from solver.notation import parse_move, parse_position, print_position
from solver.position import Position
from solver.referee import Referee
from solver.rules import SPELL_NUMBER
from solver.web.asked import BoardAsked, Plain

ROOM = 112.0  # around the rim, for stacks of three towers, so that most turns leave the board where it is

router = APIRouter()


def picture(position: Position) -> str:
    """The board, with room for stacks to grow."""
    return draw_svg(position, room=ROOM)


@router.post("/board")
def board(asked: BoardAsked) -> Plain:
    """A position in canonical notation and as a picture, after a move if one is named; and what spells cost."""
    rules, spells = asked.read_rules()
    position = parse_position(asked.position, rules)
    if asked.move is not None:
        position = Referee(rules, spells).play(position, parse_move(asked.move))
    return {
        "position": print_position(position),
        "svg": picture(position),
        "costs": {name: rules.spell_costs[name] for name in SPELL_NUMBER},
        "home": position.home,
        "on_board": position.on_board,
        "imprisoned": position.imprisoned,
    }
