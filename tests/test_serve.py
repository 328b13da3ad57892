"""`towers serve`: work ends when nobody waits for it, and the server when it is told to."""

import json
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import httpx
import pytest

from solver.review.evaluator import Evaluator
from solver.web.app import make_app
from solver.web.kernels import Kernels
from solver.web.lanes import Lane
from test_cli import TOWERS, USUAL, run
from test_web import (
    FOLDER,
    HAND,
    LONG_PROOF,
    NAMES,
    ask,
    asked,
    do,
    final,
    leaves,
    read,
    served,
    stream,
    text_of,
    wait_for,
)


@pytest.fixture(scope="module")
def app():
    return make_app()


@pytest.fixture(scope="module")
def page(app):
    with asked(app) as client:
        yield client


@pytest.fixture
def lane(app, page):
    """Puts another lane in the place of one, for a test."""
    usual = dict(app.state.lanes)

    def put(name, workers, waiting, seconds):
        app.state.lanes[name] = Lane(name, workers, waiting, seconds)
        return app.state.lanes[name]

    yield put
    for name, each in app.state.lanes.items():
        if each is not usual[name]:
            each.close()
    app.state.lanes.update(usual)


# Long work --------------------------------------------------------------------------------------------------

LONG_WORK = [
    ("proofs", "puzzle/verify", {"puzzle": LONG_PROOF}),
    ("runs", "simulate", {"games": 200_000, "policy": "expectimax"}),
    ("reviews", "review", {}),
]


def long_game(page):
    """A game that is still on after many turns, all of them at random."""
    dice, game = random.Random(1), ask(page, "game/new", seed="3")
    while game["turn"] <= 16:
        leaf = dice.choice(list(leaves(game["menu"])))
        game = do(page, game, "roll", leaf["roll"]) if "roll" in leaf else do(page, game, "play", leaf["move"])
    return game["record"]


def slowly(judge):
    def judge_slowly(*turn):
        time.sleep(2)
        return judge(*turn)

    return judge_slowly


@pytest.mark.parametrize(("name", "path", "body"), LONG_WORK)
def test_work_ends_when_nobody_waits_for_it(page, app, monkeypatch, name, path, body):
    if path == "review":
        body = {"record": long_game(page)}
        monkeypatch.setattr(Evaluator, "turn", slowly(Evaluator.turn))
    with page.stream("POST", f"/api/{path}", json=body) as told:
        lines = told.iter_lines()
        assert "so_far" in next(lines)
        assert app.state.lanes[name].under_way == 1
    wait_for(lambda: app.state.lanes[name].under_way == 0, 10)  # each of them would go on for longer


def test_work_ends_when_somebody_leaves_before_it_began(page, app, monkeypatch):
    taken, stream_of = [], Lane.stream
    monkeypatch.setattr(Lane, "stream", lambda lane, work: taken.append(lane) or stream_of(lane, work))
    body = json.dumps({"puzzle": LONG_PROOF}).encode()
    head = "POST /api/puzzle/verify HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: "
    for _ in range(5):
        with socket.create_connection((page.base_url.host, page.base_url.port)) as connection:
            connection.sendall(f"{head}{len(body)}\r\n\r\n".encode() + body)
    wait_for(lambda: taken)
    wait_for(lambda: app.state.lanes["proofs"].under_way == 0, 10)


def test_a_hint_is_answered_while_proofs_run(page, app):
    body = {"puzzle": LONG_PROOF}
    with (
        page.stream("POST", "/api/puzzle/verify", json=body) as one,
        page.stream("POST", "/api/puzzle/solve", json=body) as other,
    ):
        lines = [one.iter_lines(), other.iter_lines()]
        assert [next(each) for each in lines]
        assert final(page, "advise", position="start", hand=HAND, depth=2)["moves"]
        assert page.get("/api/status").json()["ready"]
        assert app.state.lanes["proofs"].under_way == 2
    wait_for(lambda: app.state.lanes["proofs"].under_way == 0)


def test_a_full_lane_refuses_more(page, lane):
    proofs = lane("proofs", 1, 1, 60.0)
    body = {"puzzle": LONG_PROOF}
    with page.stream("POST", "/api/puzzle/verify", json=body), page.stream("POST", "/api/puzzle/verify", json=body):
        told = page.post("/api/puzzle/solve", json=body)
        assert told.status_code == 429
        assert told.json()["error"].startswith("2 pieces of proofs are under way or waiting")
    wait_for(lambda: proofs.under_way == 0)
    assert final(page, "puzzle/solve", puzzle=text_of(NAMES[0]))["verdict"] == "proved"


def test_work_is_given_up_when_its_time_is_over(page, lane):
    lane("proofs", 1, 0, 0.3)
    lane("runs", 1, 0, 0.5)
    _, last = stream(page, "puzzle/verify", puzzle=LONG_PROOF)
    assert "given up after" in last["stopped"]
    found = final(page, "simulate", games=200_000, policy="expectimax")
    assert "given up after" in found["stopped"]
    assert 0 < found["games"] < 200_000


def test_work_that_fails_does_not_take_the_server_with_it(page, monkeypatch, caplog):
    def fail(*_, **__):
        raise RuntimeError("out of order")

    monkeypatch.setattr("solver.web.puzzles.verify", fail)
    _, last = stream(page, "puzzle/verify", puzzle=text_of(NAMES[0]))
    assert "something in the program went wrong" in last["stopped"]
    monkeypatch.setattr("solver.web.puzzles.attempt", fail)
    told = page.post("/api/puzzle", json={"puzzle": text_of(NAMES[0])})
    assert told.status_code == 500
    assert "something in the program went wrong" in told.json()["error"]
    assert "out of order" in caplog.text


def test_a_page_is_there_before_the_kernels(monkeypatch):
    go_on = threading.Event()
    monkeypatch.setattr(Kernels, "_compile", lambda self: go_on.wait(30))
    with served(make_app()) as address:
        assert httpx.get(f"{address}/").status_code == 200
        assert httpx.get(f"{address}/api/status").json()["ready"] is False
        told = httpx.post(f"{address}/api/board", json={"position": "start"})
        assert (told.status_code, told.json()["error"][:13]) == (503, "not ready yet")
        go_on.set()
        wait_for(lambda: httpx.get(f"{address}/api/status").json()["ready"])


def test_kernels_that_cannot_be_compiled_are_told(monkeypatch):
    def fail(_):
        raise OSError("no space left")

    monkeypatch.setattr(Kernels, "_compile", fail)
    with served(make_app()) as address:
        wait_for(lambda: "no space left" in httpx.get(f"{address}/api/status").json()["doing"])


# The command ------------------------------------------------------------------------------------------------


@contextmanager
def command(*arguments):
    """`towers serve`, and the address that it prints."""
    process = subprocess.Popen(
        [*TOWERS, "serve", "--no-browser", "--port", "0", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=USUAL,
    )  # fmt: skip
    try:
        yield process, process.stdout.readline().split()[0]
    finally:
        process.kill()
        process.communicate()


def stop(process):
    """Ctrl-C: (exit code, what is said on stderr, seconds)."""
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    return process.returncode, err, time.monotonic() - began


def test_the_command_serves_until_ctrl_c_whatever_is_under_way(page):
    with command() as (process, address), httpx.Client(base_url=address, timeout=60) as client:
        wait_for(lambda: client.get("/api/status").json()["ready"], 120)
        assert len(client.get("/api/puzzles").json()) == len(list(FOLDER.glob("*.toml")))
        with client.stream("POST", "/api/puzzle/verify", json={"puzzle": LONG_PROOF}) as told:
            lines = told.iter_lines()
            next(lines)
            code, err, seconds = stop(process)
            assert "stopped" in read(list(lines)[-1])
    assert (code, err) == (0, "towers: stopped\n")
    assert seconds < 5


def test_ctrl_c_while_kernels_are_loaded():
    with command() as (process, address):
        assert httpx.get(f"{address}api/status").status_code == 200
        code, err, seconds = stop(process)
    assert (code, err) == (0, "towers: stopped\n")
    assert seconds < 5


def test_a_port_that_is_taken_is_told():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, out, err = run("serve", "--no-browser", "--port", port)
    assert (code, out) == (2, "")
    assert f"port {port}" in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--puzzles", "/no/such"), "--puzzles: there is no folder '/no/such'"),
        (("--port", "70000"), "expected a number from 0 to 65,535"),
        (("--host", "no such host"), "--host: expected an address of this machine"),
        (("--host", "8.8.8.8"), "--host: expected an address of this machine, such as 127.0.0.1, not '8.8.8.8'"),
    ],
)
def test_what_cannot_be_served_is_told(arguments, words):
    code, out, err = run("serve", "--no-browser", *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1


def test_the_command_needs_its_extra():
    check = (
        "import sys; sys.modules['fastapi'] = None\n"
        "from solver.cli.group import run\n"
        "sys.exit(run(['serve', '--no-browser']))"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, env=USUAL, check=False)
    assert done.returncode == 1
    assert "pip install 'towers-solver[web]'" in done.stderr
