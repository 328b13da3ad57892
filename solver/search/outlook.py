"""States while the deck's order and the die are unknown: how a turn ends, and what a state costs at the least.

Every state has a *cost* that the player wants low: the cards in the discard pile at the end, or 1 for a game that is
not won in time and 0 for one that is. Its lower bound comes from the events of `search.goal`, and from one look at the
cards: a card that can make none of the events still needed puts everything off by a turn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.code import SPELL, refreshed
from solver.engine.table import RuleTable
from solver.engine.view import contains
from solver.jit import IntArray, kernel
from solver.layout import EMPTY, FULL, NIBBLE, get
from solver.rules import DIE, DIE_SIDES, DRAW_TWO, DRAW_TWO_CARDS, FACES, HAND_SIZE, RETRIEVE_CARD, SPACES
from solver.search.exact import seen_by_keep
from solver.search.goal import GoalTable, distance, least_cards, reached
from solver.search.pile import cards_in, copies_in, copies_of, lowest_face, without_face

# Faces as kernels see them, by number.
REFRESHING = len(FACES)  # after the last of them: the whole hand is discarded
WIZARD = np.array([face.wizard for face in FACES] + [0])
TOWER = np.array([face.tower for face in FACES] + [0])
ROLLS = np.array([face.rolls for face in FACES] + [0])

# Columns of a turn: as the engine writes it, and the face it is made with.
CODE, A, B, FACE = range(4)
ROW = 4


class State(NamedTuple):
    """A game between two turns, or between a turn and its draw."""

    a: int
    b: int
    hand: int  # a pile
    deck: int  # a pile; every order is as likely as any other
    owed: int  # cards to be drawn before the next turn
    left: int  # cards in the deck
    played: int  # cards in the discard pile


class Aim(NamedTuple):
    """What kernels need of the game, and of what the player wants."""

    plain: RuleTable  # without a refresh
    refreshing: RuleTable  # with one, if the rules have it
    goal: GoalTable
    cheapest: int  # bottles that the cheapest spell costs
    most: int  # a game won has had at most so many turns with a card, those before the first one included
    card_limit: int  # so many cards lose
    within: int  # a game won with more cards counts as lost; -1: the fewest cards are wanted
    loss: float  # what a lost game costs


class Outlook(NamedTuple):
    """What the events still needed say of a state: what it costs if the next turn makes one, and if it makes none."""

    lost: bool  # no win is possible any more
    floor: float
    slip: float
    near: int  # the spaces with visible wizards, seen from the keep
    towers: bool  # moving a tower may be an event


@kernel
def steps_of(face: int, play: int) -> tuple[int, int]:
    """How far a card that fell one way moves a wizard and a tower."""
    roll = play % DIE_SIDES + 1
    wizard = roll if WIZARD[face] == DIE else WIZARD[face]
    tower = roll if TOWER[face] == DIE else TOWER[face]
    return wizard, tower


@kernel
def retrieved(code: int) -> bool:
    """Whether a turn takes its card back."""
    return get(code, SPELL) == RETRIEVE_CARD


@kernel
def used_by(code: int, held: int) -> int:
    """The cards that a turn costs, where so many are held."""
    if refreshed(code):
        return held
    return 0 if retrieved(code) else 1


@kernel
def kept_after(code: int, hand: int, face: int) -> int:
    """The pile of cards kept after a turn with a card of a hand."""
    if refreshed(code):
        return 0
    return hand if retrieved(code) else hand - copies_of(face, 1)


@kernel
def owed_after(code: int, number: int, unseen: int) -> int:
    """The cards to be drawn after a turn that keeps so many; `unseen` more are in the hand, not looked at yet."""
    by_spell = DRAW_TWO_CARDS if get(code, SPELL) == DRAW_TWO else 0
    return max(by_spell + unseen, HAND_SIZE - number)


@kernel
def after_turn(state: State, row: IntArray) -> State:
    """The game after a turn, before anything is drawn."""
    kept = kept_after(row[CODE], state.hand, row[FACE])
    used = used_by(row[CODE], cards_in(state.hand))
    owed = owed_after(row[CODE], cards_in(kept), 0)
    return State(row[A], row[B], kept, state.deck, owed, state.left, state.played + used)


@kernel
def after_draw(state: State, face: int) -> State:
    """The game after one of the cards owed was drawn."""
    card = copies_of(face, 1)
    return State(state.a, state.b, state.hand + card, state.deck - card, state.owed - 1, state.left - 1, state.played)


@kernel
def look_ahead(state: State, aim: Aim) -> Outlook:
    """Count the events that a state still needs.

    Only for a state after a turn. Then the deck keeps a card and the hand has three of them when they are drawn, so
    what can ever lie in the discard pile before the last turn is `most` - 1 cards, and the lower bound, which counts
    turns with a card, must not lead beyond `most`. (A refresh is such a turn too, and costs more.)
    """
    missing = distance(state.a, state.b, aim.goal)
    events = missing.home + missing.towers
    least = state.played + least_cards(state.a, events, aim.goal)
    floor = cost_at_least(least, aim)
    # Where no bottle can pay for a spell any more, and nothing is refreshed, a turn is a card that does what its face
    # says. Then the bound falls by one if it brings a wizard home, or if it moves a tower while that is needed, and
    # not at all otherwise. (A goal of other things than events has the bound 1 without any.)
    if events == 0 or aim.refreshing.refresh or get(state.a, FULL) + get(state.a, EMPTY) >= aim.cheapest:
        return Outlook(least > aim.most, floor, floor, 0, True)
    slip = cost_at_least(least + 1, aim)
    return Outlook(least > aim.most, floor, slip, seen_by_keep(state.a, state.b), missing.towers > 0)


@kernel
def cost_at_least(cards: int, aim: Aim) -> float:
    """What a game costs at the least that can only be won with so many cards or more."""
    if cards > aim.most:
        return aim.loss
    return 0.0 if aim.within >= 0 else min(aim.loss, float(cards))


@kernel
def enters_by(steps: int, outlook: Outlook) -> bool:
    """Whether some wizard can enter the keep by so many steps."""
    return contains(outlook.near, NIBBLE * (SPACES - steps))


@kernel
def bound_of_card(face: int, outlook: Outlook) -> float:
    """What a turn with this card costs at the least, before a die is rolled."""
    floor, slip = outlook.floor, outlook.slip
    if floor == slip or (TOWER[face] != 0 and outlook.towers):
        return floor
    if WIZARD[face] != DIE:
        return floor if WIZARD[face] != 0 and enters_by(WIZARD[face], outlook) else slip
    for _ in range(ROLLS[face]):
        total = 0.0
        for roll in range(1, DIE_SIDES + 1):
            total += floor if enters_by(roll, outlook) else slip
        slip = total / DIE_SIDES
    return slip


@kernel
def bound_of_roll(face: int, play: int, outlook: Outlook) -> float:
    """What a turn with a die card that fell one way costs at the least."""
    if (TOWER[face] != 0 and outlook.towers) or outlook.floor == outlook.slip:
        return outlook.floor
    return outlook.floor if WIZARD[face] != 0 and enters_by(play % DIE_SIDES + 1, outlook) else outlook.slip


@kernel
def bound_of_hand(hand: int, outlook: Outlook) -> float:
    """What the next turn costs at the least."""
    bound = outlook.slip
    while hand != 0 and bound > outlook.floor:
        face = lowest_face(hand)
        bound = min(bound, bound_of_card(face, outlook))
        hand = without_face(hand, face)
    return bound


@kernel
def bound_of_draw(state: State, face: int, by_hand: float, outlook: Outlook) -> float:
    """What a state costs at the least when this card was drawn; `by_hand` is the bound of the hand before."""
    return min(by_hand, bound_of_card(face, outlook)) if state.owed == 1 else outlook.floor


@kernel
def bound_of_draws(state: State, outlook: Outlook) -> float:
    """The same for all cards of the deck, added up, not averaged."""
    by_hand = bound_of_hand(state.hand, outlook)
    if by_hand == outlook.floor:
        return state.left * outlook.floor
    total = 0.0
    pile = state.deck
    while pile != 0:
        face = lowest_face(pile)
        total += copies_in(pile, face) * bound_of_draw(state, face, by_hand, outlook)
        pile = without_face(pile, face)
    return total


@kernel
def settle(after: State, aim: Aim) -> tuple[bool, float]:
    """Whether a turn ended the game, as far as the player is concerned, and the cost; if not, at least so much."""
    if reached(after.a, after.b, aim.goal):
        if aim.within < 0:
            return True, float(after.played)
        return True, 0.0 if after.played <= aim.within else aim.loss
    if after.played >= aim.card_limit or after.owed >= after.left:
        return True, aim.loss
    outlook = look_ahead(after, aim)
    if outlook.lost:
        return True, aim.loss
    if after.owed == 0:
        return False, bound_of_hand(after.hand, outlook)
    return False, bound_of_draws(after, outlook) / after.left
