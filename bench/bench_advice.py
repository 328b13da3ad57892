"""Looking ahead: the replies to all draws found at once, beside one draw after the other; and the time of an answer."""

from __future__ import annotations

import pytest

from solver.advice.advise import advise
from solver.notation import parse_cards, parse_position
from solver.rules import FACE_NUMBER, FACES
from solver.search.lookahead import cost_before_draw, glance
from solver.search.outlook import State, after_draw
from solver.search.outset import judge_of, state_of, value_for
from solver.search.pile import copies_in
from solver.search.replies import NO_DRAW, new_scratch
from solver.search.situation import Objective, Situation

CASES = {
    "solo": ("-/-/r3/t/-/K/-/1/r2/t/-/r/t1/-/r/tr 5 -", ()),
    "spells": ("-/-/r3/t/-/K/-/1/r2/t/-/r/t1/-/r/tr 5 2/3", ("piggyback", "free-wizard", "advance-tower")),
}


def situation_of(name: str) -> Situation:
    text, spells = CASES[name]
    hand = parse_cards("w3,w1t5,wd2")
    deck = [face.copies for face in FACES]
    for card in hand:
        deck[FACE_NUMBER[card.face]] -= 1
    return Situation(parse_position(text), hand, tuple(deck), 10, spells)


@pytest.mark.parametrize("shared", [True, False], ids=["all draws at once", "draw by draw"])
@pytest.mark.parametrize("name", CASES)
def test_draws(benchmark, name, shared):
    situation = situation_of(name)
    judge = judge_of(situation, Objective(), value_for(situation.position))
    scratch = new_scratch(1)
    whole = state_of(situation)
    first = 1 << ((whole.hand & -whole.hand).bit_length() - 1)
    after = whole._replace(hand=whole.hand - first, owed=1)

    def at_once() -> float:
        glance(after, judge, scratch, 0)
        return float(cost_before_draw(after, scratch.costs[0]))

    def one_by_one() -> float:
        total = 0.0
        for face in range(len(FACES)):
            copies = copies_in(after.deck, face)
            if copies:
                glance(State(*after_draw(after, face)), judge, scratch, 0)
                total += copies * scratch.costs[0, NO_DRAW]
        return total / after.left

    assert at_once() == pytest.approx(one_by_one())
    benchmark(at_once if shared else one_by_one)


@pytest.mark.parametrize("name", CASES)
def test_advice(benchmark, name):
    situation = situation_of(name)
    advise(situation)
    benchmark.pedantic(advise, args=(situation,), rounds=3)
