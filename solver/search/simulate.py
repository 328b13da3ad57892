"""Whole games played by looking ahead, as fast as kernels can."""

from __future__ import annotations

import numpy as np

from solver import deal
from solver.jit import FloatArray, IntArray, kernel
from solver.layout import Packed
from solver.rules import DECK_SIZE, DIE_SIDES, HAND_SIZE, MAX_BOTTLES
from solver.search.expectimax import plays_of, roll_cost
from solver.search.goal import reached
from solver.search.leaf import Judge, cost_of_win
from solver.search.lookahead import Width, cost_before_draw, glance, look_ahead, pick
from solver.search.outlook import FACE, ROLLS, Aim, State, after_turn
from solver.search.pile import WHOLE_DECK, cards_in, copies_in, copies_of, lowest_face, without_face
from solver.search.replies import NO_DRAW, Scratch, card_cost

LOST, GOES_ON = -1, -2  # instead of a number of cards
MOST_TURNS = DECK_SIZE + MAX_BOTTLES  # of a game: one a card, and one for each that was taken back


@kernel
def cards_of(pile: int) -> IntArray:
    """The cards of a pile, in the order of the faces."""
    cards = np.empty(cards_in(pile), dtype=np.int64)
    n = 0
    while pile != 0:
        face = lowest_face(pile)
        for _ in range(copies_in(pile, face)):
            cards[n] = face
            n += 1
        pile = without_face(pile, face)
    return cards


@kernel
def play_of(face: int, a: int, turn: int, seed: int, game: int, judge: Judge, scratch: Scratch) -> int:
    """Roll a die card, again while that is expected to be better, and tell how it fell."""
    rolls = ROLLS[face]
    if rolls == 0:
        return 0
    outcomes = scratch.best_outcomes[0]
    plays = plays_of(face, a, judge.aim)
    play = 0
    for number in range(rolls):
        play = deal.roll(seed, game, turn, number) - 1
        if number + 1 < rolls and outcomes[play] <= roll_cost(outcomes, plays, rolls - number - 1):
            return play
    if plays > DIE_SIDES and outcomes[play] > roll_cost(outcomes, plays, 0):
        return DIE_SIDES + deal.roll(seed, game, turn, rolls) - 1
    return play


@kernel
def draw(after: State, order: IntArray) -> State:
    """Draw the cards owed; the deck is the last cards of `order`."""
    hand, deck = after.hand, after.deck
    for number in range(after.owed):
        card = copies_of(order[len(order) - after.left + number], 1)
        hand += card
        deck -= card
    return State(after.a, after.b, hand, deck, 0, after.left - after.owed, after.played)


@kernel
def take_turn(state: State, play: int, scratch: Scratch) -> State:
    """Play the card that was found best, which fell one way: the state before anything is drawn."""
    row = scratch.replies[0, scratch.best_chosen[0, play]]
    row[FACE] = scratch.card[0]
    return after_turn(state, row)


@kernel
def result_of(after: State, aim: Aim) -> int:
    """The cards of a game that is over, LOST, or GOES_ON."""
    if reached(after.a, after.b, aim.goal):
        return after.played
    return LOST if after.played >= aim.card_limit or after.owed >= after.left else GOES_ON


@kernel
def play_on(
    state: State, order: IntArray, seed: int, game: int, judge: Judge, scratch: Scratch, expected: FloatArray
) -> int:
    """Play a game to its end by the value, with the deck in this order and the rolls of the game: the cards, or LOST.

    `expected` gets the cost that was expected before the last turn with so many cards played.
    """
    turn = 0
    while True:
        turn += 1
        glance(state, judge, scratch, 0)
        expected[state.played] = scratch.costs[0, NO_DRAW]
        pick(state, judge, scratch)
        after = take_turn(state, play_of(scratch.card[0], state.a, turn, seed, game, judge, scratch), scratch)
        result = result_of(after, judge.aim)
        if result != GOES_ON:
            return result
        state = draw(after, order)


@kernel
def first_hand(a: int, b: int, order: IntArray) -> State:
    """A position with the first cards of a whole deck in the hand."""
    return draw(State(a, b, 0, WHOLE_DECK, HAND_SIZE, DECK_SIZE, 0), order)


@kernel
def play_deals(
    a: int, b: int, seed: int, first: int, judge: Judge, scratch: Scratch, expected: FloatArray, out: IntArray
) -> None:
    """Deal and play games from a position, one for each place of `out`, which gets the cards they took."""
    expected[:] = np.nan
    for number in range(len(out)):
        order = deal.deck(seed, first + number)
        state = first_hand(a, b, order)
        out[number] = play_on(state, order, seed, first + number, judge, scratch, expected[number % len(expected)])


@kernel
def rollout(after: State, order: IntArray, turn: int, seed: int, game: int, judge: Judge, scratch: Scratch) -> float:
    """Play a game to its end from after a turn: what it cost, with the luck taken off.

    The luck of a draw or a roll is how much it changed what the value expects. On average it is nothing, so what is
    left has the same average as the cost itself, but spreads much less.
    """
    luck = 0.0
    while True:
        result = result_of(after, judge.aim)
        if result != GOES_ON:
            return (judge.aim.loss if result == LOST else cost_of_win(result, judge.aim)) - luck
        state = draw(after, order)
        glance(state, judge, scratch, 0)
        pick(state, judge, scratch)
        hoped = scratch.costs[0, NO_DRAW]
        if after.owed == 1:  # of several cards drawn at once the value would look at the first only
            glance(after, judge, scratch, 1)
            hoped = cost_before_draw(after, scratch.costs[1])
        play = play_of(scratch.card[0], state.a, turn, seed, game, judge, scratch)
        luck += scratch.best_outcomes[0, play] - hoped
        after = take_turn(state, play, scratch)
        turn += 1


@kernel
def play_rollouts(
    state: State, face: int, rows: IntArray, outcomes: FloatArray, seed: int, first: int, judge: Judge,
    scratch: Scratch, out: FloatArray,
) -> None:  # fmt: skip
    """Play on with a card of a known hand, again and again, each time with another order of the deck and other rolls.

    `rows` are the turns for each way the card can fall, `outcomes` what they are expected to cost. Rollouts with the
    same numbers have the same luck, whatever the card.
    """
    for number in range(len(out)):
        order = cards_of(state.deck)
        deal.shuffle(order, seed, first + number)
        scratch.best_outcomes[0, : len(outcomes)] = outcomes
        play = play_of(face, state.a, 1, seed, first + number, judge, scratch)
        luck = outcomes[play] - card_cost(outcomes, len(outcomes), face)
        after = after_turn(state, rows[play])
        out[number] = rollout(after, order, 2, seed, first + number, judge, scratch) - luck


def play_deal(position: Packed, seed: int, game: int, depth: int, width: Width, judge: Judge, scratch: Scratch) -> int:
    """Deal a game from a position and play it, looking so many turns ahead: the cards it took, or LOST."""
    order = deal.deck(seed, game)
    state = first_hand(position.a, position.b, order)
    turn = 0
    result = GOES_ON
    while result == GOES_ON:
        turn += 1
        look_ahead(state, depth, width, judge, scratch, 0)
        if depth == 1:
            pick(state, judge, scratch)
        play = play_of(scratch.card[0], state.a, turn, seed, game, judge, scratch)
        after = State(*take_turn(state, play, scratch))
        result = int(result_of(after, judge.aim))
        if result == GOES_ON:
            state = State(*draw(after, order))
    return result
