"""The application: routes, the files of the page, and how failures are told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from solver import __version__
from solver.errors import Refused
from solver.policy.names import CATALOGUE
from solver.rules import FACES, GRADES, OPTION_MEANING, PRESETS, SPELLS, SPELLS_IN_A_GAME, WIN_CARDS
from solver.web import advice, games, numbers, picture, puzzles, reviews
from solver.web.asked import Fault, Plain, Status
from solver.web.guard import API, Guard, Unwelcome
from solver.web.kernels import ADVICE, PLANNING, PLAYING, REVIEW, TABLE, Kernels
from solver.web.lanes import Lane
from solver.web.puzzles import Shelf

# What can go wrong with any request.
FAULTS: dict[int | str, dict[str, Any]] = {
    status: {"model": Fault, "description": what}
    for status, what in {
        400: "The request is not HTTP as it should be.",
        403: "Another site sent the request.",
        413: "The body is too large.",
        415: "The body is not JSON.",
        421: "The host is not this machine.",
        422: "The notation or the rules forbid what was asked; the sentence says where and why.",
        429: "There is too much to do already.",
        503: "The kernels are being compiled.",
    }.items()
}


def lanes() -> dict[str, Lane]:
    """The kinds of long work: how many at once, how many may wait, and for how many seconds each may go on."""
    return {
        "advice": Lane("advice", 4, 16, 30.0),
        "reviews": Lane("reviews", 2, 8, 180.0),
        "proofs": Lane("proofs", 2, 8, 60.0),
        "runs": Lane("runs", 2, 8, 120.0),
    }


def need(group: str) -> Callable[[Request], None]:
    """Refuse what needs some kernels while they are being compiled."""

    def check(request: Request) -> None:
        kernels: Kernels = request.app.state.kernels
        if group not in kernels.done:
            raise Unwelcome(503, f"not ready yet: {kernels.doing}")

    return check


NEEDS = (
    (picture.router, TABLE), (games.router, TABLE), (advice.router, ADVICE), (reviews.router, REVIEW),
    (puzzles.router, PLANNING), (numbers.router, PLAYING),
)  # fmt: skip


def make_app(folder: Path | None = None, name: str = "localhost") -> FastAPI:
    """The application; `folder` has the collection of puzzles, `name` is the host it is reached by."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.lanes = lanes()
        app.state.kernels = Kernels()
        app.state.shelf = Shelf.of_folder(folder)
        app.state.kernels.begin(app.state.shelf.begin_rating)
        yield
        for lane in app.state.lanes.values():
            lane.close()

    app = FastAPI(
        title="towers", version=__version__, lifespan=lifespan, openapi_url=f"{API}openapi.json", docs_url=None,
        redoc_url=None, description="The solver for the solitaire modes of Wandering Towers, as its page asks it.",
    )  # fmt: skip
    app.include_router(_facts(), prefix=API.rstrip("/"))
    for router, group in NEEDS:
        app.include_router(router, prefix=API.rstrip("/"), responses=FAULTS, dependencies=[Depends(need(group))])
    app.mount("/", StaticFiles(directory=str(resources.files("solver.web").joinpath("static")), html=True))
    app.add_middleware(Guard, name=name)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(Unwelcome, _unwelcome)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _not_there)
    return app


def _facts() -> APIRouter:
    router = APIRouter()

    @router.get("/status")
    def status(request: Request) -> Status:
        """Whether all is ready."""
        kernels: Kernels = request.app.state.kernels
        return Status(version=__version__, ready=kernels.ready, doing=kernels.doing)

    @router.get("/facts")
    def facts() -> Plain:
        """The data of the rulebook that the page needs: cards, spells, options, grades, and who can play."""
        return {
            "faces": [face._asdict() for face in FACES],
            "spells": [spell._asdict() for spell in SPELLS],
            "spells_in_a_game": SPELLS_IN_A_GAME,
            "costs": {name: dict(rules.spell_costs) for name, rules in PRESETS.items()},
            "options": dict(OPTION_MEANING),
            "presets": list(PRESETS),
            "grades": [grade._asdict() for grade in GRADES],
            "within": WIN_CARDS,
            "policies": [{"name": entry.name, "about": entry.about} for entry in CATALOGUE],
        }

    return router


# Failures ---------------------------------------------------------------------------------------------------


def _said(status: int, reason: str) -> JSONResponse:
    return JSONResponse({"error": reason}, status)


async def _refused(_: Request, reason: Exception) -> JSONResponse:
    return _said(422, str(reason))


async def _unwelcome(_: Request, reason: Exception) -> JSONResponse:
    assert isinstance(reason, Unwelcome)
    return _said(reason.status, str(reason))


async def _malformed(_: Request, reason: Exception) -> JSONResponse:
    assert isinstance(reason, RequestValidationError)
    first = reason.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part != "body")
    what = str(first["msg"])
    return _said(422, f"{place}: {what[:1].lower()}{what[1:]}" if place else f"the body: {what}")


async def _not_there(_: Request, reason: Exception) -> JSONResponse:
    assert isinstance(reason, HTTPException)
    words = {404: "there is nothing of that name here", 405: "that cannot be done with this address"}
    return JSONResponse(
        {"error": words.get(reason.status_code, str(reason.detail))}, reason.status_code, headers=reason.headers
    )
