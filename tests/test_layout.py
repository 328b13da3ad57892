import random

import pytest

from solver.layout import WORD_A, WORD_B, pack, unpack
from solver.notation import parse_position, print_position
from test_engine import random_position


@pytest.mark.parametrize("fields", [WORD_A, WORD_B])
def test_fields_tile_the_word(fields):
    at = 0
    for field in fields:
        assert field.shift == at
        at = field.top
    assert at <= 63


def test_pack_and_unpack_round_trip():
    rng = random.Random(5)
    texts = {random_position(rng) for _ in range(500)}
    packed = {pack(parse_position(text)) for text in texts}
    assert len(packed) == len(texts)
    assert {print_position(unpack(*words)) for words in packed} == texts
    assert all(0 <= word < 2**63 for words in packed for word in words)


def test_no_bottles_and_all_spent_are_told_apart():
    board = "K/-/-/-/-/-/-/-/-/-/-/-/-/-/-/1 0 "
    assert pack(parse_position(board + "-")) != pack(parse_position(board + "0/0"))
