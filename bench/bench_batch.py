"""Whole games: how many a second, what two processes gain, and what taking the luck off is worth."""

from __future__ import annotations

import pytest

from solver.batch.conduct import Single, Target, conduct
from solver.batch.run import Run
from solver.batch.tally import Tally
from solver.batch.work import local_team
from solver.notation import parse_position, parse_spells
from solver.policy.names import parse_policy
from solver.search.situation import EVERY_CARD, Situation

BASE = "piggyback,free-wizard,advance-tower"
CASES = {
    "random": ("random", "", 20_000),
    "greedy": ("greedy", "", 1_500),
    "learned": ("learned", "", 2_500),
    "learned, less luck": ("learned", "", 600),
    "learned, spells": ("learned", BASE, 400),
}


def run_of(policy: str, spells: str, less_luck: bool = False) -> Run:
    board = parse_position("start-spells" if spells else "start")
    return Run(Situation(board, (), EVERY_CARD, 0, parse_spells(spells)), parse_policy(policy), 1, less_luck)


@pytest.mark.parametrize("name", CASES)
def test_games_a_second(benchmark, name):
    policy, spells, games = CASES[name]
    run = run_of(policy, spells, "less luck" in name)

    def play() -> Tally:
        tally = Tally(with_luck=run.less_luck)
        with local_team(1) as team:
            conduct((run,), Single(tally), Target(games), team)
        return tally

    play()
    tally = benchmark.pedantic(play, rounds=3)
    benchmark.extra_info["games a second"] = round(games / benchmark.stats.stats.min)
    print(f"\n{name}: {games / benchmark.stats.stats.min:,.0f} games a second")
    if run.less_luck:
        print(f"as good as {tally.summary().fewer_games:.1f} times the games")


@pytest.mark.parametrize("jobs", [1, 2])
def test_two_processes(benchmark, jobs):
    """Compare the two rows: the second is to be at least 1.8 times as fast."""
    run = run_of("learned", "")
    with local_team(jobs) as team:

        def play() -> None:
            conduct((run,), Single(Tally()), Target(8_000), team)

        play()
        benchmark.pedantic(play, rounds=3)
