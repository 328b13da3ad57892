"""What a position is worth at the end of a search that cannot look at everything: the value, turned into a cost."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.table import RuleTable
from solver.jit import FloatArray, IntArray, kernel
from solver.layout import EMPTY, FULL, get, nobody_on_board
from solver.rules import HAND_SIZE
from solver.search.goal import GoalTable, distance
from solver.search.outlook import Aim, State
from solver.search.pile import cards_in, copies_in, copies_of, lowest_face, without_face
from solver.value.chances import FURTHER, HOPELESS, chance
from solver.value.features import Sight, Weights, board_value, hand_value

CARDS_AN_EVENT = 2.0  # needed for other goals than the game's own, roughly


class Eye(NamedTuple):
    """What kernels need to tell the value of a position. (Little, for it is handed around often.)"""

    own_goal: bool  # the game's own goal, which is what the value is about
    spells: int  # mask of those open, bit 0 for the first
    fill_cost: int  # of `fill-potion`
    weights: Weights


class Scale(NamedTuple):
    """How values are turned into costs."""

    within: int
    loss: float
    chances: FloatArray


class Judge(NamedTuple):
    """What kernels need to tell what a position is worth to the player."""

    aim: Aim
    unswapped: RuleTable  # without a refresh, and without `movement-swap`
    eye: Eye
    scale: Scale


@kernel
def room(after: State, aim: Aim) -> int:
    """How many further cards there are before the game is lost, or counts as lost, for want of them."""
    spare = max(cards_in(after.hand) + after.owed - HAND_SIZE, 0)  # cards that are not replaced when they are played
    cards = min(after.left - after.owed + spare, aim.card_limit - after.played)
    return cards if aim.within < 0 else min(cards, aim.within - after.played)


@kernel
def cost_of_value(value: float, played: int, cards: int, scale: Scale) -> float:
    """The cost of a state with so many cards played, so many further ones expected and so many at hand."""
    if cards >= FURTHER and value < HOPELESS and scale.within < 0:
        return played + value
    likely = chance(value, cards, scale.chances)
    if scale.within >= 0:
        return 1.0 - likely
    return likely * (played + min(value, float(cards))) + (1.0 - likely) * scale.loss


@kernel
def cost_of_win(played: int, aim: Aim) -> float:
    """What a game costs that was won with so many cards."""
    if aim.within < 0:
        return float(played)
    return 0.0 if played <= aim.within else aim.loss


@kernel
def board_part(a: int, b: int, eye: Eye, goal: GoalTable, patterns: IntArray) -> tuple[float, Sight]:
    """The board's part of the value of a position that has not met the goal."""
    if not eye.own_goal:
        missing = distance(a, b, goal)
        return CARDS_AN_EVENT * (missing.home + missing.towers), Sight(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    value, sight = board_value(a, b, eye.spells, eye.weights, patterns)
    if nobody_on_board(a, b):  # an empty bottle is left, and nobody to be covered
        value = float(get(a, EMPTY)) if get(a, FULL) >= eye.fill_cost else HOPELESS
    return value, sight


@kernel
def best_pair(sight: Sight, kept: int, extra: int, eye: Eye, patterns: IntArray) -> tuple[float, int, int]:
    """The two cards of a pile that are worth the most when they are kept, and their part of the value before them."""
    best, one, two = HOPELESS, 0, 0
    firsts = kept
    while firsts != 0:
        first = lowest_face(firsts)
        seconds = firsts - copies_of(first, 1)
        firsts = without_face(firsts, first)
        while seconds != 0:
            second = lowest_face(seconds)
            seconds = without_face(seconds, second)
            value = hand_value(sight, first, second, extra, eye.spells, eye.weights, patterns)
            if value < best:
                best, one, two = value, first, second
    return best, one, two


@kernel
def hand_part(sight: Sight, kept: int, number: int, extra: int, deck: int, eye: Eye, patterns: IntArray) -> float:
    """The part of the value that the cards kept have: a pile of so many, with so many in the hand beyond three.

    The value knows two of them. Of more, the best two count. Of fewer, it is the average over what may be drawn; a
    second card is then taken to be the next face of the deck, which is enough for an average.
    """
    if not eye.own_goal:
        return 0.0
    if number >= 2:
        return best_pair(sight, kept, extra, eye, patterns)[0]
    spells, weights = eye.spells, eye.weights
    total = 0.0
    cards = 0
    draws = deck
    while draws != 0:
        drawn = lowest_face(draws)
        draws = without_face(draws, drawn)
        other = lowest_face(kept) if number == 1 else lowest_face(draws if draws != 0 else deck)
        total += copies_in(deck, drawn) * hand_value(sight, other, drawn, extra, spells, weights, patterns)
        cards += copies_in(deck, drawn)
    return total / max(cards, 1)


@kernel
def further_cards(board: float, hand: float) -> float:
    """The value of a position that has not met the goal: at least one card."""
    return HOPELESS if board >= HOPELESS else max(board + hand, 1.0)


@kernel
def leaf_cost(after: State, judge: Judge, patterns: IntArray) -> float:
    """The cost of a state after a turn that did not meet the goal."""
    cards = room(after, judge.aim)
    if cards <= 0:
        return judge.aim.loss
    board, sight = board_part(after.a, after.b, judge.eye, judge.aim.goal, patterns)
    number = cards_in(after.hand)
    extra = max(number + after.owed - HAND_SIZE, 0)
    hand = hand_part(sight, after.hand, number, extra, after.deck, judge.eye, patterns)
    # Counted from before the turn, as everywhere in the tree; see `replies.survey`.
    return cost_of_value(1 + further_cards(board, hand), after.played - 1, cards + 1, judge.scale)
