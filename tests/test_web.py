"""The interface of the page: what it answers is what the library says, and work ends when nobody waits for it."""

import json
import random
import shutil
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from solver.advice.advise import Budget, advise
from solver.advice.asked import known_cards
from solver.advice.words import choice_text
from solver.batch.conduct import Single, Target, conduct
from solver.batch.plain import summary_json
from solver.batch.run import Run
from solver.batch.tally import Score, Tally
from solver.batch.work import Team
from solver.game import PLAYING, WON, replay
from solver.notation import (
    parse_card,
    parse_cards,
    parse_move,
    parse_position,
    parse_record,
    parse_rules,
    print_move,
    print_position,
)
from solver.play.luck import Dealt
from solver.policy.names import parse_policy
from solver.puzzle.file import parse_puzzle
from solver.referee import Referee
from solver.rules import FACES, SPELLS, grade
from solver.search.situation import EVERY_CARD, Objective, Situation
from solver.web.app import make_app
from solver.web.wire import Server
from test_cli import answer

FOLDER = Path(__file__).parent.parent / "puzzles"
NAMES = ("01-first-steps", "04-the-keep-comes-calling", "08-dig-then-run")
SPELLS_OPEN = ["piggyback", "free-wizard", "advance-tower"]
HAND = "w3,w1t5,td2"
AT_HOME = "K/-/-/-/-/-/-/-/-/-/-/-/-/-/-/- 12 -"
NEARLY = "-/-/-/-/-/-/-/1/K/-/r/-/-/-/t/- 11 -"
LONG_PROOF = f"""position = "start-spells"
spells = ["piggyback", "free-wizard", "advance-tower"]
hand = ["w3", "t2", "w1t5"]
draw = [{", ".join(['"wtd1=2"', '"t1"', '"w2t4"', '"w4t2"', '"t3"', '"w5t1"'] * 6)}]
"""
GAME = """[Hand "w1t5,t1,w3t3"]
1. w1t5 W3 | wtd1
2. wtd1=2 W3 | wtd1
3. wtd1=6 T8.1 | w1t1
4. t1 T9.1 | w3
"""


@contextmanager
def served(app):
    """The application behind a server of its own: its address."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    server = Server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    wait_for(lambda: server.started or not thread.is_alive())
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


def wait_for(is_so, seconds=20.0):
    """Wait until something is so; how long that took."""
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() - began < seconds
        time.sleep(0.02)
    return time.monotonic() - began


def with_puzzles(folder):
    """The application with a small collection in this folder, and a file that is no puzzle."""
    for name in NAMES:
        shutil.copy(FOLDER / f"{name}.toml", folder)
    (folder / "broken.toml").write_text("hand = 3", "utf-8")
    (folder / "02-done.toml").write_text(f'position = "{AT_HOME}"\nhand = ["w1"]\n', "utf-8")  # is no task
    return make_app(folder)


@contextmanager
def asked(app):
    """Asks a server with this application, once it is ready."""
    with served(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        wait_for(lambda: client.get("/api/status").json()["ready"], 120)
        yield client


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    return with_puzzles(tmp_path_factory.mktemp("puzzles"))


@pytest.fixture(scope="module")
def page(app):
    with asked(app) as client:
        yield client


def ask(page, path, **body):
    """What is answered."""
    told = page.post(f"/api/{path}", json=body)
    assert told.status_code == 200, told.text
    return read(told.text)


def read(text):
    """JSON as browsers read it, who know no NaN."""

    def refuse(word):
        raise AssertionError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


def stream(page, path, **body):
    """The news and the last line."""
    with page.stream("POST", f"/api/{path}", json=body) as told:
        lines = [read(line) for line in told.iter_lines()]
        assert told.headers["content-type"] == "application/x-ndjson"
    assert all(set(line) == {"so_far"} for line in lines[:-1])
    return [line["so_far"] for line in lines[:-1]], lines[-1]


def final(page, path, **body):
    return stream(page, path, **body)[1]["answer"]


def refused(page, path, **body):
    told = page.post(f"/api/{path}", json=body)
    assert told.status_code == 422
    assert set(told.json()) == {"error"}
    return told.json()["error"]


def leaves(entries):
    for entry in entries:
        if "entries" in entry:
            yield from leaves(entry["entries"])
        else:
            yield entry


def moves_in(entries):
    return [leaf["move"] for leaf in leaves(entries) if "move" in leaf]


def do(page, game, kind, text="", number=None):
    return ask(page, "game", record=game["record"], act={"do": kind, "text": text, "number": number})


def legal(game, card, spells=()):
    """What `towers moves` lists, but for rolls that `extra-roll` would bring."""
    rules = parse_rules(game["rules"])
    found = Referee(rules, tuple(spells)).legal(parse_position(game["position"], rules), parse_card(card))
    return [print_move(move) for move, _ in found if move.new_roll is None]


def seed_with(face):
    """A deal with this card in the hand."""
    decks = ((seed, Dealt(seed).deck(parse_record(GAME))) for seed in range(999))
    return next(seed for seed, deck in decks if face in [card.face for card in deck[:3]])


# Facts and boards -------------------------------------------------------------------------------------------


def test_facts_are_those_of_the_rules(page):
    facts = page.get("/api/facts").json()
    assert [(face["name"], face["copies"]) for face in facts["faces"]] == [(face.name, face.copies) for face in FACES]
    assert [spell["name"] for spell in facts["spells"]] == [spell.name for spell in SPELLS]
    assert {policy["name"] for policy in facts["policies"]} >= {"random", "learned"}


def test_the_page_and_its_description_are_there(page):
    home = page.get("/")
    assert "<!doctype html>" in home.text.lower()
    assert "default-src 'self'" in home.headers["content-security-policy"]
    described = page.get("/api/openapi.json").json()
    assert "/api/advise" in described["paths"]


def test_a_board_is_drawn_as_it_is_after_a_move(page):
    shown = ask(page, "board", position="start", move="w3 W1")
    board = Referee(parse_rules(""), ()).play(parse_position("start"), parse_move("w3 W1"))
    assert shown["position"] == print_position(board)
    assert shown["costs"]["swap-towers"] == 2
    assert ask(page, "board", position="start-spells", rules="online")["costs"]["swap-towers"] == 1
    assert (shown["home"], shown["on_board"], shown["imprisoned"]) == (0, 12, 0)
    assert shown["svg"].startswith("<svg")
    assert shown["svg"] != ask(page, "board", position="start")["svg"]
    assert "space 9" in refused(page, "board", position="start", move="w3 W9")


def test_small_answers_come_at_once(page):
    def seconds():
        began = time.monotonic()
        assert page.get("/api/status").status_code == 200
        return time.monotonic() - began

    assert min(seconds() for _ in range(30)) < 0.03  # 0.04 would be the kernel's, waiting for more to send


# Games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spells", [[], SPELLS_OPEN])
def test_the_menu_has_all_moves_and_no_others(page, spells):
    game = ask(page, "game/new", seed=str(seed_with("td3")), spells=spells)
    for card in dict.fromkeys(game["hand"]):
        (entry,) = [entry for entry in game["menu"] if entry["label"] == card]
        if "roll" not in entry:
            assert sorted(moves_in([entry])) == sorted(legal(game, card, spells))
    game = do(page, game, "roll", "td3")
    assert sorted(moves_in(game["menu"])) == sorted(legal(game, game["rolled"], spells))


def test_the_menu_has_what_the_command_lists(page):
    game = ask(page, "game/new", seed="7")
    listed = answer("moves", game["position"], "w3t3")["moves"]
    (entry,) = [entry for entry in game["menu"] if entry["label"] == "w3t3"]
    assert sorted(moves_in([entry])) == sorted(each["move"] for each in listed)


@pytest.mark.parametrize(
    ("spells", "rules", "position"),
    [
        ([], "card_limit=30", None), (SPELLS_OPEN, "online", None), (["extra-roll", "draw-two"], "online", None),
        ([], "", NEARLY),
    ],
)
def test_a_game_played_to_its_end_is_the_game_of_its_record(page, spells, rules, position):
    dice = random.Random(str(spells) + rules)
    game = ask(page, "game/new", seed="3", spells=spells, rules=rules, position=position)
    while game["status"] == PLAYING:
        leaf = dice.choice(list(leaves(game["menu"])))
        before = game
        game = do(page, game, "roll", leaf["roll"]) if "roll" in leaf else do(page, game, "play", leaf["move"])
        assert game["record"] != before["record"]
    record = parse_record(game["record"])
    end = list(replay(record))[-1].after
    assert record.result == (f"won {end.discards}" if end.status == WON else "lost")
    assert (game["status"], game["played"]) == (end.status, end.discards)
    assert game["position"] == print_position(end.position)
    assert game["grade"] == grade(end.discards if end.status == WON else None)
    assert (game["status"] == WON) is (position == NEARLY)
    assert game["menu"] == []
    assert "already" in refused(page, "game", record=game["record"], act={"do": "play", "text": "w3 W1"})


def test_undo_takes_back_and_the_same_comes_again(page):
    game = ask(page, "game/new", seed="9")
    first = do(page, game, "play", moves_in(game["menu"])[0])
    second = do(page, first, "play", moves_in(first["menu"])[0])
    back = do(page, second, "undo")
    assert back == {**first, "happened": []}
    again = do(page, back, "play", moves_in(back["menu"])[0])
    assert again == second
    assert "nothing was played" in refused(page, "game", record=game["record"], act={"do": "undo"})


def test_cards_and_rolls_of_a_deal_cannot_be_told(page):
    game = ask(page, "game/new", seed=str(seed_with("wd2")))
    for text in ("wd2=6 W1", "wd2=6,6 W1"):
        said = refused(page, "game", record=game["record"], act={"do": "play", "text": text})
        assert said == "the die is rolled for you; roll the card first"
    stopped = "".join(line.partition("|")[0] + "\n" for line in GAME.splitlines())  # before the draw of its last turn
    record = "\n".join([*GAME.splitlines()[:-1], stopped.splitlines()[-1]])
    said = refused(page, "game", record=record, act={"do": "draw", "text": "w3"})
    assert said == "the cards are drawn for you"


def test_the_die_rolls_as_the_deal_has_it(page):
    seed = seed_with("wd3")
    game = ask(page, "game/new", seed=str(seed))
    wanted = [Dealt(seed).roll(1, number) for number in range(3)]
    for number in range(3):
        game = do(page, game, "roll", "wd3")
        assert game["rolled"] == f"wd3={','.join(map(str, wanted[: number + 1]))}"
    assert [leaf for leaf in leaves(game["menu"]) if "roll" in leaf] == []
    assert "cannot be rolled now" in refused(page, "game", record=game["record"], act={"do": "roll", "text": "wd3"})
    other = next(card for card in game["hand"] if card != "wd3")
    text = refused(page, "game", record=game["record"], act={"do": "play", "text": f"{other} W1"})
    assert "lies on the table" in text
    act = {"do": "roll", "text": "wd3", "number": 6}
    assert refused(page, "game", record=do(page, game, "undo")["record"], act=act) == "the die is rolled for you"


def test_a_game_on_the_players_own_table(page):
    game = ask(page, "game/new", physical=True, hand="wd2,w3,t1", spells=["extra-roll"], rules="online")
    assert game["physical"]
    assert "number that you rolled" in refused(page, "game", record=game["record"], act={"do": "roll", "text": "wd2"})
    game = do(page, game, "roll", "wd2", 3)
    assert [leaf["roll"] for leaf in leaves(game["menu"]) if "roll" in leaf] == ["wd2", "extra-roll"]
    game = do(page, game, "roll", "wd2", 5)
    assert game["rolled"] == "wd2=3,5"
    assert [leaf["roll"] for leaf in leaves(game["menu"]) if "roll" in leaf] == ["extra-roll"]
    game = do(page, game, "roll", "extra-roll", 6)
    assert game["new_roll"] == 6
    moves = moves_in(game["menu"])
    assert moves
    assert all("+extra-roll=6" in move for move in moves)
    game = do(page, game, "play", moves[0])
    assert (game["owed"], game["menu"], game["hand"]) == (1, [], ["w3", "t1"])
    act = {"do": "draw", "text": "wd3,w1"}
    assert "expected 1 card, not 2" in refused(page, "game", record=game["record"], act=act)
    assert "cards drawn first" in refused(page, "game", record=game["record"], act={"do": "play", "text": "w3 W1"})
    game = do(page, game, "draw", "wd3")
    assert game["hand"] == ["w3", "t1", "wd3"]
    assert list(replay(parse_record(game["record"])))[-1].after.hand == parse_cards("w3,t1,wd3")
    assert "no card is to be drawn" in refused(page, "game", record=game["record"], act={"do": "draw", "text": "w1"})


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("game", {"record": GAME.replace("3. wtd1=6 T8.1", "3. wtd1=6 W9")}, "line 4: turn 3: "),
        ("game", {"record": GAME.replace("| w3", "| x9")}, "line 5: turn 4: "),
        ("review", {"record": GAME.replace("4. t1", "4. t5")}, "line 5: turn 4: 't5' is not in the hand"),
        ("game/new", {"seed": "seven"}, "a deal is a seed"),
        ("game/new", {"physical": True}, "expected the hand"),
        ("game/new", {"physical": True, "hand": "wd3,wd3,w1"}, "the deck has 1 'wd3'"),
        ("game/new", {"physical": True, "hand": "w1,w1"}, "expected 3 cards"),
        ("game/new", {"spells": ["piggyback"], "position": "start"}, "a game with spells has bottles"),
        ("game/new", {"spells": ["abracadabra"]}, "abracadabra"),
        ("game/new", {"spells": [spell.name for spell in SPELLS[:4]]}, "at most 3 spells, not 4"),
        ("game/new", {"rules": "refresh=maybe"}, "refresh"),
        ("advise", {"position": "start", "hand": "w3,w1t5,td2", "rolled": "td2"}, "expected its rolls so far"),
        ("advise", {"position": "start", "hand": "w3,td2=3"}, "'td2=3' names a roll; expected 'td2', and the roll in"),
        ("advise", {"position": "start", "hand": "w3,w1,td2", "seen": "w4*4,w5*4", "within": 5}, "cannot be reached"),
        ("simulate", {"policy": "os:system"}, "policy of your own"),
        ("simulate", {"policy": "magic"}, "expected one of"),
        ("puzzle", {"puzzle": "position = 3"}, "the puzzle:1: position must be a text"),
        ("puzzle", {"puzzle": LONG_PROOF, "moves": ["w3 W1", "w3 W1"]}, "move 2: "),
    ],
)
def test_what_the_rules_forbid_is_refused_with_a_reason(page, path, body, words):
    assert words in refused(page, path, **body)


# Advice, reviews, numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("within", [None, 30])
def test_advice_is_that_of_the_library_best_first(page, within):
    known = known_cards(parse_cards(HAND), parse_cards("w5,t4"), None, None, None)
    situation = Situation(parse_position("start"), known.hand, known.left, known.played, (), parse_rules(""))
    wanted = advise(situation, Objective(within), Budget(2))
    news, last = stream(page, "advise", position="start", hand=HAND, seen="w5,t4", depth=2, within=within)
    found = last["answer"]
    assert [each["depth"] for each in news] == [1]
    assert found["depth"] == 2
    assert found["choices"] == len(wanted.choices)
    shown = wanted.choices[: len(found["moves"])]
    assert [each["move"] for each in found["moves"]] == [choice_text(choice) for choice in shown]
    assert [each["value"] for each in found["moves"]] == pytest.approx([choice.value for choice in shown])
    values = [each["value"] for each in found["moves"]]
    assert values == sorted(values, reverse=within is not None)
    for each in found["moves"]:
        assert (each["turn"] is None) is (each["plan"] is not None)
        assert bool(each["words"]) is (each["plan"] is not None)


def test_advice_on_a_card_that_is_rolled(page):
    found = final(page, "advise", position="start", hand=HAND, rolled="td2=4", depth=1)
    assert all(each["card"].startswith("td2") for each in found["moves"])


def test_the_numbers_of_a_review_add_up(page):
    news, last = stream(page, "review", record=GAME, quick=True, name="<script>")
    found = last["answer"]
    luck = found["luck_of_cards"] + found["luck_of_dice"]
    parts = found["expected"] + luck + found["losses"] + found["drift"]
    assert parts == pytest.approx(found["result"], abs=1e-6)
    assert [turn["move"] for turn in found["turns"]] == [print_move(turn.move) for turn in parse_record(GAME).turns]
    assert sum(turn["loss"] for turn in found["turns"]) == pytest.approx(found["losses"])
    assert sum(each["cards"] for each in found["sum"][:-1]) == pytest.approx(found["sum"][-1]["cards"], abs=1e-6)
    assert [each["turns"] for each in news] == [1, 2, 3, 4]
    assert "<script>" not in found["page"]
    assert found["chart"].startswith("<svg")


@pytest.mark.parametrize("games", [1, 300])
@pytest.mark.parametrize("less_luck", [False, True])
def test_a_run_has_the_numbers_of_the_same_run_elsewhere(page, games, less_luck):
    found = final(page, "simulate", games=games, policy="greedy", seed=5, within=25, less_luck=less_luck)
    tally = Tally(Score(25), less_luck)
    start = Situation(parse_position("start"), (), EVERY_CARD, 0, (), parse_rules(""))
    conduct((Run(start, parse_policy("greedy"), 5, less_luck),), Single(tally), Target(games), Team())
    assert {**found, **summary_json(tally.summary())} == found
    assert (found["games"], found["wanted"], found["stopped"]) == (games, games, "")
    assert "<svg" in found["histogram_svg"]


# Puzzles ----------------------------------------------------------------------------------------------------


def text_of(name):
    return (FOLDER / f"{name}.toml").read_text("utf-8")


def test_the_collection_is_that_of_the_folder_with_its_stars(page, app):
    wait_for(lambda: len(app.state.shelf.rated) == len(NAMES))
    found = page.get("/api/puzzles").json()
    assert [each["name"] for each in found] == sorted(NAMES)
    for each in found:
        assert each["puzzle"] == text_of(each["name"])
        assert 1 <= each["stars"] <= 5


@pytest.mark.parametrize("name", NAMES)
def test_an_attempt_along_the_solution_ends_solved(page, name):
    line = final(page, "puzzle/solve", puzzle=text_of(name))["line"]
    assert len(line) == parse_puzzle(text_of(name), name).within
    for number in range(len(line) + 1):
        at = ask(page, "puzzle", puzzle=text_of(name), moves=line[:number])
        left = final(page, "puzzle/solve", puzzle=text_of(name), moves=line[:number])
        assert at["played"] == number
        assert at["solved"] is (number == len(line))
        assert left["cards"] == len(line) - number
        assert at["solved"] or line[number] in moves_in(at["menu"])
    assert at["over"]
    assert at["menu"] == []


def test_a_bad_first_move_is_told(page):
    puzzle = text_of(NAMES[1])
    first = ask(page, "puzzle", puzzle=puzzle)
    key = parse_puzzle(puzzle, "").claims.key
    for move in moves_in(first["menu"]):
        left = final(page, "puzzle/solve", puzzle=puzzle, moves=[move])
        assert (left["verdict"] == "proved") is (move == print_move(key)), move
        assert left["verdict"] in ("proved", "refuted")


def test_verifying_finds_the_wrong_claim(page):
    report = final(page, "puzzle/verify", puzzle=text_of(NAMES[2]))
    assert {claim["verdict"] for claim in report["claims"]} == {"proved"}
    assert report["rating"]["stars"] >= 1
    assert parse_puzzle(report["proved_toml"], "") == parse_puzzle(text_of(NAMES[2]), "")
    wrong = text_of(NAMES[2]).replace("solutions = 1", "solutions = 2")
    assert wrong != text_of(NAMES[2])
    report = final(page, "puzzle/verify", puzzle=wrong)
    assert [claim["verdict"] for claim in report["claims"]].count("refuted") == 1
    assert parse_puzzle(report["proved_toml"], "").claims.solutions == 1


def test_a_book_of_puzzles(page, app):
    wait_for(lambda: len(app.state.shelf.rated) == len(NAMES))
    told = page.get("/api/puzzle/book", params={"names": [NAMES[0], NAMES[1], NAMES[0]]})
    assert told.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in told.headers["content-security-policy"]
    assert "The keep comes calling" in told.text
    assert told.text == page.get("/api/puzzle/book", params={"names": NAMES[:2]}).text
    told = page.get("/api/puzzle/book", params={"names": [NAMES[0], "nothing"]})
    assert (told.status_code, told.json()) == (422, {"error": "the collection has no puzzle 'nothing'"})
    proved = app.state.shelf.rated.pop(NAMES[1])
    told = page.get("/api/puzzle/book", params={"names": NAMES[:2]})
    assert (told.status_code, "is not proved yet" in told.json()["error"]) == (422, True)
    assert [each["rated"] for each in page.get("/api/puzzles").json()] == [True, False, True]
    app.state.shelf.rated[NAMES[1]] = proved
