"""Advice on the page, while it is being thought about."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from solver.advice.advise import Budget, advise
from solver.advice.asked import known_cards
from solver.advice.plain import advice_json
from solver.advice.words import plan_words
from solver.errors import Refused
from solver.move import Card
from solver.notation import parse_position, parse_rolled, parse_unrolled
from solver.search.outset import check
from solver.search.situation import Advice, Objective, Situation
from solver.web.asked import AdviceAsked, Plain
from solver.web.lanes import LINES, Job, lane_of

MOST_SHOWN = 40

router = APIRouter()


@router.post("/advise", response_class=StreamingResponse, responses={200: {"content": {LINES: {}}}})
async def advice(asked: AdviceAsked, request: Request) -> StreamingResponse:
    """Rank what can be done in a turn; the list comes again whenever it is better."""
    situation = await run_in_threadpool(read_situation, asked)
    objective = Objective(asked.within)
    if asked.within is not None and situation.played > asked.within:
        raise Refused(f"with {situation.played} cards played, {asked.within} cannot be reached any more")
    check(situation)

    def plain(found: Advice) -> Plain:
        shown = found.choices[:MOST_SHOWN]
        told = advice_json(situation, objective, found, shown)
        for choice, each in zip(shown, told["moves"], strict=True):
            each["turn"] = None if choice.move is None or choice.plan is not None else each["move"]
            each["words"] = plan_words(choice.card, choice.plan) if choice.plan and choice.card else []
        return {**told, "choices": len(found.choices)}

    def work(job: Job) -> Plain:
        return plain(advise(situation, objective, Budget(asked.depth), lambda found: job.tell(plain(found))))

    return lane_of(request, "advice").stream(work)


def read_situation(asked: AdviceAsked) -> Situation:
    """The turn that is asked about, with its cards checked."""
    rules, spells = asked.read_rules()
    known = known_cards(
        _cards(asked.hand) or None,
        None if asked.seen is None else _cards(asked.seen),
        None if asked.deck is None else _cards(asked.deck),
        asked.played,
        None if asked.rolled is None else parse_rolled(asked.rolled),
    )
    return Situation(
        parse_position(asked.position, rules), known.hand, known.left, known.played, spells, rules, None, known.rolled,
        asked.new_roll if known.rolled is not None else None,
    )  # fmt: skip


def _cards(text: str) -> tuple[Card, ...]:
    return parse_unrolled(text, ", and the roll in rolled") if text.strip() else ()
