"""The notation: everything printed reads back as itself, and everything else is refused with a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import Refused
from solver.layout import pack, unpack
from solver.move import CCW, CW, Card, Move, Pair, Piece
from solver.notation import (
    parse_card,
    parse_cards,
    parse_move,
    parse_position,
    parse_record,
    parse_rules,
    parse_spells,
    print_card,
    print_cards,
    print_move,
    print_position,
    print_record,
    print_rules,
)
from solver.notation.numbers import counted, quote
from solver.position import Position, Stack, Tower
from solver.rules import DECK_SIZE, FACES, MAX_ON_SURFACE, PRESETS, RULEBOOK, SPACES, SPELL_NUMBER, Bottles

START_TEXT = "K/r3/t3/r3/t2/r1/t/r/t/r/-/-/-/-/-/- 0 -"
RECORD_TEXT = """[Mode "spells"]
[Spells "advance-tower,free-wizard,piggyback"]
[Rules "refresh=on, swap-towers=1"]
[Position "start-spells"]
[Hand "w3,td2,w1t5"]
1. w3 W5 | w2t4
2. td2=3,1 T1.1 +advance-tower T4.1 | w4
[Result "lost"]
"""

# Strategies -------------------------------------------------------------------------------------------------

BOTTLES = st.builds(Bottles, st.integers(0, 3), st.integers(0, 3)) | st.sampled_from([Bottles(6, 0), Bottles(0, 6)])


@st.composite
def positions(draw) -> Position:
    """Any position the notation can write: wizards are dropped onto surfaces that take them, or go home."""
    towers = draw(st.lists(st.tuples(st.integers(0, SPACES - 1), st.booleans()), max_size=9))
    keep = draw(st.integers(0, SPACES - 1))
    ravens = [[raven for where, raven in towers if where == space] for space in range(SPACES)]
    surfaces = [(space, height) for space in range(SPACES) for height in range(len(ravens[space]) + 1)]
    surfaces.remove((keep, len(ravens[keep])))
    wizards = dict.fromkeys(surfaces, 0)
    home = 0
    for surface in draw(st.lists(st.sampled_from([*surfaces[:4], *surfaces, None]), max_size=12)):
        if surface is None:
            home += 1
        elif wizards[surface] < MAX_ON_SURFACE:
            wizards[surface] += 1
    stacks = tuple(
        Stack(
            wizards.get((space, 0), 0),
            tuple(Tower(raven, wizards.get((space, height), 0)) for height, raven in enumerate(ravens[space], start=1)),
        )
        for space in range(SPACES)
    )
    return Position(stacks, keep, home, draw(st.none() | BOTTLES))


@st.composite
def cards(draw, rolled: bool = False) -> Card:
    face = draw(st.sampled_from(FACES))
    rolls = draw(st.lists(st.integers(1, 6), min_size=min(int(rolled), face.rolls), max_size=face.rolls))
    return Card(face.name, tuple(rolls))


WIZARDS = st.builds(Piece, st.integers(0, 15), st.just(0))
TOWERS = st.builds(Piece, st.integers(0, 15), st.integers(1, 9))
TARGETS = {
    "advance-wizard": WIZARDS,
    "headwind-wizard": WIZARDS,
    "advance-tower": TOWERS,
    "headwind-tower": TOWERS,
    "free-wizard": TOWERS,
    "swap-towers": st.builds(Pair, st.integers(0, 7), st.integers(8, 15)),
    "nudge-keep": st.sampled_from([CW, CCW]),
}


@st.composite
def moves(draw) -> Move:
    card = draw(st.none() | cards(rolled=True))
    action = draw(TOWERS if card is None else st.none() | WIZARDS | TOWERS)
    spell = draw(st.none() | st.sampled_from(list(SPELL_NUMBER)))
    if (spell == "movement-swap" and card is None) or (spell == "extra-roll" and not (card and card.has_die)):
        spell = None
    target = draw(TARGETS.get(spell, st.none()))
    return Move(card, action, spell, target, draw(st.integers(1, 6)) if spell == "extra-roll" else None)


@st.composite
def rule_sets(draw):
    base = draw(st.sampled_from(list(PRESETS.values())))
    costs = draw(st.dictionaries(st.sampled_from(list(SPELL_NUMBER)), st.integers(0, 99), max_size=4))
    changes = st.fixed_dictionaries(
        {},
        optional={
            "refresh": st.booleans(),
            "piggyback_in_solo": st.booleans(),
            "start_bottles": BOTTLES,
            "card_limit": st.none() | st.integers(1, DECK_SIZE),
        },
    )
    return replace(base, spell_costs={**base.spell_costs, **costs}, **draw(changes))


# Round trips ------------------------------------------------------------------------------------------------


@given(positions())
def test_position_round_trip(position):
    text = print_position(position)
    assert parse_position(text) == position
    assert print_position(parse_position(text)) == text
    assert parse_position(text.replace("r", "R").replace("t", "T")) == position


@given(positions())
def test_packed_round_trip(position):
    packed = pack(position)
    assert unpack(*packed) == position
    assert all(0 <= word < 2**63 for word in packed)


@given(positions(), positions())
def test_positions_are_equal_if_text_and_words_are(one, other):
    same = one == other
    assert (print_position(one) == print_position(other)) is same
    assert (pack(one) == pack(other)) is same


@given(cards())
def test_card_round_trip(card):
    text = print_card(card)
    assert parse_card(text) == parse_card(text.upper()) == card
    assert parse_cards(text) == (card,)


@given(st.lists(cards(), min_size=1, max_size=6))
def test_cards_round_trip(hand):
    text = print_cards(hand)
    assert parse_cards(text) == parse_cards(text.upper()) == tuple(hand)
    assert print_cards(parse_cards(text)) == text


@given(moves())
def test_move_round_trip(move):
    text = print_move(move)
    assert parse_move(text) == move
    assert parse_move(text.upper()) == parse_move(text.lower()) == move
    assert print_move(parse_move(text)) == text


@given(rule_sets())
def test_rules_round_trip(rules):
    text = print_rules(rules)
    assert parse_rules(text) == parse_rules(text.upper()) == rules
    assert print_rules(parse_rules(text)) == text


@given(st.permutations(list(SPELL_NUMBER)), st.integers(0, 14))
def test_spells_come_in_the_order_of_the_rules(names, count):
    spells = parse_spells(", ".join(names[:count]).upper())
    assert spells == tuple(name for name in SPELL_NUMBER if name in names[:count])


# Canonical texts --------------------------------------------------------------------------------------------


def test_usual_starts():
    assert print_position(parse_position("start")) == START_TEXT
    assert print_position(parse_position("Start-Spells")) == START_TEXT[:-1] + "0/6"
    assert print_position(parse_position("start-spells", PRESETS["online"])) == START_TEXT[:-1] + "6/0"


def test_home_and_bottles_may_be_left_out():
    board = START_TEXT.split()[0]
    assert parse_position(board) == parse_position(board + " 0") == parse_position(START_TEXT)
    assert parse_position(f"  {board}   0\t0/0 ").bottles == Bottles(0, 0)


def test_a_stack_from_the_ground_up():
    position = parse_position("-/2r1tK" + "/-" * 14)
    assert position.stacks[1] == Stack(2, (Tower(True, 1), Tower(False, 0)))
    assert (position.keep, position.on_board, position.imprisoned) == (1, 3, 3)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("W3 , w1T5*2,TD2", "w3,w1t5*2,td2"),
        ("w3,w3,w2,w3", "w3*2,w2,w3"),
        ("wd2=4,6,w1", "wd2=4,6,w1"),
        ("wd3=1, 2 ,3", "wd3=1,2,3"),
        ("wd2=4*2", "wd2=4,wd2=4"),
        ("wd2*2", "wd2*2"),
    ],
)
def test_canonical_cards(text, canonical):
    assert print_cards(parse_cards(text)) == canonical


@pytest.mark.parametrize("text", ["wtd1=4,2", "wd2=4,6,1", "w3,td3=1,2,3,4"])
def test_a_roll_more_is_for_extra_roll(text):
    assert print_cards(parse_cards(text, extra=True)) == text
    with pytest.raises(Refused, match="at most"):
        parse_cards(text)
    with pytest.raises(Refused, match="at most . rolls with extra-roll"):
        parse_cards(text + ",1", extra=True)


def test_extra_of_one_card():
    assert parse_card("wtd1=4,2", extra=True) == Card("wtd1", (4, 2))
    with pytest.raises(Refused, match="at most 1 roll,"):
        parse_card("wtd1=4,2")
    with pytest.raises(Refused, match="no die"):
        parse_card("w1=4", extra=True)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("zu\u0308ge\u00fc", "'zu\u0308ge\u00fc'"),
        ("a\n\t\x1b[1m\x7f", "'a\\n\\t\\x1b[1m\\x7f'"),
        ("\u202e\u2028\udcff", "'\\u202e\\u2028\\udcff'"),
        ("x" * 41, "'" + "x" * 37 + "...'"),
    ],
)
def test_quoted_texts(text, shown):
    assert quote(text) == shown


@pytest.mark.parametrize(("number", "text"), [(0, "no cards"), (1, "1 card"), (2, "2 cards")])
def test_numbers_with_a_noun(number, text):
    assert counted(number, "card") == text


def test_a_bare_digit_belongs_to_the_die_card_before_it():
    assert parse_cards("wd2=4,6,w1") == (Card("wd2", (4, 6)), Card("w1"))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  W3   w5 ", "w3 W5"),
        ("w1t5 t7.2", "w1t5 T7.2"),
        ("W3 -", "w3 -"),
        ("wd3=2,6,4 w5", "wd3=2,6,4 W5"),
        ("w3 W5 +Swap-Towers 7 3", "w3 W5 +swap-towers 3 7"),
        ("w3 W5 +nudge-keep CCW", "w3 W5 +nudge-keep ccw"),
        ("wtd1=2 +EXTRA-ROLL=5 t1.1", "wtd1=2 +extra-roll=5 T1.1"),
        ("w3 +movement-swap T7.1", "w3 +movement-swap T7.1"),
        ("REFRESH t7.1 +draw-two", "refresh T7.1 +draw-two"),
    ],
)
def test_canonical_moves(text, canonical):
    assert print_move(parse_move(text)) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("", ""),
        ("rulebook", ""),
        ("ONLINE", "online"),
        ("Refresh=ON, swap-towers=1", "refresh=on, swap-towers=1"),
        ("card_limit=30,piggyback_in_solo=off", "piggyback-in-solo=off, card-limit=30"),
        ("online, card-limit=none", "online, card-limit=none"),
        ("rulebook, refresh=off", ""),
    ],
)
def test_canonical_rules(text, canonical):
    assert print_rules(parse_rules(text)) == canonical


def test_record_text_is_canonical():
    assert print_record(parse_record(RECORD_TEXT)) == RECORD_TEXT


# Refusals ---------------------------------------------------------------------------------------------------

REST = "/-" * 14
BAD_POSITIONS = [
    ("", "BOARD HOME BOTTLES"),
    ("K/- 0 - 0", "BOARD HOME BOTTLES"),
    ("begin", "start-spells"),
    ("K" + REST, "16 spaces.*has 15"),
    ("K/-/-" + REST, "16 spaces.*has 17"),
    ("-/-" + REST, "no space has the keep"),
    ("K/K" + REST, "^space 1: a second keep.*space 0"),
    ("-/rKK" + REST, "^space 1: .*on the keep"),
    ("-/Kr" + REST, "^space 1: .*on the keep"),
    ("-/K2" + REST, "^space 1: .*on the keep"),
    ("-/k" + REST, "^space 1: .*upper case 'K'"),
    ("-/1K" + REST, "^space 1: .*wizard under the keep"),
    ("-/2r1K" + REST, "^space 1: .*wizard under the keep"),
    ("K/7" + REST, "^space 1: .*7 wizards on one surface .at most 6"),
    ("K/r7" + REST, "^space 1: .*at most 6"),
    ("K/r1t10" + REST, "^space 1: .*at most 6"),
    ("K/" + "9" * 5000 + REST, "^space 1: .*at most 6"),
    ("K/rrrrrrrrrr" + REST, "^space 1: .*more than 9"),
    ("K/rtrtrtrtr" + "/-" * 13 + "/t", "^space 15: .*more than 9"),
    ("K/6r6t1" + REST, "13 wizards on the board.*at most 12"),
    ("K/6r4" + REST + " 3", "10 wizards on the board and 3 home make 13 .at most 12"),
    ("K/-" + REST + " 13", "wizards home.*0 to 12.*'13'"),
    ("K/-" + REST + " -1", "wizards home.*0 to 12.*'-1'"),
    ("K/-" + REST + " x", "wizards home.*'x'"),
    ("K/-" + REST + " 0 7/0", "bottles: .*full.*0 to 6"),
    ("K/-" + REST + " 0 0/7", "bottles: .*empty.*0 to 6"),
    ("K/-" + REST + " 0 4/3", "bottles: 4/3 makes 7 .at most 6"),
    ("K/-" + REST + " 0 5", "bottles .*full/empty.*, or '-' for none, not '5'"),
    ("K/1" + REST + " 12", "1 wizard on the board and 12 home make 13"),
    ("K/-" + REST + " 0 1/2/3", "bottles: .*'2/3'"),
    ("K/0" + REST, "^space 1: .*zero"),
    ("K/r0" + REST, "^space 1: .*zero"),
    ("K/r02" + REST, "^space 1: .*zero"),
    ("K/" + REST, "^space 1: .*an empty space is '-'"),
    ("K/x" + REST, "^space 1: 'x' .*expected"),
    ("K/r-" + REST, "^space 1: '-' .*expected .*'-' alone"),
    ("start 0 -", "'start' stands alone, but '0 -' follows"),
    ("Start-Spells 0 0/6", "'start-spells' stands alone"),
    ("K/\u00b2" + REST, "^space 1: .*expected"),
]


@pytest.mark.parametrize(("text", "message"), BAD_POSITIONS)
def test_refused_positions(text, message):
    with pytest.raises(Refused, match=message) as refused:
        parse_position(text)
    assert len(str(refused.value)) < 250


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no card is written; expected cards"),
        (" ", "no card is written"),
        (",w3", "nothing stands before the first comma in ',w3'"),
        ("w3,,w2", "nothing stands between two commas"),
        ("w3*3,w6", "card 2 of"),
        ("w3,w6", "card 2 .*'w6' is no card"),
        ("w3, ", "nothing stands after the last comma in 'w3,'"),
        ("w3=1", "'w3' has no die"),
        ("w3,4", "card 2 .*'4' is no card"),
        ("wd2,4", "card 2 .*'4' is no card"),
        ("wd2=4*2,6", "card 2 .*'6' is no card"),
        ("wd2=7", "a roll .*1 to 6.*'7'"),
        ("wd2=", "a roll .*1 to 6"),
        ("wd2=1,2,3", "card 3 .*at most 2 rolls"),
        ("wtd1=1,2", "at most 1 roll,"),
        ("w1*0", "'\\*' .*1 to 90"),
        ("w1*91", "'\\*' .*1 to 90"),
        ("w1*", "'\\*' .*1 to 90"),
    ],
)
def test_refused_cards(text, message):
    with pytest.raises(Refused, match=message):
        parse_cards(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected CARD ACTION"),
        ("w3", "action is missing"),
        ("w3 5", "'5' is no action"),
        ("w3 W16", "a space .*0 to 15.*'16'"),
        ("w3 W", "a space .*0 to 15"),
        ("t3 T7", "names no height"),
        ("t3 T7.0", "height .*1 to 9"),
        ("t3 T7.10", "height .*1 to 9"),
        ("wd2 W5", "needs its rolls"),
        ("x3 W5", "'x3' is no card"),
        ("refresh", "action is missing"),
        ("refresh W5", "a refresh moves a tower"),
        ("refresh -", "a refresh moves a tower"),
        ("refresh +movement-swap T1.1", "a refresh plays none"),
        ("w3 W5 advance-wizard W1", "is no spell"),
        ("w3 W5 +fly W1", "'\\+fly' is no spell"),
        ("w3 W5 +advance-wizard", "takes a wizard such as W5"),
        ("w3 W5 +advance-wizard T1.1", "takes a wizard such as W5"),
        ("w3 W5 +advance-tower W1", "takes a tower such as T7.2"),
        ("w3 W5 +free-wizard W1", "takes a tower such as T7.2"),
        ("w3 W5 +swap-towers 3", "takes two spaces"),
        ("w3 W5 +swap-towers 3 3", "two different spaces"),
        ("w3 W5 +nudge-keep", "takes cw or ccw"),
        ("w3 W5 +nudge-keep up", "takes cw or ccw"),
        ("w3 W5 +draw-two 2", "takes nothing more"),
        ("w3 W5 +movement-swap", "before the action"),
        ("w3 +draw-two W5", "before the action"),
        ("w3 +extra-roll=5 W5", "has no die"),
        ("wd2=1 +extra-roll=7 W5", "1 to 6"),
        ("wd2=1 +extra-roll W5", "1 to 6"),
        ("w3 +movement-swap=1 W5", "takes no '='"),
        ("w3 +movement-swap T5.1 +draw-two", "one spell a turn"),
        ("w3 W5 +draw-two +fill-potion", "one spell a turn, and 2 are written"),
        ("w3 W5 +advance-wizard W1 +draw-two", "one spell a turn"),
        ("wd2=1 +extra-roll=2 +movement-swap W5", "one spell a turn"),
        ("w3 +movement-swap T5.1 W5", "nothing follows the action here, but 'W5' does"),
    ],
)
def test_refused_moves(text, message):
    with pytest.raises(Refused, match=message):
        parse_move(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("refresh", "expected option=value"),
        ("refresh=on, online", "first, a preset"),
        ("refresh=yes", "refresh must be on or off"),
        ("fly=1", "'fly' is no option"),
        ("swap-towers=-1", "the cost of swap-towers .*0 to 99"),
        ("card-limit=0", "card-limit .*1 to 90"),
        ("start-bottles=4/4", "start-bottles: 4/4 makes 8"),
        ("refresh=on,", "nothing stands after the last comma"),
        ("refresh=on, Refresh=off", "'refresh' is named twice"),
        ("online, card-limit=3, card_limit=none", "'card-limit' is named twice"),
        ("swap-towers=1,swap-towers=1", "'swap-towers' is named twice"),
        ("start-bottles=3", "start-bottles must be written full/empty, such as '2/3', not '3'"),
    ],
)
def test_refused_rules(text, message):
    with pytest.raises(Refused, match=message):
        parse_rules(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fly", "'fly' is no spell"),
        ("piggyback,", "nothing stands after the last comma"),
        ("piggyback,draw-two,Piggyback", "'piggyback' is named twice"),
    ],
)
def test_refused_spells(text, message):
    with pytest.raises(Refused, match=message):
        parse_spells(text)


# Garbage ----------------------------------------------------------------------------------------------------

VALID = [
    START_TEXT,
    "w3,w1t5*2,wd2=4,6",
    "w3 W5 +swap-towers 3 7",
    "wd2=4 +extra-roll=5 W3",
    "online, refresh=off, swap-towers=2",
    "piggyback,free-wizard",
    RECORD_TEXT,
]
ALPHABET = 'wtdrWTRKk0123456789=,.*/-+ |[]"\n#_'


@st.composite
def nearly_valid(draw) -> str:
    """A valid text with a few places overwritten, cut out or doubled."""
    text = draw(st.sampled_from(VALID))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        end = at + draw(st.integers(0, 3))
        text = text[:at] + draw(st.text(ALPHABET, max_size=2) | st.text(max_size=2)) + text[end:]
    return text


PARSERS = [
    (parse_position, print_position),
    (parse_card, print_card),
    (parse_cards, print_cards),
    (parse_move, print_move),
    (parse_rules, print_rules),
    (parse_spells, ",".join),
    (parse_record, print_record),
]


@settings(max_examples=400)
@given(nearly_valid() | st.text(ALPHABET) | st.text())
def test_garbage_is_refused_or_understood(text):
    for parse, show in PARSERS:
        try:
            found = parse(text)
        except Refused as refused:
            message = str(refused)
            assert message.isprintable()
            assert len(message) < 600
        else:
            assert show(parse(show(found))) == show(found)


def test_refused_is_a_value_error():
    assert issubclass(Refused, ValueError)
    assert parse_rules("") == RULEBOOK
