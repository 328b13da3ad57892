"""All replies to a position at once, whatever card is drawn.

Whatever the card, a reply moves a wizard or a tower by 1 to 6. So there are *groups* of replies, and a card is worth
the best of the one or two groups that it can use, a die card of one or two for each roll. Every board is looked at
once, and only the cards kept differ from card to card and from draw to draw.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.code import ACTION, casting
from solver.engine.pieces import append, tower_moves, wizard_moves
from solver.engine.table import affordable, pay
from solver.engine.turn import turns
from solver.engine.view import look
from solver.jit import BoolArray, FloatArray, IntArray, kernel, lowest_bit
from solver.layout import get
from solver.rules import (
    DIE,
    DIE_SIDES,
    EXTRA_ROLL,
    FACES,
    HAND_SIZE,
    MOVEMENT_SWAP,
)
from solver.search.expectimax import roll_cost, turns_of, ways_a_die_falls
from solver.search.goal import reached
from solver.search.leaf import Eye, Judge, board_part, cost_of_value, further_cards, hand_part, room
from solver.search.outlook import (
    CODE,
    REFRESHING,
    ROLLS,
    ROW,
    A,
    B,
    State,
    kept_after,
    owed_after,
    retrieved,
    steps_of,
    used_by,
)
from solver.search.pile import cards_in, copies_in, copies_of, lowest_face, without_face
from solver.value.chances import HOPELESS
from solver.value.features import SCRATCH, Sight, hand_values

GROUP = ROW - 1  # column of a reply: its group

# Groups: a wizard by 1 to 6, a tower by 1 to 6, nothing; the same after `movement-swap` and after `extra-roll`.
TOWERS = DIE_SIDES
NOTHING = 2 * DIE_SIDES
SIDES = NOTHING + 1
SWAPPED = SIDES
EXTRA = 2 * SIDES
REFRESHED = 3 * SIDES
GROUPS = REFRESHED + 1

# The most replies to a position: 12 wizards and 9 towers by each of 6 numbers, nothing, and 9 refreshes, each with
# one of 95 casts or none, and 3 * 12 * 6 + 2 * 9 * 6 with a spell cast during the move.
MAX_REPLIES = 14_000
MOST_HELD = 16  # different faces in a hand
# Places in a hand: the card just drawn, then the different faces of the others from 1 on, and last the refresh.
DRAWN = 0
NO_DRAW = 0  # instead of the face drawn, where none is
MOST_GROUPS = 4  # that a card which fell one way can use


class Scratch(NamedTuple):
    """Memory for each level of the tree."""

    replies: IntArray
    starts: IntArray  # where each group begins
    best: FloatArray  # by place in the hand, face drawn and group: the fewest further cards
    values: FloatArray  # of the replies looked at
    known: FloatArray  # by place in a hand that is known, and reply: its value
    faces: IntArray  # by place in a hand that is known
    kept: IntArray  # and the pile kept when that card is played
    shallow: FloatArray  # by place in the hand and face drawn: the cost before looking deeper
    outcomes: FloatArray  # the cost of each way that a card can fall
    chosen: IntArray  # and the best reply to it
    best_outcomes: FloatArray  # the same of the best card
    best_chosen: IntArray
    costs: FloatArray  # by face drawn
    card: IntArray  # the best card
    shared: FloatArray  # by reply that was looked at with the known cards kept, and face drawn next: the cost
    shared_at: IntArray  # by reply: its row in `shared`, or -1
    shared_count: IntArray
    groups: IntArray  # that a card can use
    patterns: IntArray
    drawn_values: FloatArray
    boards: IntArray  # how many were looked at


def new_scratch(depth: int) -> Scratch:
    """Memory for looking so many turns ahead. Only what is written to becomes real."""
    return Scratch(
        replies=np.empty((depth, MAX_REPLIES, ROW), dtype=np.int64),
        starts=np.empty((depth, GROUPS + 1), dtype=np.int64),
        best=np.empty((depth, MOST_HELD + 2, len(FACES), GROUPS)),
        values=np.empty((depth, MAX_REPLIES)),
        known=np.empty((MOST_HELD + 2, MAX_REPLIES)),
        faces=np.empty(MOST_HELD + 2, dtype=np.int64),
        kept=np.empty(MOST_HELD + 2, dtype=np.int64),
        shallow=np.empty((depth, MOST_HELD + 2, len(FACES))),
        outcomes=np.empty((depth, 2 * DIE_SIDES)),
        chosen=np.empty((depth, 2 * DIE_SIDES), dtype=np.int64),
        best_outcomes=np.empty((depth, 2 * DIE_SIDES)),
        best_chosen=np.empty((depth, 2 * DIE_SIDES), dtype=np.int64),
        costs=np.empty((depth, len(FACES))),
        card=np.empty(depth, dtype=np.int64),
        shared=np.empty((depth, MAX_REPLIES, len(FACES))),
        shared_at=np.empty((depth, MAX_REPLIES), dtype=np.int64),
        shared_count=np.empty(depth, dtype=np.int64),
        groups=np.empty((depth, MOST_GROUPS), dtype=np.int64),
        drawn_values=np.empty(len(FACES)),
        patterns=np.empty(SCRATCH, dtype=np.int64),
        boards=np.zeros(1, dtype=np.int64),
    )


def _uses() -> BoolArray:
    table = np.zeros((len(FACES), GROUPS), dtype=np.bool_)
    for number, face in enumerate(FACES):
        wizard, tower = (
            range(DIE_SIDES) if steps == DIE else range(steps - 1, steps) if steps else range(0)
            for steps in (face.wizard, face.tower)
        )
        for first, one, other in ((0, wizard, tower), (SWAPPED, tower, wizard), (EXTRA, wizard, tower)):
            if first != EXTRA or face.rolls:
                table[number, [*(first + each for each in one), *(first + TOWERS + each for each in other)]] = True
                table[number, first + NOTHING] = True
    return table


USES = _uses()  # which groups a card may use
USED = np.array([sum(1 << group for group in np.flatnonzero(row).tolist()) for row in USES])  # the same as masks


@kernel
def list_replies(a: int, b: int, groups: int, judge: Judge, replies: IntArray, starts: IntArray) -> None:
    """Write every reply to a position, group by group; `groups` is the mask of those that are wanted."""
    aim = judge.aim
    n = 0
    for group in range(SIDES):
        starts[group] = n
        wizard = group + 1 if group < TOWERS else 0
        tower = group - TOWERS + 1 if TOWERS <= group < NOTHING else 0
        first = n
        if not groups >> group & 1:
            continue
        n = turns(a, b, wizard, tower, judge.unswapped, replies, n)
        if group != NOTHING and get(replies[first, CODE], ACTION) == 0:
            n = first
    view = look(a, b)
    for first_group, spell in ((SWAPPED, MOVEMENT_SWAP), (EXTRA, EXTRA_ROLL)):
        code = casting(spell)
        open_now = affordable(a, spell, aim.plain)
        paid = pay(a, spell, aim.plain)
        for group in range(SIDES):
            starts[first_group + group] = n
            if not open_now or not groups >> (first_group + group) & 1:
                continue
            if group < TOWERS:
                n = wizard_moves(paid, b, view, group + 1, 1, code, ACTION, replies, n)
            elif group < NOTHING:
                n = tower_moves(paid, b, view, group - TOWERS + 1, code, ACTION, replies, n)
            else:
                n = append(code, paid, b, replies, n)
    starts[REFRESHED] = n
    if aim.refreshing.refresh:
        n = turns_of(a, b, REFRESHING, 0, aim, replies, n)
    starts[GROUPS] = n
    for group in range(GROUPS):
        for row in range(starts[group], starts[group + 1]):
            replies[row, GROUP] = group


@kernel
def value_with(
    code: int, board: float, sight: Sight, hand: int, face: int, unseen: int, deck: int, eye: Eye, patterns: IntArray
) -> float:
    """The further cards expected with a reply that does not meet the goal, its own included."""
    kept = kept_after(code, hand, face)
    number = cards_in(kept)
    extra = max(number + owed_after(code, number, unseen) - HAND_SIZE, 0)
    value = hand_part(sight, kept, number, extra, deck, eye, patterns)
    return used_by(code, number + 1 + unseen) + further_cards(board, value)


@kernel
def survey(after: State, judge: Judge, scratch: Scratch, level: int) -> None:
    """Find the best reply of each group by its value, for each card of the hand and each draw: fill `best`."""
    if after.owed == 0:
        survey_hand(after, judge, scratch, level)
    else:
        survey_draws(after, judge, scratch, level)


@kernel
def survey_hand(state: State, judge: Judge, scratch: Scratch, level: int) -> None:
    """The same for a hand that is known: the value of each reply with each card is kept in `known`, too."""
    replies, starts, best = scratch.replies[level], scratch.starts[level], scratch.best[level]
    known, values, patterns = scratch.known, scratch.drawn_values, scratch.patterns
    eye, goal, hand, deck = judge.eye, judge.aim.goal, state.hand, state.deck
    held = cards_in(hand)
    usual = held == HAND_SIZE and eye.own_goal
    groups = 1 << REFRESHED
    places = 0
    pile = hand
    while pile != 0:
        places += 1
        face = lowest_face(pile)
        groups |= USED[face]
        pile = without_face(pile, face)
        scratch.faces[places] = face
        scratch.kept[places] = hand - copies_of(face, 1)
    list_replies(state.a, state.b, groups, judge, replies, starts)
    scratch.boards[0] += starts[GROUPS]
    best[: places + 2, NO_DRAW] = np.inf
    cards = room(state, judge.aim)
    for number in range(starts[GROUPS]):
        code, a, b, group = replies[number, CODE], replies[number, A], replies[number, B], replies[number, GROUP]
        used = used_by(code, held)
        again = retrieved(code)
        done = reached(a, b, goal)
        settled = done or cards <= used
        value = float(used) if done else HOPELESS
        if not settled:
            board, sight = board_part(a, b, eye, goal, patterns)
        if group == REFRESHED:
            if not settled:
                value = value_with(code, board, sight, 0, 0, held - 1, deck, eye, patterns)
            known[places + 1, number] = value
            best[places + 1, NO_DRAW, group] = min(best[places + 1, NO_DRAW, group], value)
            continue
        for place in range(1, places + 1):
            face = scratch.faces[place]
            if not USES[face, group]:
                continue
            if not settled and usual and not again:
                first = lowest_face(scratch.kept[place])
                second = lowest_face(scratch.kept[place] - copies_of(first, 1))
                extra = max(2 + owed_after(code, 2, 0) - HAND_SIZE, 0)
                hand_values(sight, first, 1 << second, extra, eye.spells, eye.weights, values)
                value = used + further_cards(board, values[second])
            elif not settled:
                value = value_with(code, board, sight, hand, face, 0, deck, eye, patterns)
            known[place, number] = value
            best[place, NO_DRAW, group] = min(best[place, NO_DRAW, group], value)


@kernel
def survey_draws(after: State, judge: Judge, scratch: Scratch, level: int) -> None:
    """The same for a state with cards owed, for each face that may be drawn next."""
    replies, starts, best = scratch.replies[level], scratch.starts[level], scratch.best[level]
    values, patterns, eye, goal = scratch.drawn_values, scratch.patterns, judge.eye, judge.aim.goal
    list_replies(after.a, after.b, -1, judge, replies, starts)
    scratch.boards[0] += starts[GROUPS]
    places = different_faces(after.hand) + 1
    best[: places + 1] = np.inf
    cards = room(after, judge.aim)
    held = cards_in(after.hand) + after.owed
    unseen = after.owed - 1
    draws = faces_in(after.deck)
    for number in range(starts[GROUPS]):
        code, a, b, group = replies[number, CODE], replies[number, A], replies[number, B], replies[number, GROUP]
        used = used_by(code, held)
        again = retrieved(code)
        done = reached(a, b, goal)
        settled = done or cards <= used
        board, sight = board_part(a, b, eye, goal, patterns)
        place = DRAWN
        pile = after.hand
        while pile != 0:
            place += 1
            face = lowest_face(pile)
            pile = without_face(pile, face)
            if not USES[face, group]:
                continue
            if settled:
                values[:] = used if done else HOPELESS
            elif held - unseen == HAND_SIZE and not again and eye.own_goal:
                kept = after.hand - copies_of(face, 1)
                extra = max(2 + owed_after(code, 2, unseen) - HAND_SIZE, 0)
                hand_values(sight, lowest_face(kept), draws, extra, eye.spells, eye.weights, values)
                for drawn in range(len(FACES)):
                    values[drawn] = used + further_cards(board, values[drawn])
            else:
                left = draws
                while left != 0:
                    drawn = lowest_bit(left)
                    left &= left - 1
                    hand = after.hand + copies_of(drawn, 1)
                    values[drawn] = value_with(code, board, sight, hand, face, unseen, after.deck, eye, patterns)
            left = draws
            while left != 0:
                drawn = lowest_bit(left)
                left &= left - 1
                best[place, drawn, group] = min(best[place, drawn, group], values[drawn])
        value = float(used) if done else HOPELESS
        if group == REFRESHED:
            place = places
            if not settled:
                value = value_with(code, board, sight, 0, 0, held - 1, after.deck, eye, patterns)
        else:
            place = DRAWN
            if not settled and not again:  # those kept are the same whatever was drawn
                value = value_with(
                    code, board, sight, after.hand + copies_of(0, 1), 0, unseen, after.deck, eye, patterns
                )
        left = draws
        while left != 0:
            drawn = lowest_bit(left)
            left &= left - 1
            if again and not settled:
                hand = after.hand + copies_of(drawn, 1)
                value = value_with(code, board, sight, hand, drawn, unseen, after.deck, eye, patterns)
            best[place, drawn, group] = min(best[place, drawn, group], value)


@kernel
def groups_of(face: int, play: int, starts: IntArray, out: IntArray) -> int:
    """Write the groups that a card which fell one way can use; return how many."""
    if face == REFRESHING:
        out[0] = REFRESHED
        return 1
    wizard, tower = steps_of(face, play)
    if play >= DIE_SIDES:
        return groups_from(EXTRA, wizard, tower, starts, out, 0)
    count = groups_from(0, wizard, tower, starts, out, 0)
    return groups_from(SWAPPED, tower, wizard, starts, out, count)


@kernel
def groups_from(first: int, wizard: int, tower: int, starts: IntArray, out: IntArray, count: int) -> int:
    """Append the groups for moving a wizard or a tower this far; nothing happens only where neither can be moved."""
    before = count
    if wizard != 0 and starts[first + wizard - 1] < starts[first + wizard]:
        out[count] = first + wizard - 1
        count += 1
    if tower != 0 and starts[first + TOWERS + tower - 1] < starts[first + TOWERS + tower]:
        out[count] = first + TOWERS + tower - 1
        count += 1
    if count == before:
        out[count] = first + NOTHING
        count += 1
    return count


@kernel
def card_cost(outcomes: FloatArray, plays: int, face: int) -> float:
    """The cost of a card, from the costs of the ways it can fall."""
    return outcomes[0] if ROLLS[face] == 0 else roll_cost(outcomes, plays, ROLLS[face])


@kernel
def shallow_costs(state: State, places: int, draws: int, judge: Judge, scratch: Scratch, level: int) -> None:
    """Write the cost of each card with each draw, by what `survey` found: fill `shallow`."""
    best, starts, groups = scratch.best[level], scratch.starts[level], scratch.groups[level]
    shallow, outcomes = scratch.shallow[level], scratch.outcomes[level]
    scale = judge.scale
    cards = room(state, judge.aim)
    plays_of_die = ways_a_die_falls(state.a, judge.aim)
    for place in range(places):
        left = draws
        while left != 0:
            drawn = lowest_bit(left)
            left &= left - 1
            face = card_at(place, state.hand, drawn, state.owed > 0)
            if face < 0:
                shallow[place, drawn] = np.inf
                continue
            plays = 1 if ROLLS[face] == 0 else plays_of_die
            for play in range(plays):
                value = np.inf
                for i in range(groups_of(face, play, starts, groups)):
                    value = min(value, best[place, drawn, groups[i]])
                outcomes[play] = cost_of_value(value, state.played, cards, scale)
            shallow[place, drawn] = card_cost(outcomes, plays, face)


@kernel
def card_at(place: int, hand: int, drawn: int, draws: bool) -> int:
    """The face at a place of the hand; -1 for the drawn card if there is none, or if one of its face is there too."""
    if place == DRAWN:
        return drawn if draws and copies_in(hand, drawn) == 0 else -1
    for _ in range(place - 1):
        hand = without_face(hand, lowest_face(hand))
    return lowest_face(hand) if hand != 0 else REFRESHING


@kernel
def different_faces(pile: int) -> int:
    """How many faces a pile has."""
    faces = 0
    while pile != 0:
        pile = without_face(pile, lowest_face(pile))
        faces += 1
    return faces


@kernel
def faces_in(pile: int) -> int:
    """The mask of the faces in a pile."""
    faces = 0
    while pile != 0:
        faces |= 1 << lowest_face(pile)
        pile = without_face(pile, lowest_face(pile))
    return faces


@kernel
def average(costs: FloatArray, deck: int, left: int) -> float:
    """The cost before a draw from a deck."""
    total = 0.0
    while deck != 0:
        face = lowest_face(deck)
        total += copies_in(deck, face) * costs[face]
        deck = without_face(deck, face)
    return total / left
