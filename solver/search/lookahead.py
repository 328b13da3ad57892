"""Expectimax to a limited depth, with the value of a position at the leaves.

Where `expectimax` finishes the tree, this looks some turns ahead and then asks `solver.value`. Three things are not
searched but left to the value: the second card that `draw-two` draws, the new hand after a refresh, and turns that lie
outside the `Width`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.jit import FloatArray, IntArray, kernel, lowest_bit
from solver.search.expectimax import plays_of
from solver.search.goal import reached
from solver.search.leaf import Judge, board_part, cost_of_value, cost_of_win, leaf_cost, room
from solver.search.outlook import CODE, REFRESHING, A, B, State, after_turn, kept_after, owed_after, used_by
from solver.search.pile import cards_in, copies_of
from solver.search.replies import (
    DRAWN,
    GROUPS,
    NO_DRAW,
    Scratch,
    average,
    card_at,
    card_cost,
    different_faces,
    faces_in,
    groups_of,
    shallow_costs,
    survey,
    value_with,
)
from solver.value.chances import HOPELESS


class Width(NamedTuple):
    """Which turns are looked at deeper: at most so many for each way a card can fall, and none that is worse than the
    best by more than the margin (before looking deeper); nor any card that is."""

    turns: int
    margin: float


EVERY_TURN = Width(1 << 20, np.inf)
# By the number of turns looked ahead. At the last of them nothing is left out.
WIDTHS = {1: Width(1, 0.0), 2: Width(6, 1.5), 3: Width(3, 0.8), 4: Width(2, 0.5)}


@kernel
def weigh_replies(state: State, drawn: int, face: int, play: int, judge: Judge, scratch: Scratch, level: int) -> int:
    """Write the value of each reply with a card that fell one way; return how many groups they are in."""
    starts, groups, replies = scratch.starts[level], scratch.groups[level], scratch.replies[level]
    eye, goal, patterns = judge.eye, judge.aim.goal, scratch.patterns
    cards = room(state, judge.aim)
    unseen = max(state.owed - 1, 0)
    hand = state.hand + copies_of(drawn, 1) if state.owed > 0 else state.hand
    count = groups_of(face, play, starts, groups)
    for i in range(count):
        for number in range(starts[groups[i]], starts[groups[i] + 1]):
            code, a, b = replies[number, CODE], replies[number, A], replies[number, B]
            done = reached(a, b, goal)
            used = used_by(code, cards_in(hand) + unseen)
            value = float(used) if done else HOPELESS
            if not done and cards > used:
                board, sight = board_part(a, b, eye, goal, patterns)
                value = value_with(code, board, sight, hand, face, unseen, state.deck, eye, patterns)
            scratch.values[level, number] = value
    return count


@kernel
def next_reply(count: int, limit: float, values: FloatArray, starts: IntArray, groups: IntArray) -> int:
    """The reply of these groups with the lowest value; -1 if that is above the limit."""
    lowest = np.inf
    found = -1
    for i in range(count):
        for number in range(starts[groups[i]], starts[groups[i] + 1]):
            if values[number] < lowest and values[number] <= limit:
                lowest = values[number]
                found = number
    return found


@kernel
def after_reply(state: State, row: IntArray, face: int, drawn: int) -> State:
    """The state after a reply with a card of the hand, where one card of those owed was drawn."""
    card = copies_of(drawn, 1) if state.owed > 0 else 0
    unseen = max(state.owed - 1, 0)
    hand = state.hand + card
    kept = kept_after(row[CODE], hand, face)
    used = used_by(row[CODE], cards_in(hand) + unseen)
    left = state.left - min(state.owed, 1)
    return State(
        row[A],
        row[B],
        kept,
        state.deck - card,
        owed_after(row[CODE], cards_in(kept), unseen),
        left,
        state.played + used,
    )


@kernel
def places_in(state: State, judge: Judge) -> int:
    """How many places the hand has."""
    return different_faces(state.hand) + (2 if judge.aim.refreshing.refresh else 1)


@kernel
def draws_of(state: State) -> int:
    """The mask of the faces that may be drawn."""
    return faces_in(state.deck) if state.owed > 0 else 1 << NO_DRAW


@kernel
def cost_before_draw(state: State, costs: FloatArray) -> float:
    """The cost of a state, from its cost with each card that may be drawn."""
    if state.owed == 0:
        return costs[NO_DRAW]  # type: ignore[no-any-return]
    return average(costs, state.deck, state.left)


@kernel
def glance(state: State, judge: Judge, scratch: Scratch, level: int) -> None:
    """Find what a state costs with each card that may be drawn, looking one turn ahead: write `costs`."""
    survey(state, judge, scratch, level)
    places = places_in(state, judge)
    draws = draws_of(state)
    shallow_costs(state, places, draws, judge, scratch, level)
    while draws != 0:
        drawn = lowest_bit(draws)
        draws &= draws - 1
        scratch.costs[level, drawn] = np.min(scratch.shallow[level, :places, drawn])


@kernel
def pick(state: State, judge: Judge, scratch: Scratch) -> None:
    """Find the best card of a known hand, what each way it can fall costs, and the reply to it, after a `glance`."""
    place = int(np.argmin(scratch.shallow[0, : places_in(state, judge), NO_DRAW]))
    face = card_at(place, state.hand, NO_DRAW, False)
    scratch.card[0] = face
    cards = room(state, judge.aim)
    values, starts, groups = scratch.known[place], scratch.starts[0], scratch.groups[0]
    for play in range(plays_of(face, state.a, judge.aim)):
        count = groups_of(face, play, starts, groups)
        number = next_reply(count, np.inf, values, starts, groups)
        scratch.best_chosen[0, play] = number
        scratch.best_outcomes[0, play] = cost_of_value(values[number], state.played, cards, judge.scale)


@kernel
def look_ahead(state: State, depth: int, width: Width, judge: Judge, scratch: Scratch, level: int) -> None:
    """The same as `glance`, so many turns ahead; if that is more than one, and for a known hand, `pick` is included.

    It calls itself, and numba cannot keep kernels that call such a kernel. So only Python does.
    """
    glance(state, judge, scratch, level)
    if depth == 1:
        return
    scratch.shared_at[level, : scratch.starts[level, GROUPS]] = -1
    scratch.shared_count[level] = 0
    cards = room(state, judge.aim)
    places = places_in(state, judge)
    shallow, outcomes, chosen = scratch.shallow[level], scratch.outcomes[level], scratch.chosen[level]
    values, starts, groups = scratch.values[level], scratch.starts[level], scratch.groups[level]
    draws = draws_of(state)
    while draws != 0:
        drawn = lowest_bit(draws)
        draws &= draws - 1
        deck = state.deck - copies_of(drawn, 1) if state.owed > 0 else state.deck
        limit = scratch.costs[level, drawn] + width.margin
        best = np.inf
        for place in range(places):
            if shallow[place, drawn] > limit or shallow[place, drawn] == np.inf:
                continue
            face = card_at(place, state.hand, drawn, state.owed > 0)
            plays = plays_of(face, state.a, judge.aim)
            for play in range(plays):
                outcomes[play] = np.inf
                count = weigh_replies(state, drawn, face, play, judge, scratch, level)
                highest = np.inf
                for _ in range(width.turns):
                    number = next_reply(count, highest, values, starts, groups)
                    if number < 0:
                        break
                    row = scratch.replies[level, number]
                    value = values[number]
                    values[number] = np.inf
                    highest = min(highest, value + width.margin)
                    after = after_reply(state, row, face, drawn)
                    if face == REFRESHING or reached(row[A], row[B], judge.aim.goal):
                        cost = cost_of_value(value, state.played, cards, judge.scale)
                    elif room(after, judge.aim) <= 0:
                        cost = judge.aim.loss
                    elif place == DRAWN and depth == 2 and after.hand == state.hand:
                        # The drawn card is played at once, so those kept are the same whatever it was. Then what each
                        # next draw costs is the same too, as nothing but the value comes after it.
                        if scratch.shared_at[level, number] < 0:
                            every = State(
                                after.a, after.b, after.hand, state.deck, after.owed, after.left, after.played
                            )
                            look_ahead(every, depth - 1, width, judge, scratch, level + 1)
                            scratch.shared_at[level, number] = scratch.shared_count[level]
                            scratch.shared[level, scratch.shared_count[level]] = scratch.costs[level + 1]
                            scratch.shared_count[level] += 1
                        cost = average(scratch.shared[level, scratch.shared_at[level, number]], deck, after.left)
                    else:
                        look_ahead(after, depth - 1, width, judge, scratch, level + 1)
                        cost = cost_before_draw(after, scratch.costs[level + 1])
                    if cost < outcomes[play]:
                        outcomes[play] = cost
                        chosen[play] = number
            cost = card_cost(outcomes, plays, face)
            if cost < best:
                best = cost
                scratch.card[level] = face
                scratch.best_outcomes[level] = outcomes
                scratch.best_chosen[level] = chosen
        scratch.costs[level, drawn] = best


def turn_cost(state: State, row: IntArray, depth: int, width: Width, judge: Judge, scratch: Scratch) -> float:
    """The cost of a turn, looking so many turns ahead, itself included."""
    after = after_turn(state, row)
    if reached(after.a, after.b, judge.aim.goal):
        return float(cost_of_win(after.played, judge.aim))
    if depth == 1 or room(after, judge.aim) <= 0:
        return float(leaf_cost(after, judge, scratch.patterns))
    look_ahead(after, depth - 1, width, judge, scratch, 0)
    return float(cost_before_draw(after, scratch.costs[0]))
