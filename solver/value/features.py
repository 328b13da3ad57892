"""What the value looks at: patterns of a position and of the cards kept, each of which names one entry of a table.

The ring is seen from the keep, because that is where everybody goes, and again from the spots where the keep will land
once somebody has entered. The value of a position is the sum of the entries that its patterns name. With bottles in
play there are patterns for them, and a few for each open spell, so that one set of tables serves any spells.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.engine.view import GROUND_SHIELDS
from solver.jit import FloatArray, IntArray, kernel, lowest_bit
from solver.layout import BOTTLED, EMPTY, FENCE, FULL, KEEP, NIBBLE, get, spread_grounds, tower_at
from solver.rules import DIE_SIDES, FACES, MAX_BOTTLES, MAX_WIZARDS, SPACES, SPELLS

Weights: TypeAlias = npt.NDArray[np.float32]

BEHIND = DIE_SIDES  # spaces from which one move can enter
MASKS = 1 << BEHIND
RINGS = 1 << SPACES
CODES = 256  # of a space: wizards on the visible surface, towers, imprisoned wizards, a shield
SHAPES = 8  # the same in short: anybody visible, any tower, anybody imprisoned
WINDOW = 4  # neighbouring spaces whose shapes make one pattern
FACE_COUNT = len(FACES)
PAIRS = FACE_COUNT**2
LEFT_CODES = MAX_WIZARDS + 1
MOST_PRISONS = 9  # surfaces with imprisoned wizards that are told apart
BOTTLE_CODES = MAX_BOTTLES + 1
FUNDS = 5  # full bottles that are told apart when it is about one spell: 0 to 4
BELOW = 1 << (BEHIND + 1)  # imprisoned wizards on the spaces behind the keep and under it

# The tables, each beginning where the one before ends.
_TABLES = {
    "BY_KEEP": SPACES * CODES,  # the code of each space, by its distance from the keep
    "BY_LANDING": SPACES * CODES,  # from the spot where the keep will land
    "BY_SECOND": SPACES * CODES,  # and from the one after that
    "WINDOWS": SPACES * SHAPES**WINDOW,
    "REACH": MASKS**3,  # who could enter the keep now, there, and there
    "REACH_TWO": MASKS**2,
    "TWICE": MASKS**2,  # who could enter, and where two stand together
    "CHAIN": SPACES**3,  # how far it is to the next three landing spots
    "LEFT": LEFT_CODES**2 * (MOST_PRISONS + 1),  # wizards on the board, imprisoned ones, and their prisons
    "WHO": 2 * RINGS,  # the spaces with wizards, and whether the keep is on a tower
    "WHO_LANDING": RINGS,
    "TOWERS": RINGS,
    "SHIELDS": RINGS,
    "FREE": RINGS,  # shields without wizards
    "NOW_FIRST": MASKS * SPACES * LEFT_CODES,
    # The two cards kept, with who could enter now, next, later, and from twice as far.
    "HAND": 2 * MASKS * PAIRS,
    "HAND_NEXT": MASKS * PAIRS,
    "HAND_LATER": MASKS * PAIRS,
    "HAND_FAR": MASKS * PAIRS,
    "HAND_LEFT": 4 * LEFT_CODES * PAIRS,
    "ENDING": PAIRS * (1 + SPACES + SPACES**2),  # where exactly the last one or two wizards stand
    "CARD": MASKS**2 * FACE_COUNT,
    "ABLE": MASKS**2 * LEFT_CODES,  # what both cards can do now, next and later
    "ABLE_FIRST": MASKS**2 * SPACES,
    "EXTRA": 4 * LEFT_CODES,  # cards in the hand beyond three, by wizards left
    # With bottles.
    "BOTTLES": BOTTLE_CODES**2 * LEFT_CODES**2,
    "SPELL_LEFT": len(SPELLS) * BOTTLE_CODES**2 * LEFT_CODES,
    "SPELL_NOW": len(SPELLS) * FUNDS * MASKS * LEFT_CODES,
    "SPELL_TWICE": len(SPELLS) * FUNDS * MASKS**2,
    "SPELL_REACH": len(SPELLS) * FUNDS * MASKS**2,
    "SPELL_BELOW": len(SPELLS) * FUNDS * BELOW,
    "SPELL_HAND": len(SPELLS) * FUNDS * PAIRS,
    "SPELL_ABLE": len(SPELLS) * FUNDS * MASKS**2,
}
_ENDS = dict(zip(_TABLES, np.cumsum(list(_TABLES.values())).tolist(), strict=True))
(
    BY_KEEP,
    BY_LANDING,
    BY_SECOND,
    WINDOWS,
    REACH,
    REACH_TWO,
    TWICE,
    CHAIN,
    LEFT,
    WHO,
    WHO_LANDING,
    TOWERS,
    SHIELDS,
    FREE,
    NOW_FIRST,
    HAND,
    HAND_NEXT,
    HAND_LATER,
    HAND_FAR,
    HAND_LEFT,
    ENDING,
    CARD,
    ABLE,
    ABLE_FIRST,
    EXTRA,
    BOTTLES,
    SPELL_LEFT,
    SPELL_NOW,
    SPELL_TWICE,
    SPELL_REACH,
    SPELL_BELOW,
    SPELL_HAND,
    SPELL_ABLE,
) = (_ENDS[name] - size for name, size in _TABLES.items())
SOLO_SIZE = BOTTLES  # entries that matter without bottles
SIZE = _ENDS["SPELL_ABLE"]

BOARD_PATTERNS = 4 * SPACES + 11
HAND_PATTERNS = 10
SPELL_PATTERNS = 5  # of the board, for each open spell
# Room for the patterns of one afterstate, and for what is noted down on the way.
MOST_BOARD = BOARD_PATTERNS + 1 + SPELL_PATTERNS * len(SPELLS)
MOST_HAND = HAND_PATTERNS + 1 + 2 * len(SPELLS)
MOST_PATTERNS = MOST_BOARD + MOST_HAND
SCRATCH = max(MOST_BOARD, BOARD_PATTERNS + 2 * SPACES)


def _ability() -> IntArray:
    """How well a card brings somebody home, by the mask of those who could: 0 not at all ... 3 surely."""
    table = np.zeros((MASKS, FACE_COUNT), dtype=np.int64)
    for mask in range(MASKS):
        for number, face in enumerate(FACES):
            if face.wizard == 0:
                continue
            if face.rolls == 0:
                table[mask, number] = 3 if mask >> (BEHIND - face.wizard) & 1 else 0
            else:
                chance = 1 - (1 - mask.bit_count() / DIE_SIDES) ** face.rolls
                table[mask, number] = 0 if chance == 0 else 1 if chance < 0.4 else 2 if chance < 0.75 else 3
    return table


ABILITY = _ability()


class Sight(NamedTuple):
    """A position seen from the keep. The masks say who could enter: now, next and after that, and from 7 to 12."""

    now: int
    next: int
    later: int
    far: int
    board: int  # wizards on the board
    prisons: int  # surfaces with imprisoned ones
    first: int  # how far the keep will go
    on_tower: int
    ending: int
    bottled: int
    funds: int


@kernel
def cell_code(prisons: int, wizards: int) -> int:
    """Surfaces with imprisoned wizards on a space, and how many, in 3 bits."""
    if prisons == 0:
        return 0
    if prisons == 1:
        return min(wizards, 3)
    if prisons == 2:
        return 4 + min(wizards - 2, 2)
    return 7


@kernel
def board_patterns(a: int, b: int, spells: int, out: IntArray) -> tuple[int, Sight]:
    """Write the board's entries to `out`, which has room for SCRATCH; return how many, and what a hand's need.

    `spells` is the mask of those open, bit 0 for the first.
    """
    surfaces = spread_grounds(a) | GROUND_SHIELDS
    covered = 0
    cells = 0
    heights = 0
    tower = 0
    fence = get(b, FENCE)
    while fence != 0:
        spot = NIBBLE * (lowest_bit(fence) - tower)
        hidden = (surfaces >> spot) & 7
        covered += hidden << spot
        if hidden > 0:
            cells += 1 << spot
        heights += 1 << spot
        surfaces = (surfaces & ~(15 << spot)) | (tower_at(b, tower) << spot)
        tower += 1
        fence &= fence - 1
    keep = get(a, KEEP)
    wizards = 0
    shields = 0
    towers = 0
    imprisoned = 0
    board = 0
    prisons = 0
    twice = 0
    under = 0
    codes = out[BOARD_PATTERNS:]
    for distance in range(SPACES):
        spot = NIBBLE * ((keep + distance) & (SPACES - 1))
        surface = (surfaces >> spot) & 15
        here = surface & 7
        below = (covered >> spot) & 15
        prison = (cells >> spot) & 15
        prisons += prison
        height = (heights >> spot) & 15
        board += here + below
        imprisoned += below
        code = min(here, 3) | (surface >> 3) << 2 | min(height, 3) << 3 | cell_code(prison, below) << 5
        codes[distance] = code
        codes[SPACES + distance] = (here > 0) | (height > 0) << 1 | (below > 0) << 2
        wizards |= (here > 0) << distance
        twice |= (here > 1) << distance
        under |= (below > 0) << distance
        shields |= (surface >> 3) << distance
        towers |= (height > 0) << distance
    free = shields & ~wizards
    spots = free & ~1
    first = lowest_bit(spots) if spots != 0 else 0
    spots &= spots - 1
    second = lowest_bit(spots) if spots != 0 else 0
    spots &= spots - 1
    third = lowest_bit(spots) if spots != 0 else 0
    window = 0
    for distance in range(WINDOW - 1):
        window = window * SHAPES + codes[SPACES + distance]
    for distance in range(SPACES):
        code = codes[distance]
        out[distance] = BY_KEEP + distance * CODES + code
        out[SPACES + distance] = BY_LANDING + ((distance - first) & (SPACES - 1)) * CODES + code
        out[2 * SPACES + distance] = BY_SECOND + ((distance - second) & (SPACES - 1)) * CODES + code
        window = window % SHAPES ** (WINDOW - 1) * SHAPES + codes[SPACES + ((distance + WINDOW - 1) & (SPACES - 1))]
        out[3 * SPACES + distance] = WINDOWS + distance * SHAPES**WINDOW + window
    ring = wizards | wizards << SPACES
    now = (ring >> (SPACES - BEHIND)) & (MASKS - 1)
    far = (ring >> (SPACES - 2 * BEHIND)) & (MASKS - 1)
    following = (ring >> (SPACES - BEHIND + first)) & (MASKS - 1)
    later = (ring >> (SPACES - BEHIND + second)) & (MASKS - 1)
    doubles = ((twice | twice << SPACES) >> (SPACES - BEHIND)) & (MASKS - 1)
    on_tower = towers & 1
    n = 4 * SPACES
    out[n] = REACH + (now * MASKS + following) * MASKS + later
    out[n + 1] = REACH_TWO + now * MASKS + following
    out[n + 2] = TWICE + now * MASKS + doubles
    out[n + 3] = CHAIN + (first * SPACES + second) * SPACES + third
    out[n + 4] = LEFT + (board * LEFT_CODES + imprisoned) * (MOST_PRISONS + 1) + min(prisons, MOST_PRISONS)
    out[n + 5] = WHO + wizards * 2 + on_tower
    out[n + 6] = WHO_LANDING + ((ring >> first) & (RINGS - 1))
    out[n + 7] = TOWERS + towers
    out[n + 8] = SHIELDS + shields
    out[n + 9] = FREE + free
    out[n + 10] = NOW_FIRST + (now * SPACES + first) * LEFT_CODES + board
    ending = 0
    if wizards != 0 and board <= 2:
        lowest = lowest_bit(wizards)
        ending = 1 + lowest
        if board == 2:
            rest = wizards & (wizards - 1)
            ending = 1 + SPACES + lowest * SPACES + (lowest_bit(rest) if rest != 0 else lowest)
    n += 11
    bottled = get(a, BOTTLED)
    funds = min(get(a, FULL), FUNDS - 1)
    if bottled:
        bottles = get(a, FULL) * BOTTLE_CODES + get(a, EMPTY)
        out[n] = BOTTLES + (bottles * LEFT_CODES + board) * LEFT_CODES + imprisoned
        n += 1
        below_keep = ((under | under << SPACES) >> (SPACES - BEHIND)) & (BELOW - 1)
        while spells != 0:
            spell = lowest_bit(spells)
            spells &= spells - 1
            fund = spell * FUNDS + funds
            out[n] = SPELL_LEFT + (spell * BOTTLE_CODES**2 + bottles) * LEFT_CODES + board
            out[n + 1] = SPELL_NOW + (fund * MASKS + now) * LEFT_CODES + board
            out[n + 2] = SPELL_TWICE + (fund * MASKS + now) * MASKS + doubles
            out[n + 3] = SPELL_REACH + (fund * MASKS + now) * MASKS + following
            out[n + 4] = SPELL_BELOW + fund * BELOW + below_keep
            n += SPELL_PATTERNS
    sight = Sight(now, following, later, far, board, min(prisons, 3), first, on_tower, ending, bottled, funds)
    return n, sight


@kernel
def ability(sight: Sight, card: int) -> int:
    """What a card can do now, next and later."""
    return ABILITY[sight.now, card] | ABILITY[sight.next, card] << 2 | ABILITY[sight.later, card] << 4  # type: ignore[no-any-return]


@kernel
def hand_patterns(sight: Sight, first: int, second: int, extra: int, spells: int, out: IntArray) -> int:
    """Write the entries of the two cards kept, and of so many cards beyond three, to `out`; return how many."""
    if first > second:
        first, second = second, first
    pair = first * FACE_COUNT + second
    out[0] = HAND + (sight.now * 2 + sight.on_tower) * PAIRS + pair
    out[1] = HAND_NEXT + sight.next * PAIRS + pair
    out[2] = HAND_LATER + sight.later * PAIRS + pair
    out[3] = HAND_FAR + sight.far * PAIRS + pair
    out[4] = HAND_LEFT + (sight.prisons * LEFT_CODES + sight.board) * PAIRS + pair
    out[5] = ENDING + sight.ending * PAIRS + pair
    reach = sight.now * MASKS + sight.next
    out[6] = CARD + reach * FACE_COUNT + first
    out[7] = CARD + reach * FACE_COUNT + second
    one = ability(sight, first)
    two = ability(sight, second)
    both = min(one, two) * MASKS + max(one, two)
    out[8] = ABLE + both * LEFT_CODES + sight.board
    out[9] = ABLE_FIRST + both * SPACES + sight.first
    n = HAND_PATTERNS
    if sight.bottled:
        if extra > 0:
            out[n] = EXTRA + min(extra, 3) * LEFT_CODES + sight.board
            n += 1
        while spells != 0:
            spell = lowest_bit(spells)
            spells &= spells - 1
            fund = spell * FUNDS + sight.funds
            out[n] = SPELL_HAND + fund * PAIRS + pair
            out[n + 1] = SPELL_ABLE + fund * MASKS**2 + both
            n += 2
    return n


@kernel
def board_value(a: int, b: int, spells: int, weights: Weights, scratch: IntArray) -> tuple[float, Sight]:
    """The board's part of the value."""
    count, sight = board_patterns(a, b, spells, scratch)
    one, two, three, four = 0.0, 0.0, 0.0, 0.0  # an addition need not wait for the one before it
    for i in range(0, count - 3, 4):
        one += weights[scratch[i]]
        two += weights[scratch[i + 1]]
        three += weights[scratch[i + 2]]
        four += weights[scratch[i + 3]]
    for i in range(count - count % 4, count):
        one += weights[scratch[i]]
    return one + two + three + four, sight


@kernel
def hand_value(
    sight: Sight, first: int, second: int, extra: int, spells: int, weights: Weights, scratch: IntArray
) -> float:
    """The part of the value that the cards kept have."""
    value = 0.0
    for i in range(hand_patterns(sight, first, second, extra, spells, scratch)):
        value += weights[scratch[i]]
    return value


@kernel
def hand_values(
    sight: Sight, card: int, draws: int, extra: int, spells: int, weights: Weights, out: FloatArray
) -> None:
    """The same for one card kept with each face of the mask `draws`: what they share is worked out once."""
    reach = CARD + (sight.now * MASKS + sight.next) * FACE_COUNT
    now = HAND + (sight.now * 2 + sight.on_tower) * PAIRS
    following = HAND_NEXT + sight.next * PAIRS
    later = HAND_LATER + sight.later * PAIRS
    far = HAND_FAR + sight.far * PAIRS
    left = HAND_LEFT + (sight.prisons * LEFT_CODES + sight.board) * PAIRS
    ending = ENDING + sight.ending * PAIRS
    able = ABLE + sight.board
    able_first = ABLE_FIRST + sight.first
    one = ability(sight, card)
    while draws != 0:
        drawn = lowest_bit(draws)
        draws &= draws - 1
        first, second = min(card, drawn), max(card, drawn)
        pair = first * FACE_COUNT + second
        two = ability(sight, drawn)
        both = min(one, two) * MASKS + max(one, two)
        value = (  # added up in the order of `hand_patterns`, so that both give the same to the last bit
            0.0
            + weights[now + pair]
            + weights[following + pair]
            + weights[later + pair]
            + weights[far + pair]
            + weights[left + pair]
            + weights[ending + pair]
            + weights[reach + first]
            + weights[reach + second]
            + weights[able + both * LEFT_CODES]
            + weights[able_first + both * SPACES]
        )
        if sight.bottled and extra > 0:
            value += weights[EXTRA + min(extra, 3) * LEFT_CODES + sight.board]
        if sight.bottled:
            open_spells = spells
            while open_spells != 0:
                fund = lowest_bit(open_spells) * FUNDS + sight.funds
                open_spells &= open_spells - 1
                value += weights[SPELL_HAND + fund * PAIRS + pair]
                value += weights[SPELL_ABLE + fund * MASKS**2 + both]
        out[drawn] = value
