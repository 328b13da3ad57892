"""Who means no good, or is only mistaken, is told so in a sentence; the server goes on, and says nothing of it."""

import asyncio
import contextlib
import json
import re
import resource
import socket
import threading
import time
from pathlib import Path

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

import solver.web.guard
import solver.web.wire
from solver.rules import START_BOARD
from solver.web.app import make_app
from solver.web.guard import MOST_BODY
from solver.web.lanes import Lane
from test_serve import command, stop
from test_web import FOLDER, served, wait_for

HOST = "Host: 127.0.0.1\r\n"
JSON = "Content-Type: application/json\r\n"
LONGEST_SENTENCE = 3000  # the reasons of a puzzle's file, line by line
MANY = 1500
EXAMPLES = 8
MOST_MEMORY = 200  # MB more than before
EMPTY = "/".join(["-"] * 13)  # spaces 3 to 15


@pytest.fixture(scope="module")
def server():
    """The command, as a user runs it, with as many files open as is usual; it says nothing, whatever happens."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
    try:
        with command() as (process, address):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
            process.address = address
            wait_for(lambda: httpx.get(f"{address}api/status").json()["ready"], 120)
            yield process
            code, err, _ = stop(process)
            assert (code, err) == (0, "towers: stopped\n")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture(scope="module")
def page(server):
    with httpx.Client(base_url=server.address, timeout=30) as client:
        yield client


def sentence(text):
    """The one sentence of a refusal."""
    told = json.loads(text)
    assert set(told) == {"error"}
    reason = told["error"]
    assert reason
    assert len(reason) < LONGEST_SENTENCE
    assert reason.replace("\n", "").isprintable()
    assert not re.search(r"Traceback|\.py\b|Error\b|Exception|object at", reason)
    return reason


def refused(page, path, content, status=422, **headers):
    told = page.post(f"/api/{path}", content=content, headers={"content-type": "application/json", **headers})
    assert told.status_code == status, told.text[:200]
    assert told.headers["content-type"] == "application/json"
    return sentence(told.text)


def port_of(address):
    return int(address.rstrip("/").rsplit(":", 1)[1])


def connect(address):
    return socket.create_connection(("127.0.0.1", port_of(address)), timeout=20)


def raw(address, text):
    """What is sent as it stands: (status, headers, body); the server has to end the answer."""
    with connect(address) as connection:
        connection.sendall(text if isinstance(text, bytes) else text.encode("latin-1"))
        return read_answer(connection)


def read_answer(connection):
    found = b""
    while b"\r\n\r\n" not in found:
        piece = connection.recv(65_536)
        if not piece:
            return None, "", ""
        found += piece
    head, _, body = found.partition(b"\r\n\r\n")
    length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
    while len(body) < length:
        body += connection.recv(65_536)
    return int(head.split()[1]), head.decode("latin-1").lower(), body.decode()


# Bodies -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "status", "words"),
    [
        (b"", 422, "the body: field required"),
        (b"{", 422, "the body is not JSON"),
        (b"\x00", 422, "the body is not JSON"),
        (b"\xff\xfe\xfd", 400, "cannot be read"),
        (b'"start"', 422, "the body: input should be"),
        (b"[" * 100_000, 400, "cannot be read"),
        (b'{"position":' * 20_000, 400, "cannot be read"),
        (b'{"position": ' + b"9" * 10_000 + b"}", 400, "cannot be read"),
        (b'{"position": 3}', 422, "position: input should be a valid string"),
        (b'{"position": NaN}', 422, "position: input should be a valid string"),
        (b'{"position": null}', 422, "position: input should be a valid string"),
        (b'{"position": ["start"]}', 422, "position: input should be a valid string"),
        (b'{"spells": []}', 422, "position: field required"),
        (b'{"position": "start", "spells": "piggyback"}', 422, "spells: input should be a valid list"),
        (b'{"position": "start", "file": "/etc/passwd"}', 422, "file: extra inputs are not permitted"),
        (b'{"position": "start", "a\\nb": 1}', 422, r"a\nb: extra inputs are not permitted"),
        (b'{"position": "start", "\\ud800": 1}', 422, "unicode"),
        (b'{"position": "start", "' + b"x" * 500_000 + b'": 1}', 422, "xxx...: extra inputs are not permitted"),
        (b'{"position": "' + b"K" * 500_000 + b'"}', 422, "at most 400 characters"),
    ],
    ids=lambda value: value[:20] if isinstance(value, bytes) else None,
)
def test_bodies_that_are_none(page, content, status, words):
    assert words in refused(page, "board", content, status)


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("game", {"record": "", "act": {"do": "cheat"}}, "act.do: input should be 'play'"),
        ("game", {"record": "", "act": {"do": "roll", "number": 7}}, "act.number: "),
        ("game", {"record": "", "act": {"do": "roll", "number": "3"}}, "act.number: "),
        ("game/new", {"physical": 1}, "physical: "),
        ("game/new", {"seed": 7}, "seed: "),
        ("advise", {"position": "start", "hand": "w1", "depth": 4}, "depth: "),
        ("advise", {"position": "start", "hand": "w1", "depth": True}, "depth: "),
        ("simulate", {"games": 10**9}, "games: "),
        ("simulate", {"games": 1.5}, "games: "),
        ("simulate", {"games": 0}, "games: "),
        ("puzzle", {"puzzle": "", "moves": ["w1"] * 100}, "moves: "),
        ("puzzle", {"puzzle": "a = " + "[" * 15_000}, "too deeply"),
        ("puzzle/verify", {"puzzle": "within = " + "9" * 10_000}, "the puzzle"),
    ],
)
def test_values_that_are_none(page, path, body, words):
    assert words in refused(page, path, json.dumps(body))


BAD_TEXTS = ["\0", "start\0", "\ud800", "w\udfff3", "\N{ARABIC-INDIC DIGIT THREE}" * 300, "w\N{FULLWIDTH DIGIT ONE}",
             "\N{BALLOT BOX}\u202e\u2028\x1b[31m", "9" * 190, "-" * 190, ",," * 90, "[" * 190, "a" * 2_000]  # fmt: skip
PLACES = [
    ("board", {"position": "?"}), ("board", {"position": "start", "move": "?"}),
    ("board", {"position": "start", "spells": ["?"]}), ("board", {"position": "start", "rules": "?"}),
    ("game/new", {"seed": "?"}), ("game/new", {"physical": True, "hand": "?"}), ("game", {"record": "?"}),
    ("game", {"record": '[Hand "w3,td2,w1t5"]\n# towers: ?\n'}), ("game", {"record": '[Hand "?"]'}),
    ("game", {"record": '[Hand "w3,td2,w1t5"]', "act": {"do": "play", "text": "?"}}),
    ("game", {"record": '[Hand "w3,td2,w1t5"]', "act": {"do": "roll", "text": "?"}}),
    ("advise", {"position": "start", "hand": "?"}), ("advise", {"position": "start", "hand": "w3", "seen": "?"}),
    ("advise", {"position": "start", "hand": "w3,w1,w2", "rolled": "?"}),
    ("review", {"record": "?"}), ("simulate", {"policy": "?"}), ("puzzle", {"puzzle": "?"}),
    ("puzzle/solve", {"puzzle": 'position = "start"\nhand = ["w3"]', "moves": ["?"]}),
    ("puzzle/verify", {"puzzle": 'position = "?"\nhand = ["w3"]'}),
]  # fmt: skip


@pytest.mark.parametrize("text", BAD_TEXTS, ids=range(len(BAD_TEXTS)))
def test_texts_that_mean_nothing(page, text):
    for path, body in PLACES:
        content = json.dumps(body).replace("?", json.dumps(text)[1:-1])
        if not (path == "game/new" and len(text) == 190 and text[0] == "9"):
            refused(page, path, content)


def test_names_of_puzzles_that_are_none(page):
    for name in ["../broken", "\0", "\u202e", "a" * 199, "/etc/passwd"]:
        told = page.get("/api/puzzle/book", params={"names": [name]})
        assert told.status_code == 422
        assert "the collection has no puzzle" in sentence(told.text)
    told = page.get("/api/puzzle/book", params={"names": ["x"] * 201})
    assert (told.status_code, "names" in sentence(told.text)) == (422, True)


@pytest.mark.parametrize(
    ("space", "words"),
    [
        ("7", "'7' puts 7 wizards on one surface"),
        ("r12", "'r12' puts 12 wizards"),
        ("2K", "has a wizard under the keep"),
        ("K/K", "a second keep"),
        ("rrrrrrrrrr", "more than 9"),
        ("r0", "writes a zero"),
        ("Kr", "something stands on the keep"),
        ("x", "means nothing here"),
        ("k", "upper case"),
        ("", "nothing between"),
    ],
)
def test_positions_that_break_the_rules_name_the_space(page, space, words):
    board = f"-/{'K' if 'K' not in space else '-'}/{space}/{EMPTY}"
    position = "/".join(board.split("/")[:16])
    number = 3 if space == "K/K" else 2
    for path, body in [("board", {}), ("advise", {"hand": "w1,w2,w3"}), ("game/new", {}), ("simulate", {})]:
        reason = refused(page, path, json.dumps({"position": position, **body}))
        assert reason.startswith(f"space {number}: ")
        assert words in reason


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("K" + "/-" * 14, "has 15"),
        ("-" + "/-" * 15, "no space has the keep"),
        ("K/6/6" + "/-" * 13 + " 1 -", "at most 12"),
        (START_BOARD + " 13", "from 0 to 12"),
        (START_BOARD + " 0 4/3", "at most 6"),
        (START_BOARD + " 0 - -", "a position is BOARD HOME BOTTLES"),
    ],
)
def test_positions_that_break_the_rules_are_told(page, position, words):
    assert words in refused(page, "board", json.dumps({"position": position}))


def test_a_body_that_says_that_it_is_too_large(server):
    head = f"POST /api/board HTTP/1.1\r\n{HOST}{JSON}Content-Length: "
    status, _, body = raw(server.address, f"{head}{MOST_BODY + 1}\r\n\r\n")
    assert (status, sentence(body)) == (413, "the body is larger than 1,000,000 bytes")
    assert raw(server.address, f"{head}{'9' * 19}\r\n\r\n")[0] == 413
    assert raw(server.address, f"{head}-1\r\n\r\n")[0] == 400


def test_a_body_that_is_too_large(page):
    words = "the body is larger"
    assert words in refused(page, "board", b" " * (MOST_BODY + 1), 413)
    assert words in refused(page, "board", b" " * 20_000_000, 413)
    assert words in refused(page, "board", (b" " * 50_000 for _ in range(400)), 413)
    assert page.get("/api/status").status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_of_another_site_cannot_ask(page, kind):
    content = json.dumps({"position": "start"})
    assert "application/json" in refused(page, "board", content, 415, **{"content-type": kind})


SLOW = f"{'a.' * 9000}a = 1"  # TOML that takes long to read


@pytest.mark.parametrize("path", ["puzzle", "puzzle/solve", "puzzle/verify"])
def test_what_takes_long_to_read_keeps_nobody_waiting(page, path):
    told = []
    reader = threading.Thread(target=lambda: told.append(refused(page, path, json.dumps({"puzzle": SLOW}))))
    reader.start()
    longest = 0.0
    while reader.is_alive():
        longest = max(longest, page.get("/api/status").elapsed.total_seconds())
    assert "unknown" in told[0] or "expected" in told[0]
    assert longest < 0.7
    assert "at most" in refused(page, path, json.dumps({"puzzle": SLOW * 2}))


def test_of_very_many_faults_the_first_are_told(page):
    keys = "".join(f"k{number} = 1\n" for number in range(2000))
    assert refused(page, "puzzle", json.dumps({"puzzle": keys})).endswith("more like these")


# Who may ask ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "localhost.evil.example:8017"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": "[::1"}, 421),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Host": "localhost:8017", "Origin": "http://localhost:8018"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403),
    ],
)
def test_another_site_cannot_ask(page, headers, status):
    for told in (
        page.post("/api/board", json={"position": "start"}, headers=headers),
        page.get("/api/facts", headers=headers),
    ):
        assert told.status_code == status
        sentence(told.text)
        assert "access-control-allow-origin" not in told.headers


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "localhost:8017", "Origin": "http://localhost:8017", "Sec-Fetch-Site": "same-origin"},
        {"Host": "LOCALHOST"},
        {"Host": "[::1]:8017"},
        {"Host": "192.168.1.7:8017", "Origin": "http://192.168.1.7:8017"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_the_page_itself_can_ask(page, headers):
    assert page.post("/api/board", json={"position": "start"}, headers=headers).status_code == 200


def test_a_link_on_another_site_leads_to_the_page_only(page):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert page.get("/", headers=headers).status_code == 200
    assert page.get("/api/puzzle/book?names=01-first-steps", headers=headers).status_code == 403


def test_the_name_that_it_was_told_is_its_own():
    with served(make_app(None, "tower.example")) as address:
        for host, status in [("tower.example:80", 200), ("TOWER.example", 200), ("spire.example", 421)]:
            assert httpx.get(f"{address}/api/facts", headers={"Host": host}).status_code == status


# HTTP -------------------------------------------------------------------------------------------------------

GET = "GET {} HTTP/1.1\r\n" + HOST + "\r\n"
PATHS = [
    "/../app.py", "/../../../../etc/passwd", "/%2e%2e/app.py", "/..%2fapp.py", "/%2e%2e%2f%2e%2e%2fapp.py",
    "/..%5capp.py", "//etc/passwd", "/%2fetc%2fpasswd", "/static/../../app.py", "/index.html%00.js", "/%00",
    "/%ff", "/%ed%a0%80", "/.%2e/app.py", "/api/../app.py", "/api/%2e%2e/%2e%2e/app.py", "/api/nothing",
    "/" + "a" * 5000, "/" + "../" * 500, "http://evil.example/etc/passwd", "/index.html/../../__init__.py",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[:40])
def test_no_way_leads_out_of_the_folder_of_the_page(server, path):
    status, _, body = raw(server.address, GET.format(path))
    assert (status, sentence(body)) == (404, "there is nothing of that name here")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\n\r\n", 421),
        (f"GET / HTTP/1.1\r\n{HOST}{HOST}\r\n", 400),
        ("\x16\x03\x01\x02\x00\x01\xfc\r\n\r\n", 400),
        ("GET /\x00 HTTP/1.1\r\n\r\n", 400),
        (f"GET / HTTP/1.1\r\n{HOST}X: {'x' * 200_000}\r\n\r\n", 400),
        (f"POST /api/board HTTP/1.1\r\n{HOST}{JSON}Content-Length: x\r\n\r\n", 400),
        (f"POST /api/board HTTP/1.1\r\n{HOST}{JSON}Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (f"POST /api/board HTTP/1.1\r\nHost: evil\r\n{JSON}Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (f"PUT /api/board HTTP/1.1\r\n{HOST}{JSON}Content-Length: 2\r\n\r\n{{}}", 405),
        (GET.format("/api/board"), 405),
        (f"TRACE / HTTP/1.1\r\n{HOST}\r\n", 405),
        (f"GET /api/nothing HTTP/1.1\r\n{HOST}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n", 404),
    ],
)
def test_what_is_no_request(server, text, status):
    answer = raw(server.address, text)
    assert answer[0] == status
    sentence(answer[2])


def test_nonsense_after_an_answer_ends_the_connection(server):
    with connect(server.address) as connection:
        connection.sendall(f"POST /api/board HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n".encode())
        assert read_answer(connection)[0] == 415
        connection.sendall(b"zz\r\nGET / HTTP/1.1\r\n")
        assert connection.recv(1000) == b""


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(solver.web.guard, "BODY_SECONDS", 0.5)
    monkeypatch.setattr(solver.web.wire, "HEAD_SECONDS", 0.7)
    with served(make_app()) as address:
        yield address


def test_a_slow_body_is_not_waited_for(impatient):
    with connect(impatient) as connection:
        connection.sendall(f"POST /api/board HTTP/1.1\r\n{HOST}{JSON}Content-Length: 9\r\n\r\n{{".encode())
        status, head, body = read_answer(connection)
        assert (status, "did not arrive within" in sentence(body)) == (408, True)
        assert "connection: close" in head
        assert connection.recv(1000) == b""


@pytest.mark.parametrize("begins", [b"", f"POST /api/board HTTP/1.1\r\n{HOST}Content-Length: 999\r\n\r\n".encode()])
def test_drops_do_not_keep_a_connection(impatient, begins):
    """Neither before the head is there, nor after the answer to a request whose body is still coming."""
    began = time.monotonic()
    with connect(impatient) as connection:
        connection.sendall(begins)
        assert not begins or read_answer(connection)[0] == 415
        with contextlib.suppress(ConnectionError):
            while time.monotonic() - began < 10:
                connection.sendall(b"G")
                time.sleep(0.1)
    assert time.monotonic() - began < 5


# Many -------------------------------------------------------------------------------------------------------


def memory(process):
    """Megabytes that it has in use."""
    status = Path(f"/proc/{process.pid}/status").read_text("ascii")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def files(process):
    return len(list(Path(f"/proc/{process.pid}/fd").iterdir()))


def requests():
    """Some that are fine and some that are not: the bytes, and the status if they are taken."""
    yield GET.format("/api/facts"), 200
    for body, status in [('{"position": "start"}', 200), ('{"position": "end"}', 422), ('{"record": ""}', 422)]:
        for _ in range(3):
            yield f"POST /api/board HTTP/1.1\r\n{HOST}{JSON}Content-Length: {len(body)}\r\n\r\n{body}", status


def test_very_many_requests_at_once(server):
    """Those that are too many are told so."""
    kinds = list(requests())

    async def one(number):
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(server.address))
        text, status = kinds[number % len(kinds)]
        writer.write(text.encode())
        head = await reader.readuntil(b"\r\n\r\n")
        body = await reader.readexactly(int(re.search(rb"(?i)content-length: (\d+)", head)[1]))
        writer.close()
        return int(head.split()[1]), status, body

    async def all_of_them():
        return await asyncio.gather(*(one(number) for number in range(MANY)))

    before, began = memory(server), time.monotonic()
    told = asyncio.run(asyncio.wait_for(all_of_them(), 60))
    assert time.monotonic() - began < 20
    assert len(told) == MANY
    for found, wanted, body in told:
        assert found in (wanted, 429)
        assert found == 200 or sentence(body)
    assert sum(found == wanted for found, wanted, _ in told) >= 100
    assert memory(server) - before < MOST_MEMORY


def test_connections_that_are_abandoned(server, page):
    half = f"POST /api/board HTTP/1.1\r\n{HOST}{JSON}Content-Length: 50\r\n\r\n{{"
    work = f"POST /api/simulate HTTP/1.1\r\n{HOST}{JSON}Content-Length: 16\r\n\r\n{{\"games\": 99999}}"
    beginnings = ["", "GET", GET.format("/api/facts"), half, work]
    assert page.get("/api/status").status_code == 200
    before, open_before = memory(server), files(server)
    for number in range(300):
        with connect(server.address) as connection:
            connection.sendall(beginnings[number % len(beginnings)].encode())
    wait_for(lambda: files(server) <= open_before + 5, 30)
    assert page.post("/api/board", json={"position": "start"}).status_code == 200
    assert memory(server) - before < MOST_MEMORY
    with page.stream("POST", "/api/simulate", json={"games": 50, "policy": "greedy"}) as told:
        assert "answer" in list(told.iter_lines())[-1]


# The description --------------------------------------------------------------------------------------------

SCHEMA = schemathesis.openapi.from_dict(make_app().openapi())
OPERATIONS = [found.ok() for found in SCHEMA.get_all_operations()]
SCHEMA.config.checks.negative_data_rejection.expected_statuses.append("413")
# What a description cannot say is that the rules of the game forbid something.
CHECKED = [check for check in CHECKS.get_all() if check.__name__ != "positive_data_acceptance"]


@pytest.fixture(scope="module")
def hasty(server):
    """A server that does not work on anything for long."""
    app = make_app(FOLDER)
    with served(app) as address:
        wait_for(lambda: httpx.get(f"{address}/api/status").json()["ready"], 120)
        for name, lane in app.state.lanes.items():
            lane.close()
            app.state.lanes[name] = Lane(name, 4, 16, 0.3)
        yield address


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_the_description_is_true(hasty, operation, mode, caplog):
    """Whatever it allows or forbids is answered as it says: the status, the type and the form."""

    @given(operation.as_strategy(generation_mode=mode))
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def ask(case):
        case.call_and_validate(base_url=hasty, checks=CHECKED)

    try:
        ask()
    except Unsatisfiable:  # nothing can be wrong with a request that asks for nothing
        assert mode is GenerationMode.NEGATIVE
    assert not caplog.records


def test_all_is_described():
    assert len(OPERATIONS) == 13
    assert {check.__name__ for check in CHECKED} >= {"not_a_server_error", "response_schema_conformance"}
