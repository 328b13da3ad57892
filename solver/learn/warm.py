"""Call every kernel of the learning once, so that it is compiled or loaded."""

from __future__ import annotations

import numpy as np

from solver.learn.train import Course, Training
from solver.notation import parse_position
from solver.search.outset import before_deal, judge_of
from solver.search.replies import new_scratch
from solver.search.simulate import MOST_TURNS, new_log, play_deals
from solver.search.situation import EVERY_CARD, Objective, Situation
from solver.value.weights import hand_made


def warm_up_learning() -> None:
    """Compile the kernels of the learning, in a training of one game and one more to look at."""
    Training.begin(Course(games=1)).go_on(lambda stage: None, lambda training: None)
    start = Situation(parse_position("start"), (), EVERY_CARD)
    judge = judge_of(start, Objective(), hand_made())
    expected, cards = np.empty((1, MOST_TURNS)), np.empty(1, dtype=np.int64)
    play_deals(before_deal(start), 1, 0, False, np.nan, judge, new_scratch(1), expected, new_log(), cards, np.empty(1))
