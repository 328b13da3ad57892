"""The rules of the game, one small case each: positions and moves in notation, results worked out by hand."""

import json
from functools import cache

import pytest
from click.testing import CliRunner

from solver.cli.group import towers
from solver.errors import Refused
from solver.game import LOST, PLAYING, WON, State, play, start_of
from solver.move import Card
from solver.notation import (
    parse_card,
    parse_cards,
    parse_move,
    parse_position,
    parse_record,
    parse_rules,
    parse_spells,
    print_cards,
    print_move,
    print_position,
)
from solver.referee import Referee
from solver.rules import DECK_SIZE, FACES, MAX_TOWERS, PRESETS, RULEBOOK, SPACES, SPELLS, WIN_CARDS, Bottles, grade

ILLEGAL = "illegal"


@cache
def referee(rules="", spells=""):
    return Referee(parse_rules(rules), parse_spells(spells))


def at(text):
    """A position; empty spaces at the end of the ring may be left out: `K/r1 0 1/2`."""
    board, *rest = text.split()
    spaces = board.split("/")
    return parse_position(" ".join(["/".join(spaces + ["-"] * (16 - len(spaces))), *rest]))


def full(text):
    return print_position(at(text))


def after(position, text, rules="", spells=None):
    """The position after a move, or ILLEGAL; unless spells are named, just the one of the move is open."""
    move = parse_move(text)
    judge = referee(rules, move.spell or "" if spells is None else spells)
    listed = {print_move(turn.move): turn.position for turn in judge.legal(at(position), move.card or Card("w5"))}
    try:
        then = judge.play(at(position), move)
    except Refused:
        assert print_move(move) not in listed
        return ILLEGAL
    assert listed[print_move(move)] == then
    return print_position(then)


def moves(position, card, spells="", rules=""):
    """Every legal move with a card, as text; none may come twice."""
    found = [print_move(turn.move) for turn in referee(rules, spells).legal(at(position), parse_card(card))]
    assert len(found) == len(set(found))
    return set(found)


def turn(position, text, drawn, hand="w1,w2,w3", pile=50, discards=7, rules=""):
    """The game after a turn with the cards drawn at its end (None: not known yet)."""
    move = parse_move(text)
    state = State(at(position), parse_cards(hand), pile, discards)
    cards = parse_cards(drawn) if drawn else None if drawn is None else ()
    return play(referee(rules, move.spell or ""), state, move, cards)


def _named(columns, rows):
    """Parametrize with rows that begin with the rule they test."""
    return pytest.mark.parametrize(columns, [pytest.param(*row, id=rule) for rule, *row in rows])


def leads(*rows, rules=""):
    """A test of rows: rule, position, move and the position after it or ILLEGAL."""

    @_named(("position", "move", "then"), rows)
    def test(position, move, then):
        assert after(position, move, rules) == (then if then == ILLEGAL else full(then))

    return test


def offers(*rows):
    """A test of rows: rule, position, card, open spells and every legal move, separated by semicolons."""

    @_named(("position", "card", "spells", "expected"), rows)
    def test(position, card, spells, expected):
        assert moves(position, card, spells) == set(expected.split("; "))

    return test


def games(*rows):
    """A test of rows: rule, position, move, cards drawn, what the game is before and after (hands sorted)."""

    @_named(("position", "move", "drawn", "before", "then"), rows)
    def test(position, move, drawn, before, then):
        state = turn(position, move, drawn, **before)
        found = vars(state) | {"hand": ",".join(sorted(print_cards([card]) for card in state.hand))}
        assert {name: found[name] for name in then} == then

    return test


# Board ------------------------------------------------------------------------------------------------------


def test_the_board_has_16_spaces_and_25_surfaces():
    assert SPACES == 16
    assert SPACES + MAX_TOWERS == 25
    with pytest.raises(Refused):
        parse_position("K" + "/-" * 14)


test_board = leads(
    ("space 0 follows space 15", "-/K/-/-/-/-/-/-/-/-/-/-/-/-/-/1", "w1 W15", "1/K"),
    ("also for towers", "-/K/-/-/-/-/-/-/-/-/-/-/-/-/r1", "t2 T14.1", "r1/K"),
    ("ground 4 shows a shield", "1/K", "w1 W0", "-/-/-/-/K 1"),
    ("ground 8 shows a shield", "-/-/-/1/K", "w1 W3", "-/-/-/-/-/-/-/-/K 1"),
    ("ground 12 shows a shield", "-/-/-/-/-/-/-/1/K", "w1 W7", "-/-/-/-/-/-/-/-/-/-/-/-/K 1"),
    ("ground 0 shows a shield", "-/-/-/-/-/-/-/-/-/-/-/1/K", "w1 W11", "K 1"),
    ("a stack can hold all nine towers", "K/r/-/rtrtrtrt", "t2 T1.1", "K/-/-/rtrtrtrtr"),
    ("a stack of nine can move", "K/rtrtrtrtr1", "t2 T1.1", "K/-/-/rtrtrtrtr1"),
    ("six wizards fit on ground", "K/1/5", "w1 W1", "K/-/6"),
    ("a seventh does not fit on ground", "K/1/6", "w1 W1", ILLEGAL),
    ("six wizards fit on a roof", "K/1/2rt5", "w1 W1", "K/-/2rt6"),
    ("a seventh does not fit on a roof", "K/1/2rt6", "w1 W1", ILLEGAL),
    ("a full surface below leaves the roof free", "K/1/6r", "w1 W1", "K/-/6r1"),
    ("only the visible wizards of a stack move", "K/1r2t1", "w1 W1", "K/1r2t/1"),
)
test_board_moves = offers(
    ("wizards under a tower are imprisoned", "K/1r", "w1", "", "w1 -"),
    ("wizards between towers are imprisoned", "K/2r1t", "w1", "", "w1 -"),
    ("the keep is not a tower", "K/1", "t1", "", "t1 -"),
    ("wizards who are home never leave", "K/1r 5", "w1", "", "w1 -"),
    ("wizards of one surface are one move", "K/3/r2", "w3", "", "w3 W1; w3 W2"),
)
BAD = ["-", "K/K", "1K", "r1K", "K/7", "K/rrrrr/ttttt", "K/6/6 1", "K/1 0 4/3", "K" + "/-" * 16]


@pytest.mark.parametrize("position", BAD)
def test_an_impossible_position_is_refused(position):
    with pytest.raises(Refused):
        at(position)


@pytest.mark.parametrize(("word", "bottles"), [("start", "-"), ("start-spells", "0/6")])
def test_start_position(word, bottles):
    assert print_position(parse_position(word)) == f"K/r3/t3/r3/t2/r1/t/r/t/r/-/-/-/-/-/- 0 {bottles}"


# Cards ------------------------------------------------------------------------------------------------------


def test_90_cards_of_23_faces():
    copies = {f"{kind}{v}": 4 for kind in "wt" for v in range(1, 6)} | {f"w{v}t{v}": 3 for v in range(1, 5)}
    copies |= {"w1t5": 6, "w2t4": 6, "w4t2": 6, "w5t1": 6, "wtd1": 6, "wd2": 3, "td2": 3, "wd3": 1, "td3": 1}
    assert {face.name: face.copies for face in FACES} == copies
    assert (DECK_SIZE, len(FACES)) == (90, 23)


@pytest.mark.parametrize(
    ("card", "wizard", "tower"),
    [
        *((f"w{v}", v, 0) for v in range(1, 6)), *((f"t{v}", 0, v) for v in range(1, 6)),
        *((f"w{v}t{v}", v, v) for v in range(1, 5)),
        ("w1t5", 1, 5), ("w2t4", 2, 4), ("w4t2", 4, 2), ("w5t1", 5, 1), *((f"wtd1={v}", v, v) for v in range(1, 7)),
        ("wd2=4", 4, 0), ("td2=4", 0, 4), ("wd3=6", 6, 0), ("td3=6", 0, 6),
    ],
)  # fmt: skip
def test_what_each_card_moves_and_how_far(card, wizard, tower):
    def place(wizard_on, tower_on):
        return "/".join({0: "K", wizard_on: "1", tower_on: "t"}.get(space, "-") for space in range(16))

    expected = {f"{card} W1": place(1 + wizard, 8)} if wizard else {}
    expected |= {f"{card} T8.1": place(1, 8 + tower)} if tower else {}
    assert moves(place(1, 8), card) == set(expected)
    for move, then in expected.items():
        assert after(place(1, 8), move) == full(then)


@pytest.mark.parametrize(("card", "rolls"), [("wtd1", 1), ("wd2", 2), ("td2", 2), ("wd3", 3), ("td3", 3)])
def test_a_die_card_has_its_number_of_rolls(card, rolls):
    assert parse_card(f"{card}={','.join('4' * rolls)}").rolls == (4,) * rolls
    with pytest.raises(Refused):
        parse_card(f"{card}={','.join('4' * (rolls + 1))}")


def test_the_die_shows_1_to_6():
    assert moves("K/1", "wd2") == {f"wd2={roll} W1" for roll in range(1, 7)}
    for roll in (0, 7):
        with pytest.raises(Refused):
            parse_card(f"wd2={roll}")


# A turn -----------------------------------------------------------------------------------------------------

test_the_hand = games(
    ("the first card may be played", "K/1", "w1 W1", "t5", {}, {"hand": "t5,w2,w3", "discards": 8, "pile": 49}),
    ("the second card may be played", "K/1", "w2 W1", "t5", {}, {"hand": "t5,w1,w3", "discards": 8, "pile": 49}),
    ("the third card may be played", "K/1", "w3 W1", "t5", {}, {"hand": "t5,w1,w2", "discards": 8, "pile": 49}),
    ("also one that can move nothing", "K/1", "t2 -", "t5", {"hand": "w1,t2,w3"}, {"hand": "t5,w1,w3", "discards": 8}),
    ("the score is the discard pile", "1/K 11", "w1 W0", "", {"discards": 26}, {"status": WON, "discards": 27}),
)


@pytest.mark.parametrize(("move", "drawn"), [("w4 W1", "t5"), ("w1 W1", ""), ("w1 W1", "t5,t4")])
def test_only_cards_of_the_hand_are_played_and_it_is_drawn_up_to_exactly_three(move, drawn):
    with pytest.raises(Refused):
        turn("K/1", move, drawn)


AFTER_THE_CARD = ",".join(spell.name for spell in SPELLS if not spell.during)
test_a_turn = offers(
    ("the kind of piece is chosen after the roll", "K/1/t", "wtd1=3", "", "wtd1=3 W1; wtd1=3 T2.1"),
    ("a roll may leave nothing to move", "-/t/-/-/K/1", "td2=3", "", "td2=3 -"),
    ("another roll may move again", "-/t/-/-/K/1", "td2=3,2", "", "td2=3,2 T1.1"),
    ("a legal move must be made", "K/1", "w1", "", "w1 W1"),
    ("by a tower if no wizard can", "K/1r", "w1t5", "", "w1t5 T1.1"),
    ("by a wizard if no tower can", "-/1r/-/-/-/-/K/1", "w1t5", "", "w1t5 W7"),
    ("a spell may but need not follow", "K/1 0 1/0", "w1", "close-keep", "w1 W1; w1 W1 +close-keep"),
    ("a spell may follow a card that moved nothing", "K/1r 0 1/0", "w1", "close-keep", "w1 -; w1 - +close-keep"),
    ("no spell follows entering", "1/K/2r1t/t 0 5/1", "w1", AFTER_THE_CARD, "w1 W0"),
    ("no spell unless one is open", "K/1 0 6/0", "w1", "", "w1 W1"),
)


@pytest.mark.parametrize("first", ["w1 W1 +close-keep", "w1 W1 +piggyback", "w1 +movement-swap T2.1"])
def test_one_spell_a_turn(first):
    assert parse_move(first).spell
    with pytest.raises(Refused):
        parse_move(f"{first} +draw-two")


def test_the_draw_pile_holds_87_cards_at_the_start():
    assert start_of(parse_record('[Mode "solo"]\n[Position "start"]\n[Hand "w3,td2,w1t5"]\n')).pile == 87


REFRESH = {"rules": "refresh=on"}
test_the_game_is_lost_when_the_draw_empties_the_pile = games(
    ("not while a card is left", "K/1", "w1 W1", "t5", {"pile": 2}, {"status": PLAYING}),
    ("the last card is drawn", "K/1", "w1 W1", "t5", {"pile": 1}, {"status": LOST}),
    ("the goal comes before the draw", "1/K 11", "w1 W0", "", {"pile": 1}, {"status": WON}),
    ("draw-two leaves a card", "K/1 0 1/0", "w1 W1 +draw-two", "t1,t2", {"pile": 3}, {"status": PLAYING}),
    ("draw-two takes the last", "K/1 0 1/0", "w1 W1 +draw-two", "t1,t2", {"pile": 2}, {"status": LOST}),
    ("too few for draw-two", "K/1 0 1/0", "w1 W1 +draw-two", "t1", {"pile": 1}, {"status": LOST}),
    ("refresh leaves a card", "K/r/1", "refresh T1.1", "t1*3", {"pile": 4, **REFRESH}, {"status": PLAYING}),
    ("refresh takes the last", "K/r/1", "refresh T1.1", "t1*3", {"pile": 3, **REFRESH}, {"status": LOST}),
    ("too few for refresh", "K/r/1", "refresh T1.1", "t1*2", {"pile": 2, **REFRESH}, {"status": LOST}),
)


@pytest.mark.parametrize(("position", "move", "drawn"), [("1/K 11", "w1 W0", ""), ("K/1", "w1 W1", "t5")])
def test_nothing_is_played_after_the_end(position, move, drawn):
    with pytest.raises(Refused, match="already"):
        play(referee(), turn(position, move, drawn, pile=1), parse_move("w2 -"), ())


# Moving a wizard and moving a tower -------------------------------------------------------------------------

test_a_wizard = leads(
    ("goes by the last roll", "K/1", "wd3=5,1,3 W1", "K/-/-/-/1"),
    ("goes clockwise over everything", "-/1/K/6/rt1", "w4 W1", "-/-/K/6/rt1/1"),
    ("lands on the visible surface", "K/1/2r1t", "w1 W1", "K/-/2r1t1"),
    ("enters the keep where it lands", "2/K 3", "w1 W0", "1/-/-/-/K 4"),
    ("enters the keep on top of a stack", "-/-/-/1/-/rtK 3", "w2 W3", "-/-/-/-/-/rt/-/-/K 4"),
)
test_the_keep_relocates_clockwise_to_the_first_shield_without_wizards = leads(
    ("to a raven roof", "1/K/r", "w1 W0", "-/-/rK 1"),
    ("not to a plain roof", "1/K/t/r", "w1 W0", "-/-/t/rK 1"),
    ("a tower hides the shield of the ground", "1/K/-/-/t/r", "w1 W0", "-/-/-/-/t/rK 1"),
    ("only the topmost roof counts", "1/K/rt/tr", "w1 W0", "-/-/rt/trK 1"),
    ("not to a roof with wizards", "1/K/r1/r", "w1 W0", "-/-/r1/rK 1"),
    ("not to ground with wizards", "1/K/-/-/1", "w1 W0", "-/-/-/-/1/-/-/-/K 1"),
    ("imprisoned wizards do not matter", "1/K/3r", "w1 W0", "-/-/3rK 1"),
    ("away from a shield of its own", "1/rK", "w1 W0", "-/r/-/-/K 1"),
    ("to where the wizard came from", "1/-/-/-/1/-/-/-/1/-/-/-/1/K", "w1 W12", "1/-/-/-/1/-/-/-/1/-/-/-/K 1"),
    ("stays if there is none", "1/-/-/-/1/-/-/-/1/-/-/-/2/K", "w1 W12", "1/-/-/-/1/-/-/-/1/-/-/-/1/K 1"),
    ("stays on its own shield", "1/-/-/-/1/-/-/-/1/-/-/-/2/rK", "w1 W12", "1/-/-/-/1/-/-/-/1/-/-/-/1/rK 1"),
    ("for the last wizard too", "1/K 11", "w1 W0", "-/-/-/-/K 12"),
)
test_a_tower = leads(
    ("at the bottom takes all along", "K/2r1t2r3", "t3 T1.1", "K/2/-/-/r1t2r3"),
    ("in the middle takes those above along", "K/2r1t2r3", "t3 T1.2", "K/2r1/-/-/t2r3"),
    ("at the top goes alone", "K/2r1t2r3", "t3 T1.3", "K/2r1t2/-/-/r3"),
    ("takes the keep along", "-/tK/1", "t1 T1.1", "-/-/1tK"),
    ("takes the keep along from below", "-/rtK/1", "t1 T1.1", "-/-/1rtK"),
    ("lands on top of what is there", "K/r1/2t3", "t1 T1.1", "K/-/2t3r1"),
    ("must not land on the keep", "-/r/K/1", "t1 T1.1", ILLEGAL),
    ("must not land on the keep on a stack", "-/rt/tK/1", "t1 T1.2", ILLEGAL),
    ("may pass over the keep", "-/r/K/1", "t2 T1.1", "-/-/K/1r"),
)
test_towers_to_move = offers(
    ("every height of every stack", "K/rtr/t", "t3", "", "t3 T1.1; t3 T1.2; t3 T1.3; t3 T2.1"),
    ("decision: lifting one that cannot move is no pass", "-/r/K/r/1", "t1", "", "t1 T3.1"),
    ("nothing happens if none can move", "-/rt/K/1", "t1", "", "t1 -"),
)


def test_a_tower_imprisons_and_uncovers():
    assert moves(after("K/r/1", "t1 T1.1"), "w1") == {"w1 -"}
    assert moves(after("K/1r", "t1 T1.1"), "w1") == {"w1 W1"}


# Goal and grades --------------------------------------------------------------------------------------------


@_named(
    ("position", "goal"),
    [
        ("all 12 home", "K 12", True), ("one on the board", "K/1 11", False), ("one imprisoned", "K/1r 11", False),
        ("all of fewer wizards", "K 3", True), ("not all of fewer wizards", "K/1 2", False),
        ("all bottles full", "K 12 6/0", True), ("all bottles spent", "K 12 0/0", True),
        ("an empty bottle", "K 12 5/1", False), ("only the bottles", "K/1 11 6/0", False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("spells", ["", "fill-potion"])
def test_goal_is_all_wizards_home_and_no_empty_bottle_whether_or_not_spells_are_open(position, goal, spells):
    assert referee("", spells).goal_reached(at(position)) is goal


test_goal_at_the_end_of_a_turn = games(
    ("an empty bottle keeps the last wizard from winning", "1/K 11 2/1", "w1 W0", "t5", {}, {"status": PLAYING}),
    ("fill-potion can still win then", "K 12 2/1", "w1 - +fill-potion", "", {}, {"status": WON}),
    ("the goal is tested after the spell", "-/1/-/K 11 2/0", "w1 W1 +advance-wizard W2", "", {}, {"status": WON}),
)


@pytest.mark.parametrize(
    ("first", "last", "name"),
    [
        (1, 19, "Exceptional"), (20, 23, "Brilliant"), (24, 27, "Very good"), (28, 30, "Nice work"),
        (31, 35, "So close"), (36, 40, "Getting there"), (41, 45, "Practise"), (46, None, "Needs lessons"),
    ],
)  # fmt: skip
def test_grades(first, last, name):
    assert (grade(first), grade(last)) == (name, name)


def test_the_goal_of_the_rulebook_is_30_cards_or_fewer():
    assert WIN_CARDS == 30


# Bottles and costs ------------------------------------------------------------------------------------------

test_a_tower_that_newly_covers_wizards_fills_one_empty_bottle = leads(
    ("one wizard, one bottle", "K/r/1 0 2/3", "t1 T1.1", "K/-/1r 0 3/2"),
    ("many wizards, still one bottle", "K/r/t6 0 2/3", "t1 T1.1", "K/-/t6r 0 3/2"),
    ("not if nobody is covered", "K/r2/t 0 2/3", "t1 T1.1", "K/-/tr2 0 2/3"),
    ("not for those imprisoned before", "K/r/1t 0 2/3", "t1 T1.1", "K/-/1tr 0 2/3"),
    ("not for those taken along", "K/r1t 0 2/3", "t1 T1.1", "K/-/r1t 0 2/3"),
    ("not without an empty one", "K/r/1 0 3/0", "t1 T1.1", "K/-/1r 0 3/0"),
    ("not without bottles", "K/r/1", "t1 T1.1", "K/-/1r"),
    ("also with the keep on it", "-/tK/1 0 0/1", "t1 T1.1", "-/-/1tK 0 1/0"),
    ("by a tower that a spell moves", "K/r/-/1/1 0 1/2", "w1 W4 +advance-tower T1.1", "K/-/-/1r/-/1 0 1/1"),
    ("by card and again by spell", "K/r/1/-/1 0 1/3", "t1 T1.1 +advance-tower T2.1", "K/-/1/-/1r 0 2/1"),
    ("by a tower that a swapped card moves", "K/r/1 0 1/1", "w1 +movement-swap T1.1", "K/-/1r 0 1/0"),
)
test_filling_a_bottle = offers(("decision: is never declined", "K/r/1 0 0/1", "t1", "", "t1 T1.1"))
test_spent_bottles = leads(
    ("leave the game", "K/1 0 3/2", "w1 W1 +close-keep", "K/-/1 0 2/2"),
    ("as many as the spell costs", "K/1/1 0 3/2", "w5 W1 +advance-wizard W2", "K/-/-/1/-/-/1 0 1/2"),
    ("may be one that the card filled", "K/r/1 0 0/1", "t1 T1.1 +close-keep", "K/-/1r 0 0/0"),
    ("decision: not for movement-swap", "K/r/1 0 0/2", "w1 +movement-swap T1.1", ILLEGAL),
    ("decision: not for extra-roll", "K/r/1 0 0/2", "td2=3 +extra-roll=1 T1.1", ILLEGAL),
)
CASTABLE = "-/1r2/t/-/3/-/-/-/K 0 {}/1"  # here every spell can be cast
casts = pytest.mark.parametrize(
    ("cost", "move"),
    [
        (2, "w1 W4 +advance-wizard W1"), (2, "w1 W4 +headwind-wizard W1"), (1, "w1 W4 +advance-tower T2.1"),
        (1, "w1 W4 +headwind-tower T2.1"), (2, "w1 W4 +swap-towers 1 2"), (2, "w1 W4 +nudge-keep cw"),
        (1, "w1 W4 +free-wizard T1.1"), (1, "w1 W4 +piggyback"), (1, "w1 W4 +fill-potion"),
        (1, "w1 W4 +retrieve-card"), (1, "w1 W4 +draw-two"), (1, "wd2=1 +extra-roll=2 W4"),
        (1, "w1 +movement-swap T2.1"), (1, "w1 W4 +close-keep"),
    ],
)  # fmt: skip


@casts
def test_a_spell_costs_full_bottles(cost, move):
    assert after(CASTABLE.format(cost - 1), move) == ILLEGAL
    assert after(CASTABLE.format(cost), move) != ILLEGAL


@casts
def test_decision_costs_are_data_of_the_rule_set(cost, move):
    dearer = f"{parse_move(move).spell}={cost + 1}"
    assert after(CASTABLE.format(cost), move, rules=dearer) == ILLEGAL
    assert after(CASTABLE.format(cost + 1), move, rules=dearer) != ILLEGAL
    assert after(CASTABLE.format(0), move, rules=f"{parse_move(move).spell}=0") != ILLEGAL


@casts
def test_a_spell_that_is_not_open_cannot_be_cast(cost, move):
    other = "close-keep" if "draw-two" in move else "draw-two"
    assert after(CASTABLE.format(5), move, spells=other) == ILLEGAL


# The fourteen spells ----------------------------------------------------------------------------------------

test_advance_wizard = leads(
    ("moves any wizard by 1", "K/1/-/1 0 2/0", "w1 W1 +advance-wizard W3", "K/-/1/-/1 0 0/0"),
    ("may move the same wizard again", "K/1/-/1 0 2/0", "w1 W1 +advance-wizard W2", "K/-/-/2 0 0/0"),
    ("can enter the keep", "1/-/K 0 2/0", "w1 W0 +advance-wizard W1", "-/-/-/-/K 1 0/0"),
    ("needs room", "K/1/6/-/-/1 0 2/0", "w1 W5 +advance-wizard W1", ILLEGAL),
    ("moves no imprisoned wizard", "K/1r/-/1 0 2/0", "w1 W3 +advance-wizard W1", ILLEGAL),
)
test_headwind_wizard = leads(
    ("moves a wizard counterclockwise", "K/-/1/-/1 0 2/0", "w1 W4 +headwind-wizard W2", "K/1/-/-/-/1 0 0/0"),
    ("from 0 to 15", "1/K/1 0 2/0", "w1 W2 +headwind-wizard W0", "-/K/-/1/-/-/-/-/-/-/-/-/-/-/-/1 0 0/0"),
    ("can enter; the keep relocates clockwise", "K/1/1 0 2/0", "w1 W2 +headwind-wizard W1", "-/-/-/1/K 1 0/0"),
    ("needs room", "K/6/1/-/-/1 0 2/0", "w1 W5 +headwind-wizard W2", ILLEGAL),
)
test_advance_tower = leads(
    ("moves a tower by 2", "K/r1t2/-/-/1 0 1/0", "w1 W4 +advance-tower T1.2", "K/r1/-/t2/-/1 0 0/0"),
    ("must not land on the keep", "-/r/-/K/1 0 1/0", "w1 W4 +advance-tower T1.1", ILLEGAL),
    ("may pass over the keep", "-/r/K/-/1 0 1/0", "w1 W4 +advance-tower T1.1", "-/-/K/r/-/1 0 0/0"),
)
test_headwind_tower = leads(
    ("moves counterclockwise by 2", "K/-/-/r1t2/1 0 1/0", "w1 W4 +headwind-tower T3.1", "K/r1t2/-/-/-/1 0 0/0"),
    ("from 1 to 15", "-/r/K/1 0 1/0", "w1 W3 +headwind-tower T1.1", "-/-/K/-/1/-/-/-/-/-/-/-/-/-/-/r 0 0/0"),
    ("must not land on the keep", "-/K/-/r/1 0 1/0", "w1 W4 +headwind-tower T3.1", ILLEGAL),
    ("fills a bottle", "K/2/-/r/1 0 1/1", "w1 W4 +headwind-tower T3.1", "K/2r/-/-/-/1 0 1/0"),
)
test_swap_towers = leads(
    ("takes the wizards on the roofs", "K/r1t2/-/3r/1 0 2/0", "w1 W4 +swap-towers 1 3", "K/r1r/-/3t2/-/1 0 0/0"),
    ("fills no bottle", "K/1r/-/2t1/1 0 2/1", "w1 W4 +swap-towers 1 3", "K/1t1/-/2r/-/1 0 0/1"),
    ("decision: also of towers alike", "K/r/r/1 0 2/0", "w1 W3 +swap-towers 1 2", "K/r/r/-/1 0 0/0"),
    ("not with the keep on one", "-/rK/t/1 0 2/0", "w1 W3 +swap-towers 1 2", ILLEGAL),
    ("not without a tower on one", "K/r/-/1 0 2/0", "w1 W3 +swap-towers 1 2", ILLEGAL),
)
test_nudge_keep_to_the_first_space_without_visible_wizards = leads(
    ("clockwise", "K/1/-/1 0 2/0", "w1 W3 +nudge-keep cw", "-/1/K/-/1 0 0/0"),
    ("counterclockwise", "K/1/-/1 0 2/0", "w1 W3 +nudge-keep ccw", "-/1/-/-/1/-/-/-/-/-/-/-/-/-/-/K 0 0/0"),
    ("onto a plain roof over imprisoned wizards", "K/1t/1 0 2/0", "w1 W2 +nudge-keep cw", "-/1tK/-/1 0 0/0"),
    ("over every visible wizard", "1/K/1/r1/2t1/1 0 2/0", "w1 W5 +nudge-keep cw", "1/-/1/r1/2t1/K/1 0 0/0"),
    ("off its tower, which stays", "-/tK/-/1 0 2/0", "w1 W3 +nudge-keep ccw", "K/t/-/-/1 0 0/0"),
)
test_free_wizard = leads(
    ("from the ground to the top", "K/2r1t/1 0 1/0", "w1 W2 +free-wizard T1.1", "K/1r1t1/-/1 0 0/0"),
    ("from between towers to the top", "K/2r1t/1 0 1/0", "w1 W2 +free-wizard T1.2", "K/2rt1/-/1 0 0/0"),
    ("one just covered", "K/r/1 0 0/1", "t1 T1.1 +free-wizard T2.1", "K/-/r1 0 0/0"),
    ("decision: with nobody below is not legal", "K/1rt2/1 0 1/0", "w1 W2 +free-wizard T1.2", ILLEGAL),
    ("needs a tower", "K/1/1 0 1/0", "w1 W2 +free-wizard T1.1", ILLEGAL),
    ("a sixth fits at the top", "K/1r5/1 0 1/0", "w1 W2 +free-wizard T1.1", "K/r6/-/1 0 0/0"),
    ("a seventh does not fit", "K/1r6/1 0 1/0", "w1 W2 +free-wizard T1.1", ILLEGAL),
    ("enters the keep on top", "-/1r2tK/1 0 1/0", "w1 W2 +free-wizard T1.2", "-/1r1t/-/1/K 1 0/0"),
)
test_piggyback = leads(
    ("takes a second wizard along", "K/3/1 0 1/0", "w1 W1 +piggyback", "K/1/3 0 0/0"),
    ("needs a second on the same surface", "K/2r1 0 1/0", "w1 W1 +piggyback", ILLEGAL),
    ("fits if both do", "K/2/4 0 1/0", "w1 W1 +piggyback", "K/-/6 0 0/0"),
    ("needs room for both", "K/2/5 0 1/0", "w1 W1 +piggyback", ILLEGAL),
    ("both enter and the keep relocates once", "3/K 0 1/0", "w1 W0 +piggyback", "1/-/-/-/K 2 0/0"),
    ("not for a tower's move", "K/2r2 0 1/0", "t1 T1.1 +piggyback", ILLEGAL),
    ("not if nothing moves", "K/2r 0 1/0", "w1 - +piggyback", ILLEGAL),
)
test_fill_potion = leads(
    ("fills an empty bottle", "K/1 0 3/2", "w1 W1 +fill-potion", "K/-/1 0 3/1"),
    ("decision: needs an empty one", "K/1 0 3/0", "w1 W1 +fill-potion", ILLEGAL),
)
test_retrieve_card = games(
    ("goes back, nothing is drawn", "K/1 0 1/0", "w1 W1 +retrieve-card", "", {}, {"hand": "w1,w2,w3", "pile": 50}),
    ("a die card too", "K/1 0 1/0", "wd2=1 W1 +retrieve-card", "", {"hand": "t1,t2,wd2"}, {"hand": "t1,t2,wd2"}),
    ("is not in the discard pile", "K/1 0 1/0", "w1 W1 +retrieve-card", "", {}, {"discards": 7}),
    ("the move stays", "K/1 0 1/0", "w1 W1 +retrieve-card", "", {}, {"position": at("K/-/1 0 0/0")}),
)
test_draw_two = games(
    ("no third card is drawn", "K/1 0 1/0", "w1 W1 +draw-two", "t1,t2", {}, {"hand": "t1,t2,w2,w3", "pile": 48}),
    ("the card is discarded as usual", "K/1 0 1/0", "w1 W1 +draw-two", "t1,t2", {}, {"discards": 8}),
    ("nothing while the hand holds 3", "K/1", "w1 W1", "", {"hand": "w1,t1,t2,t3"}, {"hand": "t1,t2,t3", "pile": 50}),
)


@pytest.mark.parametrize("card", ["wd2=4", "wd2=4,6"])
def test_decision_extra_roll_is_cast_when_no_roll_is_left_or_none_more_is_taken(card):
    cast = {f"{card} +extra-roll={roll} W1" for roll in range(1, 7)}
    assert moves("K/1 0 1/0", card, "extra-roll") == {f"{card} W1"} | cast


test_extra_roll_only = offers(("for die cards", "K/1 0 1/0", "w1", "extra-roll", "w1 W1"))
test_extra_roll = leads(
    ("the new roll counts", "K/1 0 1/0", "wd2=4,6 +extra-roll=2 W1", "K/-/-/1 0 0/0"),
    ("may leave nothing to move", "-/t/-/-/K/1 0 1/0", "td2=2 +extra-roll=3 -", "-/t/-/-/K/1 0 0/0"),
    ("the earlier roll is gone", "-/t/-/-/K/1 0 1/0", "td2=2 +extra-roll=3 T1.1", ILLEGAL),
)
test_movement_swap = leads(
    ("a wizard card moves a tower", "K/1/t 0 1/0", "w3 +movement-swap T2.1", "K/1/-/-/-/t 0 0/0"),
    ("and no wizard", "K/1/t 0 1/0", "w3 +movement-swap W1", ILLEGAL),
    ("a tower card moves a wizard", "K/1/t 0 1/0", "t3 +movement-swap W1", "K/-/t/-/1 0 0/0"),
    ("a die card too", "K/1/t 0 1/0", "wd2=3 +movement-swap T2.1", "K/1/-/-/-/t 0 0/0"),
    ("the wizard takes the tower's value", "K/1/t 0 1/0", "w1t5 +movement-swap W1", "K/-/t/-/-/-/1 0 0/0"),
    ("the tower takes the wizard's value", "K/1/t 0 1/0", "w1t5 +movement-swap T2.1", "K/1/-/t 0 0/0"),
    ("decision: also of equal values", "K/1/t 0 1/0", "w3t3 +movement-swap W1", "K/-/t/-/1 0 0/0"),
    ("decision: may leave nothing to move", "K/1 0 1/0", "w3 +movement-swap -", "K/1 0 0/0"),
    ("must move what it can", "K/1/t 0 1/0", "w3 +movement-swap -", ILLEGAL),
    ("may bring a wizard home", "1/-/-/K 0 1/0", "t3 +movement-swap W0", "-/-/-/-/K 1 0/0"),
)
test_close_keep = leads(
    ("decision: is legal and changes nothing", "1/-/K 0 1/0", "w1 W0 +close-keep", "-/1/K 0 0/0"),
)


# Options and presets ----------------------------------------------------------------------------------------

test_no_refresh = leads(("by default", "K/r/1", "refresh T1.1", ILLEGAL))
test_refresh = leads(
    ("moves any tower by 1", "K/rt1/1", "refresh T1.2", "K/r/1t1"),
    ("fills a bottle", "K/r/1 0 0/1", "refresh T1.1", "K/-/1r 0 1/0"),
    ("only if a tower can move by 1", "-/r/K/1", "refresh T1.1", ILLEGAL),
    ("a spell may follow", "K/r/1 0 1/0", "refresh T1.1 +close-keep", "K/-/1r 0 0/0"),
    ("but no retrieve-card", "K/r/1 0 1/0", "refresh T1.1 +retrieve-card", ILLEGAL),
    rules="refresh=on",
)


def test_refresh_comes_beside_the_card_and_without_the_spells_of_a_cards_move():
    found = moves("K/r2/1 0 3/0", "w5", "retrieve-card,piggyback,extra-roll,movement-swap", rules="refresh=on")
    assert {move for move in found if move.startswith("refresh")} == {"refresh T1.1"}


FOUR = {"hand": "w1,w2,w3,w4", **REFRESH}
NEW = {"hand": "t1,t2,t3", "pile": 47}
test_refresh_of_the_hand = games(
    ("discards all three and draws three", "K/r/1", "refresh T1.1", "t1,t2,t3", REFRESH, {"discards": 10, **NEW}),
    ("discards four and draws three", "K/r/1", "refresh T1.1", "t1,t2,t3", FOUR, {"discards": 11, **NEW}),
    ("draws three with draw-two", "K/r/1 0 1/0", "refresh T1.1 +draw-two", "t1,t2,t3", REFRESH, NEW),
)


def test_piggyback_in_solo_off_does_not_offer_piggyback():
    assert moves("K/2 0 1/0", "w1", "piggyback", rules="piggyback_in_solo=off") == {"w1 W1"}


@pytest.mark.parametrize("rules", ["start_bottles=6/0", "online"])
def test_start_bottles_all_full_makes_the_goal_wizards_only(rules):
    assert print_position(parse_position("start-spells", parse_rules(rules))).endswith(" 0 6/0")
    assert referee(rules).goal_reached(at("K 12 2/1"))
    assert not referee(rules).goal_reached(at("K/1 11 6/0"))


LIMIT, ONLINE = {"rules": "card_limit=30"}, {"rules": "online"}
test_card_limit = games(
    ("not with one card fewer", "K/1", "w1 W1", None, {"discards": 28, **LIMIT}, {"status": PLAYING}),
    ("lost with that many", "K/1", "w1 W1", None, {"discards": 29, **LIMIT}, {"status": LOST}),
    ("unless the goal is reached", "1/K 11", "w1 W0", None, {"discards": 29, **LIMIT}, {"status": WON}),
    ("a refresh of one card fewer", "K/r/1", "refresh T1.1", None, {"discards": 26, **ONLINE}, {"status": PLAYING}),
    ("every card of a refresh counts", "K/r/1", "refresh T1.1", None, {"discards": 27, **ONLINE}, {"status": LOST}),
    (
        "a retrieved card does not",
        "K/1 0 1/0",
        "w1 W1 +retrieve-card",
        None,
        {"discards": 29, **LIMIT},
        {"status": PLAYING},
    ),
    ("none by default", "K/1", "w1 W1", None, {"discards": 80}, {"status": PLAYING}),
)


def test_preset_rulebook_is_the_defaults():
    assert PRESETS["rulebook"] == RULEBOOK
    assert (RULEBOOK.refresh, RULEBOOK.piggyback_in_solo, RULEBOOK.card_limit) == (False, True, None)
    assert RULEBOOK.start_bottles == Bottles(full=0, empty=6)


def test_preset_online():
    online = PRESETS["online"]
    assert (online.refresh, online.piggyback_in_solo, online.card_limit) == (True, False, 30)
    assert online.start_bottles == Bottles(full=6, empty=0)
    assert online.spell_costs == {**RULEBOOK.spell_costs, "swap-towers": 1, "free-wizard": 2}


# Perft ------------------------------------------------------------------------------------------------------


def perft(position, cards, spells=""):
    return CliRunner().invoke(towers, ["perft", full(position), cards, "--spells", spells, "--json"])


@_named(
    ("position", "cards", "spells", "lines", "positions"),
    [
        ("two lines may reach one position", "K/-/1/1", "w1,w1", "", 3, 2),
        ("a line that reaches the goal early counts once", "-/1/K/-/-/t", "w1t1,w1t1", "", 3, 3),
        ("a card without a move is one move", "K/1r", "w1,w2,w3", "", 1, 1),
        ("followed by a spell or none", "K/1r 0 1/0", "w1", "close-keep", 2, 2),
        ("already the goal", "K 12", "w1,w2", "", 1, 1),
        ("a roll that is named", "K/1", "wd2=4", "", 1, 1),
    ],
)
def test_perft_counts_lines_and_positions(position, cards, spells, lines, positions):
    counted = json.loads(perft(position, cards, spells).stdout)
    assert (counted["lines"], counted["positions"]) == (lines, positions)


@pytest.mark.parametrize(
    ("card", "spell"), [("w1", "retrieve-card"), ("w1", "draw-two"), ("wd2=4", "extra-roll"), ("wd2", "")]
)
def test_perft_refuses_what_has_no_meaning_there(card, spell):
    assert isinstance(perft("K/1 0 1/0", card, spell).exception, Refused)
