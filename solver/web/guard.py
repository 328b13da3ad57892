"""What stands before the server: who may ask at all, how much, and how many at once.

The server runs on its user's machine, where any page in the same browser could reach it. So a request must name this
machine as its host (a foreign name that was made to lead here is refused), and one that another site sends is refused.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

API = "/api/"
MOST_BODY = 1_000_000  # bytes; a long game is a few kilobytes
BODY_SECONDS = 10.0  # for a body to arrive
MOST_AT_ONCE = 128  # requests; each of them may hold a body
LOCAL_NAME = "localhost"

HEADERS = {
    b"content-security-policy": b"default-src 'self'; img-src 'self' data: blob:; style-src 'self'; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
}


class Unwelcome(Exception):
    """A request that is not taken: a status code and a sentence."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Guard:
    """Wraps an application; `name` is the host that the server was told to be reached by."""

    def __init__(self, app: App, name: str = LOCAL_NAME) -> None:
        self.app = app
        self.name = name
        self._at_once = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on with its body read."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":  # the page needs none
                await send({"type": "websocket.close", "code": 1008})
                return
            await self.app(scope, receive, send)
            return
        if self._at_once >= MOST_AT_ONCE:
            await _answer(send, 429, "there are very many requests at once; try again in a moment")
            return
        self._at_once += 1
        try:
            headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
            self._check(scope, headers)
            body = await _body(receive, headers)
            await self.app(scope, _replay(body, receive), _with_headers(send, scope["path"].startswith(API)))
        except Unwelcome as reason:
            await _answer(send, reason.status, str(reason), is_last=reason.status == 408)
        finally:
            self._at_once -= 1

    def _check(self, scope: Scope, headers: dict[bytes, str]) -> None:
        """Refuse who is not at this machine, or is sent by another site."""
        host = headers.get(b"host", "")
        if not self._is_here(host):
            raise Unwelcome(421, f"this server is reached as {self.name}, not by the Host header of this request")
        origin = headers.get(b"origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise Unwelcome(403, "another site sent this request (Origin), and only the page itself may")
        site = headers.get(b"sec-fetch-site", "none")
        is_visit = headers.get(b"sec-fetch-mode") == "navigate" and scope["method"] == "GET"
        if site not in ("same-origin", "none") and (not is_visit or scope["path"].startswith(API)):
            raise Unwelcome(403, "another site sent this request (Sec-Fetch-Site), and only the page itself may")
        if scope["method"] == "POST":
            kind = headers.get(b"content-type", "").split(";")[0].strip().lower()
            if kind != "application/json":
                raise Unwelcome(415, "expected a body of the type application/json")

    def _is_here(self, host: str) -> bool:
        """Whether a Host header names this machine: an address, localhost, or the name it was told."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in (LOCAL_NAME, self.name.lower()):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


async def _body(receive: Receive, headers: dict[bytes, str]) -> bytes:
    """The whole body, if it is not too large and does not take too long."""
    length = headers.get(b"content-length", "0").lstrip("0")
    if len(length) > len(str(MOST_BODY)) or int(length or 0) > MOST_BODY:
        raise Unwelcome(413, f"the body is larger than {MOST_BODY:,} bytes")
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Unwelcome(400, "the request was broken off")
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > MOST_BODY:
                    raise Unwelcome(413, f"the body is larger than {MOST_BODY:,} bytes")
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        raise Unwelcome(408, f"the body did not arrive within {BODY_SECONDS:.0f} seconds") from None


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body once more, for the application; then whatever comes, such as that the other side has gone."""
    sent = False

    async def again() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _with_headers(send: Send, is_api: bool) -> Send:
    keep = b"no-store" if is_api else b"no-cache"  # the files are asked for again, and mostly not sent again

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = message.get("headers", [])  # what an answer says of itself counts
            added = {**HEADERS, b"cache-control": keep}
            for name, _ in own:
                added.pop(name.lower(), None)
            message["headers"] = [*own, *added.items()]
        await send(message)

    return sent


def refusal(reason: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """The headers and the body that say why a request is not taken."""
    body = json.dumps({"error": reason}).encode()
    length = str(len(body)).encode()
    return [(b"content-type", b"application/json"), (b"content-length", length), *HEADERS.items()], body


async def _answer(send: Send, status: int, reason: str, is_last: bool = False) -> None:
    headers, body = refusal(reason)
    if is_last:  # the rest of a body may still come, or never
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
