"""The server under the application: HTTP that is none is refused as everything else is, and nobody is waited for."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from solver.web.guard import refusal

HEAD_SECONDS = 10.0  # for the head of a request to arrive, and for what is left of one that was answered
KEEP_SECONDS = 30  # that a connection is kept after an answer
MOST_HEAD = 64_000  # bytes
TO_END = 3  # seconds that requests under way have when the server is stopped


class Wire(H11Protocol):
    """A connection."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects, and has some time to ask."""
        super().connection_made(transport)
        # The head and the body of an answer are written one after the other: the body must not wait for 40 ms until
        # the head is acknowledged. asyncio sees to that only where a socket names its protocol.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """More of a request."""
        super().data_received(data)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has gone."""
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, unless an answer to its beginning is under way or sent."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            headers, body = refusal("this is no HTTP request as it should be")
            answer = h11.Response(status_code=400, headers=[*headers, (b"connection", b"close")], reason=b"Bad Request")
            for event in (answer, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()

    def _expect(self) -> None:
        """Give up waiting some time after the first piece of a request came, however many small ones follow."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._late is None:
            self._late = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class Server(uvicorn.Server):
    """The server; what it is doing for others ends with it."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                app, http=Wire, ws="none", lifespan="on", log_level="error", access_log=False,
                timeout_graceful_shutdown=TO_END, timeout_keep_alive=KEEP_SECONDS,
                h11_max_incomplete_event_size=MOST_HEAD,
            )
        )  # fmt: skip
        self.state: Any = app.state

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the long work first, since its streams would be waited for."""
        for lane in self.state.lanes.values():
            lane.close()
        await super().shutdown(sockets)
