"""The fast engine against the slow one: they meet only in notation text."""

import random

import pytest

import reference
from solver.engine.code import decode, encode
from solver.engine.table import rule_table
from solver.layout import pack
from solver.notation import (
    parse_card,
    parse_cards,
    parse_position,
    parse_rules,
    parse_spells,
    print_card,
    print_move,
    print_position,
)
from solver.referee import Referee
from solver.rules import PRESETS, RULEBOOK, SPELL_NUMBER, Rules
from solver.search.perft import count_lines, count_positions, first_moves
from suite import SUITE

BOTH_PRESETS = [(PRESETS["rulebook"], reference.RULEBOOK), (PRESETS["online"], reference.ONLINE)]


def reference_rules(rules: Rules) -> dict[str, object]:
    return {
        "costs": dict(rules.spell_costs),
        "refresh": rules.refresh,
        "piggyback_in_solo": rules.piggyback_in_solo,
        "start_bottles": tuple(rules.start_bottles),
        "fill_goal": rules.start_bottles.empty > 0,
        "card_limit": rules.card_limit,
    }


def random_card(rng: random.Random) -> str:
    face = rng.choice(list(reference.DECK))
    most = reference.MOST_ROLLS.get(face, 0)
    rolls = ",".join(str(rng.randint(1, 6)) for _ in range(rng.randint(1, most))) if most else ""
    return f"{face}={rolls}" if rolls else face


def random_position(rng: random.Random) -> str:
    """Any position the notation allows, not only those of games: crowded surfaces and high stacks are common."""
    spaces = rng.sample(range(16), rng.randint(1, 8))
    stacks: list[list[str]] = [[] for _ in range(16)]
    for _ in range(rng.randint(0, 9)):
        stacks[rng.choice(spaces)].append(rng.choice("rt"))
    surfaces = [(space, height) for space in range(16) for height in range(len(stacks[space]) + 1)]
    favourites = rng.sample(surfaces, min(len(surfaces), rng.randint(1, 8)))
    keep = rng.randrange(16)
    wizards: dict[tuple[int, int], int] = {}
    on_board = rng.randint(0, 12)
    for _ in range(on_board):
        surface = rng.choice(favourites)
        if surface != (keep, len(stacks[keep])) and wizards.get(surface, 0) < 6:
            wizards[surface] = wizards.get(surface, 0) + 1

    def text(space: int) -> str:
        parts = [str(wizards.get((space, 0), "") or "")]
        parts += [kind + str(wizards.get((space, at), "") or "") for at, kind in enumerate(stacks[space], start=1)]
        return "".join(parts) + ("K" if space == keep else "") or "-"

    full = rng.randint(0, 6)
    bottles = rng.choice(["-", f"{full}/{rng.randint(0, 6 - full)}"])
    return f"{'/'.join(map(text, range(16)))} {rng.randint(0, 12 - sum(wizards.values()))} {bottles}"


def check_turns(position: str, card: str, spells: tuple[str, ...], rules: Rules) -> list[tuple[str, str]]:
    """Both engines list the same turns leading to the same positions; the list of them."""
    turns = Referee(rules, spells).legal(parse_position(position), parse_card(card))
    ours = sorted((print_move(move), print_position(after)) for move, after in turns)
    theirs = sorted(reference.turns(position, card, spells, reference_rules(rules)))
    assert ours == theirs, f"{position} with {card}, spells {spells}"
    return theirs


@pytest.mark.parametrize("name", SUITE)
def test_perft_agrees_with_the_reference(name):
    position, cards, spells_text, rules_text = SUITE[name]
    rules, spells = parse_rules(rules_text), parse_spells(spells_text)
    board, played = parse_position(position, rules), parse_cards(cards)
    table = rule_table(rules, spells)
    theirs = reference.perft(
        print_position(board), [print_card(card) for card in played], spells, reference_rules(rules)
    )
    layers = count_positions(pack(board), played, table)
    walked = count_lines(pack(board), played, table)
    if (layers.lines, layers.positions) != theirs:  # say where, before failing
        expected = reference.divide(
            print_position(board), [print_card(card) for card in played], spells, reference_rules(rules)
        )
        for code, after in first_moves(pack(board), played[0], table):
            count = count_positions(after, played[1:], table)
            move = print_move(decode(code, played[0]))
            print(move, (count.lines, count.positions), "reference:", expected.get(move))
    assert (layers.lines, layers.positions) == theirs
    assert walked.lines == theirs[0]
    assert walked.moves >= layers.moves


def test_perft_known_count():
    cards = parse_cards("w2t4,w3,t2,w1t5,w4t4,w2t2,t3,w4")
    assert count_lines(pack(parse_position("start")), cards, rule_table(RULEBOOK)).lines == 75_101_404


def test_large_perft_grows_its_tables():
    cards = parse_cards("w2t4,w3,t2,w1t5,w4t4")
    count = count_positions(pack(parse_position("start")), cards, rule_table(RULEBOOK))
    assert (count.lines, count.positions) == (121_994, 106_217)


@pytest.mark.parametrize("seed", range(150))
def test_turns_agree_on_random_positions(seed):
    rng = random.Random(seed)
    spells = tuple(rng.sample(sorted(SPELL_NUMBER), rng.choice([0, 1, 3, 5])))
    rules, _ = rng.choice(BOTH_PRESETS)
    for _ in range(4):
        position = random_position(rng)
        assert print_position(parse_position(position)) == position
        check_turns(position, random_card(rng), spells, rules)
        referee = Referee(rules, spells)
        assert referee.goal_reached(parse_position(position)) == reference.goal_reached(
            position, reference_rules(rules)
        )


@pytest.mark.parametrize("seed", range(12))
def test_turns_agree_along_random_games(seed):
    rng = random.Random(1000 + seed)
    rules, _ = BOTH_PRESETS[seed % 2]
    spells = tuple(rng.sample(sorted(SPELL_NUMBER), 3)) if seed % 3 else ()
    position = print_position(parse_position("start-spells" if spells else "start", rules))
    for _ in range(40):
        turns = check_turns(position, random_card(rng), spells, rules)
        position = rng.choice(turns)[1]


def test_every_turn_has_its_own_code():
    spells = tuple(SPELL_NUMBER)
    board = parse_position(SUITE["every board spell"][0])
    for card in ("w1t5", "wd3=2", "t4"):
        turns = Referee(PRESETS["rulebook"], spells).legal(board, parse_card(card))
        codes = {(encode(turn.move), turn.move.new_roll) for turn in turns}
        assert len(codes) == len(turns) == len({print_move(turn.move) for turn in turns})
        for turn in turns:
            assert decode(encode(turn.move), parse_card(card), turn.move.new_roll) == turn.move
            assert Referee(PRESETS["rulebook"], spells).play(board, turn.move) == turn.position
