"""The packed position: two 64-bit words, their picture, and the only shifts and masks on them.

Word ``a``, everything but the towers (63 bits):

    62   61   59 58   56 55    52 51    48 47                                 0
    +---+-------+-------+--------+--------+-----+-- - - - - --+-----+-----+-----+
    | B | empty | full  |  home  |  keep  | g15 |             | g2  | g1  | g0  |
    +---+-------+-------+--------+--------+-----+-- - - - - --+-----+-----+-----+
      1     3       3       4        4       16 grounds of 3: the wizards on the ground, covered or not
      B: the game has bottles (tells "no bottles" from "all of them spent")

Word ``b``, the towers (61 bits):

    60                              36 35   32                7    4 3    0
    +---------------------------------+-------+-- - - - - --+-------+-------+
    |              fence              |  t8   |             |  t1   |  t0   |
    +---------------------------------+-------+-- - - - - --+-------+-------+
                    25                   9 towers of 4: shield (bit 3), wizards on the roof (bits 2-0)

Towers are numbered in *board order*: space 0 from the ground up, then space 1, and so on. The *fence* says where
they stand: read from its lowest bit, it holds for each space a 1 per tower and then a 0, the border. Nine towers
and sixteen borders make 25. ``-/r2/-/tr1/...`` has the fence ``0 10 0 110 ...`` and the towers ``r2 t r1``. So
tower k, if it is on space s, has fence bit k + s, and moving part of a stack is moving a run of towers and a run
of ones. Equal positions have equal words: nothing tells towers of one kind apart.

Both words stay below 2**63, so ``int64`` holds them and no literal needs a cast.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.jit import kernel
from solver.position import Position, Stack, Tower
from solver.rules import MAX_TOWERS, SPACES, Bottles


class Field(NamedTuple):
    """Where a number lives in a word: its lowest bit and how many bits it has."""

    shift: int
    width: int

    @property
    def top(self) -> int:
        """The first bit above the field."""
        return self.shift + self.width


class Packed(NamedTuple):
    """A position as it is stored, hashed and handed around."""

    a: int
    b: int


GROUND_BITS = 3
NIBBLE = 4  # bits of a tower

# Word a, from the lowest bit up; each field begins where the one before ends.
GROUNDS = Field(0, SPACES * GROUND_BITS)
KEEP = Field(GROUNDS.top, 4)
HOME = Field(KEEP.top, 4)
FULL = Field(HOME.top, 3)
EMPTY = Field(FULL.top, 3)
BOTTLED = Field(EMPTY.top, 1)
WORD_A = (GROUNDS, KEEP, HOME, FULL, EMPTY, BOTTLED)

# Word b.
TOWERS = Field(0, MAX_TOWERS * NIBBLE)
FENCE = Field(TOWERS.top, SPACES + MAX_TOWERS)
WORD_B = (TOWERS, FENCE)

# One tower.
ROOF = Field(0, 3)
SHIELD = Field(ROOF.top, 1)

# What one more of something adds to its word.
ONE_HOME = 1 << HOME.shift
ONE_FULL = 1 << FULL.shift
FILL_ONE = ONE_FULL - (1 << EMPTY.shift)  # an empty bottle becomes full

_NIBBLE_MASK = (1 << NIBBLE) - 1
_GROUNDS_MASK = (1 << GROUNDS.width) - 1
_TOWERS_MASK = (1 << TOWERS.width) - 1
_ROOFS_MASK = sum(((1 << ROOF.width) - 1) << (NIBBLE * tower + ROOF.shift) for tower in range(MAX_TOWERS))


@kernel
def get(word: int, field: Field) -> int:
    """The number in a field."""
    return (word >> field.shift) & ((1 << field.width) - 1)


@kernel
def put(word: int, field: Field, number: int) -> int:
    """The word with another number in a field."""
    return (word & ~(((1 << field.width) - 1) << field.shift)) | (number << field.shift)


@kernel
def nobody_on_board(a: int, b: int) -> bool:
    """Whether no wizard stands on any ground or roof."""
    return (a & _GROUNDS_MASK) | (b & _ROOFS_MASK) == 0


@kernel
def one_on_ground(space: int) -> int:
    """What one wizard on the ground of a space adds to word a."""
    return 1 << (GROUND_BITS * space)


@kernel
def one_on_roof(tower: int) -> int:
    """What one wizard on the roof of a tower adds to word b."""
    return 1 << (NIBBLE * tower)


@kernel
def wizards_on_ground(a: int, space: int) -> int:
    """How many wizards stand on the ground of a space, covered or not."""
    return (a >> (GROUND_BITS * space)) & ((1 << GROUND_BITS) - 1)


@kernel
def tower_at(b: int, tower: int) -> int:
    """The nibble of a tower: shield and wizards."""
    return (b >> (NIBBLE * tower)) & _NIBBLE_MASK


@kernel
def exchange_towers(b: int, first: int, second: int) -> int:
    """Word b after two towers, each with the wizards on its roof, changed places."""
    difference = tower_at(b, first) ^ tower_at(b, second)
    return b ^ (difference << (NIBBLE * first)) ^ (difference << (NIBBLE * second))


@kernel
def swap_runs(word: int, low: int, middle: int, high: int) -> int:
    """Exchange two neighbouring runs of bits, [low, middle) and [middle, high): 0b_11_000_1 -> 0b_000_11_1."""
    below_low = (1 << low) - 1
    below_middle = (1 << middle) - 1
    below_high = (1 << high) - 1
    return (
        (word & ~(below_high ^ below_low))
        | ((word & (below_middle ^ below_low)) << (high - middle))
        | ((word & (below_high ^ below_middle)) >> (middle - low))
    )


@kernel
def move_run(b: int, first: int, end: int, space: int, insert: int, target: int) -> int:
    """Word b after the towers [first, end), the upper part of one stack, went on top of another.

    `space` is where they stood, `target` where they go, `insert` the number of towers on the spaces up to and
    including `target`; all numbered as before the move.
    """
    towers = b & _TOWERS_MASK
    fence = b >> FENCE.shift
    if target > space:  # past the towers that stand between, which move down
        towers = swap_runs(towers, NIBBLE * first, NIBBLE * end, NIBBLE * insert)
        fence = swap_runs(fence, first + space, end + space, insert + target)
    else:
        towers = swap_runs(towers, NIBBLE * insert, NIBBLE * first, NIBBLE * end)
        fence = swap_runs(fence, insert + target, first + space, end + space)
    return towers | (fence << FENCE.shift)


def _groups(width: int, offset: int, every: int) -> int:
    """A mask of runs of `width` ones, beginning at bit `offset`, one every so many bits of a 64-bit word."""
    return sum(((1 << width) - 1) << start for start in range(offset, 64, every))


# Grounds lie 3 bits apart in word a; to lay them 4 apart, the upper half moves by 8, then in each half the upper
# quarter by 4, and so on down to single grounds.
_LOW_8, _HIGH_8 = _groups(24, 0, 64), _groups(24, 24, 64)
_LOW_4, _HIGH_4 = _groups(12, 0, 32), _groups(12, 12, 32)
_LOW_2, _HIGH_2 = _groups(6, 0, 16), _groups(6, 6, 16)
_LOW_1, _HIGH_1 = _groups(3, 0, 8), _groups(3, 3, 8)


@kernel
def spread_grounds(a: int) -> int:
    """The wizards on the sixteen grounds, a nibble each, space 0 lowest."""
    x = a & _GROUNDS_MASK
    x = (x & _LOW_8) | ((x & _HIGH_8) << 8)
    x = (x & _LOW_4) | ((x & _HIGH_4) << 4)
    x = (x & _LOW_2) | ((x & _HIGH_2) << 2)
    return (x & _LOW_1) | ((x & _HIGH_1) << 1)


def pack(position: Position) -> Packed:
    """The two words of a position."""
    a = b = 0
    tower = 0
    for space, stack in enumerate(position.stacks):
        a |= stack.ground << (GROUND_BITS * space)
        for raven, wizards in stack.towers:
            b |= ((raven << SHIELD.shift) | (wizards << ROOF.shift)) << (NIBBLE * tower)
            b |= 1 << (FENCE.shift + tower + space)
            tower += 1
    a |= position.keep << KEEP.shift
    a |= position.home << HOME.shift
    if position.bottles is not None:
        a |= 1 << BOTTLED.shift
        a |= position.bottles.full << FULL.shift
        a |= position.bottles.empty << EMPTY.shift
    return Packed(a, b)


def unpack(a: int, b: int) -> Position:
    """The position in two words."""
    a, b = int(a), int(b)

    def number(word: int, field: Field) -> int:
        return (word >> field.shift) & ((1 << field.width) - 1)

    fence = number(b, FENCE)
    tower = 0
    stacks = []
    for space in range(SPACES):
        towers = []
        while (fence >> (tower + space)) & 1:
            nibble = (b >> (NIBBLE * tower)) & _NIBBLE_MASK
            towers.append(Tower(bool(number(nibble, SHIELD)), number(nibble, ROOF)))
            tower += 1
        stacks.append(Stack((a >> (GROUND_BITS * space)) & ((1 << GROUND_BITS) - 1), tuple(towers)))
    bottles = Bottles(number(a, FULL), number(a, EMPTY)) if number(a, BOTTLED) else None
    return Position(tuple(stacks), number(a, KEEP), number(a, HOME), bottles)
