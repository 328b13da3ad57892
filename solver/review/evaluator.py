"""The one evaluator of a review: every decision, roll and draw of a game is judged by it, with the same budget."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import NamedTuple

import numpy as np

from solver.advice.advise import CLOSE, ENDING_LIMITS, ODDS_LIMITS, SEARCH_ERROR, is_ending
from solver.advice.estimate import Estimate
from solver.errors import Refused
from solver.move import Card, Move
from solver.policy.player import hands_of
from solver.review.ledger import Decision
from solver.rules import FACE_NUMBER, FACES, HAND_SIZE, WIN_CARDS
from solver.search.choices import Judgement, ranked
from solver.search.endgame import Tree, choices
from solver.search.lookahead import WIDTHS, cost_before_draw, glance, look_ahead
from solver.search.outlook import State
from solver.search.outset import judge_of, state_of, value_for
from solver.search.pile import pile_of
from solver.search.replies import NO_DRAW, new_scratch
from solver.search.situation import LEARNED, LOSS_CARDS, Choice, Objective, Situation
from solver.value.chances import chance

USUAL_DEPTH, QUICK_DEPTH = 3, 2
PLAYED_OUT = {1: 40, 2: 40, 3: 200, 4: 400}  # games that decide on what seems to be a fault, by the depth
SEED = 0  # of their luck


@dataclass(frozen=True)
class Standard:
    """What a game is judged by: turns looked ahead, the value behind them, and what the player wanted."""

    depth: int = USUAL_DEPTH
    value: str = LEARNED
    within: int = WIN_CARDS  # cards that count as a win
    loss_cards: int = LOSS_CARDS
    games: int | None = None  # that decide on what seems to be a fault; None: as many as go with the depth

    @property
    def played_out(self) -> int:
        """How often what seems to be a fault is played out."""
        return PLAYED_OUT[self.depth] if self.games is None else self.games


USUAL = Standard()


class Verdict(NamedTuple):
    """What is thought of a turn."""

    expected: float  # before it
    chance: float
    decisions: tuple[Decision, ...]  # in order
    exact: bool


class Draws(NamedTuple):
    """What was expected before some cards were drawn, and with those that came."""

    before: float
    after: float


class Evaluator:
    """Judges turns and draws of games from one start."""

    def __init__(self, start: Situation, standard: Standard = USUAL) -> None:
        self.standard = standard
        self._value = value_for(start.position, standard.value)
        self._objective = Objective(loss_cards=standard.loss_cards)
        self._judge = judge_of(start, self._objective, self._value)

    def chance(self, value: float, played: int) -> float:
        """The chance to be done in time, as games came out of which so many cards were expected."""
        return float(chance(value - played, self.standard.within - played, self._judge.scale.chances))

    def turn(self, situation: Situation, move: Move) -> Verdict:
        """Every decision in a turn that was played."""
        stages = stages_of(situation, move)
        if is_ending(situation, self._objective):
            try:
                return self._exactly(stages)
            except Refused:  # where it is too large after all
                pass
        estimate = self._estimate(situation, move)
        lists = [ranked(stage.situation, self._objective, estimate) for stage in stages]
        played = situation.played
        odds = [[self.chance(choice.value, played) for choice in found] for found in lists]
        return self._verdict(stages, lists, odds, CLOSE * SEARCH_ERROR[self.standard.depth])

    def now(self, situation: Situation) -> tuple[float, float]:
        """What is expected before a turn that was not played yet, and the chance to be done in time."""
        if is_ending(situation, self._objective):
            try:
                found = choices(situation, self._objective, ENDING_LIMITS)
                in_time = choices(situation, Objective(self.standard.within), ODDS_LIMITS)
                return found[0].value, in_time[0].value
            except Refused:
                pass
        value = ranked(situation, self._objective, self._estimate(situation, None))[0].value
        return value, self.chance(value, situation.played)

    def draws(self, after: Situation, drawn: tuple[Card, ...]) -> Draws:
        """What was expected before cards were drawn and after it; `after` is the game before it, with the cards kept.

        One card is looked at one turn less far than the turn before it was, which had looked at it, too. Several
        cards at once can come in so many ways that each is looked at one turn ahead.
        """
        state = state_of(after)
        cards = pile_of(FACE_NUMBER[card.face] for card in drawn)
        if len(drawn) == 1:
            costs = self._one_draw(state)
            return Draws(costs.before, float(costs.each[FACE_NUMBER[drawn[0].face]]))
        held = state._replace(hand=state.hand + cards, deck=state.deck - cards, left=state.left - len(drawn))
        return Draws(self.before_draw(after, len(drawn)), float(self._costs(held, 1).each[NO_DRAW]))

    def before_draw(self, after: Situation, number: int) -> float:
        """What is expected before so many cards are drawn."""
        state = state_of(after)
        if number == 1:
            return self._one_draw(state).before
        before = 0.0
        for first in hands_of(after.deck, number - 1):
            pile = pile_of(first.faces)
            left = state.left - number + 1
            one_more = state._replace(hand=state.hand + pile, deck=state.deck - pile, owed=1, left=left)
            before += first.chance * self._costs(one_more, 1).before
        return before

    def _one_draw(self, state: State) -> _Costs:
        return self._costs(state._replace(owed=1), max(self.standard.depth - 1, 1))

    def opening(self, start: Situation, hand: tuple[Card, ...]) -> Draws:
        """What is expected before the first hand is drawn, and with the hand that came."""
        if not self._is_tiny(start):
            return self.draws(start, hand)
        before, after = 0.0, 0.0
        held = sorted(FACE_NUMBER[card.face] for card in hand)
        for each in hands_of(start.deck, HAND_SIZE):
            value = choices(with_hand(start, each.faces), self._objective, ENDING_LIMITS)[0].value
            before += each.chance * value
            if sorted(each.faces) == held:
                after = value
        return Draws(before, after)

    def _is_tiny(self, start: Situation) -> bool:
        """Whether a game can be judged exactly from its deal on."""
        try:
            for each in hands_of(start.deck, HAND_SIZE):
                dealt = with_hand(start, each.faces)
                if not is_ending(dealt, self._objective):
                    return False
                choices(dealt, self._objective, ENDING_LIMITS)
        except Refused:
            return False
        return True

    def _exactly(self, stages: list[_Stage]) -> Verdict:
        tree = Tree(stages[0].situation, self._objective, ENDING_LIMITS)
        in_time = Objective(self.standard.within)
        chances = Tree(stages[0].situation, in_time, ODDS_LIMITS)
        lists = [ranked(stage.situation, self._objective, tree) for stage in stages]
        odds = []
        for stage, found in zip(stages, lists, strict=True):
            by_name = {_name(choice): choice.value for choice in ranked(stage.situation, in_time, chances)}
            odds.append([by_name[_name(choice)] for choice in found])
        return self._verdict(stages, lists, odds, None)

    def _verdict(
        self, stages: list[_Stage], lists: list[list[Choice]], odds: list[list[float]], error: float | None
    ) -> Verdict:
        decisions = []
        for stage, found, chances in zip(stages, lists, odds, strict=True):
            at = next(number for number, choice in enumerate(found) if _name(choice) == stage.chosen)
            best, played = found[0], found[at]
            loss = max(played.value - best.value, 0.0)
            points = max(max(chances) - chances[at], 0.0)
            close = error is not None and at > 0 and loss < error
            if error is not None and loss >= error and _can_be_played_out(best) and _can_be_played_out(played):
                loss, points, close = self._play_out(stage.situation, best, played)
            decisions.append(Decision(stage.situation, best, played, loss, points, close, len(found)))
        return Verdict(lists[0][0].value, max(odds[0]), tuple(decisions), error is None)

    def _play_out(self, situation: Situation, best: Choice, played: Choice) -> tuple[float, float, bool]:
        """What seems to be a fault, played to the end both ways with the same luck: loss, points, and if it is close.

        Looking ahead takes a bad position for worse than it is: its value is learned from games that are played well.
        """
        estimate = Estimate(situation, self._objective, self._value)
        games = self.standard.played_out
        better, worse = (estimate.rollouts(choice, SEED, 0, games).costs for choice in (best, played))
        apart = worse - better
        loss = max(float(np.mean(apart)), 0.0)
        most, left = (self.chance(float(np.mean(costs)), situation.played) for costs in (better, worse))
        close = loss < CLOSE * float(np.std(apart)) / sqrt(games)
        return loss, max(most - left, 0.0) if loss else 0.0, close

    def _estimate(self, situation: Situation, move: Move | None) -> Judgement:
        estimate = Estimate(situation, self._objective, self._value)
        for depth in range(2, self.standard.depth + 1):
            estimate.deepen(depth, played=move)
        return estimate

    def _costs(self, state: State, depth: int) -> _Costs:
        """What a state costs before its one draw, and with each card that may come; or with the hand as it is."""
        scratch = new_scratch(max(depth, 2))
        if depth == 1:
            glance(state, self._judge, scratch, 0)
        else:
            look_ahead(state, depth, WIDTHS[depth], self._judge, scratch, 0)
        return _Costs(float(cost_before_draw(state, scratch.costs[0])), [float(cost) for cost in scratch.costs[0]])


class _Costs(NamedTuple):
    before: float
    each: list[float]


class _Stage(NamedTuple):
    """A point of a turn where something is decided, and what was chosen there: a move or, to roll, the card."""

    situation: Situation
    chosen: Move | Card | None


def _name(choice: Choice) -> Move | Card | None:
    return choice.card if choice.move is None else choice.move


def _can_be_played_out(choice: Choice) -> bool:
    """Whether rollouts can begin with a choice: a turn, or a die card of the hand; not one roll more."""
    if choice.move is None:
        return choice.card is not None and not choice.card.rolls
    return choice.move.spell != "extra-roll" or choice.move.new_roll is not None


def with_hand(start: Situation, faces: tuple[int, ...]) -> Situation:
    """The game when these cards were dealt, given as numbers of faces."""
    deck = list(start.deck)
    for face in faces:
        deck[face] -= 1
    return replace(start, hand=tuple(Card(FACES[face].name) for face in faces), deck=tuple(deck))


def stages_of(situation: Situation, move: Move) -> list[_Stage]:
    """The decisions in a turn, in order: the card, then for a die card whether to keep each roll, then the move."""
    card = move.card
    if card is None or not card.has_die:
        return [_Stage(situation, move)]
    stages = [_Stage(situation, Card(card.face))]
    for number in range(1, len(card.rolls)):
        rolled = Card(card.face, card.rolls[:number])
        stages.append(_Stage(replace(situation, rolled=rolled), rolled))
    if move.new_roll is None:
        return [*stages, _Stage(replace(situation, rolled=card), move)]
    cast = Move(card, None, "extra-roll")
    last = replace(situation, rolled=card, new_roll=move.new_roll)
    return [*stages, _Stage(replace(situation, rolled=card), cast), _Stage(last, move)]
