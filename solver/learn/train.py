"""Training from the first game to the finished tables: the starts, the schedule, and stops in between."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from solver.errors import Refused
from solver.jit import FloatArray, IntArray
from solver.layout import pack
from solver.learn.self_play import Learner, learn_games
from solver.notation import parse_position
from solver.position import Position, Stack, Tower
from solver.rules import MAX_WIZARDS, SPELLS_IN_A_GAME
from solver.rules import SPELLS as ALL_SPELLS
from solver.search.leaf import Judge
from solver.search.outset import before_deal, judge_of
from solver.search.replies import new_scratch
from solver.search.simulate import LOST, MOST_TURNS, new_log, play_deals
from solver.search.situation import EVERY_CARD, LOSS_CARDS, Objective, Situation
from solver.value import features
from solver.value.chances import FURTHER, bell_curves, measured
from solver.value.features import LEFT_CODES, MOST_PATTERNS, MOST_PRISONS, SCRATCH, SIZE
from solver.value.weights import KINDS, SOLO, SPELLS, UNREADABLE, Value, charge_bottles, shipped, whole_file

# Before anything is learned each wizard is feared to take so many cards, and each empty bottle so many more. Were it
# less than the truth, positions never seen would look better than those known, and games would go on for ever.
FEARED_A_WIZARD = 5.0
FEARED_A_BOTTLE = 2.0
# What was learned without spells begins as if its entries had had so many cards of errors, most of which cancelled out.
TRUSTED = 30.0
TRUSTED_RATE = 0.1
STAGE_GAMES = 1500  # the first games begin with 1 wizard on the board, then with up to 2, and so on
BATCH = {SOLO: 500, SPELLS: 100}  # games with the same spells
CHECK_GAMES = 20_000  # played at the end (never more than were learned from), to see how the value spreads
CHECK_SEED_STEP = 1_000_003


@dataclass(frozen=True)
class Course:
    """What is trained, and how."""

    kind: str = SOLO
    games: int = 2_000_000
    seed: int = 1
    rate: float = 3.0
    explore: float = 0.04  # the share of turns played at random at first; it falls to 0


class Stage(NamedTuple):
    """How far the training is, and the average of the games since the last report (a loss counts as 90)."""

    games: int
    mean: float


@dataclass
class Training:
    """A training under way."""

    course: Course
    learner: Learner
    done: int
    curve: list[tuple[int, float]]

    @classmethod
    def begin(cls, course: Course, solo: Value | None = None) -> Training:
        """Before the first game; with spells, what was learned without them is the beginning."""
        errors, sizes = np.zeros(SIZE), np.zeros(SIZE)
        if course.kind == SPELLS:
            weights = (solo or shipped(SOLO)).weights.copy()
            sizes[weights != 0] = TRUSTED
            errors[weights != 0] = TRUSTED * TRUSTED_RATE
            charge_bottles(weights, FEARED_A_BOTTLE)
        else:
            weights = np.zeros(SIZE, dtype=np.float32)
            fear = FEARED_A_WIZARD * np.repeat(np.arange(LEFT_CODES), LEFT_CODES * (MOST_PRISONS + 1))
            weights[features.LEFT : features.LEFT + fear.size] = fear
        return cls(course, Learner(weights, errors, sizes), 0, [])

    def go_on(
        self,
        report: Callable[[Stage], None],
        keep: Callable[[Training], None],
        tick: Callable[[int], None] = lambda done: None,
        every: int = 20_000,
    ) -> None:
        """Play the games that are missing; report, and offer what there is to be kept, every so many.

        `tick` is told more often how many games are done.
        """
        scratch = new_scratch(1)
        entries = np.empty(MOST_PATTERNS + SCRATCH, dtype=np.int64)
        cards: list[IntArray] = []
        judges: dict[tuple[str, ...], Judge] = {}
        course = self.course
        while self.done < course.games:
            size = min(BATCH[course.kind], course.games - self.done)
            rng = Random(f"{course.seed} {self.done}")
            spells = _some_spells(rng) if course.kind == SPELLS else ()
            if spells not in judges:
                judges[spells] = self._judge(spells)
            out = np.empty(size, dtype=np.int64)
            explore = course.explore * (1 - self.done / course.games)
            starts = np.array([pack(each) for each in _starts(course.kind, self.done, size, rng)])
            learn_games(
                starts, course.seed, self.done, course.rate, explore, judges[spells], self.learner, scratch, entries,
                out,
            )  # fmt: skip
            cards.append(out)
            before, self.done = self.done, self.done + size
            tick(self.done)
            if self.done // every != before // every or self.done == course.games:
                mean = float(np.mean(_with_losses(np.concatenate(cards))))
                cards.clear()
                self.curve.append((self.done, round(mean, 3)))
                keep(self)
                report(Stage(self.done, mean))

    def _judge(self, spells: tuple[str, ...]) -> Judge:
        sure = Value(self.learner.weights, np.ones_like(bell_curves()))
        situation = Situation(_start(self.course.kind), (), EVERY_CARD, 0, spells)
        return judge_of(situation, Objective(), sure)

    def finish(self) -> Value:
        """The value learned, after some games that show how it spreads."""
        rounded = self.learner.weights.astype(np.float16).astype(np.float32)
        plain = Value(rounded, np.ones_like(bell_curves()))
        values, cards, results = _watch(self.course, plain)
        about = {
            **asdict(self.course),
            "mean": round(float(np.mean(results)), 3),
            "checked": len(results),
            "curve": self.curve,
        }
        return Value(rounded, measured(values, cards), about)


def _with_losses(cards: IntArray) -> IntArray:
    return np.where(cards == LOST, LOSS_CARDS, cards)


def _start(kind: str) -> Position:
    return parse_position("start" if kind == SOLO else "start-spells")


def _some_spells(rng: Random) -> tuple[str, ...]:
    return tuple(sorted(rng.sample([spell.name for spell in ALL_SPELLS], SPELLS_IN_A_GAME)))


def _starts(kind: str, done: int, size: int, rng: Random) -> Iterator[Position]:
    """Where the next games begin: without spells with few wizards at first, then from the start."""
    stage = done // STAGE_GAMES + 1
    for _ in range(size):
        position = _start(kind)
        yield _with_wizards(position, rng.randint(1, stage), rng) if kind == SOLO and stage <= MAX_WIZARDS else position


def _with_wizards(position: Position, number: int, rng: Random) -> Position:
    """The position with so many of its wizards, the others being home."""
    places = [
        (space, height)
        for space, stack in enumerate(position.stacks)
        for height, wizards in enumerate((stack.ground, *(tower.wizards for tower in stack.towers)))
        for _ in range(wizards)
    ]
    left = rng.sample(places, number)
    stacks = tuple(
        Stack(
            left.count((space, 0)),
            tuple(Tower(tower.raven, left.count((space, height))) for height, tower in enumerate(stack.towers, 1)),
        )
        for space, stack in enumerate(position.stacks)
    )
    return replace(position, stacks=stacks, home=position.home + len(places) - number)


def _watch(course: Course, value: Value) -> tuple[FloatArray, FloatArray, IntArray]:
    """What was expected before each turn of some games, what it came to, and the cards of each game."""
    scratch = new_scratch(1)
    values: list[float] = []
    cards: list[float] = []
    results = np.empty(min(CHECK_GAMES, course.games), dtype=np.int64)
    expected = np.empty((BATCH[course.kind], MOST_TURNS))
    log = new_log()
    for first in range(0, len(results), len(expected)):
        rng = Random(f"{course.seed} check {first}")
        spells = _some_spells(rng) if course.kind == SPELLS else ()
        situation = Situation(_start(course.kind), (), EVERY_CARD, 0, spells)
        judge = judge_of(situation, Objective(), value)
        out = results[first : first + len(expected)]
        seed, state = course.seed + CHECK_SEED_STEP, before_deal(situation)
        play_deals(state, seed, first, False, np.nan, judge, scratch, expected, log, out, np.empty(len(out)))
        for total, costs in zip(out.tolist(), expected, strict=False):
            played = np.flatnonzero(~np.isnan(costs))
            values += (costs[played] - played).tolist()
            cards += [FURTHER + 1.0 if total == LOST else float(total - each) for each in played.tolist()]
    return np.array(values), np.array(cards), _with_losses(results)


def save_training(training: Training, file: Path) -> None:
    """Keep a training, to be gone on with later; whole or not at all."""
    about = {"course": asdict(training.course), "done": training.done, "curve": training.curve}
    with whole_file(file) as stream:
        np.savez(stream, **training.learner._asdict(), about=np.array(json.dumps(about)))


def load_training(file: Path) -> Training:
    """A training that was kept."""
    try:
        with np.load(file, allow_pickle=False) as content:
            about = json.loads(str(content["about"]))
            learner = Learner(content["weights"], content["errors"], content["sizes"])
            course = Course(**about["course"])
            curve = [(int(games), float(mean)) for games, mean in about["curve"]]
            done = int(about["done"])
    except UNREADABLE as problem:
        raise Refused(f"'{file.name}' holds no training ({type(problem).__name__})") from None
    if any(table.shape != (SIZE,) for table in learner) or course.kind not in KINDS:
        raise Refused(f"'{file.name}' is a training of another version")
    return Training(course, learner, done, curve)
