"""Beam search: long plans with all cards known, keeping only the most promising positions after each turn.

Each layer holds different (position, hand) pairs, at most `width` of them, those with the best guesses. The work is
cut into a fixed number of lanes and the results into a fixed number of parts, whatever the number of threads, and
equal guesses are ordered by their place in a hash table: so the answer depends on the width and on nothing else.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from solver.engine.turn import MAX_TURNS
from solver.errors import Refused
from solver.jit import IntArray, kernel
from solver.layout import Field
from solver.move import Move
from solver.rules import MAX_TOWERS, MAX_WIZARDS
from solver.search.answer import Answer, Verdict
from solver.search.cards import DEAD, REACH
from solver.search.evaluate import CARD, guess
from solver.search.goal import bound_of, distance, least_cards, reached
from solver.search.problem import CODE, DISCARDS, HAND, OPTION, ROW, A, B, Problem, Setting, play_option
from solver.search.table import FREE, KEY, ROWS_EACH, WORD_BYTES, contents, hash_of, new_table, row_of, take_row

LANES = 8  # slices of a layer, expanded side by side
PART_BITS = 3
PARTS = 1 << PART_BITS  # of the next layer, by the highest bits of the hash
BUCKET = 2 * MAX_TURNS  # pairs that a lane collects for a part, at the most, before they are put in
PLAIN_TURNS = MAX_WIZARDS + MAX_TOWERS  # the most that one card can have without spells and refresh
SPARE = 2  # times the width may be in the next layer before the worse half of it is thrown out

SCORE, LINK = KEY, KEY + 1  # columns of a node after its key
NODE = KEY + 2
NODE_BYTES = NODE * WORD_BYTES
HAND_OF_NODE = 2

PLACE = Field(0, 22)  # of a link: the node before, by its place in its layer
TURN = Field(PLACE.top, OPTION.top)  # and the code of the turn that was made there
MOST_WIDTH = 1 << PLACE.width

OPTIONS = 1 << OPTION.width  # a cursor in a lane counts pairs times this, and options of a pair

Progress = Callable[[int, int], None]  # is told the number of turns and the positions expanded so far


class _Goal(NamedTuple):
    """A turn that meets the goal: the cards it takes in all, its number, and its link."""

    discards: int
    turn: int
    link: int


def _rows_of_part(width: int, bucket: int) -> int:
    """Rows for a share of the spare width, ten per cent more where the hash is uneven, and one round of buckets."""
    wanted = (1.1 * SPARE * width / PARTS + LANES * bucket) * ROWS_EACH
    return 1 << int(np.ceil(np.log2(wanted)))


def search(
    problem: Problem,
    width: int,
    within: int | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Answer:
    """The best line that a beam of this width finds, with at most `within` cards; never PROVED."""
    if not 1 <= width <= MOST_WIDTH:
        raise Refused(f"the width of a beam must be from 1 to {MOST_WIDTH:,}, not {width:,}")
    return _Beam(problem, width, jobs or os.cpu_count() or 1, progress).run(within)


class _Beam:
    """The state of one call of `search`."""

    def __init__(self, problem: Problem, width: int, jobs: int, progress: Progress | None) -> None:
        self.problem = problem
        self.width = width
        self.jobs = jobs
        self.progress = progress
        self.nodes = 0
        self.best: _Goal | None = None
        self.most = problem.most_cards
        self.history: list[IntArray] = []  # hand and link of every layer but the last
        self.rows = [np.empty((MAX_TURNS, ROW), dtype=np.int64) for _ in range(LANES)]
        self.most_turns = PLAIN_TURNS if problem.cards.cards_decide else MAX_TURNS
        bucket = min(max(width, 2 * self.most_turns), BUCKET)
        self.buckets = [np.empty((PARTS, bucket, NODE), dtype=np.int64) for _ in range(LANES)]
        self.filled = np.zeros((LANES, PARTS), dtype=np.int64)
        self.parts = [new_table(NODE - KEY, _rows_of_part(width, bucket)) for _ in range(PARTS)]

    def run(self, within: int | None) -> Answer:
        """Go on turn by turn until no pair is left that could be better than the best line found."""
        began = time.perf_counter()
        bound = bound_of(self.problem.start, self.problem.setting.goal)
        if within is not None:
            self.most = min(within, self.most)
        layer = np.array([[*self.problem.start, 0, 0, 0]], dtype=np.int64)
        verdict = Verdict.UNDECIDED
        try:
            with ThreadPoolExecutor(self.jobs) as pool:
                while len(layer) and bound <= self.most:
                    following = self._next_layer(layer, len(self.history) + 1, pool)
                    self.history.append(layer[:, [HAND_OF_NODE, LINK]])
                    layer = following
                    if self.progress is not None:
                        self.progress(len(self.history), self.nodes)
        except KeyboardInterrupt:
            verdict = Verdict.INTERRUPTED
        line = self._line(self.best) if self.best else ()
        if line:
            *_, last = self.problem.replay(line)
            assert self.problem.meets_goal(last), "a line that the referee does not confirm"
        return Answer(
            verdict,
            bound,
            self.best.discards if self.best else None,
            line,
            nodes=self.nodes,
            seconds=time.perf_counter() - began,
            limit=f"the beam's width of {self.width:,}",
        )

    def _next_layer(self, layer: IntArray, turn: int, pool: Executor) -> IntArray:
        """Expand a layer and keep the best of what comes."""
        cards = self.problem.cards.table(turn)
        for part in self.parts:
            part[:, 0] = FREE
        ends = np.linspace(0, len(layer), LANES + 1).astype(np.int64) * OPTIONS
        at = ends[:-1].copy()
        worst = np.iinfo(np.int64).max  # a score that cannot stay
        sizes = np.zeros(PARTS, dtype=np.int64)
        while (at < ends[1:]).any():
            self.filled[:] = 0

            def expand(lane: int, worst: int = worst) -> tuple[int, int, int]:
                return expand_lane(
                    layer, at[lane], ends[lane + 1], *cards, self.problem.setting, self.most, self.most_turns, worst,
                    self.rows[lane], self.buckets[lane], self.filled[lane],
                )  # fmt: skip

            def merge(part: int) -> int:
                return sum(merge_bucket(self.buckets[lane][part], self.filled[lane, part], self.parts[part])
                           for lane in range(LANES))  # fmt: skip

            for lane, (upto, discards, link) in enumerate(pool.map(expand, range(LANES))):
                self.nodes += int(upto // OPTIONS - at[lane] // OPTIONS)
                at[lane] = upto
                if discards <= self.most and (self.best is None or discards < self.best.discards):
                    self.best = _Goal(int(discards), turn, int(link))
            if self.best is not None:
                self.most = min(self.most, self.best.discards - 1)
            sizes += list(pool.map(merge, range(PARTS)))
            if sizes.sum() > SPARE * self.width:
                worst = self._threshold()
                sizes[:] = list(pool.map(lambda part, worst=worst: self._prune(part, worst), range(PARTS)))
        kept = np.concatenate([contents(part) for part in self.parts])
        order = np.argsort(kept[:, SCORE], kind="stable")[: self.width]
        best: IntArray = kept[order]
        return best

    def _threshold(self) -> int:
        """The score of the last pair that may stay if the layer were cut to its width now."""
        scores = np.concatenate([part[part[:, 0] != FREE, SCORE] for part in self.parts])
        return int(np.partition(scores, self.width - 1)[self.width - 1])

    def _prune(self, part: int, worst: int) -> int:
        table = self.parts[part]
        kept = contents(table)
        kept = kept[kept[:, SCORE] <= worst]
        table[:, 0] = FREE
        merge_bucket(kept, len(kept), table)
        return len(kept)

    def _line(self, goal: _Goal) -> tuple[Move, ...]:
        moves = []
        link = goal.link
        for turn in range(goal.turn, 0, -1):
            hand, before = self.history[turn - 1][link & (MOST_WIDTH - 1)].tolist()
            moves.append(self.problem.move(turn, hand, link >> TURN.shift))
            link = before
        return tuple(reversed(moves))


@kernel
def expand_lane(
    layer: IntArray,
    at: int,
    end: int,
    first: IntArray,
    options: IntArray,
    hands: IntArray,
    setting: Setting,
    most: int,
    most_turns: int,
    worst: int,
    rows: IntArray,
    buckets: IntArray,
    filled: IntArray,
) -> tuple[int, int, int]:
    """Expand a layer from one cursor to another, or until a bucket might be too full for one more option.

    Returns the cursor to go on from, and the cards and the link of the best turn that met the goal.
    """
    best = most + 1
    best_link = 0
    while at < end and filled.max() + most_turns <= buckets.shape[1]:
        place = at // OPTIONS
        a, b, hand = layer[place, 0], layer[place, 1], layer[place, HAND_OF_NODE]
        option = first[hand] + at % OPTIONS
        if option == first[hand + 1]:
            at = (place + 1) * OPTIONS
            continue
        at += 1
        for row in range(play_option(a, b, options, option, setting, rows)):
            next_a, next_b, held, discards = rows[row, A], rows[row, B], rows[row, HAND], rows[row, DISCARDS]
            if discards >= best:
                continue
            link = (rows[row, CODE] << TURN.shift) | (place << PLACE.shift)
            if reached(next_a, next_b, setting.goal):
                best = discards
                best_link = link
            elif held != DEAD:
                missing = distance(next_a, next_b, setting.goal)
                if discards + least_cards(next_a, missing.home + missing.towers, setting.goal) >= best:
                    continue
                score = discards * CARD + guess(next_a, next_b, missing, hands[held, REACH], setting.goal)
                if score <= worst:
                    part = np.int64(hash_of(next_a, next_b, held) >> np.uint64(64 - PART_BITS))
                    node = buckets[part, filled[part]]
                    node[0], node[1], node[2], node[SCORE], node[LINK] = next_a, next_b, held, score, link
                    filled[part] += 1
    return at, best, best_link


@kernel
def merge_bucket(nodes: IntArray, count: int, table: IntArray) -> int:
    """Put nodes into the table of a part; of equal pairs the first stays. Returns how many were new."""
    new = 0
    for place in range(count):
        row = row_of(table, nodes[place, 0], nodes[place, 1], nodes[place, 2])
        if table[row, 0] == FREE:
            take_row(table, row, nodes[place, 0], nodes[place, 1], nodes[place, 2])
            table[row, SCORE] = nodes[place, SCORE]
            table[row, LINK] = nodes[place, LINK]
            new += 1
    return new
