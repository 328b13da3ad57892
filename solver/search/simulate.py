"""Whole games played by looking ahead, as fast as kernels can."""

from __future__ import annotations

import numpy as np

from solver import deal
from solver.jit import FloatArray, IntArray, kernel
from solver.rules import DECK_SIZE, DIE_SIDES, MAX_BOTTLES
from solver.search.expectimax import plays_of, roll_cost
from solver.search.goal import reached
from solver.search.leaf import Judge, cost_of_win
from solver.search.lookahead import cost_before_draw, glance, pick
from solver.search.outlook import CODE, FACE, ROLLS, Aim, State, after_turn
from solver.search.pile import cards_in, copies_in, copies_of, lowest_face, without_face
from solver.search.replies import NO_DRAW, Scratch, card_cost

LOST, GOES_ON, UNDECIDED = -1, -2, -3  # instead of a number of cards
MOST_TURNS = DECK_SIZE + MAX_BOTTLES  # of a game: one a card, and one for each that was taken back

# Columns of a game's log, a row a turn: the face played (REFRESHING, or OVER after the last turn), how often its die
# was rolled, and the turn's code.
LOG_FACE, LOG_ROLLS, LOG_CODE = range(3)
LOG_ROW = 3
OVER = -1


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
def play_of(face: int, a: int, turn: int, seed: int, game: int, judge: Judge, scratch: Scratch) -> tuple[int, int]:
    """Roll a die card, again while that is expected to be better: how it fell, and how often it was rolled."""
    rolls = ROLLS[face]
    if rolls == 0:
        return 0, 0
    outcomes = scratch.best_outcomes[0]
    plays = plays_of(face, a, judge.aim)
    play = 0
    for number in range(rolls):
        play = deal.roll(seed, game, turn, number) - 1
        if number + 1 < rolls and outcomes[play] <= roll_cost(outcomes, plays, rolls - number - 1):
            return play, number + 1
    if plays > DIE_SIDES and outcomes[play] > roll_cost(outcomes, plays, 0):
        return DIE_SIDES + deal.roll(seed, game, turn, rolls) - 1, rolls
    return play, rolls


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
def write_log(log: IntArray, turn: int, face: int, rolls: int, code: int) -> None:
    """Write a turn (from 1) into the log, and that it was the last one so far."""
    log[turn - 1, LOG_FACE] = face
    log[turn - 1, LOG_ROLLS] = rolls
    log[turn - 1, LOG_CODE] = code
    log[turn, LOG_FACE] = OVER


@kernel
def draw_luck(after: State, cost: float, judge: Judge, scratch: Scratch) -> float:
    """How much a draw changed what is expected; `cost` is what is expected after it.

    Of several cards drawn at once the value would look at the first only, so those are not called luck.
    """
    if after.owed != 1:
        return 0.0
    glance(after, judge, scratch, 1)
    return cost - cost_before_draw(after, scratch.costs[1])


@kernel
def play_on(
    after: State, order: IntArray, turn: int, seed: int, game: int, with_luck: bool, opening: float, judge: Judge,
    scratch: Scratch, expected: FloatArray, log: IntArray,
) -> tuple[int, float]:  # fmt: skip
    """Play a game to its end by the value, with the deck in this order and the rolls of the game.

    It begins with the draw after so many turns. The result is the cards or LOST, and with `with_luck` the luck: by how
    much draws and rolls changed what the value expects. On average that is nothing, so cards less luck have the same
    average as the cards, but spread much less. `opening` is what was expected before the first draw, if that is of
    several cards, or NaN. `expected` gets the cost that was expected before the last turn with so many cards played.
    """
    luck = 0.0
    first = turn
    while True:
        state = draw(after, order)
        glance(state, judge, scratch, 0)
        pick(state, judge, scratch)
        cost = scratch.costs[0, NO_DRAW]
        expected[state.played] = cost
        turn += 1
        face = scratch.card[0]
        play, rolls = play_of(face, state.a, turn, seed, game, judge, scratch)
        if with_luck:
            dealt = turn == first + 1 and not np.isnan(opening)
            luck += cost - opening if dealt else draw_luck(after, cost, judge, scratch)
            luck += scratch.best_outcomes[0, play] - cost
        after = take_turn(state, play, scratch)
        code = scratch.replies[0, scratch.best_chosen[0, play], CODE]
        write_log(log, turn - first, face, rolls, code)
        result = result_of(after, judge.aim)
        if result != GOES_ON:
            return result, luck


@kernel
def new_log() -> IntArray:
    """Room for the log of a game."""
    return np.empty((MOST_TURNS + 1, LOG_ROW), dtype=np.int64)


@kernel
def play_deals(
    start: State, seed: int, first: int, with_luck: bool, opening: float, judge: Judge, scratch: Scratch,
    expected: FloatArray, log: IntArray, out: IntArray, lucks: FloatArray,
) -> None:  # fmt: skip
    """Deal and play games from a state, one for each place of `out`, which gets the cards they took.

    `expected` gets what each of the latest games expected, `log` the last one.
    """
    expected[:] = np.nan
    for number in range(len(out)):
        game = first + number
        order = cards_of(start.deck)
        deal.shuffle(order, seed, game)
        row = expected[number % len(expected)]
        out[number], lucks[number] = play_on(
            start, order, 0, seed, game, with_luck, opening, judge, scratch, row, log
        )


@kernel
def play_rollouts(
    state: State, face: int, rows: IntArray, outcomes: FloatArray, seed: int, first: int, known: IntArray,
    judge: Judge, scratch: Scratch, out: FloatArray, ends: IntArray,
) -> None:  # fmt: skip
    """Play on with a card of a known hand, again and again, each time with another order of the deck and other rolls.

    `rows` are the turns for each way the card can fall, `outcomes` what they are expected to cost; a single row is a
    card that lies there already. Rollouts with the same numbers have the same luck, whatever the card. `ends` gets
    the cards they took, or LOST, and `out` what they cost, with the luck taken off; but not if some cards are `known`
    to come first, for then they are no luck.
    """
    log = new_log()
    expected = np.empty(MOST_TURNS)
    settled = len(rows) == 1
    order = np.empty(cards_in(state.deck), dtype=np.int64)
    rest = state.deck
    for number in range(len(known)):
        rest -= copies_of(known[number], 1)
    for number in range(len(out)):
        game = first + number
        unknown = cards_of(rest)
        deal.shuffle(unknown, seed, game)
        order[: len(known)] = known
        order[len(known) :] = unknown
        scratch.best_outcomes[0, : len(outcomes)] = outcomes
        play, luck = 0, 0.0
        if not settled:
            play, _ = play_of(face, state.a, 1, seed, game, judge, scratch)
            luck = outcomes[play] - card_cost(outcomes, len(outcomes), face)
        after = after_turn(state, rows[play])
        result = result_of(after, judge.aim)
        if result == GOES_ON:
            result, later = play_on(
                after, order, 1, seed, game, len(known) == 0, np.nan, judge, scratch, expected, log
            )
            luck += later
        ends[number] = result
        cost = judge.aim.loss if result == LOST else cost_of_win(result, judge.aim)
        out[number] = cost if len(known) > 0 else cost - luck
