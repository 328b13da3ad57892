"""The engine's speed: against the reference engine, and with spells; every move generated and applied.

Run: .venv/bin/python -m pytest bench
"""

import sys
import time
from pathlib import Path

import pytest

from solver.engine.table import rule_table
from solver.layout import pack
from solver.notation import parse_cards, parse_position
from solver.rules import RULEBOOK
from solver.search.perft import count_lines, count_positions

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import reference

CARDS = parse_cards("w2t4,w3,t2,w1t5,w4t4,w2t2,t3,w4")
SPELLS = ("piggyback", "free-wizard", "advance-tower")
GAMES = {"solo": ("start", (), 8, 5), "spells": ("start-spells", SPELLS, 5, 3)}


@pytest.fixture(scope="module", autouse=True)
def compiled():
    start, table = pack(parse_position("start")), rule_table(RULEBOOK)
    count_lines(start, CARDS[:2], table)
    count_positions(start, CARDS[:2], table)


@pytest.mark.parametrize("game", GAMES)
def test_walk_against_the_reference(benchmark, game):
    """Moves a second, ours and the reference's, in one run."""
    position, spells, depth, reference_depth = GAMES[game]
    start, table = pack(parse_position(position)), rule_table(RULEBOOK, spells)
    count = benchmark.pedantic(count_lines, (start, CARDS[:depth], table), rounds=3)
    ours = count.moves / benchmark.stats.stats.min
    shallow = [card.face for card in CARDS[:reference_depth]]
    same = count_lines(start, CARDS[:reference_depth], table)  # the reference makes the same moves, and no more
    began = time.perf_counter()
    lines, _ = reference.perft(position, shallow, spells)
    theirs = same.moves / (time.perf_counter() - began)
    assert lines == same.lines
    benchmark.extra_info |= {
        "million_moves_a_second": round(ours / 1e6, 1),
        "times_the_reference": round(ours / theirs),
    }
    print(f"\n{game}: {ours / 1e6:.1f} million moves a second, {ours / theirs:,.0f} times the reference")


def test_layers_against_walk(benchmark):
    """Counting positions too, beside the walk over the same seven cards."""
    start, table = pack(parse_position("start")), rule_table(RULEBOOK)
    walked = count_lines(start, CARDS[:7], table)
    count = benchmark.pedantic(count_positions, (start, CARDS[:7], table), rounds=1)
    assert count.lines == walked.lines
    print(f"\nlayers {count.seconds:.2f} s, {count.positions:,} positions; walk {walked.seconds:.2f} s")
