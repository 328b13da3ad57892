"""The numbers of many games as plain numbers and texts, for scripts and pages."""

from __future__ import annotations

from typing import Any

import solver
from solver.batch.run import Run, engine_digest
from solver.batch.tally import Summary
from solver.notation import print_position, print_rules


def summary_json(summary: Summary) -> dict[str, Any]:
    """The numbers for scripts."""
    return {
        "games": summary.games,
        "mean": summary.mean.mean,
        "mean_half_width": _finite(summary.mean.half_width),
        "plain_mean": summary.plain.mean,
        "plain_half_width": _finite(summary.plain.half_width),
        "deviation": summary.plain.deviation,
        "fewer_games": _finite(summary.fewer_games),
        "quartiles": list(summary.quartiles),
        "within": summary.score.within,
        "wins": summary.wins,
        "win_rate": summary.win_rate,
        "win_low": summary.win_interval.low,
        "win_high": summary.win_interval.high,
        "lost": summary.lost,
        "undecided": summary.undecided,
        "loss_cards": summary.score.loss_cards,
        "grades": [
            {"grade": grade.name, "games": grade.games, "low": grade.interval.low, "high": grade.interval.high}
            for grade in summary.grades
        ],
        "histogram": {str(cards): games for cards, games in enumerate(summary.counts) if games},
    }


def _finite(number: float | None) -> float | None:
    return None if number is None or number == float("inf") else number


def run_json(run: Run) -> dict[str, Any]:
    """What was played, for scripts."""
    start = run.start
    return {
        "seed": run.seed,
        "policy": str(run.policy),
        "spells": list(start.spells),
        "rules": print_rules(start.rules),
        "position": print_position(start.position),
        "less_luck": run.less_luck,
        "version": solver.__version__,
        "engine": engine_digest(),
    }
