"""Games played against chance in which the value learns: temporal differences after every turn.

After each turn the value of the position before the draw is drawn towards 1 card plus the best that the next turn
promises. How fast an entry of a table learns follows from how well its own errors agree (temporal coherence): as long
as they point the same way it learns fast, and where they cancel out it rests.
"""

from __future__ import annotations

from typing import NamedTuple

from solver import deal
from solver.jit import FloatArray, IntArray, kernel
from solver.rules import DECK_SIZE, DIE_SIDES, HAND_SIZE
from solver.search.goal import reached
from solver.search.leaf import Eye, Judge, best_pair
from solver.search.lookahead import glance, pick
from solver.search.outlook import FACE, ROLLS, State, after_turn
from solver.search.pile import WHOLE_DECK, cards_in
from solver.search.replies import NO_DRAW, Scratch, groups_of
from solver.search.simulate import LOST, cards_of, draw, play_of
from solver.value.features import Weights, board_patterns, hand_patterns

LOSS = 60.0  # further cards, where the game is lost
EXPLORE = 1 << 24  # counter of chance: whether and how a turn is played at random
NUMBERS_A_TURN = 4
PARTS = 1 << 20  # of a probability


class Learner(NamedTuple):
    """What is learned, and the sums of all errors of each entry, with and without their sign."""

    weights: Weights
    errors: FloatArray
    sizes: FloatArray


@kernel
def all_patterns(after: State, eye: Eye, out: IntArray) -> int:
    """Write every entry that the value of a state after a turn is the sum of; return how many."""
    count, sight = board_patterns(after.a, after.b, eye.spells, out)
    number = cards_in(after.hand)
    extra = max(number + after.owed - HAND_SIZE, 0)
    _, one, two = best_pair(sight, after.hand, extra, eye, out[count:])
    return count + hand_patterns(sight, one, two, extra, eye.spells, out[count:])


@kernel
def learn(entries: IntArray, target: float, rate: float, learner: Learner) -> None:
    """Draw the sum of some entries towards a target."""
    weights, errors, sizes = learner.weights, learner.errors, learner.sizes
    error = target
    for entry in entries:
        error -= weights[entry]
    step = rate * error / len(entries)
    for entry in entries:
        coherence = abs(errors[entry]) / sizes[entry] if sizes[entry] > 0 else 1.0
        weights[entry] += step * coherence
        errors[entry] += error
        sizes[entry] += abs(error)


@kernel
def random_turn(state: State, turn: int, seed: int, game: int, judge: Judge, scratch: Scratch) -> tuple[int, int]:
    """Some card of the hand, however it falls, and some reply: the face and the number of the reply."""
    key = deal.game_key(seed, game)
    counter = EXPLORE + turn * NUMBERS_A_TURN
    hand = cards_of(state.hand)
    face = hand[deal.below(key, counter + 1, len(hand))]
    play = deal.below(key, counter + 2, DIE_SIDES) if ROLLS[face] > 0 else 0
    starts, groups = scratch.starts[0], scratch.groups[0]
    count = groups_of(face, play, starts, groups)
    replies = 0
    for i in range(count):
        replies += starts[groups[i] + 1] - starts[groups[i]]
    choice = deal.below(key, counter + 3, replies)
    for i in range(count):
        size = starts[groups[i] + 1] - starts[groups[i]]
        if choice < size:
            return face, starts[groups[i]] + choice
        choice -= size
    return face, starts[groups[0]]


@kernel
def learn_game(
    start: State, seed: int, game: int, rate: float, explore: float, judge: Judge, learner: Learner,
    scratch: Scratch, entries: IntArray,
) -> int:  # fmt: skip
    """Deal and play a game, each turn at random with probability `explore`, and learn from it. The cards, or LOST."""
    order = deal.deck(seed, game)
    state = draw(start, order)
    key = deal.game_key(seed, game)
    count = 0
    turn = 0
    while True:
        turn += 1
        glance(state, judge, scratch, 0)
        pick(state, judge, scratch)
        if count > 0:
            learn(entries[:count], min(scratch.costs[0, NO_DRAW] - state.played, LOSS), rate, learner)
        if deal.below(key, EXPLORE + turn * NUMBERS_A_TURN, PARTS) < explore * PARTS:
            face, number = random_turn(state, turn, seed, game, judge, scratch)
        else:
            face = scratch.card[0]
            number = scratch.best_chosen[0, play_of(face, state.a, turn, seed, game, judge, scratch)[0]]
        row = scratch.replies[0, number]
        row[FACE] = face
        after = after_turn(state, row)
        if reached(after.a, after.b, judge.aim.goal):
            return after.played
        count = all_patterns(after, judge.eye, entries)
        if after.owed >= after.left:
            learn(entries[:count], LOSS, rate, learner)
            return LOST
        state = draw(after, order)


@kernel
def learn_games(
    starts: IntArray, seed: int, first: int, rate: float, explore: float, judge: Judge, learner: Learner,
    scratch: Scratch, entries: IntArray, out: IntArray,
) -> None:  # fmt: skip
    """Learn from a game from each start, rows (a, b); `out` gets the cards."""
    for number in range(len(starts)):
        start = State(starts[number, 0], starts[number, 1], 0, WHOLE_DECK, HAND_SIZE, DECK_SIZE, 0)
        out[number] = learn_game(start, seed, first + number, rate, explore, judge, learner, scratch, entries)
