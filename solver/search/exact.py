"""Exact search: the fewest cards that reach a goal, proved, with every shortest line counted.

*Forward*, layer by layer, a layer being the different (position, hand) pairs after one more turn. A pair is dropped
only if the lower bound proves that it cannot meet the goal within the number of cards tried; that number starts at the
bound of the start and rises by one until a pass succeeds, so the first success is the fewest, and no line of that
length was lost. *Backward* over the same layers, each pair gets the number of lines that lead from it to the goal.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from solver.engine.code import KIND, TOWER
from solver.engine.turn import MAX_TURNS
from solver.engine.view import contains, look, seen_from, spaces_with_wizards
from solver.jit import BoolArray, IntArray, kernel
from solver.layout import HOME, NIBBLE, get
from solver.move import Card, Move
from solver.notation import print_move
from solver.rules import SPACES
from solver.search.answer import Answer, Key, Verdict
from solver.search.cards import DEAD, DISCARDED, NEED_TOWER, NEED_WIZARD, REACH
from solver.search.cards import TOWER as TOWER_STEPS
from solver.search.cards import WIZARD as WIZARD_STEPS
from solver.search.goal import Distance, bound_of, distance, least_cards, reached
from solver.search.problem import CODE, DISCARDS, HAND, ROW, A, B, Problem, Setting, play_option, play_steps
from solver.search.table import FREE, KEY, ROWS_EACH, WORD_BYTES, contents, grown, has_room, new_table, row_of, take_row

CHUNK = 100_000  # positions between two looks at Ctrl-C and the limits: about a tenth of a second
DEFAULT_NODES = 200_000_000
DEFAULT_MEMORY = 4 << 30  # bytes
NODE_BYTES = KEY * WORD_BYTES  # of a position in a finished layer
GROWING_BYTES = ROWS_EACH * NODE_BYTES * 3 // 2  # of one in the layer that is being made: old and new table at once

LOW, HIGH = KEY, KEY + 1  # a number of lines in two columns: HIGH * LINES_BASE + LOW
LINES_BASE = 10**18
HAND_OF_KEY = 2  # column of a key
EVERY_CARD = 10_000  # a number of cards to try with which the lower bound cuts nothing
EVERYWHERE = -1  # instead of a mask of spaces


@dataclass(frozen=True)
class Limits:
    """When to give up: positions expanded, and bytes."""

    nodes: int = DEFAULT_NODES
    memory: int = DEFAULT_MEMORY


Progress = Callable[[int, int], None]  # is told the number of cards tried and the positions expanded so far


class _Way(NamedTuple):
    """A turn that keeps to the shortest: its move, the pair it leads to, and the lines that go on from there."""

    move: Move
    state: IntArray
    lines: int


class LimitHit(Exception):
    """A limit stopped a pass."""


@dataclass
class Pass:
    """One number of cards tried: its layers, and what came of it."""

    most: int
    layers: list[IntArray] = field(default_factory=list)
    found: int = 0
    cut: bool = False  # whether the bound dropped anything; if not, more cards would not help
    lines: list[IntArray] = field(default_factory=list)  # once counted: for each layer, the lines from its pairs on
    played: set[Card] = field(default_factory=set)  # by any of those lines
    endings: IntArray = field(default_factory=lambda: np.empty((0, KEY), dtype=np.int64))


def solve(
    problem: Problem,
    within: int | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
    known: Answer | None = None,
) -> Answer:
    """The fewest cards, up to `within` of them, and all shortest lines; `known` is a line found otherwise."""
    search = Search(problem, limits or Limits(), progress)
    most = problem.most_cards if within is None else min(within, problem.most_cards)
    tried = search.first_bound()
    outcome = Answer(Verdict.UNDECIDED, tried) if known is None else known
    if outcome.cards is not None:
        most = min(most, outcome.cards)
    try:
        while tried <= most:
            forward = search.forward(tried)
            if forward.found:
                return search.closed(search.answer(forward))
            outcome = replace(outcome, lower_bound=tried + 1)
            if not forward.cut:
                return search.closed(replace(outcome, verdict=Verdict.REFUTED, exhausted=True))
            tried += 1
    except LimitHit as limit:
        return search.closed(_stopped(outcome, Verdict.UNDECIDED, str(limit)))
    except KeyboardInterrupt:
        return search.closed(_stopped(outcome, Verdict.INTERRUPTED, "Ctrl-C"))
    exhausted = most == problem.most_cards
    return search.closed(replace(outcome, verdict=Verdict.REFUTED, exhausted=exhausted))


def _stopped(outcome: Answer, verdict: Verdict, limit: str) -> Answer:
    """What is known when a pass was stopped: perhaps the fewest cards, but not all the lines."""
    if outcome.cards is not None and outcome.cards <= outcome.lower_bound:
        verdict = Verdict.PROVED
    return replace(outcome, verdict=verdict, limit=limit)


class Search:
    """The passes over one problem: forward with a number of cards, and back to count the lines."""

    def __init__(self, problem: Problem, limits: Limits, progress: Progress | None = None) -> None:
        self.problem = problem
        self.limits = limits
        self.progress = progress
        self.nodes = 0
        self.began = time.perf_counter()
        self.rows = np.empty((MAX_TURNS, ROW), dtype=np.int64)

    def first_bound(self) -> int:
        """The lower bound of the start."""
        return bound_of(self.problem.start, self.problem.setting.goal)

    def closed(self, answer: Answer) -> Answer:
        """An answer with what it cost."""
        return replace(answer, nodes=self.nodes, seconds=time.perf_counter() - self.began)

    def forward(self, most: int, layer: IntArray | None = None, turn: int = 1, last: int | None = None) -> Pass:
        """Every pair that may still meet the goal with at most so many cards, layer by layer.

        From the start, or from a layer of pairs before a turn; up to those after the turn `last`, or to the end.
        """
        run = Pass(most)
        if layer is None:
            layer = np.array([[*self.problem.start, 0]], dtype=np.int64)
        while len(layer):
            run.layers.append(layer)
            if last is not None and turn > last:
                break
            cards = self.problem.cards.table(turn)
            turn += 1
            following = new_table(values=0)
            size = at = 0
            while at < len(layer):
                before = at
                at, new, found, cut = expand(layer, at, *cards, self.problem.setting, most, self.rows, following, size)
                size += new
                run.found += found
                run.cut = run.cut or cut
                self._count(at - before, most)
                self._check_memory(run, size)
                if at < len(layer) and not has_room(following, size, MAX_TURNS):
                    following = grown(following)
            layer = contents(following)
        return run

    def _count(self, nodes: int, most: int) -> None:
        self.nodes += nodes
        if self.progress is not None:
            self.progress(most, self.nodes)
        if self.nodes > self.limits.nodes:
            raise LimitHit(f"{self.limits.nodes:,} positions")

    def _check_memory(self, run: Pass, size: int) -> None:
        kept = sum(len(layer) for layer in run.layers)
        if kept * NODE_BYTES + size * GROWING_BYTES > self.limits.memory:
            raise LimitHit(f"{self.limits.memory >> 20:,} MiB of memory")

    def count_back(self, run: Pass) -> None:
        """Number the lines of a pass, from the last layer back to the first."""
        problem = self.problem
        alive = new_table(values=2)
        endings = new_table(values=0)
        ends = 0
        for turn in range(len(run.layers), 0, -1):
            layer = run.layers[turn - 1]
            cards = problem.cards.table(turn)
            here = new_table(values=2)
            used = np.zeros(len(cards.options), dtype=np.bool_)
            size = at = 0
            while at < len(layer):
                before = at
                at, new, new_ends = count_back(
                    layer, at, *cards, problem.setting, run.most, self.rows, alive, here, endings, used, size, ends
                )
                size, ends = size + new, ends + new_ends
                self._count(at - before, run.most)
                if not has_room(here, size, 1):
                    here = grown(here)
                if not has_room(endings, ends, MAX_TURNS):
                    endings = grown(endings)
            run.played.update(problem.cards.options[turn - 1][row].held for row in np.flatnonzero(used))
            run.lines.insert(0, here)
            alive = here
        run.endings = contents(endings)

    def answer(self, run: Pass) -> Answer:
        """The answer that the first pass with a solution gives."""
        self.count_back(run)
        line = self._line(run)
        answer = Answer(Verdict.PROVED, run.most, run.most, line, self.keys(run), len(run.endings), self._idle(run))
        *_, last = self.problem.replay(line)
        assert self.problem.meets_goal(last), "a solution that the referee does not confirm"
        return answer

    def _ways(self, turn: int, state: IntArray, run: Pass) -> Iterator[_Way]:
        """The turns of a pair from which lines of the pass go on to the goal, and how many lines each begins."""
        cards = self.problem.cards.table(turn)
        a, b, hand = (int(word) for word in state)
        for option in range(cards.first[hand], cards.first[hand + 1]):
            count = play_option(a, b, cards.options, option, self.problem.setting, self.rows)
            for row in self.rows[:count].copy():
                lines = 0
                if row[DISCARDS] <= run.most:
                    if reached(row[A], row[B], self.problem.setting.goal):
                        lines = 1
                    elif turn < len(run.lines):
                        after = run.lines[turn]
                        found = after[row_of(after, row[A], row[B], row[HAND])]
                        lines = 0 if found[0] == FREE else int(found[HIGH]) * LINES_BASE + int(found[LOW])
                if lines:
                    yield _Way(self.problem.move(turn, hand, int(row[CODE])), row[[A, B, HAND]], lines)

    def keys(self, run: Pass) -> tuple[Key, ...]:
        """The first moves from which lines of a counted pass go on to the goal."""
        ways = self._ways(1, run.layers[0][0], run)
        return tuple(sorted((Key(way.move, way.lines) for way in ways), key=lambda key: print_move(key.move)))

    def _line(self, run: Pass) -> tuple[Move, ...]:
        """One shortest line: in each turn the move that most of them make."""
        line: list[Move] = []
        state = run.layers[0][0]
        while not reached(state[0], state[1], self.problem.setting.goal):
            ways = self._ways(len(line) + 1, state, run)
            best = min(ways, key=lambda way: (-way.lines, print_move(way.move)))
            line.append(best.move)
            state = best.state
        return tuple(line)

    def _idle(self, run: Pass) -> tuple[Card, ...]:
        """The cards that no shortest line plays: left at the end of every one, and not because they came back."""
        cards = self.problem.cards
        left: Counter[Card] | None = None
        for number in set(run.endings[:, HAND_OF_KEY].tolist()) - {DEAD}:
            hand = cards.states[number]
            here = Counter((*hand.cards, *cards.draw[hand.drawn :]))
            left = here if left is None else left & here
        idle = sorted((left or Counter()).elements())
        if "retrieve-card" in cards.spells:
            idle = [card for card in idle if card not in run.played]
        return tuple(idle)


@kernel
def in_reach(
    code: int, a: int, b: int, hand: int, left: int, before: Distance, hands: IntArray, setting: Setting
) -> bool:
    """Whether the lower bound allows that a turn, which has not met the goal, is followed by only `left` cards.

    `before` is what was missing before the turn.
    """
    if not setting.cards_decide:
        missing = distance(a, b, setting.goal)
        return least_cards(a, missing.home + missing.towers, setting.goal) <= left
    # A wizard's move uncovers nobody, and a tower's move one surface at the most: look no further if that settles it.
    home = max(setting.goal.home - get(a, HOME), 0)
    by_tower = get(code, KIND) == TOWER
    if max(hands[hand, NEED_WIZARD + home], home + before.towers - by_tower, 1) > left:
        return False
    towers = distance(a, b, setting.goal).towers if by_tower else before.towers
    if max(hands[hand, NEED_TOWER + towers], home + towers) > left:
        return False
    if home < left or home == 0:
        return True
    # every card left must bring somebody home, the next one too
    return bool(seen_by_keep(a, b) & hands[hand, REACH])


@kernel
def seen_by_keep(a: int, b: int) -> int:
    """Mask of the spaces with visible wizards, turned so that the keep's space comes first."""
    view = look(a, b)
    wizards = spaces_with_wizards(view, 1)
    return seen_from(wizards, view.keep) if view.keep != 0 else wizards


@kernel
def useful_turns(
    a: int, b: int, options: IntArray, option: int, near: int, before: Distance, setting: Setting, rows: IntArray
) -> int:
    """Write the turns with one option that can be part of a line within the cards tried; return how many.

    Where it is tight, every card must make an event: a wizard must enter, from the spaces `near` (EVERYWHERE if it is
    not tight), or a tower move while one is needed. What else the card could do is left out; if it could do neither,
    so is a card that moves nothing.
    """
    wizard = options[option, WIZARD_STEPS]
    tower = options[option, TOWER_STEPS]
    if near != EVERYWHERE:
        if wizard != 0 and not contains(near, NIBBLE * (SPACES - wizard)):
            wizard = 0
        if before.towers == 0:
            tower = 0
        if wizard == 0 and tower == 0:
            return 0
    return play_steps(a, b, options, option, wizard, tower, setting, rows)


@kernel
def spaces_to_enter_from(a: int, b: int, left: int, before: Distance, setting: Setting) -> int:
    """The spaces with visible wizards, seen from the keep, if every card left must make an event; else EVERYWHERE."""
    tight = setting.cards_decide and before.home + before.towers >= left
    return seen_by_keep(a, b) if tight else EVERYWHERE


@kernel
def expand(
    layer: IntArray,
    at: int,
    first: IntArray,
    options: IntArray,
    hands: IntArray,
    setting: Setting,
    most: int,
    rows: IntArray,
    following: IntArray,
    size: int,
) -> tuple[int, int, int, bool]:
    """Expand a layer from row `at` on, for a while or until the table of the next layer has no room.

    Returns the row to go on from, the pairs new to the table, the turns that met the goal, and whether any was cut.
    """
    new = 0
    found = 0
    cut = False
    stop = min(len(layer), at + CHUNK)
    while at < stop:
        a, b, hand = layer[at]
        before = distance(a, b, setting.goal)
        near = spaces_to_enter_from(a, b, most - hands[hand, DISCARDED], before, setting)
        cut = cut or near != EVERYWHERE
        for option in range(first[hand], first[hand + 1]):
            if not has_room(following, size + new, MAX_TURNS):
                return at, new, found, cut
            for row in range(useful_turns(a, b, options, option, near, before, setting, rows)):
                left = most - rows[row, DISCARDS]
                code, next_a, next_b, held = rows[row, CODE], rows[row, A], rows[row, B], rows[row, HAND]
                if left >= 0 and reached(next_a, next_b, setting.goal):
                    found += 1
                elif held == DEAD:
                    continue
                elif left < 0 or not in_reach(code, next_a, next_b, held, left, before, hands, setting):
                    cut = True
                else:
                    place = row_of(following, next_a, next_b, held)
                    if following[place, 0] == FREE:
                        take_row(following, place, next_a, next_b, held)
                        new += 1
        at += 1
    return at, new, found, cut


@kernel
def count_back(
    layer: IntArray,
    at: int,
    first: IntArray,
    options: IntArray,
    hands: IntArray,
    setting: Setting,
    most: int,
    rows: IntArray,
    after: IntArray,
    here: IntArray,
    endings: IntArray,
    used: BoolArray,
    size: int,
    ends: int,
) -> tuple[int, int, int]:
    """Number the lines to the goal from each pair of a layer, given those of the layer after it.

    Returns the row to go on from, and how many rows of `here` and of `endings` were taken.
    """
    new = 0
    new_ends = 0
    stop = min(len(layer), at + CHUNK)
    while at < stop and has_room(here, size + new, 1):
        a, b, hand = layer[at]
        before = distance(a, b, setting.goal)
        near = spaces_to_enter_from(a, b, most - hands[hand, DISCARDED], before, setting)
        low = 0
        high = 0
        for option in range(first[hand], first[hand + 1]):
            if not has_room(endings, ends + new_ends, MAX_TURNS):
                return at, new, new_ends
            lines_before = low + high
            for row in range(useful_turns(a, b, options, option, near, before, setting, rows)):
                if rows[row, DISCARDS] > most:
                    continue
                if reached(rows[row, A], rows[row, B], setting.goal):
                    low += 1
                    place = row_of(endings, rows[row, A], rows[row, B], rows[row, HAND])
                    if endings[place, 0] == FREE:
                        take_row(endings, place, rows[row, A], rows[row, B], rows[row, HAND])
                        new_ends += 1
                else:
                    place = row_of(after, rows[row, A], rows[row, B], rows[row, HAND])
                    if after[place, 0] != FREE:
                        low += after[place, LOW]
                        high += after[place, HIGH]
                if low >= LINES_BASE:
                    low -= LINES_BASE
                    high += 1
            used[option] = used[option] or low + high != lines_before
        if low > 0 or high > 0:
            place = row_of(here, a, b, hand)
            take_row(here, place, a, b, hand)
            here[place, LOW] = low
            here[place, HIGH] = high
            new += 1
        at += 1
    return at, new, new_ends
