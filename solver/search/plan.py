"""The best answer for a task with all cards known: quick guesses first, then the proof.

A short exact search settles most puzzles at once. Where it does not, beams of growing width find lines that need ever
fewer cards, and the exact search then only has to rule out anything shorter than the best of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from solver.search import beam, exact
from solver.search.answer import Answer, Verdict
from solver.search.exact import Limits
from solver.search.problem import Problem

QUICK_NODES = 200_000  # of the first exact search: about a tenth of a second
WIDTHS = (100, 1_000, 10_000)

News = Callable[[Answer], None]  # is told of every line that is better than those before
Progress = Callable[[str, int], None]  # is told what is going on and the positions expanded in it


@dataclass(frozen=True)
class Effort:
    """How hard to try."""

    limits: Limits = Limits()
    widths: Sequence[int] = WIDTHS
    prove: bool = True
    jobs: int | None = None


def best_plan(
    problem: Problem,
    within: int | None = None,
    effort: Effort | None = None,
    news: News | None = None,
    progress: Progress | None = None,
) -> Answer:
    """The fewest cards, proved if the effort allows; else the best line found and what is known of the rest."""
    effort = effort or Effort()
    spent = 0
    seconds = 0.0

    def told(what: str) -> Callable[[int, int], None] | None:
        return None if progress is None else lambda number, nodes: progress(what.format(number), nodes)

    def counted(answer: Answer) -> Answer:
        return replace(answer, nodes=answer.nodes + spent, seconds=answer.seconds + seconds)

    best: Answer | None = None
    if effort.prove:
        quick = Limits(min(QUICK_NODES, effort.limits.nodes), effort.limits.memory)
        best = exact.solve(problem, within, quick, told("{} cards"))
        if best.verdict is not Verdict.UNDECIDED or effort.limits.nodes <= QUICK_NODES:
            return best
        spent, seconds = best.nodes, best.seconds
    for width in effort.widths:
        most = within if best is None or best.cards is None else best.cards - 1
        found = beam.search(problem, width, most, effort.jobs, told(f"beam of {width:,}, turn {{}}"))
        bound = max(found.lower_bound, best.lower_bound if best else 0)
        if best is None or found.cards is not None:
            best = counted(replace(found, lower_bound=bound))
            if news is not None and found.cards is not None:
                news(best)
        spent, seconds = spent + found.nodes, seconds + found.seconds
        if found.verdict is Verdict.INTERRUPTED:
            return replace(best, verdict=Verdict.INTERRUPTED, limit="Ctrl-C", nodes=spent, seconds=seconds)
    assert best is not None
    if not effort.prove:
        return replace(best, nodes=spent, seconds=seconds)
    return counted(exact.solve(problem, within, effort.limits, told("{} cards"), best))
