"""The working form of a position: what every space shows, in one word of sixteen nibbles.

    space     15     ...      1       0
    nibble  |63-60|  ...  |  7-4  |  3-0  |

A *mask of spaces* has bit 4s for space s. Going v spaces clockwise is turning the word left by 4v, and a space as
the number 4s, its *spot*, is the shift that finds its nibble. Inside the engine spaces are spots throughout.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.jit import kernel, lowest_bit
from solver.layout import (
    FENCE,
    KEEP,
    NIBBLE,
    ROOF,
    SHIELD,
    get,
    one_on_ground,
    one_on_roof,
    spread_grounds,
    tower_at,
)
from solver.rules import SHIELD_SPACES, SPACES

RING = NIBBLE * SPACES  # spots are counted modulo this
ALL_SPACES = sum(1 << (NIBBLE * space) for space in range(SPACES))
GROUND_SHIELDS = sum(1 << (NIBBLE * space + SHIELD.shift) for space in SHIELD_SPACES)
_NIBBLE_MASK = (1 << NIBBLE) - 1


class View(NamedTuple):
    """A position decoded once, for all its moves."""

    surfaces: int  # nibble s: shield and wizards of the visible surface of space s
    upto: int  # nibble s: how many towers stand on the spaces 0..s
    towers: int  # mask of the spaces with a tower
    keep: int  # spot of the keep


@kernel
def look(a: int, b: int) -> View:
    """Decode a position."""
    surfaces = spread_grounds(a) | GROUND_SHIELDS
    upto = 0
    towers = 0
    tower = 0
    fence = get(b, FENCE)
    while fence != 0:
        spot = NIBBLE * (lowest_bit(fence) - tower)
        surfaces = (surfaces & ~(_NIBBLE_MASK << spot)) | (tower_at(b, tower) << spot)
        upto += ALL_SPACES << spot
        towers |= 1 << spot
        tower += 1
        fence &= fence - 1
    return View(surfaces, upto, towers, NIBBLE * get(a, KEEP))


@kernel
def nibble(word: int, spot: int) -> int:
    """The nibble of a space."""
    return (word >> spot) & _NIBBLE_MASK


@kernel
def space_at(spot: int) -> int:
    """The number of the space, 0-15, at a spot."""
    return spot // NIBBLE


@kernel
def seen_from(mask: int, spot: int) -> int:
    """The mask turned so that what lies `spot` clockwise of a space is on the space itself (0 < spot < RING)."""
    return ((mask >> spot) | (mask << (RING - spot))) & ALL_SPACES


@kernel
def contains(mask: int, spot: int) -> bool:
    """Whether a mask of spaces has this one."""
    return (mask >> spot) & 1 == 1


@kernel
def without(mask: int, spot: int) -> int:
    """The mask of spaces less one."""
    return mask & ~(1 << spot)


@kernel
def wizards_at(view: View, spot: int) -> int:
    """How many wizards the visible surface of a space holds."""
    return get(nibble(view.surfaces, spot), ROOF)


@kernel
def spaces_with_wizards(view: View, least: int) -> int:
    """Mask of the spaces whose visible surface holds at least so many wizards; kernels ask for 1, 2, 5 or 6."""
    ones, twos, fours = view.surfaces, view.surfaces >> 1, view.surfaces >> 2
    if least == 1:
        mask = ones | twos | fours
    elif least == 2:
        mask = twos | fours
    elif least == 5:
        mask = fours & (ones | twos)
    else:
        mask = fours & twos
    return mask & ALL_SPACES


@kernel
def spaces_with_shield(view: View) -> int:
    """Mask of the spaces whose visible surface shows a raven shield."""
    return (view.surfaces >> SHIELD.shift) & ALL_SPACES


@kernel
def bottom_tower(view: View, spot: int) -> int:
    """The number, in board order, of the lowest tower of a space, or of the first one after it."""
    return nibble(view.upto << NIBBLE, spot)


@kernel
def end_of_stack(view: View, spot: int) -> int:
    """The number after that of the topmost tower of a space."""
    return nibble(view.upto, spot)


@kernel
def one_visible(view: View, spot: int) -> tuple[int, int]:
    """What one wizard on the visible surface of a space adds to the words a and b."""
    if contains(view.towers, spot):
        return 0, one_on_roof(end_of_stack(view, spot) - 1)
    return one_on_ground(space_at(spot)), 0
