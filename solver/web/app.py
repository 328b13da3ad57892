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
from starlette.routing import Match, Mount
from starlette.types import Scope

from solver import __version__
from solver.errors import Refused
from solver.notation.numbers import printable
from solver.policy.names import CATALOGUE
from solver.rules import FACES, PRESETS, SPELLS, SPELLS_IN_A_GAME, WIN_CARDS
from solver.web import advice, games, numbers, picture, puzzles, reviews
from solver.web.asked import MOST_GAMES, Fault, Plain, Status
from solver.web.guard import API, Guard, Unwelcome
from solver.web.kernels import ADVICE, PLANNING, PLAYING, REVIEW, TABLE, Kernels
from solver.web.lanes import Lane
from solver.web.puzzles import Shelf

STATIC = resources.files("solver.web").joinpath("static")
MOST_OF_A_NAME = 40  # characters of a field that is told

# What can go wrong with any request.
FAULTS: dict[int | str, dict[str, Any]] = {
    status: {"model": Fault, "description": what}
    for status, what in {
        400: "The request is not HTTP as it should be, or its body cannot be read.",
        403: "Another site sent the request.",
        408: "The body did not arrive in time.",
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


class Files(Mount):
    """The files of the page: all addresses but those of the interface, which know what can be done with them."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether a request is for a file."""
        return (Match.NONE, {}) if scope["path"].startswith(API) else super().matches(scope)


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
        redoc_url=None, redirect_slashes=False,
        description="The solver for the solitaire modes of Wandering Towers, as its page asks it.",
    )  # fmt: skip
    always = {status: fault for status, fault in FAULTS.items() if status not in (422, 503)}
    app.include_router(_facts(), prefix=API.rstrip("/"), responses=always)
    for router, group in NEEDS:
        app.include_router(router, prefix=API.rstrip("/"), responses=FAULTS, dependencies=[Depends(need(group))])
    app.router.routes.append(Files("/", StaticFiles(directory=str(STATIC), html=True)))
    app.add_middleware(Guard, name=name)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(Unwelcome, _unwelcome)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _not_there)
    app.add_exception_handler(Exception, _failed)
    return app


def _facts() -> APIRouter:
    router = APIRouter()

    @router.get("/status")
    async def status(request: Request) -> Status:
        """Whether all is ready."""
        kernels: Kernels = request.app.state.kernels
        return Status(version=__version__, ready=kernels.ready, doing=kernels.doing)

    @router.get("/facts")
    async def facts() -> Plain:
        """The data of the rulebook that the page needs: cards, spells, presets, and who can play."""
        return {
            "faces": [face._asdict() for face in FACES],
            "spells": [spell._asdict() for spell in SPELLS],
            "spells_in_a_game": SPELLS_IN_A_GAME,
            "presets": list(PRESETS),
            "within": WIN_CARDS,
            "most_games": MOST_GAMES,
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
    if first["type"] == "json_invalid":
        return _said(422, f"the body is not JSON: {first['ctx']['error']} (character {first['loc'][-1]})")
    place = ".".join(printable(str(part), MOST_OF_A_NAME) for part in first["loc"] if part != "body")
    what = str(first["msg"])
    return _said(422, f"{place or 'the body'}: {what[:1].lower()}{what[1:]}")


async def _not_there(_: Request, reason: Exception) -> JSONResponse:
    assert isinstance(reason, HTTPException)
    words = {
        400: "the body cannot be read as JSON",
        404: "there is nothing of that name here",
        405: "that cannot be done with this address",
    }
    return JSONResponse(
        {"error": words.get(reason.status_code, str(reason.detail))}, reason.status_code, headers=reason.headers
    )


async def _failed(_: Request, __: Exception) -> JSONResponse:
    return _said(500, "something in the program went wrong; the terminal in which it runs says what")
