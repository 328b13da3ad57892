"""Whole deals with all cards known: what beams of several widths find, and how many deals can be proved.

Run: .venv/bin/python bench/deals.py widths 100
     .venv/bin/python bench/deals.py prove 100
"""

import statistics
import sys
import time

from solver.notation import parse_position
from solver.search import beam
from solver.search.answer import Verdict
from solver.search.cards import Deal
from solver.search.exact import Limits
from solver.search.plan import Effort, best_plan
from solver.search.problem import Problem
from solver.search.warm import warm_up_search

SEED = 1
WIDTHS = (10, 100, 1_000, 10_000)
START = parse_position("start")
LIMITS = Limits(nodes=200_000_000, memory=6 << 30)


def widths(games: int) -> None:
    """Mean cards for each width, over the same deals."""
    print("width   mean cards  seconds a deal")
    for width in WIDTHS:
        began = time.perf_counter()
        cards = [beam.search(Problem(START, deal=Deal(SEED, game)), width).cards for game in range(games)]
        found = [each for each in cards if each is not None]
        lost = f"  ({games - len(found)} without a line)" if len(found) < games else ""
        print(f"{width:>6,}  {statistics.mean(found):>10.2f}  {(time.perf_counter() - began) / games:>14.2f}{lost}")


def prove(games: int) -> None:
    """How many deals are proved within the limits, and in which time."""
    proved = []
    for game in range(games):
        answer = best_plan(Problem(START, deal=Deal(SEED, game)), None, Effort(LIMITS))
        print(f"{game:>4}  {answer.verdict.value:<9}  {answer.cards} cards, at least {answer.lower_bound}, "
              f"{answer.nodes:,} positions, {answer.seconds:.1f} s", flush=True)  # fmt: skip
        if answer.verdict is Verdict.PROVED:
            proved.append(answer)
    seconds = sorted(answer.seconds for answer in proved)
    print(f"{len(proved)} of {games} proved; mean {statistics.mean(answer.cards for answer in proved):.2f} cards; "
          f"median {seconds[len(seconds) // 2]:.1f} s, longest {seconds[-1]:.1f} s")  # fmt: skip


if __name__ == "__main__":
    warm_up_search()
    {"widths": widths, "prove": prove}[sys.argv[1]](int(sys.argv[2]))
