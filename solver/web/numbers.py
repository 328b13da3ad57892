"""Batch runs on the page, live while they run."""

from __future__ import annotations

import time

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from solver.batch.conduct import Single, Target, conduct
from solver.batch.plain import run_json, summary_json
from solver.batch.run import Run
from solver.batch.tally import Score, Tally
from solver.batch.work import Team
from solver.draw.histogram import histogram_svg
from solver.errors import Refused
from solver.notation.numbers import quote
from solver.policy.names import parse_policy
from solver.rules import WIN_CARDS
from solver.web.asked import Plain, RunAsked
from solver.web.lanes import LINES, Job, Stopped, lane_of

TELL_EVERY = 0.3  # seconds
PIECE_SECONDS = 0.2  # that a chunk of games takes, for a page that moves

router = APIRouter()


@router.post("/simulate", response_class=StreamingResponse, responses={200: {"content": {LINES: {}}}})
async def simulate(asked: RunAsked, request: Request) -> StreamingResponse:
    """Play many games; the numbers so far come again and again, and are kept if time runs out."""
    policy = parse_policy(asked.policy)
    if policy.is_own:  # a page must not have code run
        raise Refused(f"{quote(asked.policy)} is a policy of your own; the command line plays those")
    run = Run(asked.read_start(asked.position), policy, asked.seed, asked.less_luck)

    def work(job: Job) -> Plain:
        tally = Tally(Score(asked.within or WIN_CARDS), asked.less_luck)
        told = 0.0

        def tick(games: int) -> None:
            nonlocal told
            if time.monotonic() - told >= TELL_EVERY:
                told = time.monotonic()
                job.tell(_plain(run, tally, asked.games))
            job.check()

        stopped = ""
        try:
            conduct((run,), Single(tally), Target(asked.games), Team(seconds=PIECE_SECONDS), tick=tick)
        except Stopped as reason:
            stopped = str(reason)
        return {**_plain(run, tally, asked.games), "stopped": stopped}

    return lane_of(request, "runs").stream(work)


def _plain(run: Run, tally: Tally, wanted: int) -> Plain:
    summary = tally.summary()
    picture = histogram_svg(summary.counts, summary.lost, summary.undecided, summary.score.within, str(run.policy), "")
    return {**summary_json(summary), **run_json(run), "wanted": wanted, "histogram_svg": picture}
