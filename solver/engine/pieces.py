"""Moving one piece: wizards with their entering of the keep, and towers with the bottles they fill.

Functions that generate append rows (code, a, b) to `out` from row `n` on and return the new `n`. They begin a
row's code with `code` and add the moved piece at `place`: ACTION for a card's move, TARGET for a spell's.
"""

from __future__ import annotations

from solver.engine.code import TOWER, WIZARD, piece
from solver.engine.view import (
    RING,
    View,
    bottom_tower,
    contains,
    end_of_stack,
    one_visible,
    seen_from,
    space_at,
    spaces_with_shield,
    spaces_with_wizards,
    without,
    wizards_at,
)
from solver.jit import IntArray, kernel, lowest_bit
from solver.layout import EMPTY, FILL_ONE, KEEP, NIBBLE, ONE_HOME, Field, get, move_run, put
from solver.rules import MAX_ON_SURFACE


@kernel
def append(code: int, a: int, b: int, out: IntArray, n: int) -> int:
    """Write one row."""
    out[n, 0] = code
    out[n, 1] = a
    out[n, 2] = b
    return n + 1


@kernel
def spot_after(spot: int, steps: int) -> int:
    """The spot `steps` spaces clockwise; a move counterclockwise by v is one clockwise by 16 - v."""
    return (spot + NIBBLE * steps) % RING


@kernel
def relocate_keep(view: View, wizards: int) -> int:
    """The spot the keep goes to once somebody has entered, with `wizards` the spaces that then show some.

    Clockwise from the next space, the first of the other 15 that shows a shield and no wizard; else it stays.
    """
    free = without(spaces_with_shield(view) & ~wizards, view.keep)
    if free == 0:
        return view.keep
    if view.keep == 0:
        return lowest_bit(free)
    return (view.keep + lowest_bit(seen_from(free, view.keep))) % RING


@kernel
def enter_keep(a: int, view: View, count: int, wizards: int) -> int:
    """Word a after `count` wizards went home together and the keep relocated, once."""
    return put(a + count * ONE_HOME, KEEP, space_at(relocate_keep(view, wizards)))


@kernel
def wizard_moves(
    a: int, b: int, view: View, steps: int, count: int, code: int, place: Field, out: IntArray, n: int
) -> int:
    """Every move of `count` (1 or 2) wizards from one visible surface, `steps` spaces clockwise."""
    wizards = spaces_with_wizards(view, 1)
    too_full = spaces_with_wizards(view, MAX_ON_SURFACE + 1 - count)
    sources = spaces_with_wizards(view, count) & ~seen_from(too_full, NIBBLE * steps)
    while sources != 0:
        spot = lowest_bit(sources)
        sources &= sources - 1
        one_a, one_b = one_visible(view, spot)
        next_a = a - count * one_a
        next_b = b - count * one_b
        target = spot_after(spot, steps)
        if target == view.keep:
            left = without(wizards, spot) if wizards_at(view, spot) == count else wizards
            next_a = enter_keep(next_a, view, count, left)
        else:
            one_a, one_b = one_visible(view, target)
            next_a += count * one_a
            next_b += count * one_b
        n = append(code | (piece(WIZARD, space_at(spot), 0) << place.shift), next_a, next_b, out, n)
    return n


@kernel
def tower_moves(
    a: int, b: int, view: View, steps: int, code: int, place: Field, out: IntArray, n: int
) -> int:
    """Every move of a tower, with all that stands on it, `steps` spaces clockwise; not onto the keep."""
    covering = seen_from(spaces_with_wizards(view, 1), NIBBLE * steps)
    if get(a, EMPTY) == 0:
        covering = 0
    sources = view.towers & ~seen_from(1 << view.keep, NIBBLE * steps)
    while sources != 0:
        spot = lowest_bit(sources)
        sources &= sources - 1
        target = spot_after(spot, steps)
        next_a = a + FILL_ONE if contains(covering, spot) else a
        if spot == view.keep:  # it stands on top of the stack, so every tower of the stack carries it along
            next_a = put(next_a, KEEP, space_at(target))
        bottom = bottom_tower(view, spot)
        end = end_of_stack(view, spot)
        insert = end_of_stack(view, target)
        for tower in range(bottom, end):
            moved = piece(TOWER, space_at(spot), tower - bottom + 1) << place.shift
            next_b = move_run(b, tower, end, space_at(spot), insert, space_at(target))
            n = append(code | moved, next_a, next_b, out, n)
    return n
