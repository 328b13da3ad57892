"""What to do in a turn: exact where the tree can be finished, else by looking ahead and playing on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from solver.advice.estimate import CHANCE_A_CARD, Estimate
from solver.errors import Refused
from solver.jit import FloatArray
from solver.rules import GRADES
from solver.search.endgame import choices
from solver.search.exact import Limits
from solver.search.outset import check, value_for
from solver.search.situation import LEARNED, MOST_DEPTH, Advice, Choice, Objective, Situation
from solver.value.chances import chance

DEFAULT_NODES = 1_500_000  # positions; a second or so
GROWTH = 30  # a turn more takes about so many times the positions; more than there are left are not begun
EXACT_LIMITS = Limits(nodes=10_000_000, memory=4 << 30)  # half a minute or so
# An ending is finished exactly, without being asked to, if that takes no more than this.
ENDING_CARDS = 5
ENDING_LIMITS = Limits(nodes=5_000, memory=1 << 28)
ODDS_LIMITS = Limits(nodes=60_000, memory=1 << 28)

# How far the difference between two choices, each looked at so deep, is from the truth, in cards. Against looking
# deeper it was 0.38, 0.14 and 0.05 for 1, 2 and 3 turns (40 positions of games, choices less than 0.8 cards apart); the
# rest is for what no depth saw.
SEARCH_ERROR = {1: 0.4, 2: 0.2, 3: 0.12, 4: 0.1}
CLOSE = 2.0  # standard errors
ROLLOUTS = 200
ROLLOUT_CHUNK = 20
ROLLOUT_NODES = 1_000_000  # positions
MOST_ROLLED_OUT = 3
SEED = 1


@dataclass(frozen=True)
class Budget:
    """How hard to try: so many turns ahead, or so many positions, or all of it; and what judges positions."""

    depth: int | None = None
    nodes: int | None = None
    exact: bool = False
    value: str = LEARNED


News = Callable[[Advice], None]
FEWEST = Objective()
USUAL = Budget()


def advise(
    situation: Situation, objective: Objective = FEWEST, budget: Budget = USUAL, news: News | None = None
) -> Advice:
    """All choices of a turn, the best first; `news` is told of each answer that comes before the last."""
    check(situation)
    if budget.exact:
        return _exact(situation, objective, EXACT_LIMITS)
    if budget.depth is None and is_ending(situation, objective):
        with suppress(Refused):  # where it is too large after all
            return _exact(situation, objective, ENDING_LIMITS)
    estimate = Estimate(situation, objective, value_for(situation.position, budget.value))
    nodes = DEFAULT_NODES if budget.nodes is None else budget.nodes
    deepest = MOST_DEPTH if budget.depth is None else budget.depth
    depth = 1
    advice = _estimated(estimate, depth)
    while depth < deepest and (depth == 1 or budget.depth is not None or estimate.positions * GROWTH <= nodes):
        if news is not None:
            news(advice)
        depth += 1
        estimate.deepen(depth, None if budget.depth is not None else nodes)
        advice = _estimated(estimate, depth)
    return advice if situation.rolled is not None else _rolled_out(estimate, advice)


def is_ending(situation: Situation, objective: Objective) -> bool:
    """Whether so few cards can still be played that the tree may be finished in no time."""
    limits = [situation.played + sum(situation.deck), situation.rules.card_limit, objective.within]
    return min(limit for limit in limits if limit is not None) - situation.played <= ENDING_CARDS


def _exact(situation: Situation, objective: Objective, limits: Limits) -> Advice:
    found = choices(situation, objective, limits)
    if objective.within is None:
        with suppress(Refused):  # where they take more than they are worth
            found = _with_exact_odds(situation, found)
    return Advice(tuple(found), exact=True, depth=0, positions=0, rollouts=0)


def _with_exact_odds(situation: Situation, found: list[Choice]) -> list[Choice]:
    """The choices with the chance of each grade or better, if that is what one plays for from then on."""
    reached = dict.fromkeys(_names(found), 0.0)
    odds: dict[object, list[float]] = {name: [] for name in reached}
    for most, _ in GRADES:
        chances = dict.fromkeys(reached, 1.0)
        if most is not None:
            within = choices(situation, Objective(within=most), ODDS_LIMITS)
            chances = {name: choice.value for name, choice in zip(_names(within), within, strict=True)}
        for name, value in chances.items():
            odds[name].append(max(value - reached[name], 0.0))
            reached[name] = max(value, reached[name])
    return [replace(choice, odds=tuple(odds[name])) for name, choice in zip(_names(found), found, strict=True)]


def _names(found: list[Choice]) -> list[object]:
    return [(choice.card, choice.move) for choice in found]


def _estimated(estimate: Estimate, depth: int) -> Advice:
    """The choices by what was looked at so far."""
    unit = 1.0 if estimate.objective.within is None else CHANCE_A_CARD
    found = estimate.ranked()
    error = SEARCH_ERROR[depth] * unit
    best = found[0]
    marked = [best] + [_marked(choice, best, error) for choice in found[1:]]
    told = [replace(choice, odds=_odds(estimate, choice)) for choice in marked]
    return Advice(tuple(told), exact=False, depth=depth, positions=estimate.positions, rollouts=0)


def _marked(choice: Choice, best: Choice, error: float) -> Choice:
    return replace(choice, error=error, close=abs(choice.value - best.value) < CLOSE * error)


def _odds(estimate: Estimate, choice: Choice) -> tuple[float, ...]:
    """The chance of each grade, as games with such a value came out."""
    if estimate.objective.within is not None or not estimate.judge.eye.own_goal:
        return ()
    played = estimate.state.played
    before = 0.0
    odds = []
    for most, _ in GRADES:
        upto = 1.0 if most is None else chance(choice.value - played, most - played, estimate.judge.scale.chances)
        odds.append(max(upto - before, 0.0))
        before = max(upto, before)
    return tuple(odds)


def _play_on(estimate: Estimate, close: list[Choice]) -> list[FloatArray]:
    """Play each of some choices to the end, until that was often enough or took enough positions."""
    parts: list[list[FloatArray]] = [[] for _ in close]
    limit = estimate.positions + ROLLOUT_NODES
    for first in range(0, ROLLOUTS, ROLLOUT_CHUNK):
        if first and estimate.positions >= limit:
            break
        for choice, part in zip(close, parts, strict=True):
            part.append(estimate.rollouts(choice, SEED, first, ROLLOUT_CHUNK).costs)
    return [np.concatenate(part) for part in parts]


def _rolled_out(estimate: Estimate, advice: Advice) -> Advice:
    """Decide between the closest choices by playing them to the end many times, with the same luck for all."""
    close = [advice.choices[0], *(choice for choice in advice.choices[1:] if choice.close and choice.card is not None)]
    close = close[:MOST_ROLLED_OUT]
    if len(close) < 2:
        return advice
    costs = _play_on(estimate, close)
    sign = 1.0 if estimate.objective.within is None else -1.0
    best = close[0]
    settled = [best]
    for choice, cost in zip(close[1:], costs[1:], strict=True):
        # two views of the same difference, each weighed by how sure it is
        apart = cost - costs[0]
        seen, seen_error = float(np.mean(apart)), float(np.std(apart)) / sqrt(len(apart))
        searched, searched_error = sign * (choice.value - best.value), choice.error
        weight = searched_error**2 / (searched_error**2 + seen_error**2)
        difference = weight * seen + (1 - weight) * searched
        error = searched_error * seen_error / sqrt(searched_error**2 + seen_error**2)
        settled.append(replace(choice, value=estimate.possible(best.value + sign * difference), error=error))
    settled.sort(key=lambda choice: sign * choice.value)
    first = settled[0]
    others = [choice for choice in advice.choices if choice not in close]
    told = [replace(first, error=0.0, close=False)]
    told += [_marked(choice, first, choice.error or settled[-1].error) for choice in (*settled[1:], *others)]
    told[1:] = sorted(told[1:], key=lambda choice: sign * choice.value)
    told = [replace(choice, odds=_odds(estimate, choice)) for choice in told]
    return replace(advice, choices=tuple(told), positions=estimate.positions, rollouts=len(costs[0]))
