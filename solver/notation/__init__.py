"""Text <-> positions, cards, moves, rule options and records: the place that refuses bad input."""

from solver.notation.cards import parse_card, parse_cards, parse_rolled, parse_unrolled, print_card, print_cards
from solver.notation.moves import parse_move, print_move
from solver.notation.options import parse_rules, parse_spells, print_rules
from solver.notation.positions import parse_position, print_position
from solver.notation.records import Record, RecordTurn, parse_game_spells, parse_record, print_record

__all__ = [
    "Record",
    "RecordTurn",
    "parse_card",
    "parse_cards",
    "parse_game_spells",
    "parse_move",
    "parse_position",
    "parse_record",
    "parse_rolled",
    "parse_rules",
    "parse_spells",
    "parse_unrolled",
    "print_card",
    "print_cards",
    "print_move",
    "print_position",
    "print_record",
    "print_rules",
]
