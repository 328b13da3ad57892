"""`towers advise`: the words for every kind of move, what is asked, what is answered, and what is refused."""

from __future__ import annotations

import io
import json
import random
import re
import sys
from dataclasses import replace

import pytest

import solver.advice.advise
import solver.advice.warm  # noqa: F401  (before anything is replaced)
from solver.advice.advise import Budget
from solver.advice.words import (
    choice_text,
    is_cast,
    kept_cards,
    plan_words,
    reachable,
    reason,
    reason_of,
)
from solver.cli import ranking
from solver.cli.group import run
from solver.move import Card, Move, Piece
from solver.notation import parse_cards, parse_move, parse_position, parse_rules, parse_spells, print_move
from solver.referee import Referee
from solver.rules import FACE_NUMBER, FACES, GRADES, SPELL_NUMBER
from solver.search.situation import Advice, Choice, Objective, Plan, Situation
from suite import SUITE

ONE = "1/-/-/-/K/-/-/-/-/-/-/-/-/-/-/-"  # one wizard, 4 behind the keep
FAR = "1/-/-/-/-/-/-/-/K/-/-/-/-/-/-/-"  # one wizard, 8 behind
BUSY = "-/2r1/t1/-/1/rtK/-/2r2/-/t/1/-/-/r1t/-/r 1 4/2"
ALL_SPELLS = tuple(SPELL_NUMBER)

# Words of a move --------------------------------------------------------------------------------------------

REASONS = [
    # position, move, rules, the cards kept, and the sentence
    ("1/-/-/-/K/-/-/-/-/-/-/-/-/-/-/- 11 -", "w4 W0", "", "",
     "Brings the last wizard home"),
    ("2/-/-/-/K/-/-/-/-/-/-/-/-/-/-/- 10 1/1", "w4 W0 +piggyback", "", "",
     "With piggyback (1 bottle) brings the last 2 wizards home; 1 bottle is still empty"),
    ("1/1/-/-/K/-/-/-/-/-/-/-/-/-/-/-", "w3 W1", "", "w3",
     "Brings a wizard home; the keep goes to space 8 with nobody close behind"),
    ("1/-/-/-/K/-/2/-/-/-/-/-/-/-/-/-", "w4 W0", "", "w2,wd2",
     "Brings a wizard home; the keep goes to space 8, 2 ahead of 2 wizards; then w2 brings one in"),
    ("1/1/K/-/1/-/-/-/1/-/-/-/1/-/-/- 5 -", "w1 W1", "", "t1",
     "Brings a wizard home; the keep stays on space 2, 2 ahead of a wizard"),
    (FAR, "w4 W0", "", "w4,t2",
     "Puts a wizard 4 behind the keep, where w4 of your hand brings it in"),
    (FAR, "w1 W0", "", "w4,t2",
     "Moves a wizard to space 1, 7 behind the keep"),
    (FAR, "w4 W0", "", "t2,wd2",
     "Puts a wizard 4 behind the keep, where wd2 of your hand brings it in with a 4"),
    (FAR, "w2 W0", "", "",
     "Puts a wizard 6 behind the keep"),
    ("1/-/1/-/-/-/-/-/K/-/-/-/-/-/-/-", "w3 W0", "", "t1",
     "Puts a wizard 5 behind the keep; 2 wizards are within 6 of the keep, 1 before"),
    ("-/1/-/-/-/-/-/K/-/-/-/-/-/-/-/-", "w1t1 W1", "", "",
     "Puts a wizard 5 behind the keep"),
    ("-/-/-/-/-/-/-/1/K/-/-/-/-/-/-/-", "w2 W7", "", "",
     "Moves a wizard to space 9, 15 behind the keep; nobody is within 6 of the keep any more"),
    ("-/-/-/3r2/-/1/-/-/K/-/-/-/-/-/-/- 0 0/2", "t2 T3.1", "", "",
     "Uncovers 3 wizards on space 3, imprisons 1 on space 5 and carries 2 there, 3 behind the keep, "
     "filling a bottle"),
    ("-/-/-/3r/-/-/-/-/K/-/-/-/-/-/-/-", "t2 T3.1", "", "w5,w5t1",
     "Uncovers 3 wizards on space 3, 5 behind the keep, where w5 or w5t1 of your hand brings one in"),
    ("-/-/-/r/-/1/-/-/K/-/-/-/-/-/-/-", "t2 T3.1", "", "",
     "Imprisons a wizard on space 5; nobody is within 6 of the keep any more"),
    ("-/-/-/r2/-/1/-/-/-/-/K/-/-/-/-/-", "t1 T3.1", "", "w3",
     "Carries 2 wizards to space 4, 6 behind the keep; 3 wizards are within 6 of the keep, 1 before"),
    ("-/-/-/r/-/1/-/-/K/-/-/-/-/-/-/-", "t3 T3.1", "", "",
     "Moves a tower from space 3 to 6"),
    ("-/-/1/1rK/-/-/-/-/-/-/-/-/-/-/-/-", "t2 T3.1", "", "",
     "Uncovers a wizard on space 3 and carries the keep to space 5, 2 ahead of a wizard"),
    ("-/-/-/1r/-/-/-/-/K/-/-/-/-/-/-/-", "w2 -", "", "",
     "Moves nothing"),
    ("-/-/-/1r1/-/-/-/-/K/-/-/-/-/-/-/-", "refresh T3.1", "refresh=on", "",
     "Throws the hand away, uncovers a wizard on space 3 and carries 1 to space 4, 4 behind the keep"),
    (BUSY, "w3 W7 +advance-wizard W4", "", "w3",
     "Moves a wizard to space 10; advance-wizard (2 bottles) brings a wizard home; "
     "the keep goes to space 8, 1 ahead of a wizard"),
    (BUSY, "w3 W7 +headwind-wizard W10", "", "",
     "Moves a wizard to space 10; headwind-wizard (2 bottles) moves a wizard to space 9, 12 behind the keep"),
    ("-/-/-/-/-/K/1/-/-/-/-/-/-/1/-/- 0 2/0", "w1 W13 +headwind-wizard W6", "", "",
     "Moves a wizard to space 14; headwind-wizard (2 bottles) brings a wizard home; "
     "the keep goes to space 8 with nobody close behind"),
    (BUSY, "w3 W7 +advance-tower T1.1", "", "",
     "Moves a wizard to space 10; "
     "advance-tower (1 bottle) uncovers 2 wizards on space 1 and carries 1 to space 3, 2 behind the keep"),
    (BUSY, "w3 W7 +headwind-tower T9.1", "", "w1",
     "Moves a wizard to space 10; headwind-tower (1 bottle) imprisons a wizard on space 7, filling a bottle; "
     "then w1 brings one in"),
    (BUSY, "w3 W7 +swap-towers 1 9", "", "",
     "Moves a wizard to space 10; swap-towers (2 bottles) takes a wizard to space 9"),
    (BUSY, "w3 W7 +swap-towers 1 7", "", "w4",
     "Moves a wizard to space 10; swap-towers (2 bottles) takes a wizard to space 7 and 1 to space 1; "
     "then w4 brings one in"),
    (BUSY, "w3 W7 +swap-towers 9 15", "", "",
     "Moves a wizard to space 10; swap-towers (2 bottles) exchanges the towers of spaces 9 and 15"),
    (BUSY, "w3 W7 +nudge-keep cw", "", "",
     "Moves a wizard to space 10; nudge-keep (2 bottles) moves the keep to space 6, 2 ahead of a wizard"),
    (BUSY, "w3 W7 +nudge-keep ccw", "", "w2",
     "Moves a wizard to space 10; nudge-keep (2 bottles) moves the keep to space 3, 1 ahead of a wizard; "
     "then w2 brings one in"),
    (BUSY, "w3 W7 +free-wizard T1.1", "", "w4",
     "Moves a wizard to space 10; "
     "free-wizard (1 bottle) frees a wizard on space 1, where w4 of your hand brings one in"),
    ("-/-/-/-/-/1rK/-/-/-/-/-/-/-/1/-/- 0 1/0", "w1 W13 +free-wizard T5.1", "", "",
     "Moves a wizard to space 14; free-wizard (1 bottle) brings a wizard home; "
     "the keep goes to space 8 with nobody close behind"),
    (BUSY, "w3 W7 +piggyback", "", "",
     "With piggyback (1 bottle) moves 2 wizards to space 10, 11 behind the keep"),
    (BUSY, "w3 W7 +fill-potion", "", "t1",
     "Moves a wizard to space 10; fill-potion (1 bottle) fills a bottle"),
    (BUSY, "w3 W7 +retrieve-card", "", "w3",
     "Moves a wizard to space 10; retrieve-card (1 bottle) takes w3 back into the hand; then w3 brings one in"),
    (BUSY, "w3 W7 +draw-two", "", "w1",
     "Moves a wizard to space 10; draw-two (1 bottle) draws two cards; then w1 brings one in"),
    (BUSY, "wd2=2 +extra-roll=3 W2", "", "w1",
     "After extra-roll (1 bottle) brings a wizard home; the keep goes to space 8, 1 ahead of 2 wizards; "
     "then w1 brings one in"),
    (BUSY, "w3 +movement-swap T7.1", "", "t1",
     "After movement-swap (1 bottle) uncovers 2 wizards on space 7, imprisons 1 on space 10 and carries 2 there, "
     "filling a bottle"),
    ("1/-/-/-/K/-/-/-/-/-/-/-/-/-/-/- 0 1/0", "w3 +movement-swap -", "", "t1",
     "After movement-swap (1 bottle) moves nothing"),
    (BUSY, "w3 W7 +close-keep", "", "",
     "Moves a wizard to space 10; close-keep (1 bottle) does nothing"),
    ("-/-/-/-/-/K/-/-/-/-/-/-/-/1/-/- 0 1/0", "w1 W13 +close-keep", "close-keep=0", "",
     "Moves a wizard to space 14; close-keep does nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("position", "move", "rules", "kept", "words"), REASONS, ids=[row[1] for row in REASONS])
def test_reasons(position, move, rules, kept, words):
    cards = parse_cards(kept) if kept else ()
    assert reason(parse_position(position), parse_move(move), ALL_SPELLS, parse_rules(rules), cards) == words


def test_every_spell_has_a_reason():
    spoken = {parse_move(row[1]).spell for row in REASONS}
    assert spoken - {None} == set(ALL_SPELLS)


def number_in(words: str, verb: str) -> int:
    """How many a sentence says that something happens to."""
    found = re.search(rf"\b{verb} (a|\d+)\b", words, re.IGNORECASE)
    return 0 if found is None else 1 if found[1] == "a" else int(found[1])


@pytest.mark.parametrize("name", SUITE)
def test_reasons_say_what_the_referee_does(name):
    text, cards, spells, rules = SUITE[name]
    board, rule_set, opened = parse_position(text), parse_rules(rules), parse_spells(spells)
    referee = Referee(rule_set, opened)
    for card in parse_cards(cards):
        for move, after in referee.legal(board, card):
            words = reason(board, move, opened, rule_set, parse_cards("w1,w2,td2"))
            assert words[0].isupper()
            assert not re.search(r"\b1 (wizards|bottles)|\b[2-9] (wizard|bottle)\b|  |\.$|\bno bottle", words)
            home = re.search(r"brings (?:the last )?(wizard|a|\d+)(?: wizards?)? home", words, re.IGNORECASE)
            said = 0 if home is None else int(home[1]) if home[1].isdigit() else 1
            assert said == after.home - board.home
            if move.spell is None:
                freed = number_in(words, "uncovers") + number_in(words, "frees")
                assert number_in(words, "imprisons") - freed == after.imprisoned - board.imprisoned
                filled = board.bottles is not None and board.bottles != after.bottles
                assert ("filling a bottle" in words) == filled
                assert ("moves nothing" in words.lower()) == (move.action is None)
                assert len(words) <= 130
            if after.keep != board.keep and after.on_board:
                assert f"to space {after.keep}" in words


def test_a_card_kept_is_named_only_if_it_brings_somebody_in():
    board = parse_position("1/-/-/-/-/-/-/-/K/-/-/-/-/-/-/-")
    move = parse_move("w4 W0")
    for face in FACES:
        words = reason(board, move, kept=(Card(face.name),))
        assert (f"{face.name} of your hand" in words) == (face.wizard in (4, -1)), words
    assert "w4 or w4t4 of your hand" in reason(board, move, kept=parse_cards("w4,t1,w4t4,w4t2,wd3"))


def test_a_die_that_always_brings_somebody_in():
    board = parse_position("-/-/1/1/1/1/1/1/K/-/-/-/-/1/-/-")
    assert reason(board, parse_move("w1 W13"), kept=(Card("wd2"),)).endswith("; then wd2 brings one in with any roll")
    assert reason(board, parse_move("w1 W13"), kept=parse_cards("wd2,w2")).endswith("; then w2 brings one in")


def test_what_is_kept():
    hand = parse_cards("w3,wd2,w3")
    assert kept_cards(hand, parse_move("w3 W5")) == parse_cards("wd2,w3")
    assert kept_cards(hand, parse_move("wd2=4,2 W5")) == parse_cards("w3*2")
    assert kept_cards(hand, parse_move("w3 W5 +retrieve-card")) == hand
    assert kept_cards(hand, parse_move("refresh T1.1")) == ()


def test_reachable():
    assert reachable(parse_position("1/-/1/-/-/2r3/-/-/K/1/-/-/-/-/-/-")) == 1 + 3  # 0 is too far, 2 are imprisoned
    assert reachable(parse_position("-/K/-/-/-/-/-/-/-/-/1/1/-/-/-/1")) == 2  # around the corner


# Plans ------------------------------------------------------------------------------------------------------


def replies(face: str, *pieces: str) -> dict[int, Move]:
    """The same card's reply to each roll, as text after the roll."""
    return {roll: parse_move(f"{face}={roll} {piece}") for roll, piece in enumerate(pieces, start=1)}


DIE = (1, 2, 3, 4, 5, 6)
CAST = Move(Card("wd2", (1,)), None, "extra-roll")
PLANS = [
    (Card("wd2"), Plan(((3, 4), DIE), replies("wd2", *["W1", "W1", "W12", "W5", "W1", "-"])),
     ["wd2: keep 3 or 4, else roll again", "  1, 2, 5: W1", "  3: W12", "  4: W5", "  6: -"]),
    (Card("wd3"), Plan(((4,), (2, 3, 4), DIE), replies("wd3", *["W1"] * 6)),
     ["wd3: keep 4, else roll again; then keep 2, 3 or 4, else roll again", "  any roll: W1"]),
    (Card("wd3"), Plan(((), DIE, DIE), replies("wd3", *["W1"] * 6)),
     ["wd3: roll again in any case; then keep any roll", "  any roll: W1"]),
    (Card("wd3", (2,)), Plan(((), (5,), DIE), replies("wd3", *["W1"] * 6)),  # rolling again after a 2
     ["wd3: keep 5, else roll again", "  any roll: W1"]),
    (Card("wtd1"), Plan((DIE,), replies("wtd1", "W1", "W1 +advance-tower T7.2", "+movement-swap T4.1", *["T3.1"] * 3)),
     ["wtd1: the roll counts", "  1: W1", "  2: W1 +advance-tower T7.2", "  3: +movement-swap T4.1",
      "  4, 5, 6: T3.1"]),
    (Card("wd2"), Plan(((6,), DIE), {1: CAST} | {roll: parse_move(f"wd2={roll} W0") for roll in DIE[1:]},
                       {1: None} | dict.fromkeys(DIE[1:], Piece(3))),
     ["wd2: keep 6, else roll again", "  1: cast extra-roll", "  2, 3, 4, 5, 6: W0",
      "after extra-roll:", "  1: -", "  2, 3, 4, 5, 6: W3"]),
    (Card("wd2", (1,)), Plan((), {}, dict.fromkeys(DIE, Piece(7, 2))), ["after extra-roll:", "  any roll: T7.2"]),
]  # fmt: skip


@pytest.mark.parametrize(("card", "plan", "lines"), PLANS, ids=[" ".join(lines) for _, _, lines in PLANS])
def test_plan_words(card, plan, lines):
    assert plan_words(card, plan) == lines


def asked(position: str, hand: str, spells: str = "") -> Situation:
    return Situation(parse_position(position), parse_cards(hand), (0,) * len(FACES), spells=parse_spells(spells))


def test_the_chance_of_a_plan():
    """The wizard is 4 behind the keep."""
    every = replies("wd2", *["W0"] * 6)
    keep_4 = Choice(0, Card("wd2"), None, Plan(((4,), DIE), every))
    assert reason_of(asked(ONE, "wd2"), keep_4) == "Rolls the die, with a 31% chance to bring a wizard home"  # 11 of 36
    keep_any = Choice(0, Card("wd2"), None, Plan((DIE, DIE), every))
    assert "with a 17% chance" in reason_of(asked(ONE, "wd2"), keep_any)
    again = Choice(0, Card("wd2", (1,)), None, Plan(((), DIE), every))
    assert reason_of(asked(ONE, "wd2"), again) == "Rolls again, with a 17% chance to bring a wizard home"
    never = Choice(0, Card("wd2"), None, Plan((DIE, DIE), every))
    assert reason_of(asked(FAR, "wd2"), never) == "Rolls the die, and brings nobody home yet"
    tower = "-/1t/-/-/K/-/-/-/-/-/-/-/-/-/-/-"
    moved = Choice(0, Card("td2"), None, Plan((DIE, DIE), replies("td2", "T1.1", "T1.1", "-", *["T1.1"] * 3)))
    assert reason_of(asked(tower, "td2"), moved) == "Rolls the die, with an 83% chance to uncover wizards"


def test_the_chance_with_an_extra_roll():
    """Every roll but a 4 is given up for the spell, which then has one chance in six."""
    pieces = dict.fromkeys(DIE, Piece(0))
    plan = Plan((DIE, DIE), {roll: replace(CAST, card=Card("wd2", (roll,))) for roll in DIE}, pieces)
    plan = plan._replace(replies={**plan.replies, 4: parse_move("wd2=4 W0")})
    where = asked(f"{ONE} 0 1/0", "wd2", "extra-roll")
    assert "with a 31% chance" in reason_of(where, Choice(0, Card("wd2"), None, plan))
    cast = Choice(0, Card("wd2", (1,)), CAST, Plan((), {}, pieces))
    assert is_cast(CAST)
    assert reason_of(where, cast) == "Spends 1 bottle to roll once more, with a 17% chance to bring a wizard home"
    assert choice_text(cast) == "wd2=1 +extra-roll"


# What is asked ----------------------------------------------------------------------------------------------


@pytest.fixture
def towers(capsys):
    def call(*arguments: str) -> tuple[str, str]:
        assert run(["advise", *arguments]) == 0, capsys.readouterr().err
        return capsys.readouterr()

    return call


@pytest.fixture
def answer(towers):
    return lambda *arguments: json.loads(towers(*arguments, "--json")[0])


@pytest.fixture
def told(monkeypatch):
    """A stand-in for the advice: remembers what it was asked, and says what it was told to."""

    class Told:
        advice = Advice((Choice(12.5, Card("w4"), parse_move("w4 W0")),), False, 2, 1234, 0)

        def __call__(self, situation, objective, budget, news):
            self.situation, self.objective, self.budget = situation, objective, budget
            news(self.advice)
            return self.advice

    stand_in = Told()
    monkeypatch.setattr(solver.advice.advise, "advise", stand_in)
    return stand_in


def test_the_situation(told, answer):
    found = answer(ONE, "--hand", "W4,wd2,t1", "--seen", "w4*2,t1", "--played", "5", "--rolled", "wd2=4,6")
    known = told.situation
    assert (known.position, known.hand) == (parse_position(ONE), parse_cards("w4,wd2,t1"))
    assert (known.played, known.rolled, known.spells, known.goal) == (5, Card("wd2", (4, 6)), (), None)
    assert sum(known.deck) == 90 - 6 == found["left"]
    assert [known.deck[FACE_NUMBER[face]] for face in ("w4", "t1", "wd2", "wd3")] == [1, 2, 2, 1]
    assert told.objective == Objective()
    assert told.budget == Budget(value="learned")
    assert [found[key] for key in ("position", "hand", "seen", "deck", "played", "rolled")] == [
        f"{ONE} 0 -", "w4,wd2,t1", "w4*2,t1", None, 5, "wd2=4,6",
    ]  # fmt: skip
    assert (found["objective"], found["loss_cards"], found["goal"]) == ("cards", 90, None)


def test_the_rest_of_the_situation(told, answer):
    found = answer(
        ONE + " 0 2/1", "--hand", "w4", "--deck", "w1,t1*2", "--spells", "free-wizard,piggyback", "--goal", "home 1",
        "--rules", "refresh=on", "--objective", "within:20", "--depth", "3", "--value", "hand",
    )  # fmt: skip
    known = told.situation
    assert {face.name: number for face, number in zip(FACES, known.deck, strict=True) if number} == {"w1": 1, "t1": 2}
    assert (known.spells, known.rules.refresh, known.goal.home) == (("free-wizard", "piggyback"), True, 1)
    assert told.objective == Objective(20)
    assert told.budget == Budget(depth=3, value="hand")
    assert [found[key] for key in ("deck", "seen", "spells", "rules", "goal", "objective", "loss_cards", "played")] == [
        "w1,t1*2", None, ["free-wizard", "piggyback"], "refresh=on", "home 1", "within:20", None, 0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "budget"),
    [
        ((), Budget()),
        (("--exact",), Budget(exact=True)),
        (("--nodes", "50,000"), Budget(nodes=50_000)),
        (("--depth", "1"), Budget(depth=1)),
        (("--depth", "4"), Budget(depth=4)),
    ],
)
def test_the_budget(told, towers, options, budget):
    towers(ONE, "--hand", "w4", *options)
    assert told.budget == budget


@pytest.mark.parametrize(
    ("options", "played"),
    [((), 0), (("--seen", ""), 0), (("--seen", "w1,w2"), 2), (("--deck", "w1,w2"), 0), (("--played", "89"), 89)],
)
def test_cards_played(told, towers, options, played):
    towers(ONE, "--hand", "w4", *options)
    assert told.situation.played == played


def test_loss_cards(told, towers):
    towers(ONE, "--hand", "w4", "--loss-cards", "45")
    assert told.objective == Objective(None, 45)


# What is answered -------------------------------------------------------------------------------------------

# One wizard 4 behind the keep; only w3 and w4 help, and the deck lasts for two turns.
LAST = (ONE, "--hand", "wd2,w5", "--deck", "w3,w4,t1", "--exact")
# A 4 is home with one card. After a 1 the w3 is among the two cards drawn two times out of three; else it is lost.
AFTER_1 = 2 / 3 * 2 + 1 / 3 * 90
ROLLED_AGAIN = (1 + AFTER_1 + 4 * 90) / 6
ROLLED = (1 + AFTER_1 + 4 * ROLLED_AGAIN) / 6


def test_a_small_ending(answer):
    found = answer(*LAST)
    assert (found["exact"], found["value"]) == (True, pytest.approx(ROLLED))
    best, other = found["moves"]
    assert (best["move"], best["card"], best["value"]) == ("wd2", "wd2", pytest.approx(ROLLED))
    assert best["plan"]["keep"] == [[1, 4], [1, 2, 3, 4, 5, 6]]
    assert best["plan"]["replies"] == {str(roll): f"wd2={roll} W0" for roll in DIE}
    assert best["plan"]["after_extra_roll"] == {}
    assert best["why"] == "Rolls the die, with a 28% chance to bring a wizard home"  # 1/6 + 4/6 of 1/6
    assert (other["move"], other["card"], other["value"], other["plan"]) == ("w5 W0", "w5", 90, None)
    assert other["worse"] == pytest.approx(90 - ROLLED)
    assert (best["worse"], best["error"], best["close"]) == (0, 0, False)
    # Won with 2 cards at the most, or lost: so the chance of any grade is that of the best one.
    chance = (1 + 2 / 3 + 4 * (1 + 2 / 3) / 6) / 6
    assert best["within"] == best["grades"]["Exceptional"] == pytest.approx(chance)
    assert best["grades"]["Needs lessons"] == pytest.approx(1 - chance)
    assert (other["within"], other["grades"]["Needs lessons"]) == (0, 1)


def test_a_small_ending_in_time(answer):
    found = answer(*LAST, "--objective", "within:2")
    again = (1 + 2 / 3) / 6
    assert found["value"] == pytest.approx((1 + 2 / 3 + 4 * again) / 6)
    assert [move["within"] for move in found["moves"]] == [move["value"] for move in found["moves"]]
    assert found["moves"][1]["worse"] == pytest.approx(found["value"])  # the other never is in time


def test_the_loss_counts(answer):
    assert answer(*LAST, "--loss-cards", "30")["moves"][1]["value"] == 30


def test_a_card_on_the_table(answer):
    first, second = answer(*LAST, "--rolled", "wd2=1")["moves"]
    assert (first["move"], first["value"]) == ("wd2=1 W0", pytest.approx(AFTER_1))
    assert (second["move"], second["card"], second["value"]) == ("roll again", "wd2=1", pytest.approx(ROLLED_AGAIN))
    assert second["plan"]["keep"] == [[], [1, 2, 3, 4, 5, 6]]
    assert answer(*LAST, "--rolled", "wd2=2")["moves"][0]["move"] == "roll again"
    assert [move["move"] for move in answer(*LAST, "--rolled", "wd2=2,2")["moves"]] == ["wd2=2,2 W0"]


def test_an_extra_roll(answer):
    bottle = (f"{ONE} 0 1/0", *LAST[1:], "--spells", "extra-roll", "--rolled", "wd2=2,5")
    best, other = answer(*bottle)["moves"]
    assert (best["move"], best["value"]) == ("wd2=2,5 +extra-roll", pytest.approx(ROLLED_AGAIN))
    assert best["plan"] == {"keep": [], "replies": {}, "after_extra_roll": {str(roll): "W0" for roll in DIE}}
    assert best["why"] == "Spends 1 bottle to roll once more, with a 17% chance to bring a wizard home"
    assert (other["move"], other["value"]) == ("wd2=2,5 W0", 90)


def test_the_last_wizard_comes_home(answer):
    found = answer(ONE, "--hand", "w4,w1,t1", "--deck", "w2*3", "--played", "10", "--exact")
    assert [(move["move"], move["value"]) for move in found["moves"][:1]] == [("w4 W0", 11)]
    assert found["moves"][0]["why"] == "Brings the last wizard home"


def test_a_refresh(answer):
    """Neither card helps, but the new hand has the w4."""
    board = "1/-/-/-/K/-/-/-/-/-/-/-/t/-/-/-"
    found = answer(board, "--hand", "t1*2", "--deck", "w4*3,t2", "--rules", "refresh=on", "--exact")
    by_move = {move["move"]: move for move in found["moves"]}
    assert (by_move["refresh T12.1"]["card"], by_move["refresh T12.1"]["value"]) == (None, 3)
    assert by_move["refresh T12.1"]["why"] == "Throws the hand away and moves a tower from space 12 to 13"


def test_every_reply_is_a_legal_move(answer):
    board = "-/1r2/-/-/2t/-/-/1/rtK/-/-/-/-/-/-/- 6 1/0"
    found = answer(
        board, "--hand", "wtd1,td2,wd3", "--deck", "w1,w2", "--spells", "extra-roll,movement-swap",
        "--goal", "home 7", "--exact",
    )  # fmt: skip
    referee = Referee(spells=("extra-roll", "movement-swap"))
    plans = [move["plan"] for move in found["moves"] if move["plan"]]
    assert len(plans) == 3
    for plan in plans:
        assert {*plan["replies"]} == {*"123456"}
        for text in plan["replies"].values():
            if not text.endswith("+extra-roll"):
                referee.play(parse_position(board), parse_move(text))


# What is printed --------------------------------------------------------------------------------------------


def test_text_of_a_small_ending(towers):
    out, err = towers(*LAST)
    assert out.splitlines() == [
        f"{ONE} 0 -",
        "hand wd2,w5; 3 cards left, 0 played",
        *out.splitlines()[2:3],  # how it was found
        "    move   cards   worse  <=30",
        "1.  wd2    48.98           46%",
        "2.  w5 W0  90.00  +41.02    0%",
        "",
        "wd2: Rolls the die, with a 28% chance to bring a wizard home.",
        "wd2: keep 1 or 4, else roll again",
        "  any roll: W0",
    ]
    assert out.splitlines()[2].startswith("exact")
    assert "thinking" not in err


def test_text_in_time(towers):
    out = towers(*LAST, "--objective", "within:2")[0].splitlines()
    assert out[3:6] == ["    move   within 2   worse", "1.  wd2       46.3%", "2.  w5 W0      0.0%  -46.3%"]


def test_text_with_reasons(towers):
    out = towers(*LAST, "--why", "--rolled", "wd2=1")[0].splitlines()
    assert out[1] == "hand wd2,w5, rolled wd2=1; 3 cards left, 0 played"
    assert out[3:] == [
        "    move        cards   worse  <=30",
        "1.  wd2=1 W0    31.33           67%",
        "      Puts a wizard 3 behind the keep.",
        "2.  roll again  65.39  +34.06   28%",
        "      Rolls again, with a 17% chance to bring a wizard home.",
    ]


def test_text_of_a_lost_game(towers):
    assert "the game cannot be won any more" in towers(ONE, "--hand", "w5", "--deck", "w5", "--exact")[0]
    late = towers(ONE, "--hand", "w5", "--deck", "w4", "--objective", "within:1", "--exact")[0]
    assert "it cannot be done within 1 any more" in late
    assert "any more" not in towers(*LAST)[0]


ODDS = (0.001, 0.25, 0.25, 0.25, 0.2, 0.047, 0.002, 0.0)
LONG = "wd3=2,6,4 T15.2 +headwind-wizard W15"
ESTIMATES = (
    Choice(26.12, Card("w3"), parse_move("w3 W2"), odds=ODDS),
    Choice(26.2, Card("wd3"), parse_move(LONG), error=0.125, close=True, odds=ODDS[::-1]),
    *(Choice(28.5 + space, Card("w1"), parse_move(f"w1 W{space}"), error=0.25) for space in range(1, 12)),
)
ESTIMATED = ("1/1/1/1/1/1/1/1/K/1/1/1/-/-/-/r1t 0 6/0", "--hand", "w3,w1,wd3", "--spells", "headwind-wizard")


@pytest.fixture
def estimated(told, monkeypatch):
    """Long moves that need not be legal: their reasons are tested above."""
    told.advice = Advice(ESTIMATES, False, 3, 120_000, 400)
    for place in ("words", "plain"):
        monkeypatch.setattr(f"solver.advice.{place}.reason_of", lambda _, choice: f"Why {choice_text(choice)}")
    return told


def test_text_of_estimates(estimated, towers):
    out = towers(*ESTIMATED)[0].splitlines()
    assert out[2] == "3 turns ahead, 120,000 positions, 400 rollouts each"
    assert out[3:7] == [
        "    move                                  cards  worse         <=30",
        "1.  w3 W2                                 26.12                 75%",
        f"2.  {LONG}  26.20  +0.08  ±0.12   25%  close",
        "3.  w1 W1                                 29.50  +3.38  ±0.25",
    ]
    assert out[-5:] == ["8.  w1 W6                                 34.50  +8.38  ±0.25",
                        "close: too close to the best to call", "and 5 more; --top 0 shows all",
                        "", "w3 W2: Why w3 W2."]  # fmt: skip
    assert max(map(len, out)) <= 80


def test_how_many_are_shown(estimated, towers, answer):
    def ranks(*options: str) -> list[str]:
        return re.findall(r"^ *(\d+)\.  w", towers(*ESTIMATED, *options)[0], re.MULTILINE)

    assert len(ranks()) == 8
    assert len(ranks("--top", "0")) == len(ESTIMATES)
    assert ranks("--top", "2") == ["1", "2"]
    assert "more; --top" not in towers(*ESTIMATED, "--top", "0")[0]
    assert len(answer(*ESTIMATED)["moves"]) == len(ESTIMATES)
    assert len(answer(*ESTIMATED, "--top", "3")["moves"]) == 3
    assert len(answer(*ESTIMATED, "--top", "0")["moves"]) == len(ESTIMATES)


def test_grades(estimated, towers, answer, monkeypatch):
    names = ["<20", "20-23", "24-27", "28-30", "31-35", "36-40", "41-45", ">45"]
    first = ["1.", "<1%", "25%", "25%", "25%", "20%", "5%", "<1%", "0%"]
    out = towers(*ESTIMATED, "--grades")[0].splitlines()
    assert max(map(len, out)) <= 80
    at = next(number for number, line in enumerate(out) if line.split() == names)
    assert out[at + 1].split() == first
    assert out[at + 2].split()[1:] == first[:0:-1]
    assert "<20" not in towers(*ESTIMATED)[0]
    first_move, second_move, third_move = answer(*ESTIMATED)["moves"][:3]
    assert first_move["grades"] == dict(zip([name for _, name in GRADES], ODDS, strict=True))
    assert first_move["within"] == pytest.approx(sum(ODDS[:4]))  # the four grades of 30 cards or fewer
    assert [second_move[key] for key in ("error", "close")] == [0.125, True]
    assert (third_move["grades"], third_move["within"]) == (None, None)
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    wide = towers(*ESTIMATED)[0].splitlines()
    assert wide[3].split()[-8:] == names
    assert wide[4].split()[-8:] == first[1:]


def test_grades_that_are_not_known(towers):
    lines = towers(*LAST, "--grades")[0].splitlines()
    assert "the chances of the grades are not known here" in lines or any("<20" in line for line in lines)


def test_a_line_while_thinking(estimated, towers, monkeypatch):
    assert "thinking" not in towers(*ESTIMATED)[1]
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert "thinking; so far w3 W2, 26.12" in towers(*ESTIMATED)[1]


def test_a_terminal_without_plus_minus(monkeypatch):
    assert ranking._plus_minus() == "±"
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert ranking._plus_minus() == "+-"


@pytest.mark.parametrize(("chance", "text"), [(0, "0%"), (0.004, "<1%"), (0.5, "50%"), (0.996, ">99%"), (1, "100%")])
def test_percent(chance, text):
    assert ranking._percent(chance) == text


def test_lines_fit_a_terminal_whatever_is_asked(told, towers):
    """Random turns with spells, as they are: the move, its reason and the hand in at most 80 columns."""
    dice = random.Random(1)
    board = parse_position(BUSY)
    for _ in range(20):
        cards = [Card(dice.choice(FACES).name) for _ in range(9)]
        hand = list(dict.fromkeys(cards))
        card = Card(hand[0].face, (6,)) if hand[0].has_die else hand[0]
        turns = Referee(parse_rules("refresh=on"), ALL_SPELLS).legal(board, card)
        moves = [dice.choice(turns).move for _ in range(3)]
        choices = tuple(Choice(45.67, move.card, move, error=1.25, close=True, odds=ODDS) for move in moves)
        told.advice = Advice(choices, False, 3, 10**9, 1000)
        more = ("--spells", ",".join(ALL_SPELLS), "--rules", "refresh=on", "--why", "--grades")
        out = towers(BUSY, "--hand", ",".join(each.face for each in hand), *more)[0]
        assert max(map(len, out.splitlines())) <= 80, out
        assert all(print_move(move) in out for move in moves)


# What is refused --------------------------------------------------------------------------------------------

ALMOST_ALL = ",".join(f"{face.name}*{face.copies - (face.name == 'w4')}" for face in FACES)
BAD = [
    ((), "expected --hand with the cards"),
    (("--hand", ""), "--hand: no card is written"),
    (("--hand", "x9"), "--hand: card 1 of 'x9': 'x9' is no card"),
    (("--hand", "w4", "--hand", "w4"), "--hand is given 2 times"),
    (("--hand", "w1*4,w2*4,w3*2"), "--hand: expected from 1 to 9 cards, not 10"),
    (("--hand", "wd2=4"), "--hand: 'wd2=4' names a roll; expected 'wd2', and --rolled for a roll"),
    (("--hand", "w1*5"), "--hand has 5 'w1', and there are 4"),
    (("--hand", "w1*2", "--seen", "w1*3"), "--hand and --seen have 5 'w1', and there are 4"),
    (("--hand", "wd3", "--deck", "wd3"), "--hand and --deck have 2 'wd3', and there are 1"),
    (("--hand", "w4", "--seen", "w1", "--deck", "w2"), "--deck with those to be drawn, not both"),
    (("--hand", "w4", "--seen", "wd2=4"), "--seen: 'wd2=4' names a roll"),
    (("--hand", "w4", "--seen", "w1,"), "--seen: nothing stands after the last comma"),
    (("--hand", "w4", "--seen", ALMOST_ALL), "--hand and --seen are all 90 cards"),
    (("--hand", "w4", "--deck", ""), "--deck: no card is written"),
    (("--hand", "w4", "--deck", "w9"), "--deck: card 1 of 'w9'"),
    (("--hand", "w4", "--seen", "w1,w2", "--played", "1"),
     "--played: expected at least 2, as many as --seen has, not '1'"),
    (("--hand", "w4", "--played", "90"), "--played: expected at most 89, which is 90 less those of --hand, not '90'"),
    (("--hand", "w4", "--deck", "w1,w2", "--played", "88"), "at most 87, which is 90 less those of --hand and --deck"),
    (("--hand", "w4", "--played", "-1"), "--played: expected a number from 0 to 90, not '-1'"),
    (("--hand", "w4", "--rolled", "wd2=4"), "--rolled: 'wd2' is not in the hand (w4)"),
    (("--hand", "wd2", "--rolled", "wd2"), "--rolled: expected its rolls so far, such as 'wd2=4', not 'wd2'"),
    (("--hand", "w4", "--rolled", "w4"), "--rolled: expected a die card with its rolls so far, not 'w4'"),
    (("--hand", "w4", "--rolled", "w4=1"), "--rolled: 'w4' has no die"),
    (("--hand", "wd2", "--rolled", "wd2=7"), "--rolled: a roll must be a number from 1 to 6, not '7'"),
    (("--hand", "wd2", "--rolled", "wd2=1,2,3"), "--rolled: 'wd2' has at most 2 rolls, not 3"),
    (("--hand", "w4", "--objective", "fast"),
     "--objective: expected 'cards' or 'within:N' with N from 1 to 90, not 'fast'"),
    (("--hand", "w4", "--objective", "within:0"), "not 'within:0'"),
    (("--hand", "w4", "--objective", "within:"), "not 'within:'"),
    (("--hand", "w4", "--objective", "within:91"), "not 'within:91'"),
    (("--hand", "w4", "--played", "31", "--objective", "within:30"),
     "--objective: with 31 cards played within:30 cannot be reached any more"),
    (("--hand", "w4", "--loss-cards", "0"), "--loss-cards: expected a number from 1 to 1,000, not '0'"),
    (("--hand", "w4", "--loss-cards", "60", "--objective", "within:30"), "--loss-cards goes with --objective cards"),
    (("--hand", "w4", "--depth", "0"), "--depth: expected a number from 1 to 4, not '0'"),
    (("--hand", "w4", "--depth", "5"), "--depth: expected a number from 1 to 4, not '5'"),
    (("--hand", "w4", "--nodes", "many"), "--nodes: expected a number from 1 to"),
    (("--hand", "w4", "--depth", "2", "--nodes", "9"),
     "expected one of --depth, --nodes, --exact, not --depth and --nodes"),
    (("--hand", "w4", "--depth", "2", "--exact"), "not --depth and --exact"),
    (("--hand", "w4", "--nodes", "9", "--exact"), "not --nodes and --exact"),
    (("--hand", "w4", "--value", "best"), "--value: expected learned or hand, not 'best'"),
    (("--hand", "w4", "--value", "hand", "--exact"), "--value is what estimates come from, and --exact makes none"),
    (("--hand", "w4", "--top", "-1"), "--top: expected a number from 0 to 10,000, not '-1'"),
    (("--hand", "w4", "--goal", "home"), "--goal: goal 'home'"),
    (("--hand", "w4", "--goal", "keep on 4"), "meets the goal already"),
    (("--hand", "w4", "--spells", "fly"), "--spells: 'fly' is no spell"),
    (("--hand", "w4", "--rules", "fast"), "--rules: expected option=value"),
    (("--hand", "w4", "--played", "30", "--rules", "card-limit=30"), "the game is lost already, with 30 cards"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "words"), BAD, ids=[words for _, words in BAD])
def test_bad_input(capsys, options, words):
    assert run(["advise", ONE, *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    said = [line for line in err.splitlines() if "compiling" not in line]
    assert len(said) == 1
    assert said[0].startswith("towers: ")


@pytest.mark.parametrize("position", ["", "1/2", "K/-/-/-/-/-/-/-/-/-/-/-/-/-/-/- 12"])
def test_bad_positions(capsys, position):
    assert run(["advise", position, "--hand", "w4", "--deck", "w1"]) == 2
    assert capsys.readouterr().err.startswith("towers: ")
