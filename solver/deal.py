"""Chance: the order of the deck and every roll of the die, a pure function of (seed, game number).

A counter-based generator: number i of a game is a hash of the game's key and i, so any number can be had without
those before it, on any machine or thread. Hash and counter steps are those of SplitMix64. Bounded numbers come
from 32 bits by multiplication, with the few uneven values rejected, so they are exactly uniform.
"""

from __future__ import annotations

import numpy as np

from solver.jit import IntArray, kernel
from solver.rules import DIE_SIDES, FACES

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW_32 = np.uint64(0xFFFFFFFF)
_RANGE_32 = np.uint64(1 << 32)

# Counters: purpose, then which number of it, then the attempt (a rejected value is drawn again).
ATTEMPTS = 1 << 8
SHUFFLE = 0
ROLLS = 1 << 20
ROLLS_A_TURN = 1 << 4

SORTED_DECK = np.repeat(np.arange(len(FACES)), [face.copies for face in FACES]).astype(np.int64)


@kernel
def mix(x: np.uint64) -> np.uint64:
    """Scramble 64 bits, reversibly."""
    x = (x ^ (x >> _30)) * _MIX_1
    x = (x ^ (x >> _27)) * _MIX_2
    return x ^ (x >> _31)


@kernel
def game_key(seed: int, game: int) -> np.uint64:
    """The key of a game: seed and game number hashed one after the other, so that no two games share a stream."""
    return mix(mix(np.uint64(seed) + _STEP) + np.uint64(game) * _STEP + _STEP)


@kernel
def below(key: np.uint64, counter: int, bound: int) -> int:
    """A number from 0 to bound - 1, each equally likely (bound up to 2**32)."""
    size = np.uint64(bound)
    uneven = _RANGE_32 % size
    attempt = 0
    while True:
        bits = mix(key + np.uint64(counter * ATTEMPTS + attempt + 1) * _STEP) >> _32
        product = bits * size
        if product & _LOW_32 >= uneven:
            return np.int64(product >> _32)  # type: ignore[return-value]
        attempt += 1


@kernel
def shuffle(cards: IntArray, seed: int, game: int) -> None:
    """Bring cards into the order of a game."""
    key = game_key(seed, game)
    for place in range(len(cards) - 1):
        other = place + below(key, SHUFFLE + place, len(cards) - place)
        cards[place], cards[other] = cards[other], cards[place]


@kernel
def deck(seed: int, game: int) -> IntArray:
    """The shuffled deck of a game, the first card to be dealt first, as numbers of faces."""
    cards = SORTED_DECK.copy()
    shuffle(cards, seed, game)
    return cards


@kernel
def roll(seed: int, game: int, turn: int, number: int) -> int:
    """Roll `number` (from 0) of a turn (from 1): 1 to 6, whatever card is played in that turn."""
    return 1 + below(game_key(seed, game), ROLLS + turn * ROLLS_A_TURN + number, DIE_SIDES)
