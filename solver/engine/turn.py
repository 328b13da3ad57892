"""A whole turn: the card's move, or a refresh, with the spell cast in it; and the test of the goal after it.

A card comes as two numbers, how far it moves a wizard and how far a tower; 0 is not at all. What the hand, the
draw pile and the discard pile do is not the engine's business.
"""

from __future__ import annotations

from solver.engine.code import ACTION, ON_REFRESH, casting
from solver.engine.pieces import append, tower_moves, wizard_moves
from solver.engine.spells import casts
from solver.engine.table import RuleTable, affordable, pay
from solver.engine.view import View, look
from solver.jit import IntArray, kernel
from solver.layout import EMPTY, FULL, HOME, get, nobody_on_board
from solver.rules import EXTRA_ROLL, MOVEMENT_SWAP, PIGGYBACK, REFRESH_STEPS

# The most turns one card can have: 12 wizards, 9 towers and 9 refreshes, each followed by one of 95 casts or none
# (12 + 12 wizards, 9 + 9 towers, 36 exchanges, 2 nudges, 9 rescues, 6 others), and 12 + 21 + 21 casts during them.
MAX_TURNS = 3000


@kernel
def turns(a: int, b: int, wizard: int, tower: int, table: RuleTable, out: IntArray, n: int) -> int:
    """Append every legal turn with a card to `out` from row `n` on, as rows (code, a, b); return the new `n`."""
    view = look(a, b)
    first = n
    n = card_moves(a, b, view, wizard, tower, 0, out, n)
    if table.refresh:
        n = tower_moves(a, b, view, REFRESH_STEPS, ON_REFRESH, ACTION, out, n)
    end = n
    if affordable(a, PIGGYBACK, table) and wizard != 0:
        n = wizard_moves(pay(a, PIGGYBACK, table), b, view, wizard, 2, casting(PIGGYBACK), ACTION, out, n)
    if affordable(a, MOVEMENT_SWAP, table):
        paid = pay(a, MOVEMENT_SWAP, table)
        n = card_moves(paid, b, view, tower, wizard, casting(MOVEMENT_SWAP), out, n)
    for row in range(first, end):
        entered = get(out[row, 1], HOME) != get(a, HOME)  # which ends the turn: no spell may follow
        if not entered and get(out[row, 1], FULL) >= table.cheapest:
            n = casts(out[row, 0], out[row, 1], out[row, 2], table, out, n)
    return n


@kernel
def turns_after_extra_roll(
    a: int, b: int, wizard: int, tower: int, table: RuleTable, out: IntArray, n: int
) -> int:
    """Append the turns in which `extra-roll` was cast and the new roll lets the card move this far."""
    if affordable(a, EXTRA_ROLL, table):
        paid = pay(a, EXTRA_ROLL, table)
        n = card_moves(paid, b, look(a, b), wizard, tower, casting(EXTRA_ROLL), out, n)
    return n


@kernel
def card_moves(
    a: int, b: int, view: View, wizard: int, tower: int, code: int, out: IntArray, n: int
) -> int:
    """Append every move of a card; one must be made if there is one, and if there is none nothing happens."""
    first = n
    if wizard != 0:
        n = wizard_moves(a, b, view, wizard, 1, code, ACTION, out, n)
    if tower != 0:
        n = tower_moves(a, b, view, tower, code, ACTION, out, n)
    if n == first:
        n = append(code, a, b, out, n)
    return n


@kernel
def goal_reached(a: int, b: int, table: RuleTable) -> bool:
    """The game's own goal: no wizard left on the board and, if bottles count, none of them empty."""
    return nobody_on_board(a, b) and (get(a, EMPTY) == 0 or not table.bottles_in_goal)
