"""`towers serve`: the page, on this machine."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

import solver
from solver.cli.common import Command, announce, single_option
from solver.errors import Failed, Refused
from solver.notation.numbers import number_between, quote

HOME = "127.0.0.1"
PORT = 8017
MOST_PORT = 65_535
MOST_FILES = 8192  # open at once
COLLECTION = Path(solver.__file__).resolve().parent.parent / "puzzles"


@click.command("serve", cls=Command, short_help="A page to play, get advice, review games and solve puzzles.")
@single_option(
    "--port", parse=number_between(0, MOST_PORT), metavar="N",
    help=f"The port; {PORT} unless said otherwise, or any free one if that is taken.",
)
@single_option(
    "--host", metavar="ADDRESS", default=HOME, help="The address to listen on; this machine only unless said otherwise."
)
@single_option("--puzzles", metavar="FOLDER", help="The collection of puzzles; the one that comes with the program.")
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
def command(port: int | None, host: str, puzzles: str | None, no_browser: bool) -> int:
    """Serve the page to the browser on this machine, until Ctrl-C.

    \b
    Example:
      towers serve
    """
    folder = COLLECTION if puzzles is None else Path(puzzles)
    if not folder.is_dir() and puzzles is not None:
        raise Refused(f"--puzzles: there is no folder {quote(puzzles)}")
    try:
        from solver.web.app import make_app
        from solver.web.wire import Server
    except ModuleNotFoundError as missing:
        how = "pip install 'towers-solver[web]'"
        raise Failed(f"the page needs the extra [web]: {how} ({missing.name} is missing)") from None
    listener = _listen(host, port)
    address = _address(host, listener.getsockname()[1])
    app = make_app(folder if folder.is_dir() else None, host)
    server = Server(app)
    _allow_many_connections()
    if not _is_loopback(host):
        announce(f"whoever reaches {host} can use this page; it is meant for networks that you trust")
    click.echo(f"{address}   (Ctrl-C stops)")
    sys.stdout.flush()
    if not no_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    with suppress(KeyboardInterrupt):  # uvicorn has closed everything and passes it on
        server.run(sockets=[listener])
    announce("stopped")
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(0)  # threads that work on something for nobody any more are not waited for


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens; any free port if none was asked for and the usual one is taken."""
    try:
        family, _, _, _, where = socket.getaddrinfo(host, port or PORT, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise Refused(f"--host: {_not_here(host)}") from None
    asked: list[int] = [PORT, 0] if port is None else [port]
    for each in asked:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(_at(where, each))
            listener.listen(2048)
            return listener
        except OSError as problem:
            listener.close()
            if problem.errno == errno.EADDRNOTAVAIL:
                raise Refused(f"--host: {_not_here(host)}") from None
            reason = f"cannot listen on port {each or 'any'} of {host}: {problem.strerror or problem}"
    raise Refused(f"--port: {reason}; expected one that is free")


def _not_here(host: str) -> str:
    return f"expected an address of this machine, such as {HOME}, not {quote(host)}"


def _allow_many_connections() -> None:
    """Each is an open file, and many systems allow no more than 1024 unless more are asked for."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows, which has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def _at(where: Any, port: int) -> Any:
    """An address of a socket with another port."""
    return (where[0], port, *where[2:])


def _address(host: str, port: int) -> str:
    try:
        parsed = ipaddress.ip_address(host)
    except ValueError:
        return f"http://{host}:{port}/"
    if parsed.is_unspecified:
        return f"http://localhost:{port}/"
    return f"http://[{host}]:{port}/" if parsed.version == 6 else f"http://{host}:{port}/"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
