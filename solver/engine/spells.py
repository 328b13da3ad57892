"""The spells cast at the end of a turn (step 4): generating every cast and what it leads to."""

from __future__ import annotations

from solver.engine.code import CLOCKWISE, COUNTERCLOCKWISE, NOTHING, TARGET, TOWER, as_target, casting, piece, refreshed
from solver.engine.pieces import append, enter_keep, spot_after, tower_moves, wizard_moves
from solver.engine.table import RuleTable, affordable, pay
from solver.engine.view import (
    View,
    bottom_tower,
    contains,
    end_of_stack,
    look,
    one_visible,
    space_at,
    spaces_with_wizards,
    without,
    wizards_at,
)
from solver.jit import IntArray, kernel, lowest_bit
from solver.layout import (
    EMPTY,
    FILL_ONE,
    KEEP,
    ROOF,
    exchange_towers,
    get,
    one_on_ground,
    one_on_roof,
    put,
    tower_at,
    wizards_on_ground,
)
from solver.rules import (
    ADVANCE_TOWER,
    ADVANCE_TOWER_STEPS,
    ADVANCE_WIZARD,
    ADVANCE_WIZARD_STEPS,
    CLOSE_KEEP,
    DRAW_TWO,
    FILL_POTION,
    FREE_WIZARD,
    HEADWIND_TOWER,
    HEADWIND_WIZARD,
    MAX_ON_SURFACE,
    NUDGE_KEEP,
    RETRIEVE_CARD,
    SPACES,
    SWAP_TOWERS,
)


@kernel
def casts(code: int, a: int, b: int, table: RuleTable, out: IntArray, n: int) -> int:
    """Every spell that may follow the turn `code` so far, which has led to (a, b) with nobody entering."""
    view = look(a, b)
    if affordable(a, ADVANCE_WIZARD, table):
        n = _wizard_spell(code, a, b, view, ADVANCE_WIZARD, ADVANCE_WIZARD_STEPS, table, out, n)
    if affordable(a, HEADWIND_WIZARD, table):
        n = _wizard_spell(code, a, b, view, HEADWIND_WIZARD, SPACES - ADVANCE_WIZARD_STEPS, table, out, n)
    if affordable(a, ADVANCE_TOWER, table):
        n = _tower_spell(code, a, b, view, ADVANCE_TOWER, ADVANCE_TOWER_STEPS, table, out, n)
    if affordable(a, HEADWIND_TOWER, table):
        n = _tower_spell(code, a, b, view, HEADWIND_TOWER, SPACES - ADVANCE_TOWER_STEPS, table, out, n)
    if affordable(a, SWAP_TOWERS, table):
        n = _swap_towers(code | casting(SWAP_TOWERS), pay(a, SWAP_TOWERS, table), b, view, out, n)
    if affordable(a, NUDGE_KEEP, table):
        n = _nudge_keep(code | casting(NUDGE_KEEP), pay(a, NUDGE_KEEP, table), b, view, out, n)
    if affordable(a, FREE_WIZARD, table):
        n = _free_wizard(code | casting(FREE_WIZARD), pay(a, FREE_WIZARD, table), b, view, out, n)
    if affordable(a, FILL_POTION, table) and get(a, EMPTY) > 0:
        n = append(code | casting(FILL_POTION), pay(a, FILL_POTION, table) + FILL_ONE, b, out, n)
    # What these two do to hand and draw pile is the game's business; on the board they only cost.
    if affordable(a, RETRIEVE_CARD, table) and not refreshed(code):
        n = append(code | casting(RETRIEVE_CARD), pay(a, RETRIEVE_CARD, table), b, out, n)
    if affordable(a, DRAW_TWO, table):
        n = append(code | casting(DRAW_TWO), pay(a, DRAW_TWO, table), b, out, n)
    if affordable(a, CLOSE_KEEP, table):
        n = append(code | casting(CLOSE_KEEP), pay(a, CLOSE_KEEP, table), b, out, n)
    return n


@kernel
def _wizard_spell(
    code: int, a: int, b: int, view: View, spell: int, steps: int, table: RuleTable, out: IntArray, n: int
) -> int:
    return wizard_moves(pay(a, spell, table), b, view, steps, 1, code | casting(spell), TARGET, out, n)


@kernel
def _tower_spell(
    code: int, a: int, b: int, view: View, spell: int, steps: int, table: RuleTable, out: IntArray, n: int
) -> int:
    return tower_moves(pay(a, spell, table), b, view, steps, code | casting(spell), TARGET, out, n)


@kernel
def _swap_towers(code: int, a: int, b: int, view: View, out: IntArray, n: int) -> int:
    """Two spaces with a tower and without the keep exchange their topmost towers; nobody is newly covered."""
    firsts = without(view.towers, view.keep)
    while firsts != 0:
        first = lowest_bit(firsts)
        firsts &= firsts - 1
        seconds = firsts
        while seconds != 0:
            second = lowest_bit(seconds)
            seconds &= seconds - 1
            target = piece(NOTHING, space_at(first), space_at(second))
            next_b = exchange_towers(b, end_of_stack(view, first) - 1, end_of_stack(view, second) - 1)
            n = append(code | as_target(target), a, next_b, out, n)
    return n


@kernel
def _nudge_keep(code: int, a: int, b: int, view: View, out: IntArray, n: int) -> int:
    """The keep goes, either way, to the first other space without visible wizards; there always is one."""
    wizards = spaces_with_wizards(view, 1)
    for direction, step in ((CLOCKWISE, 1), (COUNTERCLOCKWISE, SPACES - 1)):
        spot = spot_after(view.keep, step)
        while contains(wizards, spot):
            spot = spot_after(spot, step)
        n = append(code | as_target(piece(NOTHING, direction, 0)), put(a, KEEP, space_at(spot)), b, out, n)
    return n


@kernel
def _free_wizard(code: int, a: int, b: int, view: View, out: IntArray, n: int) -> int:
    """One wizard from directly under a tower goes to the top of its stack, or into the keep there."""
    stacks = view.towers
    while stacks != 0:
        spot = lowest_bit(stacks)
        stacks &= stacks - 1
        if wizards_at(view, spot) == MAX_ON_SURFACE:
            continue
        if spot == view.keep:
            next_a, next_b = enter_keep(a, view, 1, spaces_with_wizards(view, 1)), b
        else:
            one_a, one_b = one_visible(view, spot)
            next_a, next_b = a + one_a, b + one_b
        bottom = bottom_tower(view, spot)
        for tower in range(bottom, end_of_stack(view, spot)):
            target = as_target(piece(TOWER, space_at(spot), tower - bottom + 1))
            if tower == bottom:
                if wizards_on_ground(a, space_at(spot)) > 0:
                    n = append(code | target, next_a - one_on_ground(space_at(spot)), next_b, out, n)
            elif get(tower_at(b, tower - 1), ROOF) > 0:
                n = append(code | target, next_a, next_b - one_on_roof(tower - 1), out, n)
    return n
