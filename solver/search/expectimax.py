"""The whole tree of what may still happen while the deck's order and the die are unknown, finished by one kernel.

A state costs the least of what its turns cost, and a draw or a roll the average. Cards still to be drawn make a state
of their own. Nothing is guessed, but two things are spared. A state met again, after other turns in another order, is
taken from a hash table. And what cannot be as good as the best turn found so far is not looked at to the end: then its
cost is only known to be *at least* so much.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.code import refreshed
from solver.engine.table import affordable
from solver.engine.turn import turns, turns_after_extra_roll
from solver.jit import FloatArray, IntArray, kernel
from solver.rules import DECK_SIZE, DIE_SIDES, EXTRA_ROLL
from solver.search.outlook import (
    CODE,
    FACE,
    REFRESHING,
    ROLLS,
    Aim,
    State,
    after_draw,
    after_turn,
    bound_of_draw,
    bound_of_draws,
    bound_of_hand,
    bound_of_roll,
    look_ahead,
    settle,
    steps_of,
)
from solver.search.pile import DICE, PILE_BITS, copies_in, copies_of, lowest_face, without_face

PLAIN = -1  # instead of a face: all cards without a die together, and the refresh

# A state as a key: position, hand with the cards owed above it, deck.
KEY = 4
FREE = -1  # first word of a row not taken; packed words are never negative

SIZE, PAUSE = range(2)  # of `Memory.counts`: states in the table, and with how many of them the kernel pauses
NOT_YET = -1.0  # instead of a cost: the kernel paused

# Added to a limit that is the result of a division, so that what reaches it reaches the sum it was divided from,
# however that is rounded.
SLACK = 1e-9
HALVINGS = 12  # of an interval, to find a limit closely enough


class Memory(NamedTuple):
    """The states with their costs, and scratch space for each turn that the kernel is deep in the tree."""

    keys: IntArray
    costs: FloatArray  # of each state; a negative number: at least so much
    counts: IntArray
    rows: IntArray
    bounds: FloatArray  # for each of `rows` what it costs at the least
    outcomes: FloatArray  # the cost of each roll of a die card, then of each new roll by `extra-roll`


@kernel
def place_of(keys: IntArray, a: int, b: int, hand: int, deck: int) -> int:
    """The row of a key: its own, or the free one where it belongs."""
    x = (np.uint64(a) * np.uint64(0x9E3779B97F4A7C15)) ^ (np.uint64(b) * np.uint64(0xD6E8FEB86659FD93))
    x ^= x >> np.uint64(32)
    x ^= (np.uint64(hand) * np.uint64(0xC2B2AE3D27D4EB4F)) + (np.uint64(deck) * np.uint64(0x165667B19E3779F9))
    x = (x ^ (x >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    last = len(keys) - 1  # the number of rows is a power of two
    row = np.int64(x >> np.uint64(24)) & last
    while keys[row, 0] != FREE and (
        keys[row, 0] != a or keys[row, 1] != b or keys[row, 2] != hand or keys[row, 3] != deck
    ):
        row = (row + 1) & last
    return row  # type: ignore[return-value]


@kernel
def place_of_state(state: State, memory: Memory) -> int:
    """The row of a state: its own, or the free one where it belongs."""
    return place_of(memory.keys, state.a, state.b, state.hand | (state.owed << PILE_BITS), state.deck)


@kernel
def keep_in_mind(state: State, cost: float, memory: Memory) -> bool:
    """Put a state into the table, or another cost to it; False if the table wants a pause first."""
    place = place_of_state(state, memory)
    if memory.keys[place, 0] == FREE:
        if memory.counts[SIZE] >= memory.counts[PAUSE]:
            return False
        memory.counts[SIZE] += 1
        memory.keys[place, 0] = state.a
        memory.keys[place, 1] = state.b
        memory.keys[place, 2] = state.hand | (state.owed << PILE_BITS)
        memory.keys[place, 3] = state.deck
    memory.costs[place] = cost
    return True


@kernel
def refill(old_keys: IntArray, old_costs: FloatArray, keys: IntArray, costs: FloatArray) -> None:
    """Put every state of one table into another, larger one."""
    for row in range(len(old_keys)):
        if old_keys[row, 0] != FREE:
            place = place_of(keys, old_keys[row, 0], old_keys[row, 1], old_keys[row, 2], old_keys[row, 3])
            keys[place] = old_keys[row]
            costs[place] = old_costs[row]


@kernel
def ways_a_die_falls(a: int, aim: Aim) -> int:
    """One a roll, or twice that where `extra-roll` may follow."""
    return 2 * DIE_SIDES if affordable(a, EXTRA_ROLL, aim.plain) else DIE_SIDES


@kernel
def plays_of(face: int, a: int, aim: Aim) -> int:
    """How many ways a card can fall: one, if it has no die."""
    return 1 if ROLLS[face] == 0 else ways_a_die_falls(a, aim)


@kernel
def turns_of(a: int, b: int, face: int, play: int, aim: Aim, rows: IntArray, n: int) -> int:
    """Append the turns with a card that fell one way to `rows` from row `n` on; return the new `n`."""
    first = n
    if face == REFRESHING:
        for row in range(first, turns(a, b, 0, 0, aim.refreshing, rows, first)):
            if refreshed(rows[row, CODE]):
                rows[n] = rows[row]
                n += 1
    else:
        wizard, tower = steps_of(face, play)
        if play < DIE_SIDES:
            n = turns(a, b, wizard, tower, aim.plain, rows, n)
        else:
            n = turns_after_extra_roll(a, b, wizard, tower, aim.plain, rows, n)
    for row in range(first, n):
        rows[row, FACE] = face
    return n


@kernel
def roll_cost(outcomes: FloatArray, plays: int, rolls: int) -> float:
    """The cost of rolling a card with so many rolls left, if each roll is kept or given up as is best.

    Rolling again is never worse than casting `extra-roll`, for that can still be cast afterwards. So it is not thought
    of before the last roll.
    """
    otherwise = np.inf  # what it costs not to keep a roll
    if plays > DIE_SIDES:
        otherwise = np.sum(outcomes[DIE_SIDES:plays]) / DIE_SIDES
    for _ in range(rolls):
        total = 0.0
        for roll in range(DIE_SIDES):
            total += min(outcomes[roll], otherwise)
        otherwise = total / DIE_SIDES
    return otherwise


@kernel
def limit_of_roll(outcomes: FloatArray, play: int, plays: int, rolls: int, worst: float, aim: Aim) -> float:
    """From which cost of one roll on the card costs at least `worst`, given the others; too high rather than too low.

    It overwrites that roll in `outcomes`.
    """
    low = outcomes[play]
    high = aim.loss if aim.within >= 0 else max(aim.loss, float(DECK_SIZE))  # no game costs more
    outcomes[play] = high
    if roll_cost(outcomes, plays, rolls) < worst:
        return np.inf
    for _ in range(HALVINGS):
        outcomes[play] = (low + high) / 2
        if roll_cost(outcomes, plays, rolls) < worst:
            low = outcomes[play]
        else:
            high = outcomes[play]
    return high


@kernel
def list_turns(state: State, face: int, play: int, aim: Aim, rows: IntArray, bounds: FloatArray) -> tuple[int, float]:
    """Write the turns after which the game goes on into `rows`; return how many, and the least cost of the others."""
    count = 0
    best = np.inf
    pile = state.hand & ~DICE if face == PLAIN else copies_of(face, 1)
    refresh = face == PLAIN and aim.refreshing.refresh
    while pile != 0 or refresh:
        if pile != 0:
            card = lowest_face(pile)
            pile = without_face(pile, card)
        else:
            card = REFRESHING
            refresh = False
        for row in range(count, turns_of(state.a, state.b, card, play, aim, rows, count)):
            over, cost = settle(after_turn(state, rows[row]), aim)
            if over:
                best = min(best, cost)
            else:
                rows[count] = rows[row]
                bounds[count] = cost
                count += 1
    return count, best


@kernel
def most_hopeful(bounds: FloatArray, count: int, best: float) -> int:
    """The row with the lowest bound, and that bound taken away; -1 if none is below `best`."""
    found = -1
    for row in range(count):
        if bounds[row] < best:
            found = row
            best = bounds[row]
    if found >= 0:
        bounds[found] = np.inf
    return found


@kernel
def finish(state: State, limit: float, aim: Aim, memory: Memory, level: int) -> float:
    """The cost of a state after a turn that did not end the game; if that is `limit` or more, anything from there up
    to it; or NOT_YET. All states on the way are kept in the table.
    """
    place = place_of_state(state, memory)
    if memory.keys[place, 0] != FREE and (memory.costs[place] >= 0 or -memory.costs[place] >= limit):
        return float(abs(memory.costs[place]))
    outlook = look_ahead(state, aim)
    if state.owed > 0:
        # The costs known so far, and the bounds of the others, each so often as the card is in the deck.
        known = 0.0
        others = bound_of_draws(state, outlook)
        worst = limit * state.left
        by_hand = bound_of_hand(state.hand, outlook)
        pile = state.deck
        while pile != 0 and known + others < worst:
            face = lowest_face(pile)
            number = copies_in(pile, face)
            pile = without_face(pile, face)
            others = max(others - number * bound_of_draw(state, face, by_hand, outlook), 0.0)
            share = (worst - known - others) / number + SLACK
            cost = finish(after_draw(state, face), share, aim, memory, level)
            if cost < 0:
                return NOT_YET
            known += number * cost
        if pile == 0:
            others = 0.0
        result = (known + others) / state.left
        exact = pile == 0 and known < worst
    else:
        rows = memory.rows[level]
        bounds = memory.bounds[level]
        outcomes = memory.outcomes[level]
        floor = bound_of_hand(state.hand, outlook)
        result = limit
        deeper = False
        dice = state.hand & DICE
        face = PLAIN
        while result > floor:
            plays = 1 if face == PLAIN else plays_of(face, state.a, aim)
            for play in range(plays):
                outcomes[play] = bound_of_roll(face, play, outlook)
            for play in range(plays):
                if plays == 1:
                    outcomes[play] = result
                elif roll_cost(outcomes, plays, ROLLS[face]) >= result:
                    break
                else:
                    outcomes[play] = limit_of_roll(outcomes, play, plays, ROLLS[face], result, aim)
                count, best = list_turns(state, face, play, aim, rows, bounds)
                best = min(best, outcomes[play])
                deeper = deeper or count > 0
                row = most_hopeful(bounds, count, best)
                while row >= 0:
                    cost = finish(after_turn(state, rows[row]), best, aim, memory, level + 1)
                    if cost < 0:
                        return NOT_YET
                    best = min(best, cost)
                    row = most_hopeful(bounds, count, best)
                outcomes[play] = best
            result = min(result, outcomes[0] if plays == 1 else roll_cost(outcomes, plays, ROLLS[face]))
            if dice == 0:
                break
            face = lowest_face(dice)
            dice = without_face(dice, face)
        exact = result < limit
        if not deeper:  # made out again as fast as looked up
            return result
    return result if keep_in_mind(state, result if exact else -result, memory) else NOT_YET
