"""Puzzles on the page: the collection, attempts at one, and the editor's proofs."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from solver.errors import Refused
from solver.notation import print_card, print_move, print_position, print_rules
from solver.notation.goals import print_goal
from solver.notation.numbers import quote
from solver.play.menu import Menu
from solver.puzzle.attempt import Attempt, attempt
from solver.puzzle.book import book
from solver.puzzle.file import Puzzle, parse_puzzle, print_puzzle
from solver.puzzle.plain import certificate_json
from solver.puzzle.rate import Rated, Rating, rate
from solver.puzzle.verify import problem_of, verify
from solver.puzzle.words import task
from solver.search.answer import Answer
from solver.search.exact import Limits
from solver.search.plain import answer_json
from solver.search.plan import Effort, Progress, best_plan
from solver.web.asked import Plain, PuzzleAsked, Word
from solver.web.games import entries_plain, spell_plain
from solver.web.lanes import LINES, Job, lane_of
from solver.web.picture import picture

EFFORT = Effort(Limits(nodes=20_000_000, memory=512 << 20), jobs=1)
RATING_LIMITS = Limits(nodes=5_000_000, memory=512 << 20)
TEXT = "the puzzle"  # how messages name it, where a file would have a name
BOOK_TITLE = "Puzzles for Wandering Towers"
# The page of a book has a style sheet of its own in it, as it is also written to files.
BOOK_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

router = APIRouter()


@dataclass
class Shelf:
    """The puzzles of a folder, each with its proof and its stars as soon as they are known."""

    puzzles: dict[str, Puzzle]
    rated: dict[str, Rated | None]  # None: that would take too much

    @classmethod
    def of_folder(cls, folder: Path | None) -> Shelf:
        """All puzzles of a folder; files that are none are left out."""
        found: dict[str, Puzzle] = {}
        for path in sorted(folder.glob("*.toml")) if folder is not None else []:
            try:
                puzzle = parse_puzzle(path.read_text("utf-8"), path.name)
                problem_of(puzzle)
            except (OSError, ValueError):
                continue
            found[path.stem] = puzzle
        return cls(found, {})

    def begin_rating(self) -> None:
        """Rate them all in the background."""
        threading.Thread(target=self._rate_all, name="stars", daemon=True).start()

    def _rate_all(self) -> None:
        for name, puzzle in self.puzzles.items():
            answer = best_plan(problem_of(puzzle), puzzle.within, EFFORT)
            rating = _rating(puzzle, answer)
            self.rated[name] = None if rating is None else Rated(puzzle, answer, rating)


def _shelf(request: Request) -> Shelf:
    shelf: Shelf = request.app.state.shelf
    return shelf


def _rating(puzzle: Puzzle, answer: Answer) -> Rating | None:
    """How hard a puzzle is; None if it is not proved, or that would take too much."""
    if not answer.counted:
        return None
    try:
        return rate(puzzle, answer, RATING_LIMITS)
    except Refused:
        return None


@router.get("/puzzles")
def puzzles(request: Request) -> list[Plain]:
    """The collection."""
    shelf = _shelf(request)
    return [
        {
            "name": name,
            "title": puzzle.title,
            "author": puzzle.author,
            "cards": puzzle.claims.cards or puzzle.within,
            "spells": list(puzzle.spells),
            "rated": name in shelf.rated,
            "stars": None if (rated := shelf.rated.get(name)) is None else rated.rating.stars,
            "puzzle": print_puzzle(puzzle),
        }
        for name, puzzle in shelf.puzzles.items()
    ]


@router.post("/puzzle")
def puzzle_attempt(asked: PuzzleAsked) -> Plain:
    """A puzzle after some moves: the board, the cards, and what can be played."""
    puzzle = parse_puzzle(asked.puzzle, TEXT)
    return _attempt_plain(attempt(puzzle, asked.moves))


def _attempt_plain(at: Attempt) -> Plain:
    puzzle = at.puzzle
    cards = puzzle.claims.cards or puzzle.within
    return {
        "title": puzzle.title,
        "author": puzzle.author,
        "task": task(puzzle, cards),
        "goal": None if puzzle.goal is None else print_goal(puzzle.goal),
        "cards": cards,
        "within": puzzle.within,
        "position": print_position(at.position),
        "svg": picture(at.position),
        "hand": [print_card(card) for card in at.hand],
        "draw": [print_card(card) for card in at.draw],
        "spells": [spell_plain(name, puzzle.rules.spell_costs[name]) for name in puzzle.spells],
        "rules": print_rules(puzzle.rules),
        "played": at.discards,
        "moves": [print_move(move) for move in at.moves],
        "solved": at.solved,
        "over": not at.options,
        "menu": entries_plain(Menu(at.position, at.options)),
    }


@router.post("/puzzle/solve", response_class=StreamingResponse, responses={200: {"content": {LINES: {}}}})
async def puzzle_solve(asked: PuzzleAsked, request: Request) -> StreamingResponse:
    """What is left of a puzzle after some moves: is it still solvable, with how many cards, and how?"""
    at = await run_in_threadpool(lambda: attempt(parse_puzzle(asked.puzzle, TEXT), asked.moves))

    def work(job: Job) -> Plain:
        if at.solved:
            return {"verdict": "solved", "cards": 0, "line": []}
        if not at.options:
            return {"verdict": "refuted", "cards": None, "line": []}
        rest = at.rest
        return answer_json(best_plan(problem_of(rest), rest.within, EFFORT, progress=_teller(job)))

    return lane_of(request, "proofs").stream(work)


@router.post("/puzzle/verify", response_class=StreamingResponse, responses={200: {"content": {LINES: {}}}})
async def puzzle_verify(asked: PuzzleAsked, request: Request) -> StreamingResponse:
    """Prove or refute all that a puzzle claims; say how hard it is, and how its file reads."""
    puzzle = await run_in_threadpool(parse_puzzle, asked.puzzle, TEXT)
    problem_of(puzzle)

    def work(job: Job) -> Plain:
        report = verify(puzzle, EFFORT, _teller(job))
        job.check()
        rating = _rating(puzzle, report.answer)
        claims: dict[str, Any] = {}
        if report.answer.counted:
            claims = {"cards": report.answer.cards, "solutions": report.answer.solutions}
        key = report.answer.keys[0].move if len(report.answer.keys) == 1 else None
        proved = replace(puzzle, claims=replace(puzzle.claims, **claims, key=key))
        return {
            **certificate_json(puzzle, report),
            "rating": None if rating is None else rating._asdict(),
            "rules": print_rules(puzzle.rules),
            "toml": print_puzzle(puzzle),
            "proved_toml": print_puzzle(proved) if report.answer.counted else None,
        }

    return lane_of(request, "proofs").stream(work)


def _teller(job: Job) -> Progress:
    def progress(what: str, nodes: int) -> None:
        job.tell({"what": what, "positions": nodes})

    return progress


@router.get("/puzzle/book", response_class=Response, responses={200: {"content": {HTMLResponse.media_type: {}}}})
def puzzle_book(names: Annotated[list[Word], Query(min_length=1, max_length=200)], request: Request) -> HTMLResponse:
    """A page of puzzles to print, with their solutions at the end."""
    shelf = _shelf(request)
    unknown = [name for name in names if name not in shelf.puzzles]
    if unknown:
        raise Refused(f"the collection has no puzzle {quote(unknown[0])}")
    waiting = [name for name in names if name not in shelf.rated]
    if waiting:
        raise Refused(f"{quote(waiting[0])} is not proved yet; it will be as soon as those before it are")
    entries = [rated for name in dict.fromkeys(names) if (rated := shelf.rated[name]) is not None]
    if not entries:
        raise Refused("none of these puzzles could be proved in the time they have here")
    return HTMLResponse(book(entries, BOOK_TITLE), headers={"content-security-policy": BOOK_POLICY})
