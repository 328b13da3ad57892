"""A number that a refactoring must not change: lines and moves of a fixed set of perfts.

Run: .venv/bin/python bench/signature.py
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from solver.engine.table import rule_table
from solver.layout import pack
from solver.notation import parse_cards, parse_position, parse_rules, parse_spells
from solver.search.perft import count_lines
from suite import SUITE


def signature() -> int:
    """Moves generated over the whole perft suite."""
    total = 0
    for position, cards, spells, options in SUITE.values():
        rules = parse_rules(options)
        table = rule_table(rules, parse_spells(spells))
        total += count_lines(pack(parse_position(position, rules)), parse_cards(cards), table).moves
    return total


if __name__ == "__main__":
    print(signature())
