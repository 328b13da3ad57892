"""Reviews on the page."""

from __future__ import annotations

import threading

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from solver.notation import parse_record
from solver.review.evaluator import QUICK_DEPTH, USUAL_DEPTH, Standard
from solver.review.page import chart, page
from solver.review.plain import account_json
from solver.review.review import played_of, review
from solver.review.words import point_words, sum_of, turning_points
from solver.rules import WIN_CARDS
from solver.web.asked import Plain, ReviewAsked
from solver.web.lanes import LINES, Job, lane_of

JOBS = 2  # threads of one review

router = APIRouter()


@router.post("/review", response_class=StreamingResponse, responses={200: {"content": {LINES: {}}}})
async def review_record(asked: ReviewAsked, request: Request) -> StreamingResponse:
    """Judge every turn of a record; the news are how many are done."""
    played = await run_in_threadpool(lambda: played_of(parse_record(asked.record)))
    standard = Standard(QUICK_DEPTH if asked.quick else USUAL_DEPTH, within=asked.within or WIN_CARDS)

    def work(job: Job) -> Plain:
        done, lock = 0, threading.Lock()

        def tick() -> None:
            nonlocal done
            with lock:
                done += 1
                job.tell({"turns": done, "of": len(played.turns)})

        account = review(played, standard, JOBS, tick)
        return {
            **account_json(asked.name, account),
            "sum": [{"what": words, "cards": amount} for words, amount in sum_of(account)],
            "points": [{"turn": each.turn, "words": point_words(each)} for each in turning_points(account)],
            "chart": chart(account),
            "page": page(account, asked.name),
        }

    return lane_of(request, "reviews").stream(work)
