"""The value of positions: its patterns, its tables, how it spreads, and its files."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest

import reference
from solver.errors import Refused
from solver.layout import pack
from solver.notation import parse_position
from solver.position import Stack, Tower
from solver.rules import FACE_NUMBER, FACES, SPACES, SPELLS
from solver.value import features, weights
from solver.value.chances import FURTHER, HOPELESS, MOST_VALUE, ROWS, STEPS_A_CARD, bell_curves, chance, measured
from solver.value.features import (
    BOARD_PATTERNS,
    HAND_PATTERNS,
    MOST_BOARD,
    MOST_HAND,
    SCRATCH,
    SIZE,
    SOLO_SIZE,
    SPELL_PATTERNS,
    board_patterns,
    board_value,
    hand_patterns,
    hand_value,
    hand_values,
)
from solver.value.weights import KINDS, SHIPPED, Value, hand_made, load, save, shipped

STARTS = [getattr(features, name) for name in features._TABLES]
NAMES = list(features._TABLES)
RANDOM = np.random.default_rng(2).normal(0, 1, SIZE).astype(np.float32)
# The table of each pattern, in the order they are written; one for each open spell after that.
OF_BOARD = [
    *["BY_KEEP"] * SPACES, *["BY_LANDING"] * SPACES, *["BY_SECOND"] * SPACES, *["WINDOWS"] * SPACES,
    "REACH", "REACH_TWO", "TWICE", "CHAIN", "LEFT", "WHO", "WHO_LANDING", "TOWERS", "SHIELDS", "FREE", "NOW_FIRST",
]  # fmt: skip
OF_BOTTLES = ["BOTTLES"]
OF_SPELL = ["SPELL_LEFT", "SPELL_NOW", "SPELL_TWICE", "SPELL_REACH", "SPELL_BELOW"]
OF_HAND = [
    "HAND", "HAND_NEXT", "HAND_LATER", "HAND_FAR", "HAND_LEFT", "ENDING", "CARD", "CARD", "ABLE", "ABLE_FIRST",
]  # fmt: skip
OF_HAND_SPELL = ["SPELL_HAND", "SPELL_ABLE"]


def tables(entries):
    """The tables that entries lie in."""
    return [NAMES[np.searchsorted(STARTS, entry, "right") - 1] for entry in entries.tolist()]


def random_position(dice, bottles):
    """Any position: wizards on every height, the keep anywhere it may be."""
    board = reference.Board([[reference.Surface("ground")] for _ in range(SPACES)], keep=-1, home=0)
    for number in range(9):
        tall = dice.random() < 0.4
        space = dice.randrange(2) if tall else dice.randrange(SPACES)
        board.spaces[space].append(reference.Surface("r" if number < 5 else "t"))
    surfaces = [surface for space in board.spaces for surface in space]
    board.home = dice.randrange(12)
    for _ in range(12 - board.home):
        dice.choice([surface for surface in surfaces if surface.wizards < 6]).wizards += 1
    board.keep = dice.choice([space for space in range(SPACES) if board.visible(space).wizards == 0])
    board.has_bottles = bottles
    if bottles:
        board.full = dice.randrange(7)
        board.empty = dice.randrange(7 - board.full)
    return parse_position(reference.print_position(board))


POSITIONS = [random_position(random.Random(number), number % 2 == 1) for number in range(120)]


def some_spells(dice):
    return sum(1 << number for number in dice.sample(range(len(SPELLS)), dice.choice((0, 1, 3, len(SPELLS)))))


def patterns(position, spells, first, second, extra):
    """All entries of a position and two cards."""
    board = np.empty(SCRATCH, dtype=np.int64)
    hand = np.empty(MOST_HAND, dtype=np.int64)
    count, sight = board_patterns(*pack(position), spells, board)
    return board[:count], hand[: hand_patterns(sight, first, second, extra, spells, hand)], sight


@pytest.mark.parametrize("position", POSITIONS[:60])
def test_every_pattern_lies_in_its_table(position):
    dice = random.Random(str(position))
    for _ in range(10):
        spells, extra = some_spells(dice), dice.randrange(7)
        board, hand, _ = patterns(position, spells, dice.randrange(len(FACES)), dice.randrange(len(FACES)), extra)
        assert board.min() >= 0
        assert max(board.max(), hand.max()) < (SIZE if position.bottles else SOLO_SIZE)
        by_spell, hand_by_spell = OF_SPELL * spells.bit_count(), OF_HAND_SPELL * spells.bit_count()
        more = ["EXTRA"] * (extra > 0) if position.bottles else []
        assert tables(board) == OF_BOARD + (OF_BOTTLES + by_spell if position.bottles else [])
        assert tables(hand) == OF_HAND + more + (hand_by_spell if position.bottles else [])


def test_the_numbers_of_patterns():
    assert (len(OF_BOARD), len(OF_HAND), len(OF_SPELL)) == (BOARD_PATTERNS, HAND_PATTERNS, SPELL_PATTERNS)
    every = (1 << len(SPELLS)) - 1
    board, hand, _ = patterns(POSITIONS[1], every, 0, 1, 1)
    assert (len(board), len(hand)) == (MOST_BOARD, MOST_HAND)
    assert sorted(NAMES, key=lambda name: getattr(features, name)) == NAMES
    assert len(set(STARTS)) == len(STARTS)
    assert sum(features._TABLES.values()) == SIZE


def test_positions_differ_in_their_patterns():
    seen = {tuple(patterns(position, 0, 0, 1, 0)[0].tolist()) for position in POSITIONS}
    assert len(seen) == len(POSITIONS)


@pytest.mark.parametrize("position", POSITIONS[:40])
def test_the_value_is_the_sum_of_the_entries(position):
    dice = random.Random(str(position))
    spells, (first, second) = some_spells(dice), dice.sample(range(len(FACES)), 2)
    board, hand, _ = patterns(position, spells, first, second, 2)
    scratch = np.empty(SCRATCH, dtype=np.int64)
    value, sight = board_value(*pack(position), spells, RANDOM, scratch)
    assert value == pytest.approx(RANDOM[board].sum(dtype=float), abs=1e-3)
    for one, two in ((first, second), (second, first)):
        of_hand = hand_value(sight, one, two, 2, spells, RANDOM, scratch)
        assert of_hand == pytest.approx(RANDOM[hand].sum(dtype=float), abs=1e-3)


@pytest.mark.parametrize("position", POSITIONS[:60])
def test_many_hands_at_once_are_the_same(position):
    dice = random.Random(str(position))
    scratch = np.empty(SCRATCH, dtype=np.int64)
    for extra in (0, 2):
        spells, card = some_spells(dice), dice.randrange(len(FACES))
        _, sight = board_value(*pack(position), spells, RANDOM, scratch)
        wanted = dice.sample(range(len(FACES)), 15)
        found = np.full(len(FACES), np.nan)
        hand_values(sight, card, sum(1 << face for face in wanted), extra, spells, RANDOM, found)
        assert np.flatnonzero(~np.isnan(found)).tolist() == sorted(wanted)
        for face in wanted:
            alone = hand_value(sight, card, face, extra, spells, RANDOM, scratch)
            assert found[face] == pytest.approx(alone, abs=1e-4)


def turned(position, steps):
    """The position with everything so many spaces further."""
    stacks = position.stacks[-steps:] + position.stacks[:-steps]
    return replace(position, stacks=stacks, keep=(position.keep + steps) % SPACES)


@pytest.mark.parametrize("position", POSITIONS)
def test_the_ring_has_four_equal_parts(position):
    dice = random.Random(str(position))
    spells, first, second = some_spells(dice), dice.randrange(len(FACES)), dice.randrange(len(FACES))
    board, hand, sight = patterns(position, spells, first, second, 1)
    for steps in (4, 8, 12):
        others = patterns(turned(position, steps), spells, first, second, 1)
        assert sorted(others[0]) == sorted(board)
        assert others[1].tolist() == hand.tolist()
        assert others[2] == sight


def test_the_ring_has_no_more_than_four():
    shields = [tables_of("SHIELDS", turned(parse_position("start"), steps)) for steps in (0, 1, 2, 3)]
    assert len({*shields}) > 1


def tables_of(name, position):
    board, _, _ = patterns(position, 0, 0, 1, 0)
    return board[OF_BOARD.index(name)]


@pytest.mark.parametrize("number", range(20))
def test_what_a_position_looks_like_from_the_keep(number):
    # by hand: who stands 1 to 6 spaces before the keep, and how far it will go
    position = POSITIONS[number]
    _, _, sight = patterns(position, 0, 0, 1, 0)
    tops = [stack.towers[-1] if stack.towers else Tower(False, stack.ground) for stack in position.stacks]
    behind = [tops[(position.keep - 6 + place) % SPACES].wizards > 0 for place in range(6)]
    assert sight.now == sum(1 << place for place, someone in enumerate(behind) if someone)
    shields = [
        step
        for step in range(1, SPACES)
        for space in [(position.keep + step) % SPACES]
        if tops[space].wizards == 0 and (tops[space].raven if position.stacks[space].towers else space % 4 == 0)
    ]
    assert sight.first == (shields[0] if shields else 0)
    assert sight.board == 12 - position.home
    assert sight.on_tower == bool(position.stacks[position.keep].towers)


# How it spreads --------------------------------------------------------------------------------------------------


def some_games():
    """Values, and the cards they came to; and some that were lost."""
    rng = np.random.default_rng(3)
    values = rng.uniform(0, 30, 60_000)
    cards = np.maximum(np.rint(values + rng.normal(0, 2, len(values))), 1)
    cards[rng.random(len(values)) < 0.01] = FURTHER + 1
    return values, cards


TABLES = {"bell": bell_curves, "measured": lambda: measured(*some_games())}


@pytest.mark.parametrize("name", TABLES)
def test_chances_grow_with_the_cards(name):
    table = TABLES[name]()
    assert table.shape == (ROWS, FURTHER + 1)
    assert table.min() >= 0
    assert table.max() <= 1
    assert (np.diff(table, axis=1) >= -1e-12).all()


@pytest.mark.parametrize("name", TABLES)
def test_certainties(name):
    table = TABLES[name]()
    assert [chance(0.0, cards, table) for cards in (-1, 0, 1, 30)] == [0, 1, 1, 1]
    assert [chance(1.0, cards, table) for cards in (0, 1, 2, FURTHER - 1)] == [0, 1, 1, 1]
    assert [chance(value, 0, table) for value in (2.0, 7.3, 100.0)] == [0, 0, 0]
    assert [chance(value, FURTHER, table) for value in (2.0, 39.0, 100.0)] == [1, 1, 1]
    assert [chance(HOPELESS, cards, table) for cards in (1, 30, FURTHER, 90)] == [0, 0, 0, 0]
    assert chance(MOST_VALUE + 30.0, 45, table) == pytest.approx(table[-1, 45], abs=1e-4)


def test_bell_curves_fall_with_the_value():
    table = bell_curves()
    values = np.arange(1, MOST_VALUE, 0.25)
    for cards in (2, 5, 10, 20):  # where the spread grows faster than the value, far below it, nothing is said
        found = [chance(value, cards, table) for value in values if value < cards + 20]
        assert all(later <= earlier + 1e-9 for earlier, later in zip(found, found[1:], strict=False))


def test_between_two_rows_it_is_in_between():
    table = bell_curves()
    low, high = table[20, 9], table[21, 9]
    assert chance(20.25 / STEPS_A_CARD, 9, table) == pytest.approx(0.75 * low + 0.25 * high)


def test_what_was_measured_stands_where_enough_was_seen():
    values = np.array([10.0] * 300 + [20.0] * 500)
    cards = np.array([9.0] * 300 + [18.0] * 250 + [22.0] * 200 + [FURTHER + 1.0] * 50)
    table = measured(values, cards)
    assert np.array_equal(table[20], bell_curves()[20])
    found = table[40, [17, 18, 21, 22, FURTHER]].tolist()
    assert found == pytest.approx([0, 0.5, 0.5, 0.9, 0.9])


# Files -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def value():
    table = np.zeros(SIZE, dtype=np.float32)
    table[::1000] = np.random.default_rng(4).normal(0, 1, len(table[::1000])).astype(np.float16)
    return Value(table, bell_curves().astype(np.float16).astype(float), {"kind": "solo", "seed": 9})


def test_there_and_back(value, tmp_path):
    file = tmp_path / "any.npz"
    save(value, file)
    found = load(file)
    assert np.array_equal(found.weights, value.weights)
    assert np.array_equal(found.chances, value.chances)
    assert (found.weights.dtype, found.chances.dtype) == (np.float32, np.float64)
    assert found.digest == value.digest == found.about["digest"]
    assert {**value.about, "version": weights.VERSION, "digest": value.digest} == found.about


def test_the_digest_tells_values_apart(value):
    other = value.weights.copy()
    other[5000] += 1
    curves = value.chances.copy()
    curves[30, 10] /= 2
    digests = {value.digest, Value(other, value.chances).digest, Value(value.weights, curves).digest}
    assert len(digests) == 3
    assert Value(value.weights.copy(), value.chances.copy(), {"other": 1}).digest == value.digest


def test_another_version_is_refused(value, tmp_path, monkeypatch):
    monkeypatch.setattr(weights, "VERSION", weights.VERSION + 1)
    save(value, tmp_path / "any.npz")
    monkeypatch.undo()
    with pytest.raises(Refused, match=r"'any.npz' has version 2, and this is version 1; learn it again"):
        load(tmp_path / "any.npz")


@pytest.mark.parametrize("change", ["weights", "chances", "digest", "length", "rows"])
def test_numbers_that_are_not_those_of_the_digest_are_refused(value, tmp_path, change):
    file = tmp_path / "any.npz"
    save(value, file)
    with np.load(file) as content:
        parts = dict(content)
    about = json.loads(str(parts["about"]))
    if change == "digest":
        parts["about"] = np.array(json.dumps({**about, "digest": "0" * 12}))
    elif change == "length":
        parts["weights"] = np.ones(SIZE + 1, dtype=np.float16)
    elif change == "rows":
        parts["chances"] = parts["chances"][1:]
    else:
        parts[change].ravel()[1000] += 1
    np.savez(file, **parts)
    with pytest.raises(Refused, match="'any.npz' is damaged"):
        load(file)


def test_a_damaged_file_is_refused(value, tmp_path):
    file = tmp_path / "any.npz"
    save(value, file)
    whole = file.read_bytes()
    dice = random.Random(1)
    for number in range(40):
        content = bytearray(whole)
        if number % 4 == 0:
            content = content[: dice.randrange(len(whole))]
        else:
            for _ in range(20):
                content[dice.randrange(200, len(whole) - 800)] ^= 1 << dice.randrange(8)
        file.write_bytes(content)
        with pytest.raises(Refused, match="'any.npz'"):
            load(file)


@pytest.mark.parametrize("content", ["", "text", "array", "list", "number"])
def test_something_else_is_refused(content, tmp_path):
    file = tmp_path / "any.npz"
    if content == "array":
        with file.open("wb") as stream:
            np.save(stream, np.zeros(3))
    elif content in ("list", "number"):
        numbers = np.zeros(3) if content == "list" else np.zeros(())
        np.savez(
            file, weights=numbers, chances=numbers, about=np.array("[]" if content == "list" else '{"version": 1}')
        )
    else:
        file.write_text(content)
    with pytest.raises(Refused, match="'any.npz'"):
        load(file)
    with pytest.raises(Refused, match="holds no value"):
        load(tmp_path / "missing.npz")


@pytest.mark.parametrize("kind", KINDS)
def test_values_that_are_shipped(kind):
    value = shipped(kind)
    assert value.about["kind"] == kind
    assert value.digest == value.about["digest"]
    assert np.isfinite(value.weights).all()
    assert (np.diff(value.chances, axis=1) >= 0).all()
    assert value.weights[:SOLO_SIZE].any()
    assert value.weights[SOLO_SIZE:].any() == (kind == weights.SPELLS)
    assert 0 < value.about["mean"] < 40


def test_what_is_shipped_is_small():
    assert sum((SHIPPED / f"{kind}.npz").stat().st_size for kind in KINDS) <= 10_000_000


def test_hand_made():
    value = hand_made()
    assert value is hand_made()
    scratch = np.empty(SCRATCH, dtype=np.int64)

    def worth(text):
        return board_value(*pack(parse_position(text)), 0, value.weights, scratch)[0]

    # two wizards, one of whom can enter at once, and more if somebody sits on top of him
    near = "K/-/-/-/-/-/-/1/-/-/-/-/-/1/-/- 10"
    assert worth(f"{near} -") == pytest.approx(2 * 2.6 - 0.4 - 0.25 * next_masks(near) ** 0.5)
    assert worth(f"{near} 0/3") == pytest.approx(worth(f"{near} -") + 3)
    covered = "K/-/-/-/-/-/-/1r/-/-/-/-/-/1/-/- 10"
    assert worth(f"{covered} -") > worth(f"{near} -") + 1
    assert worth("start") > 20
    sight = board_value(*pack(parse_position(f"{near} -")), 0, value.weights, scratch)[1]

    def saved(first, second):
        return -hand_value(sight, FACE_NUMBER[first], FACE_NUMBER[second], 0, 0, value.weights, scratch)

    assert saved("t1", "t2") == 0
    assert saved("w3", "t2") == saved("t2", "w3") > 0.9  # who is 3 behind the keep walks in


def next_masks(text):
    """How many spaces with wizards lie just before the keep's next landing spot."""
    _, _, sight = patterns(parse_position(f"{text} -"), 0, 0, 1, 0)
    return int(sight.next).bit_count()


def test_stacks_are_what_the_patterns_are_about():
    # nine high, with somebody on every surface
    tall = Stack(2, tuple(Tower(number < 5, 1) for number in range(9)))
    position = parse_position("start")
    stacks = tuple(tall if space == 3 else Stack(0, ()) for space in range(SPACES))
    high = replace(position, stacks=stacks, keep=0, home=1)
    board, _, sight = patterns(high, 0, 0, 1, 0)
    assert tables(board) == OF_BOARD
    assert (sight.board, sight.prisons) == (11, 3)
