"""A game at the table: what is kept, what can be typed, and that nothing is lost."""

from __future__ import annotations

import functools
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from solver.cli.seat import Quit, Seat, in_columns
from solver.errors import Failed, Refused
from solver.game import replay
from solver.move import Card
from solver.notation import (
    Record,
    RecordTurn,
    parse_cards,
    parse_move,
    parse_position,
    parse_record,
    parse_rules,
    parse_spells,
    print_cards,
    print_move,
    print_record,
)
from solver.play.keeping import Kept, parse_kept, table_of
from solver.play.luck import Dealt, Told, cards_of
from solver.play.menu import Menu, words_of
from solver.play.table import Table
from solver.policy.names import parse_policy
from solver.policy.player import order_of
from solver.policy.players import player_for
from test_cli import run
from test_cli import said as lines_said
from test_policy import start_of

ALL_THREE = ("piggyback,free-wizard,advance-tower", "retrieve-card,draw-two,extra-roll",
             "movement-swap,swap-towers,nudge-keep", "fill-potion,close-keep,headwind-tower",
             "advance-wizard,headwind-wizard,extra-roll")  # fmt: skip


def said(err):
    """The one sentence on stderr."""
    (line,) = lines_said(err)
    return line


def record(spells="", rules="", seed=3, position=None):
    read = parse_rules(rules)
    board = parse_position(position or ("start-spells" if spells else "start"), read)
    hand = Dealt(seed).deck(Record(board, ()))[:3]
    return Record(board, hand, (), parse_spells(spells), read)


def random_turn(table, luck, dice):
    """One thing after the other until a turn is played."""
    while True:
        option = dice.choice(table.options)
        if not option.is_roll:
            table.play(option.move)
            if table.state.owed:
                table.draw(luck.next_cards(table.record, table.state.owed))
            return
        number = luck.roll(table.turns + 1, len(option.card.rolls))
        table.roll(option, number)


@pytest.mark.parametrize("rules", ["", "online"])
@pytest.mark.parametrize("spells", ["", *ALL_THREE])
def test_games_at_random_are_legal_and_kept_whole(spells, rules):
    """After every turn the text of the file is a game that is there again when it is read."""
    dice = random.Random(spells + rules)
    luck = Dealt(3)
    table = Table(record(spells, rules))
    states = [table.state]
    for _ in range(12):
        if table.is_over:
            break
        random_turn(table, luck, dice)
        states.append(table.state)
        read, kept = parse_kept(Kept().text(table, luck))
        assert kept.luck == luck
        assert print_record(read) == print_record(table.record)
        assert Table(read).state == table.state
        assert parse_kept(kept.text(Table(read), luck))[0] == read
    while table.turns:
        assert table.state == states.pop()
        table.undo()
    assert table.state == states.pop()
    with pytest.raises(Refused, match="nothing was played"):
        table.undo()


def test_the_same_cards_come_again_after_undo():
    luck, table = Dealt(9), Table(record(seed=9))
    dice = random.Random(1)
    for _ in range(5):
        random_turn(table, luck, dice)
    drawn = cards_of(table.record)
    for _ in range(3):
        table.undo()
    for _ in range(3):
        random_turn(table, luck, dice)
    assert cards_of(table.record) == drawn


def test_a_deal_is_that_of_simulate():
    start = start_of()
    assert Dealt(5, 2).deck(Record(start.position, ())) == order_of(start, 5, 2)


def test_cards_are_dealt_from_where_the_program_took_over():
    table = Table(record())
    random_turn(table, Dealt(3), random.Random(0))
    luck = Dealt(8, 0, cards_of(table.record))
    for _ in range(6):
        random_turn(table, luck, random.Random(2))
    luck.check(table.record)
    whole = luck.deck(table.record)
    assert whole[: len(cards_of(table.record))] == cards_of(table.record)
    assert len(whole) == 90
    text = Kept().text(table, luck)
    assert f"# towers: deal 8 after {print_cards(luck.after)}" in text
    assert parse_kept(text)[1].luck == luck
    with pytest.raises(Refused, match="not those of deal 7"):
        parse_kept(text.replace("deal 8 ", "deal 7 "))


def test_comments_of_the_player_stay():
    text = (
        '# my best game\n[Mode "solo"]\n[Position "start"]\n[Hand "w1t5,t1,w3t3"]\n# now it begins\n'
        "1. w1t5 T4.1 | wtd1   # a good one\n# hm\n2. t1 T9.2 | wtd1\n# towers: rolled wtd1=3\n"
    )
    game, kept = parse_kept(text)
    table = Table(game)
    assert kept.rolled == Card("wtd1", (3,))
    table.put_down(kept.rolled)
    luck = Dealt(4, 0, parse_cards("w1t5,t1,w3t3,wtd1,wtd1"))
    assert kept.text(table, luck) == f"# towers: {luck}\n" + text
    table.undo()  # the card on the table
    table.undo()  # turn 2
    table.play(parse_move("t1 T9.1"))
    table.draw(luck.next_cards(table.record, 1))
    again = kept.text(table, luck)
    assert "# a good one" in again
    assert "# my best game" in again
    assert "# hm" in again
    assert "2. t1 T9.1 | wtd1\n" in again
    assert "rolled" not in again
    assert parse_kept(again)[0].turns[1].move == parse_move("t1 T9.1")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("# towers: deal x", "line 1: expected a number"),
        ("# towers: hello", "line 1: expected 'deal 7'"),
        ("# towers: rolled w9=3", "line 1: 'w9' is no card"),
    ],
)
def test_marks_that_cannot_be_read(line, message):
    with pytest.raises(Refused, match=re.escape(message)):
        parse_kept(f'{line}\n[Hand "w1t5,t1,w3t3"]\n')


def test_the_table_refuses():
    table = Table(record(seed=7))
    with pytest.raises(Refused, match="not in the hand"):
        table.put_down(Card("td2", (3,)))
    with pytest.raises(Refused, match="not in the hand"):
        table.play(parse_move("w5 W1"))
    table.play(parse_move("t1 T4.1"))
    with pytest.raises(Refused, match="expected 1 card, not 2"):
        table.draw(parse_cards("w1,w2"))
    table.draw(parse_cards("w1"))
    left = table.situation.deck
    assert sum(left) == 86


def test_cards_that_are_no_longer_there():
    table = Table(Record(parse_position("start"), parse_cards("wd3,td3,t1")))
    table.play(parse_move("t1 T4.1"))
    with pytest.raises(Refused, match="the deck has no 'wd3' left"):
        table.draw(parse_cards("wd3"))
    assert table.state.owed == 1


# The menu ---------------------------------------------------------------------------------------------------


def menu_of(table):
    return Menu(table.state.position, tuple(table.options))


@pytest.mark.parametrize("spells", ["", *ALL_THREE])
def test_every_turn_can_be_reached_by_numbers_and_by_typing(spells):
    board = "-/1r2/t1/-/1/rtK/-/2r2/-/t/1/-/-/r1t/-/r 1 4/2" if spells else None
    game = Record(parse_position(board or "start"), parse_cards("w3t3,wd2,t1"), (), parse_spells(spells))
    table = Table(game)
    for _ in range(2):  # with nothing on the table, and with a die card
        top = menu_of(table)
        reached = []

        def walk(menu, reached=reached):
            for entry in menu.entries:
                found = menu.choose(entry)
                if isinstance(found, Menu):
                    assert len(found.path) > len(menu.path)
                    walk(found, reached)
                else:
                    reached.append(found)

        walk(top)
        assert len(reached) == len(table.options)
        assert set(map(words_of, reached)) == set(map(words_of, table.options))
        for option in table.options:
            if option.move is not None and not option.is_roll:
                assert top.typed(print_move(option.move)) == option
        table.put_down(Card("wd2", (4,)))


def test_beginnings_are_enough():
    table = Table(Record(parse_position("start"), parse_cards("w3t3,wd2,t1")))
    menu = menu_of(table)
    assert menu.typed("WD2").is_roll
    narrowed = menu.typed(" w3t3 ")
    assert isinstance(narrowed, Menu)
    assert narrowed.path == ("w3t3",)
    assert print_move(narrowed.typed("t4.1").move) == "w3t3 T4.1"
    wizards = narrowed.typed("w")
    assert [entry.label for entry in wizards] == ["W1", "W2", "W3", "W4", "W5"]
    assert print_move(narrowed.typed("t1 T4.1").move) == "t1 T4.1", "another card can be typed all the same"
    for text in ("", "w9", "t1 W3", "hello"):
        with pytest.raises(Refused):
            menu.typed(text)


def test_a_spell_is_asked_for_after_a_piece_and_not_after_a_whole_turn():
    board = parse_position("K/r3/t3/r3/t2/r1/t/r/t/r/-/-/-/-/-/- 0 6/0")
    menu = menu_of(Table(Record(board, parse_cards("w3t3,wd2,t1"), (), ("nudge-keep", "advance-tower"))))
    asked = menu.typed("w3t3").typed("t4.1")
    assert [entry.label for entry in asked.entries] == ["no spell", "+advance-tower", "+nudge-keep"]
    assert asked.typed("no spell") == menu.typed("w3t3 T4.1")
    assert print_move(menu.typed("w3t3 T4.1").move) == "w3t3 T4.1"


@pytest.mark.parametrize("width", [30, 39, 79, 109])
def test_columns_fit(width):
    dice = random.Random(width)
    for number in range(1, 60):
        cells = [f"{index} {'x' * dice.randint(1, 20)}" for index in range(number)]
        lines = in_columns(cells, width)
        assert max(map(len, lines)) <= width
        assert sorted(" ".join(lines).split()) == sorted(" ".join(cells).split())


# The seat ---------------------------------------------------------------------------------------------------


class Player:
    """Types lines, and remembers what was asked."""

    def __init__(self, *lines):
        self.lines = list(lines)
        self.asked = []

    def __call__(self, prompt):
        self.asked.append(prompt)
        if not self.lines:
            raise Quit
        return self.lines.pop(0)


def sit(*lines, luck=None, game=None):
    kept = []
    table = Table(game or record(seed=7))
    luck = luck or Dealt(7)
    player = Player(*lines)
    text = functools.partial(Kept().text, table, luck)
    seat = Seat(table, luck, text, lambda: kept.append(text()), player)
    with suppress(Quit):
        seat.play()
    return table, kept, player


def test_a_turn_by_numbers_by_words_and_by_beginnings(capsys):
    table, kept, _ = sit("1", "3", "t1", "T9.1", "wtd1", "W3")
    assert table.turns == 3
    assert print_move(table.record.turns[1].move) == "t1 T9.1"
    assert parse_kept(kept[-1])[0] == table.record
    assert "rolls a" in capsys.readouterr().out


def test_nonsense_changes_nothing(capsys):
    nonsense = ["", "foo", "0", "99", "w9 W1", "w1 W1", "w3t3 W9", "save", "why 9", "é\x1b[A", "1" * 500, "wd2=3 W1"]
    table, kept, _ = sit(*nonsense)
    assert table.turns == 0
    assert not kept
    out = capsys.readouterr().out
    assert "space 9 shows no wizard" in out
    assert "expected one of w1t5, t1, w3t3" in out
    assert max(map(len, out.splitlines())) <= 80
    assert "\x1b" not in out


def test_everything_is_kept_before_the_next_question():
    game = record(seed=7)
    kept = []
    seen = []
    table = Table(game)

    def ask(prompt):
        seen.append((len(kept), table.turns, table.rolled))
        if kept:
            read, file = parse_kept(kept[-1])
            assert read == table.record
            assert file.rolled == table.rolled
        if len(seen) > 12:
            raise Quit
        return "1"

    text = functools.partial(Kept().text, table, Dealt(7))
    with pytest.raises(Quit):
        Seat(table, Dealt(7), text, lambda: kept.append(text()), ask).play()
    assert table.turns > 2


def test_undo_and_back():
    table, _, player = sit("t1", "back", "w1t5", "T4.1", "undo", "undo", "t1", "T4.1")
    assert table.turns == 1
    assert print_move(table.record.turns[0].move) == "t1 T4.1"
    assert player.asked[:3] == ["> ", "t1> ", "> "]


def test_cards_and_die_of_ones_own(capsys):
    game = Record(parse_position("start"), parse_cards("td2,w3,w1t5"))
    table, kept, player = sit(
        "w3 W5", "w3,w3", "w9", "w3", "td2", "7", "x", "4", "again", "3", "T1.1", "undo", "td2=1,6 T2.1", "t5",
        luck=Told(), game=game,
    )  # fmt: skip
    assert print_record(table.record).splitlines()[-2:] == ["1. w3 W5 | w3", "2. td2=1,6 T2.1 | t5"]
    assert "# towers: cards and die on the table" in kept[-1]
    assert "what did you roll? " in player.asked
    out = capsys.readouterr().out
    assert "a roll must be a number from 1 to 6" in out


def test_hint_and_why(capsys):
    table, _, _ = sit("hint", "1", "undo", "why", "why 2", "hint")
    out = capsys.readouterr().out
    assert out.count(" cards\n") >= 2
    assert table.turns in (0, 1)
    assert max(map(len, out.splitlines())) <= 80


def test_hint_with_a_card_on_the_table_and_after_extra_roll(capsys):
    board = parse_position("-/1r2/t1/-/1/rtK/-/2r2/-/t/1/-/-/r1t/-/r 1 4/2")
    game = Record(board, parse_cards("w3t3,wd2,t1"), (), ("extra-roll",))
    table, _, _ = sit("wd2", "hint", "+extra-roll", "hint", "1", luck=Dealt(7), game=game)
    assert table.turns == 1
    assert table.record.turns[0].move.new_roll is not None


def test_a_whole_game_by_the_first_line(capsys):
    table, kept, _ = sit(*["1"] * 900)
    assert table.is_over
    assert "with" in capsys.readouterr().out.splitlines()[-1]
    read = parse_record(kept[-1])
    assert list(replay(read))[-1].after.status == read.result.split()[0]


def test_a_full_disk_loses_no_turn(capsys):
    """The game goes on, and what could not be written is written with the next turn."""
    table, writes, player = Table(record(seed=7)), [], Player("1", "1", "undo", "1", "1")
    text = functools.partial(Kept().text, table, Dealt(7))

    def keep():
        writes.append(len(writes))
        if len(writes) in (1, 2):
            raise Failed("cannot write 'deal-7.towers': No space left on device")

    with suppress(Quit):
        Seat(table, Dealt(7), text, keep, player).play()
    assert capsys.readouterr().out.count("No space left") == 2
    assert table.turns == 1
    assert len(table.state.hand) == 3
    assert Table(parse_kept(text())[0]).state == table.state


def test_known_cards_come_again_after_undo_behind_the_deal():
    turn = RecordTurn(parse_move("w1 W1"), parse_cards("t1"))
    game = Record(parse_position("start"), parse_cards("w1,w2,w3"), (turn,))
    luck = Dealt(5, 0, cards_of(game))
    table, kept, _ = sit("undo", "w1 W1", "w2 W2", luck=luck, game=game)
    assert cards_of(table.record)[:4] == parse_cards("w1,w2,w3,t1")
    assert len(table.state.hand) == 3
    read, file = parse_kept(kept[-1])
    assert read == table.record
    assert file.luck == luck
    with pytest.raises(Refused, match="the deck has 4 'w1' left"):
        parse_kept(kept[-1].replace("after w1,w2,w3,t1", "after w1*5"))


def test_a_roll_of_extra_roll_is_kept():
    board = parse_position("-/1r2/t1/-/1/rtK/-/2r2/-/t/1/-/-/r1t/-/r 1 4/2")
    game = Record(board, parse_cards("w3t3,wd2,t1"), (), ("extra-roll",))
    table, kept, _ = sit("wd2", "3", "+extra-roll", "4", luck=Told(), game=game)
    assert "# towers: rolled wd2=3 +extra-roll=4" in kept[-1]
    again = table_of(*parse_kept(kept[-1]))
    assert (again.rolled, again.new_roll) == (table.rolled, 4)
    assert again.options == table.options


def test_a_die_card_can_be_taken_back_and_another_roll_is_refused(capsys):
    game = Record(parse_position("start"), parse_cards("td2,wd3,w1t5"))
    table, _, _ = sit("td2", "back", "td2", "3", "td2=6 T1.1", "wd3=2 W1", "td2=3,5 T1.1", luck=Told(), game=game)
    assert table.turns == 1
    assert capsys.readouterr().out.count("'td2=3' lies on the table") == 2


def test_a_copy_is_a_whole_game_and_takes_no_place(tmp_path, capsys):
    copy, other = tmp_path / "copy.towers", tmp_path / "other.towers"
    other.write_text("precious")
    table, _, _ = sit("1", "3", f"save {copy}", f"save {other}")
    assert parse_kept(copy.read_text())[1].luck == Dealt(7)
    assert parse_kept(copy.read_text())[0] == table.record
    assert other.read_text() == "precious"
    assert "exists" in capsys.readouterr().out


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_narrow_terminals(columns, monkeypatch, capsys):
    monkeypatch.setattr("solver.cli.seat.columns", lambda: columns - 1)
    board = parse_position("-/1r2/t1/-/1/rtK/-/2r2/-/t/1/-/-/r1t/-/r 1 4/2")
    game = Record(board, parse_cards("w3t3,wd2,t1"), (), ("extra-roll", "free-wizard", "headwind-wizard"))
    sit("help", "deck", "why 1", "why", "board", luck=Dealt(7), game=game)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= columns


# The commands -----------------------------------------------------------------------------------------------


def test_auto_is_the_game_of_the_policy(tmp_path):
    code, out, err = run("play", "--auto", "--seed", "7", "--json", "--out", str(tmp_path / "a.towers"))
    assert code == 0, err
    answer = json.loads(out)
    expected = player_for(parse_policy("learned"), start_of(), 7).record(0)
    assert answer["record"] == print_record(expected)
    assert (tmp_path / "a.towers").read_text() == answer["record"]
    shown = run("play", "--auto", "--seed", "7", "--why")[1]
    assert shown.rstrip().endswith(answer["grade"])
    assert max(map(len, shown.splitlines())) <= 80
    again = run("play", "--auto", "--seed", "7", "--out", str(tmp_path / "a.towers"))
    assert again[0] == 2
    assert "exists" in said(again[2])


def test_play_through_a_pipe_and_resume(tmp_path):
    code, out, err = run("play", "--seed", "7", stdin="1\n3\nt1\nT9.2\nwtd1\n", cwd=tmp_path)
    assert code == 0, err
    path = tmp_path / "deal-7.towers"
    before = path.read_text()
    assert "# towers: rolled wtd1=" in before
    assert "towers resume deal-7.towers" in out
    code, out, err = run("resume", "deal-7.towers", stdin="quit\n", cwd=tmp_path)
    assert code == 0, err
    assert path.read_text() == before
    assert "wtd1=" in out
    code, out, err = run("resume", "deal-7.towers", stdin="1\n" * 500, cwd=tmp_path)
    assert code == 0, err
    assert "review" in out.splitlines()[-1]
    code, _, err = run("resume", "deal-7.towers", cwd=tmp_path)
    assert code == 2
    assert "the game is over" in said(err)
    assert run("replay", "deal-7.towers", cwd=tmp_path)[0] == 0
    again = run("play", "--seed", "7", stdin="quit\n", cwd=tmp_path)
    assert again[0] == 0
    assert (tmp_path / "deal-7-2.towers").exists()


def test_a_record_without_a_deal_goes_on(tmp_path):
    path = tmp_path / "game.towers"
    path.write_text('[Hand "w1t5,t1,w3t3"]\n1. w1t5 T4.1\n')
    code, out, err = run("resume", str(path), "--seed", "5", stdin="1\n1\n", cwd=tmp_path)
    assert code == 0, err
    assert "# towers: deal 5 after w1t5,t1,w3t3" in path.read_text()
    assert re.search(r"1\. w1t5 T4\.1 \| \S+", path.read_text())
    code, _, err = run("resume", str(path), "--seed", "6", stdin="", cwd=tmp_path)
    assert code == 2
    assert "says where its cards come from" in said(err)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--physical", "--seed", "3"], "there is no --seed"),
        (["--physical", "--auto"], "there is no --auto"),
        (["--json"], "--json goes with --auto"),
        (["--policy", "greedy"], "--policy goes with --auto"),
        (["--auto", "--policy", "nobody"], "expected one of random"),
        (["--seed", "x"], "expected a number"),
        (["--mode", "spells"], "expected --spells"),
        (["--position", "K"], "--position"),
        (["--spells", "piggyback,free-wizard,draw-two,nudge-keep"], "1 to 3 of them, not 4"),
        (["--out", ""], "expected the name of a file"),
        (["--auto", "--out", "-"], "expected the name of a file"),
        (["--position", "K" + "/-" * 15 + " 12"], "meets the goal already"),
        (["--auto", "--out", "no/such/folder.towers"], "cannot write"),
        (["--seed", "1", "--out", "no/such/folder.towers"], "cannot write"),
    ],
)
def test_play_refuses(arguments, message, tmp_path):
    code, _, err = run("play", *arguments, cwd=tmp_path)
    assert code == 2
    assert message in said(err)


def test_ctrl_c_keeps_the_game(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "solver", "play", "--seed", "7"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, cwd=tmp_path, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    process.stdin.write("1\n3\n")
    process.stdin.flush()
    path = tmp_path / "deal-7.towers"
    deadline = time.monotonic() + 60
    while not (path.exists() and "1. w1t5" in path.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.3)  # until it asks
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "towers resume deal-7.towers" in err
    assert "Traceback" not in err
    assert len(list(replay(parse_record(path.read_text())))) == 1


def test_a_file_changed_meanwhile_is_left_alone(tmp_path):
    """Two windows with one game: the second one to write is told."""
    process = subprocess.Popen(
        [sys.executable, "-m", "solver", "play", "--seed", "7"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, cwd=tmp_path,
    )  # fmt: skip
    path = tmp_path / "deal-7.towers"
    deadline = time.monotonic() + 60
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert run("resume", "deal-7.towers", stdin="t1\nT4.1\nquit\n", cwd=tmp_path)[0] == 0
    other = path.read_text()
    out, err = process.communicate("1\n3\nquit\n", timeout=60)
    assert process.returncode == 1
    assert "changed by somebody else" in out
    assert "NOT kept" in err
    assert path.read_text() == other


@pytest.mark.parametrize("change", [lambda text: text.replace(b"\n", b"\r\n"), lambda text: b"\xef\xbb\xbf" + text])
def test_a_game_from_an_editor_with_other_habits_goes_on(change, tmp_path):
    assert run("play", "--seed", "7", stdin="t1\nT4.1\nquit\n", cwd=tmp_path)[0] == 0
    path = tmp_path / "deal-7.towers"
    path.write_bytes(change(path.read_bytes()))
    code, out, err = run("resume", "deal-7.towers", stdin="w3t3\nW1\nquit\n", cwd=tmp_path)
    assert (code, err) == (0, "")
    assert "NOT kept" not in out
    assert len(parse_record(path.read_text("utf-8-sig")).turns) == 2


def test_a_comment_may_hold_any_sign(tmp_path):
    path = tmp_path / "game.towers"
    path.write_text('# a\x0cb\u2028c\n[Hand "w1t5,t1,w3t3"]\n1. w1t5 T4.1 | w3\n', "utf-8")
    code, _, err = run("resume", str(path), "--seed", "5", stdin="quit\n")
    assert (code, err) == (0, "")
    assert "# a\x0cb\u2028c\n" in path.read_text("utf-8")


def test_a_spell_that_the_rules_do_not_offer_is_said_to_be_none(tmp_path):
    out = run("play", "--spells", "piggyback,draw-two", "--rules", "online", stdin="help\nquit\n", cwd=tmp_path)[1]
    assert "piggyback (not under these rules), draw-two 1" in out
    assert "draw-two 1: draw two cards" in out


def test_resume_wants_a_file():
    code, _, err = run("resume", "-", stdin='[Hand "w3,td2,w1t5"]\n')
    assert code == 2
    assert "expected the name of that file" in said(err)


@pytest.mark.parametrize(
    ("mark", "message"), [("wd2", "no die card"), ("w1", "has no die"), ("td3=2", "not in the hand")]
)
def test_marks_that_do_not_fit_name_their_line(mark, message, tmp_path):
    (tmp_path / "a.towers").write_text(f'[Hand "w3,wd2,w1t5"]\n# towers: rolled {mark}{"=3" * (mark == "w1")}\n')
    code, _, err = run("resume", "a.towers", cwd=tmp_path)
    assert code == 2
    assert "'a.towers': line 2: " in said(err)
    assert message in err


def test_a_review_does_not_take_the_place_of_its_record(tmp_path):
    path = tmp_path / "game.towers"
    path.write_text('[Hand "w3,td2,w1t5"]\n1. w3 W5\n')
    code, _, err = run("review", str(path), "--html", str(path))
    assert code == 2
    assert "is the file that is read" in said(err)
    assert path.read_text().startswith("[Hand")


def test_a_game_that_stops_before_a_draw(tmp_path):
    path = tmp_path / "game.towers"
    path.write_text('[Hand "w3,td2,w1t5"]\n1. w3 W5 | w4\n2. w4 W4\n')
    code, out, err = run("review", str(path), "--json", "--quick")
    assert code == 0, err
    answer = json.loads(out)
    parts = ("expected", "luck_of_cards", "luck_of_dice", "losses", "drift")
    assert sum(answer[name] for name in parts) == pytest.approx(answer["result"])
    assert answer["status"] == "playing"
    assert abs(answer["drift"]) < 2
    assert run("what-if", str(path), "--turn", "2", "--move", "td2", "--games", "20")[0] == 0


BAD = {
    "result first": ('[Hand "w3,td2,w1t5"]\n[Result "lost"]\n1. w3 W5\n', "line 3: a turn after the result on line 2"),
    "empty": ("", "the record is empty"),
    "no hand": ('[Mode "solo"]\n1. w3 W5\n', "the tag Hand is missing"),
    "illegal": ('[Hand "w3,td2,w1t5"]\n1. w3 W9 | w4\n', "line 2: turn 1: 'w3 W9' is not allowed: space 9 shows no"),
    "five of a kind": ('[Hand "w1,w1,w1"]\n1. w1 W1 | w1\n2. w1 W1 | w1\n', "line 3: turn 2: the deck has 4 'w1'"),
    "not drawn": ('[Hand "w3,td2,w1t5"]\n1. w3 W5\n2. td2=3 T1.1 | w4\n', "line 2: turn 1: this turn draws 1 card"),
    "cut off": ('[Hand "w3,td2,w1t5"]\n1. w3 W', "line 2: turn 1"),
    "no text": ("\x00\x01", "line 1"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", ["review", "resume", "what-if"])
def test_records_that_are_wrong(command, name, tmp_path):
    text, message = BAD[name]
    path = tmp_path / "bad.towers"
    path.write_text(text)
    more = ["--turn", "1", "--move", "td2"] if command == "what-if" else []
    code, out, err = run(command, str(path), *more, cwd=tmp_path)
    assert code == 2
    assert message in said(err)
    assert "bad.towers" in err
    assert not out
    assert path.read_text() == text


def test_review_of_a_file(tmp_path):
    paths = [str(tmp_path / f"{seed}.towers") for seed in (1, 2)]
    for seed, path in zip((1, 2), paths, strict=True):
        assert run("play", "--auto", "--policy", "greedy", "--seed", str(seed), "--out", path)[0] == 0
    page = tmp_path / "page.html"
    code, out, err = run("review", paths[0], "--quick", "--html", str(page))
    assert code == 0, err
    assert max(map(len, out.splitlines())) <= 80
    assert page.read_text().startswith("<!doctype html>")
    answer = json.loads(run("review", paths[0], "--quick", "--json")[1])
    parts = ("expected", "luck_of_cards", "luck_of_dice", "losses", "drift")
    assert sum(answer[name] for name in parts) == pytest.approx(answer["result"])
    assert json.loads(run("review", paths[0], "--quick", "--json", "--jobs", "1")[1]) == answer
    assert json.loads(run("review", "-", "--quick", "--json", stdin=(tmp_path / "1.towers").read_text())[1]) == {
        **answer, "record": "-"
    }  # fmt: skip
    several = json.loads(run("review", *paths, "--quick", "--json")[1])
    assert several["games"][0] == answer
    assert several["averages"]["result"] == pytest.approx(sum(game["result"] for game in several["games"]) / 2)
    table = run("review", *paths, "--quick")[1]
    assert "average" in table
    assert max(map(len, table.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected the file of a game"),
        (["no.towers"], "cannot read 'no.towers'"),
        (["a", "b", "--html", "x"], "there are several"),
        (["a", "--quick", "--depth", "3"], "expected one of them"),
        (["a", "--within", "0"], "from 1 to 90"),
    ],
)
def test_review_refuses(arguments, message, tmp_path):
    code, _, err = run("review", *arguments, cwd=tmp_path)
    assert code == 2
    assert message in said(err)


def test_all_wrong_records_are_named(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text("hello\n")
    code, _, err = run("review", "a", "b", cwd=tmp_path)
    assert code == 2
    assert "'a': line 1" in err
    assert "'b': line 1" in err


def test_a_file_that_cannot_be_read_hides_no_other_fault(tmp_path):
    wrong = tmp_path / "wrong.towers"
    wrong.write_text("")
    code, _, err = run("review", str(wrong), str(tmp_path / "missing.towers"))
    assert code == 2
    assert "is empty" in err
    assert "missing.towers" in err


def test_what_if_before_the_first_turn_or_of_a_wrong_record(tmp_path):
    path = tmp_path / "game.towers"
    path.write_text('[Hand "w1t5,t1,w3t3"]\n')
    assert "no turn was played yet" in run("what-if", str(path), "--turn", "1", "--move", "t1 T1.1")[2]
    path.write_text('[Hand "w1t5,t1,w3t3"]\n1. w3 W1 | w3\n')
    assert "game.towers': line 2: turn 1:" in run("what-if", str(path), "--turn", "5", "--move", "t1 T1.1")[2]


def test_what_if_from_the_command(tmp_path):
    path = tmp_path / "game.towers"
    path.write_text('[Hand "w3,td2,w1t5"]\n1. w3 W5 | w2t4\n2. td2=3,1 T1.1 | w4\n')
    code, out, err = run("what-if", str(path), "--turn", "1", "--move", "w1t5 T4.1", "--games", "50", "--json")
    assert code == 0, err
    answer = json.loads(out)
    apart = answer["instead"]["any_cards"]["mean"] - answer["played"]["any_cards"]["mean"]
    assert answer["difference"]["mean"] == pytest.approx(apart)
    assert answer["these_cards"] == "w2t4,w4"
    again = run("what-if", str(path), "--turn", "1", "--move", "w1t5 T4.1", "--games", "50", "--json")[1]
    assert again == out
    text = run("what-if", str(path), "--turn", "1", "--move", "td2", "--games", "50")[1]
    assert "difference" in text
    assert max(map(len, text.splitlines())) <= 80
    code, _, err = run("what-if", str(path), "--turn", "5", "--move", "td2")
    assert code == 2
    assert "from 1 to 2, not 5" in said(err)
