"""Examples worked by hand from the rules, to check the reference engine itself."""

from __future__ import annotations

import pytest

import reference
from reference import (
    Game,
    divide,
    goal_reached,
    parse_position,
    perft,
    print_position,
    turns,
)

EMPTY = dict.fromkeys(range(16), "-")
START = "K/r3/t3/r3/t2/r1/t/r/t/r/-/-/-/-/-/-"


def pos(spaces: dict[int, str], rest: str = "0 -") -> str:
    """A position from its spaces that are not empty."""
    return "/".join((EMPTY | spaces).values()) + " " + rest


def texts(position: str, card: str, *spells: str, rules=None) -> set[str]:
    """The move texts of all turns; also checks that none is listed twice."""
    found = [text for text, _ in turns(position, card, spells, rules)]
    assert len(found) == len(set(found))
    return set(found)


def after(position: str, move: str, *spells: str, rules=None) -> str:
    """The position after one turn."""
    return dict(turns(position, move.split()[0], spells, rules))[move]


# --- Notation ----------------------------------------------------------------------------------------


def test_start_words():
    assert print_position(parse_position("start")) == f"{START} 0 -"
    assert print_position(parse_position("start-spells")) == f"{START} 0 0/6"
    assert print_position(parse_position("START-Spells", reference.ONLINE)) == f"{START} 0 6/0"


def test_home_and_bottles_may_be_left_out():
    assert print_position(parse_position(START)) == f"{START} 0 -"
    assert print_position(parse_position(f"{START} 0")) == f"{START} 0 -"


def test_no_bottles_and_none_left_are_kept_apart():
    assert print_position(parse_position(pos({0: "K"}, "3 -"))).endswith(" 3 -")
    assert print_position(parse_position(pos({0: "K"}, "3 0/0"))).endswith(" 3 0/0")


def test_parsing_ignores_case_except_for_the_keep():
    assert print_position(parse_position(pos({3: "2R1TK"}))) == pos({3: "2r1tK"})
    with pytest.raises(ValueError):
        parse_position(pos({3: "2r1tk"}))


def test_a_stack_reads_from_the_ground_up():
    board = parse_position(pos({3: "2r1tK"}))
    assert [(s.kind, s.wizards) for s in board.spaces[3]] == [("ground", 2), ("r", 1), ("t", 0)]
    assert board.keep == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "K/-/-/-/-/-/-/-/-/-/-/-/-/-/- 0 -",
        "K/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/- 0 -",
        pos({3: "1"}),
        pos({3: "K", 4: "K"}),
        pos({3: "KK"}),
        pos({3: "Kr"}),
        pos({3: "1K"}),
        pos({3: "r1K"}),
        pos({0: "K", 3: "7"}),
        pos({0: "K", 3: "r7"}),
        pos({0: "K", 3: "rrrrr", 4: "ttttt"}),
        pos({0: "K", 3: "6", 4: "6", 5: "1"}),
        pos({0: "K", 3: "6"}, "7 -"),
        pos({0: "K"}, "0 3/4"),
        pos({0: "K"}, "0 7/0"),
        pos({0: "K"}, "0 3"),
        pos({0: "K"}, "x -"),
        pos({0: "K"}, "0 - -"),
        pos({0: "K", 3: "r0"}),
        pos({0: "K", 3: "x"}),
        pos({0: "K", 3: ""}),
    ],
)
def test_what_breaks_the_rules_is_refused(text):
    with pytest.raises(ValueError):
        parse_position(text)


def test_limits_themselves_are_allowed():
    text = pos({0: "K", 3: "6rrrrrrrrr5"}, "1 6/0")
    assert print_position(parse_position(text)) == text


# --- Cards -------------------------------------------------------------------------------------------


def test_deck():
    assert sum(reference.DECK.values()) == 90
    assert len(reference.DECK) == 23


@pytest.mark.parametrize(
    "card", ["w6", "w1t3", "wd2", "wd2=", "wd2=7", "wd2=1,2,3", "wtd1=1,1", "w3=2", "x", ""]
)
def test_cards_that_do_not_exist_are_refused(card):
    with pytest.raises(ValueError):
        turns("start", card)


def test_the_card_is_written_in_lower_case():
    assert texts(pos({0: "K", 3: "1"}), "WD2=4") == {"wd2=4 W3"}


def test_the_last_roll_counts():
    assert after(pos({0: "K", 3: "1"}), "wd3=2,6,4 W3") == pos({0: "K", 7: "1"})


def test_a_die_card_for_either_piece():
    position = pos({0: "K", 3: "1", 9: "t"})
    assert texts(position, "wtd1=3") == {"wtd1=3 W3", "wtd1=3 T9.1"}
    assert texts(position, "wd2=3") == {"wd2=3 W3"}
    assert texts(position, "td2=3") == {"td2=3 T9.1"}


def test_both_sides_of_a_card():
    position = pos({0: "K", 3: "1", 9: "t"})
    assert after(position, "w1t5 W3") == pos({0: "K", 4: "1", 9: "t"})
    assert after(position, "w1t5 T9.1") == pos({0: "K", 3: "1", 14: "t"})


def test_nothing_can_move():
    assert turns(pos({0: "K", 3: "1"}), "t3") == [("t3 -", pos({0: "K", 3: "1"}))]


def test_a_legal_move_must_be_made():
    assert texts(pos({0: "K", 3: "1"}), "w3") == {"w3 W3"}


# --- Moving a wizard ---------------------------------------------------------------------------------


def test_one_wizard_of_several():
    assert turns(pos({0: "K", 3: "2"}), "w4") == [("w4 W3", pos({0: "K", 3: "1", 7: "1"}))]


def test_a_wizard_lands_on_the_topmost_roof_over_everything():
    position = pos({5: "tK", 4: "1", 7: "2rt"})
    assert after(position, "w3 W4") == pos({5: "tK", 7: "2rt1"})


def test_imprisoned_wizards_do_not_move():
    assert texts(pos({0: "K", 3: "2r1t"}), "w4") == {"w4 -"}


def test_six_on_a_surface():
    assert texts(pos({0: "K", 3: "1", 5: "6"}), "w2") == {"w2 W5"}
    assert texts(pos({0: "K", 3: "1", 5: "t6"}), "w2") == {"w2 W5"}
    assert texts(pos({0: "K", 3: "1", 5: "6t"}), "w2") == {"w2 W3"}
    assert after(pos({0: "K", 3: "1", 5: "5"}), "w2 W3") == pos({0: "K", 5: "6"})


def test_wrap_around():
    assert after(pos({5: "K", 15: "1"}), "w1 W15") == pos({5: "K", 0: "1"})
    assert after(pos({5: "K", 14: "r2"}), "t3 T14.1") == pos({5: "K", 1: "r2"})


def test_entering_and_relocating_for_the_last_wizard_too():
    assert turns(pos({0: "K", 13: "1"}), "w3") == [("w3 W13", pos({4: "K"}, "1 -"))]


def test_relocation_begins_at_the_next_space_and_goes_clockwise():
    assert after(pos({4: "K", 2: "2", 5: "r", 3: "r"}), "w2 W2") == pos({2: "1", 3: "r", 5: "rK"}, "1 -")


def test_relocation_skips_wizards_plain_towers_and_covered_ground():
    position = pos({0: "K", 4: "1", 6: "r2", 7: "t", 8: "t", 9: "1r", 13: "1"})
    result = pos({0: "-", 4: "1", 6: "r2", 7: "t", 8: "t", 9: "1rK"}, "1 -")
    assert after(position, "w3 W13") == result


def test_relocation_takes_a_raven_tower_on_a_ground_shield():
    assert after(pos({0: "K", 4: "r", 13: "1"}), "w3 W13") == pos({4: "rK"}, "1 -")


def test_relocation_ignores_a_raven_roof_that_is_covered():
    assert after(pos({0: "K", 3: "rt", 13: "1"}), "w3 W13") == pos({3: "rt", 4: "K"}, "1 -")


def test_relocation_wraps_around():
    assert after(pos({13: "K", 12: "2"}), "w1 W12") == pos({0: "K", 12: "1"}, "1 -")


def test_relocation_counts_the_space_that_the_wizard_has_left():
    position = pos({0: "t", 4: "1", 6: "K", 8: "t", 12: "t"})
    assert after(position, "w2 W4") == pos({0: "t", 4: "K", 8: "t", 12: "t"}, "1 -")


def test_the_keep_stays_if_there_is_no_place():
    position = pos({0: "t", 4: "2", 6: "K", 8: "t", 12: "t"})
    assert after(position, "w2 W4") == pos({0: "t", 4: "1", 6: "K", 8: "t", 12: "t"}, "1 -")


def test_relocation_leaves_the_tower_under_the_keep():
    assert after(pos({6: "2rtK", 5: "1"}), "w1 W5") == pos({6: "2rt", 8: "K"}, "1 -")


# --- Moving a tower ----------------------------------------------------------------------------------


def test_any_height_moves_with_all_that_stands_on_it():
    position = pos({0: "K", 3: "1r2t3"})
    assert texts(position, "t2") == {"t2 T3.1", "t2 T3.2"}
    assert after(position, "t2 T3.1") == pos({0: "K", 3: "1", 5: "r2t3"})
    assert after(position, "t2 T3.2") == pos({0: "K", 3: "1r2", 5: "t3"})


def test_a_tower_lands_on_top_of_what_is_there():
    assert after(pos({0: "K", 3: "r1", 5: "2t4"}), "t2 T3.1") == pos({0: "K", 5: "2t4r1"})


def test_a_tower_carries_the_keep():
    position = pos({3: "rtK", 5: "2t1"})
    assert after(position, "t2 T3.1") == pos({5: "2t1rtK"})
    assert after(position, "t2 T3.2") == pos({3: "r", 5: "2t1tK"})


def test_a_tower_must_not_land_on_the_keep():
    assert texts(pos({5: "K", 3: "r"}), "t2") == {"t2 -"}
    assert texts(pos({5: "tK", 3: "r"}), "t2") == {"t2 T5.1"}


def test_a_tower_may_pass_over_the_keep():
    assert after(pos({5: "K", 3: "r"}), "t3 T3.1") == pos({5: "K", 6: "r"})


def test_a_full_surface_does_not_stop_a_tower():
    assert after(pos({0: "K", 3: "r6", 5: "6"}), "t2 T3.1") == pos({0: "K", 5: "6r6"})


# --- Bottles and the goal ----------------------------------------------------------------------------


def test_covering_several_wizards_fills_one_bottle_with_no_spell_open():
    assert after(pos({0: "K", 3: "r", 5: "4"}, "0 0/6"), "t2 T3.1") == pos({0: "K", 5: "4r"}, "0 1/5")


def test_a_tower_with_wizards_on_it_fills_by_what_it_covers_only():
    assert after(pos({0: "K", 3: "r2"}, "0 0/6"), "t2 T3.1") == pos({0: "K", 5: "r2"}, "0 0/6")


def test_wizards_imprisoned_already_are_not_newly_covered():
    assert after(pos({0: "K", 3: "r", 5: "2t"}, "0 0/6"), "t2 T3.1") == pos({0: "K", 5: "2tr"}, "0 0/6")


def test_no_bottle_is_filled_if_none_is_empty():
    assert after(pos({0: "K", 3: "r", 5: "4"}, "0 2/0"), "t2 T3.1") == pos({0: "K", 5: "4r"}, "0 2/0")
    assert after(pos({0: "K", 3: "r", 5: "4"}, "0 -"), "t2 T3.1") == pos({0: "K", 5: "4r"}, "0 -")


def test_the_goal():
    assert goal_reached(pos({0: "K"}, "12 -"))
    assert goal_reached(pos({0: "K"}, "5 -"))
    assert not goal_reached(pos({0: "K", 3: "1"}, "11 -"))
    assert not goal_reached(pos({0: "K", 3: "1r"}, "11 -"))


def test_the_goal_with_bottles():
    assert goal_reached(pos({0: "K"}, "12 6/0"))
    assert goal_reached(pos({0: "K"}, "12 0/0"))
    assert not goal_reached(pos({0: "K"}, "12 5/1"))
    assert goal_reached(pos({0: "K"}, "12 5/1"), {"fill_goal": False})
    assert not goal_reached(pos({0: "K", 3: "1"}, "11 6/0"), {"fill_goal": False})


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        (19, "Exceptional"), (20, "Brilliant"), (23, "Brilliant"), (24, "Very good"), (27, "Very good"),
        (28, "Nice work"), (30, "Nice work"), (31, "So close"), (35, "So close"), (36, "Getting there"),
        (40, "Getting there"), (41, "Practise"), (45, "Practise"), (46, "Needs lessons"),
        (None, "Needs lessons"),
    ],
)  # fmt: skip
def test_grades(cards, name):
    assert reference.grade(cards) == name


# --- Spells in general -------------------------------------------------------------------------------


def test_unknown_spells_and_options_are_refused():
    with pytest.raises(ValueError):
        turns("start", "w1", ["fireball"])
    with pytest.raises(ValueError):
        turns("start", "w1", (), {"refesh": True})


def test_default_costs():
    base = ("advance-wizard", "headwind-wizard", "swap-towers", "nudge-keep")
    assert len(reference.SPELL_COSTS) == 14
    for spell, cost in reference.SPELL_COSTS.items():
        assert cost == (2 if spell in base else 1)


def test_no_spell_after_entering():
    position = pos({0: "K", 13: "1", 6: "2t", 9: "r"}, "0 3/3")
    found = texts(position, "w3", *reference.SPELL_COSTS)
    assert [text for text in found if text.startswith("w3 W13")] == ["w3 W13"]


def test_spells_that_are_not_open_or_not_paid_are_not_offered():
    position = pos({0: "K", 3: "1"}, "0 1/5")
    assert texts(position, "w1") == {"w1 W3"}
    assert texts(position, "w1", "advance-wizard") == {"w1 W3"}
    assert texts(position, "w1", "advance-wizard", rules={"costs": {"advance-wizard": 1}}) == {
        "w1 W3",
        "w1 W3 +advance-wizard W4",
    }


def test_no_bottles_no_spells():
    assert texts(pos({0: "K", 3: "2"}), "w1", *reference.SPELL_COSTS) == {"w1 W3"}


def test_a_spell_may_be_paid_with_the_bottle_that_the_card_filled():
    position = pos({0: "K", 3: "r", 5: "1"}, "0 0/6")
    assert after(position, "t2 T3.1 +close-keep", "close-keep") == pos({0: "K", 5: "1r"}, "0 0/5")


def test_a_spell_cannot_be_paid_with_the_bottle_that_it_would_fill():
    position = pos({0: "K", 3: "r", 4: "1"}, "0 0/6")
    assert texts(position, "w1", "advance-tower") == {"w1 W4"}


def test_a_spell_may_follow_a_card_that_moves_nothing():
    position = pos({0: "K", 3: "1r"}, "0 1/5")
    assert texts(position, "w5", "free-wizard") == {"w5 -", "w5 - +free-wizard T3.1"}


# --- Each spell --------------------------------------------------------------------------------------


def test_advance_wizard():
    position = pos({0: "K", 3: "1", 5: "1"}, "0 3/0")
    assert texts(position, "w1", "advance-wizard") == {
        "w1 W3",
        "w1 W3 +advance-wizard W4",
        "w1 W3 +advance-wizard W5",
        "w1 W5",
        "w1 W5 +advance-wizard W3",
        "w1 W5 +advance-wizard W6",
    }
    result = pos({0: "K", 5: "2"}, "0 1/0")
    assert after(position, "w1 W3 +advance-wizard W4", "advance-wizard") == result


def test_advance_wizard_enters_the_keep():
    position = pos({0: "K", 14: "1"}, "0 2/0")
    result = pos({4: "K"}, "1 0/0")
    assert after(position, "w1 W14 +advance-wizard W15", "advance-wizard") == result


def test_headwind_wizard_enters_the_keep_which_relocates_clockwise():
    position = pos({4: "K", 5: "1", 9: "t"}, "0 2/0")
    result = pos({8: "K", 10: "t"}, "1 0/0")
    assert after(position, "t1 T9.1 +headwind-wizard W5", "headwind-wizard") == result


def test_headwind_wizard_wraps_and_needs_room():
    position = pos({6: "K", 0: "2", 10: "1", 9: "t6"}, "0 2/0")
    found = texts(position, "w1", "headwind-wizard")
    # The wizard of 10 finds six on 9, so it has no headwind move.
    assert {text for text in found if text.startswith("w1 W0 ")} == {
        "w1 W0 +headwind-wizard W0",
        "w1 W0 +headwind-wizard W1",
        "w1 W0 +headwind-wizard W9",
    }
    result = pos({6: "K", 15: "1", 1: "1", 10: "1", 9: "t6"}, "0 0/0")
    assert after(position, "w1 W0 +headwind-wizard W0", "headwind-wizard") == result


def test_advance_tower_goes_two_and_fills_a_bottle():
    position = pos({0: "K", 3: "r", 4: "1"}, "0 1/1")
    result = pos({0: "K", 5: "1r"}, "0 1/0")
    assert after(position, "w1 W4 +advance-tower T3.1", "advance-tower") == result


def test_advance_tower_not_onto_the_keep():
    position = pos({5: "K", 3: "r", 9: "1"}, "0 1/1")
    assert texts(position, "w1", "advance-tower") == {"w1 W9"}


def test_headwind_tower_goes_two_back_and_wraps():
    position = pos({5: "K", 1: "r", 7: "1t"}, "0 1/0")
    assert texts(position, "w1", "headwind-tower") == {"w1 -", "w1 - +headwind-tower T1.1"}
    result = pos({5: "K", 15: "r", 7: "1t"}, "0 0/0")
    assert after(position, "w1 - +headwind-tower T1.1", "headwind-tower") == result


def test_swap_towers_takes_the_wizards_along_and_fills_nothing():
    position = pos({0: "K", 3: "r2", 7: "1t"}, "0 2/4")
    result = pos({0: "K", 3: "t", 4: "1", 7: "1r1"}, "0 0/4")
    assert after(position, "w1 W3 +swap-towers 3 7", "swap-towers") == result


def test_swap_towers_takes_the_topmost_only():
    position = pos({0: "K", 3: "r2t", 7: "1t", 9: "1"}, "0 2/4")
    result = pos({0: "K", 3: "r2t", 7: "1t", 10: "1"}, "0 0/4")
    assert after(position, "w1 W9 +swap-towers 3 7", "swap-towers") == result


def test_swap_towers_needs_two_spaces_with_a_tower_and_not_the_keep():
    position = pos({0: "rK", 3: "r", 7: "r", 9: "1"}, "0 2/0")
    assert texts(position, "w1", "swap-towers") == {"w1 W9", "w1 W9 +swap-towers 3 7"}
    assert texts(pos({0: "rK", 3: "rt", 9: "1"}, "0 2/0"), "w1", "swap-towers") == {"w1 W9"}


def test_nudge_keep_both_ways():
    position = pos({0: "K", 1: "1", 2: "r1", 9: "t", 14: "t", 15: "2"}, "0 2/0")
    cw = pos({3: "K", 1: "1", 2: "r1", 10: "t", 14: "t", 15: "2"}, "0 0/0")
    ccw = pos({1: "1", 2: "r1", 10: "t", 14: "tK", 15: "2"}, "0 0/0")
    assert after(position, "t1 T9.1 +nudge-keep cw", "nudge-keep") == cw
    assert after(position, "t1 T9.1 +nudge-keep ccw", "nudge-keep") == ccw


def test_free_wizard_from_the_ground():
    position = pos({0: "K", 3: "2r1"}, "0 1/5")
    result = pos({0: "K", 3: "1r1", 4: "1"}, "0 0/5")
    assert after(position, "w1 W3 +free-wizard T3.1", "free-wizard") == result


def test_free_wizard_from_a_roof_or_from_the_very_bottom():
    position = pos({0: "K", 3: "1r2t"}, "0 1/5")
    roof = pos({0: "K", 3: "1r1t1"}, "0 0/5")
    bottom = pos({0: "K", 3: "r2t1"}, "0 0/5")
    assert after(position, "w5 - +free-wizard T3.2", "free-wizard") == roof
    assert after(position, "w5 - +free-wizard T3.1", "free-wizard") == bottom


def test_free_wizard_into_the_keep_which_relocates():
    position = pos({3: "1rtK"}, "0 1/5")
    assert texts(position, "w5", "free-wizard") == {"w5 -", "w5 - +free-wizard T3.1"}
    assert after(position, "w5 - +free-wizard T3.1", "free-wizard") == pos({3: "rt", 4: "K"}, "1 0/5")


def test_free_wizard_needs_somebody_below_and_room_above():
    position = pos({0: "K", 3: "1r6", 9: "t"}, "0 1/5")
    assert texts(position, "t1", "free-wizard") == {"t1 T3.1", "t1 T9.1"}
    position = pos({0: "K", 3: "1r5", 9: "t"}, "0 1/5")
    result = pos({0: "K", 3: "r6", 10: "t"}, "0 0/5")
    assert texts(position, "t1", "free-wizard") == {"t1 T3.1", "t1 T9.1", "t1 T9.1 +free-wizard T3.1"}
    assert after(position, "t1 T9.1 +free-wizard T3.1", "free-wizard") == result


def test_free_wizard_takes_the_wizard_that_the_card_covered():
    position = pos({0: "K", 3: "r", 5: "1"}, "0 0/6")
    result = pos({0: "K", 5: "r1"}, "0 0/5")
    assert after(position, "t2 T3.1 +free-wizard T5.1", "free-wizard") == result


def test_piggyback_both_fit():
    position = pos({0: "K", 3: "3", 5: "t4"}, "0 1/5")
    assert after(position, "w2 W3 +piggyback", "piggyback") == pos({0: "K", 3: "1", 5: "t6"}, "0 0/5")


def test_piggyback_both_must_fit():
    position = pos({0: "K", 3: "3", 5: "5"}, "0 1/5")
    assert texts(position, "w2", "piggyback") == {"w2 W3", "w2 W5", "w2 W5 +piggyback"}


def test_piggyback_needs_a_second_wizard_on_the_same_surface():
    position = pos({0: "K", 3: "1", 5: "2r1", 7: "t"}, "0 1/5")
    assert texts(position, "w1", "piggyback") == {"w1 W3", "w1 W5"}


def test_piggyback_only_while_a_card_moves_a_wizard():
    assert texts(pos({0: "K", 3: "t2"}, "0 1/5"), "t1", "piggyback") == {"t1 T3.1"}


def test_piggyback_both_enter_and_the_keep_relocates_once():
    position = pos({0: "K", 13: "2"}, "0 1/5")
    assert after(position, "w3 W13 +piggyback", "piggyback") == pos({4: "K"}, "2 0/5")


def test_piggyback_leaves_its_own_space_free_for_the_keep():
    position = pos({0: "t", 4: "2", 6: "K", 8: "t", 12: "t"}, "0 1/0")
    result = pos({0: "t", 4: "K", 8: "t", 12: "t"}, "2 0/0")
    assert after(position, "w2 W4 +piggyback", "piggyback") == result


def test_piggyback_is_the_one_spell_of_the_turn():
    position = pos({0: "K", 3: "2"}, "0 3/0")
    found = texts(position, "w1", "piggyback", "close-keep")
    assert found == {"w1 W3", "w1 W3 +piggyback", "w1 W3 +close-keep"}


def test_piggyback_switched_off():
    position = pos({0: "K", 3: "2"}, "0 3/0")
    assert texts(position, "w1", "piggyback", rules={"piggyback_in_solo": False}) == {"w1 W3"}


def test_fill_potion_needs_an_empty_bottle():
    assert texts(pos({0: "K", 3: "1"}, "0 1/0"), "w1", "fill-potion") == {"w1 W3"}
    assert texts(pos({0: "K", 3: "1"}, "0 0/3"), "w1", "fill-potion") == {"w1 W3"}
    position = pos({0: "K", 3: "1"}, "0 1/1")
    assert after(position, "w1 W3 +fill-potion", "fill-potion") == pos({0: "K", 4: "1"}, "0 1/0")


def test_retrieve_card_and_draw_two_cost_their_bottle():
    position = pos({0: "K", 3: "1"}, "0 2/1")
    for spell in ("retrieve-card", "draw-two"):
        assert after(position, f"w1 W3 +{spell}", spell) == pos({0: "K", 4: "1"}, "0 1/1")


def test_close_keep_costs_its_bottle_and_nothing_else():
    position = pos({0: "K", 3: "1", 9: "t"}, "0 2/1")
    result = pos({0: "K", 4: "1", 9: "t"}, "0 1/1")
    assert after(position, "w1 W3 +close-keep", "close-keep") == result


def test_extra_roll_gives_the_moves_of_each_new_roll():
    position = pos({0: "K", 11: "1"}, "0 1/5")
    assert texts(position, "wd2=4", "extra-roll") == {"wd2=4 W11"} | {
        f"wd2=4 +extra-roll={roll} W11" for roll in range(1, 7)
    }
    assert after(position, "wd2=4 +extra-roll=6 W11", "extra-roll") == pos({0: "K", 1: "1"}, "0 0/5")
    assert after(position, "wd2=4 +extra-roll=5 W11", "extra-roll") == pos({4: "K"}, "1 0/5")


def test_extra_roll_for_die_cards_only():
    assert texts(pos({0: "K", 3: "1"}, "0 1/5"), "w4", "extra-roll") == {"w4 W3"}


def test_extra_roll_may_move_nothing():
    position = pos({5: "K", 3: "t"}, "0 1/5")
    found = texts(position, "td2=3", "extra-roll")
    assert "td2=3 +extra-roll=2 -" in found
    assert "td2=3 +extra-roll=2 T3.1" not in found
    assert len(found) == 7


def test_extra_roll_is_paid_before_and_is_the_one_spell():
    covering = pos({0: "K", 3: "r", 5: "1"}, "0 0/6")
    assert texts(covering, "td2=2", "extra-roll") == {"td2=2 T3.1"}
    found = texts(pos({0: "K", 3: "1"}, "0 3/0"), "wd2=4", "extra-roll", "close-keep")
    assert len(found) == 8
    assert "wd2=4 W3 +close-keep" in found


def test_movement_swap():
    position = pos({0: "K", 3: "1", 9: "t"}, "0 1/5")
    assert texts(position, "w3", "movement-swap") == {"w3 W3", "w3 +movement-swap T9.1"}
    assert after(position, "w3 +movement-swap T9.1", "movement-swap") == pos(
        {0: "K", 3: "1", 12: "t"}, "0 0/5"
    )
    assert after(position, "w1t5 +movement-swap W3", "movement-swap") == pos(
        {0: "K", 8: "1", 9: "t"}, "0 0/5"
    )
    assert after(position, "w1t5 +movement-swap T9.1", "movement-swap") == pos(
        {0: "K", 3: "1", 10: "t"}, "0 0/5"
    )
    assert after(position, "wd2=4 +movement-swap T9.1", "movement-swap") == pos(
        {0: "K", 3: "1", 13: "t"}, "0 0/5"
    )


def test_movement_swap_that_moves_nothing_or_changes_nothing():
    position = pos({0: "K", 3: "1"}, "0 1/5")
    assert texts(position, "w3", "movement-swap") == {"w3 W3", "w3 +movement-swap -"}
    assert after(position, "w3 +movement-swap -", "movement-swap") == pos({0: "K", 3: "1"}, "0 0/5")
    assert texts(position, "w3t3", "movement-swap") == {"w3t3 W3", "w3t3 +movement-swap W3"}


def test_movement_swap_is_paid_before_the_card_and_may_fill_a_bottle():
    spaces = {0: "K", 3: "r", 5: "1"}
    assert "w2 +movement-swap T3.1" not in texts(pos(spaces, "0 0/6"), "w2", "movement-swap")
    result = pos({0: "K", 5: "1r"}, "0 1/4")
    assert after(pos(spaces, "0 1/5"), "w2 +movement-swap T3.1", "movement-swap") == result


# --- Refresh -----------------------------------------------------------------------------------------


def test_refresh_turns_stand_beside_those_of_the_card():
    position = pos({0: "K", 3: "r", 4: "1", 9: "1t"}, "0 0/6")
    assert texts(position, "w1", rules={"refresh": True}) == {"w1 W4", "refresh T3.1", "refresh T9.1"}
    assert texts(position, "w1") == {"w1 W4"}
    found = dict(turns(position, "w1", (), {"refresh": True}))
    assert found["refresh T3.1"] == pos({0: "K", 4: "1r", 9: "1t"}, "0 1/5")


def test_refresh_only_if_a_tower_can_move_by_one():
    position = pos({4: "K", 3: "r", 6: "1"})
    assert texts(position, "w1", rules={"refresh": True}) == {"w1 W6"}


def test_refresh_allows_spells_but_not_retrieve_card_nor_those_of_a_card():
    position = pos({0: "K", 3: "r2"}, "0 3/0")
    found = texts(position, "wd2=4", *reference.SPELL_COSTS, rules={"refresh": True})
    assert {text.partition(" +")[2] for text in found if text.startswith("refresh T3.1 ")} - {""} == {
        "advance-wizard W4",
        "headwind-wizard W4",
        "advance-tower T4.1",
        "headwind-tower T4.1",
        "nudge-keep cw",
        "nudge-keep ccw",
        "draw-two",
        "close-keep",
    }


# --- Perft -------------------------------------------------------------------------------------------


def test_perft_counts_lines_and_positions():
    # W2 W3, W2 W6, W6 W2, W6 W7: the second and the third end alike.
    assert perft(pos({0: "K", 2: "1", 6: "1"}), ["w1", "w1"]) == (4, 3)
    assert divide(pos({0: "K", 2: "1", 6: "1"}), ["w1", "w1"]) == {"w1 W2": (2, 2), "w1 W6": (2, 2)}


def test_perft_of_the_start_with_one_card():
    # A wizard of spaces 1 to 5 by 2, or each of the nine towers by 4.
    assert perft("start", ["w2t4"]) == (14, 14)


def test_perft_of_the_start_with_spells_and_one_card():
    # Only T1.1 covers a wizard (on 5): alone, with free-wizard T5.2, and with each of nine towers advanced.
    spells = ["piggyback", "free-wizard", "advance-tower"]
    lines, _ = perft("start-spells", ["w2t4"], spells)
    assert lines == 5 + 8 + 11


def test_perft_ends_a_line_at_the_goal():
    assert perft(pos({0: "K", 15: "1", 3: "t"}), ["w1", "t1", "t1"]) == (1, 1)
    assert perft(pos({0: "K"}, "12 -"), ["w1", "w1"]) == (1, 1)
    assert perft(pos({0: "K", 3: "1"}), []) == (1, 1)


def test_perft_plays_on_while_a_bottle_is_empty():
    position = pos({0: "K", 3: "r", 4: "t"}, "12 0/1")
    assert perft(position, ["t1"]) == (2, 2)
    assert perft(position, ["t1"], (), {"fill_goal": False}) == (1, 1)


def test_perft_of_a_card_that_moves_nothing():
    assert perft(pos({0: "K", 3: "1r"}, "0 1/0"), ["w1"], ["free-wizard"]) == (2, 2)


def test_perft_with_refresh():
    # w1 W4, refresh T9.1; then one more of each: WW, WR, RW, RR with WR and RW alike.
    assert perft(pos({0: "K", 4: "1", 9: "t"}), ["w1", "w1"], (), {"refresh": True}) == (4, 3)


def test_perft_has_no_card_limit():
    assert perft(pos({0: "K", 4: "1"}), ["w1", "w1"], (), {"card_limit": 1}) == (1, 1)
    assert perft(pos({0: "K", 4: "1", 6: "1"}), ["w1", "w2"], (), {"card_limit": 1}) == (4, 3)


@pytest.mark.parametrize("spell", ["retrieve-card", "draw-two", "extra-roll"])
def test_perft_refuses_spells_without_meaning(spell):
    with pytest.raises(ValueError):
        perft("start-spells", ["w1"], [spell])
    with pytest.raises(ValueError):
        divide("start-spells", ["w1"], [spell])


# --- A whole game ------------------------------------------------------------------------------------

LONE = {0: "K", 3: "1"}


def test_game_draws_back_up_to_three():
    game = Game(pos(LONE), ["w1", "w2", "w3"], ["t1", "t2"])
    game.play("w1 W3")
    assert game.position == pos({0: "K", 4: "1"})
    assert (game.hand, game.drawn, game.draw_pile) == (["w2", "w3", "t1"], ["t1"], ["t2"])
    assert (game.status, game.discards) == ("playing", 1)


def test_game_is_lost_when_the_last_card_is_drawn():
    game = Game(pos(LONE), ["w1", "w2", "w3"], ["t1"])
    game.play("w1 W3")
    assert (game.status, game.drawn, game.discards) == ("lost", ["t1"], 1)
    with pytest.raises(ValueError):
        game.play("w2 W4")


def test_game_is_lost_when_the_pile_held_too_few():
    game = Game(pos(LONE), ["w1"], ["t1", "t2"])
    game.play("w1 W3")
    assert (game.status, game.drawn) == ("lost", ["t1", "t2"])


def test_game_won_before_drawing():
    game = Game(pos({0: "K", 13: "1"}), ["w1", "w2", "w3"], ["t1"])
    game.play("w3 W13")
    assert (game.status, game.discards, game.drawn) == ("won", 1, [])


def test_game_not_won_with_an_empty_bottle():
    game = Game(pos({0: "K", 13: "1"}, "0 0/1"), ["w1", "w2", "w3"], ["t1", "t2"])
    game.play("w3 W13")
    assert game.status == "playing"


def test_game_a_card_that_moves_nothing_is_played_all_the_same():
    game = Game(pos(LONE), ["t1", "w2", "w3"], ["w1", "w1"])
    game.play("t1 -")
    assert (game.position, game.hand, game.discards) == (pos(LONE), ["w2", "w3", "w1"], 1)


def test_game_refuses_cards_not_held_and_moves_not_legal():
    game = Game(pos(LONE), ["w1", "w2", "w3"], ["t1", "t2"])
    for move in ("w4 W3", "w1 W4", "w1 -", "refresh T3.1", "w1 W3 +close-keep", ""):
        with pytest.raises(ValueError):
            game.play(move)
    assert (game.position, game.hand, game.discards) == (pos(LONE), ["w1", "w2", "w3"], 0)


def test_game_die_card():
    rolls = iter([4, 6])
    game = Game(pos(LONE), ["wd2", "w2", "w3"], ["t1", "t2"], roll=lambda: next(rolls))
    card = game.rolled("wd2")
    assert card == "wd2=4"
    card = game.rolled(card)
    assert card == "wd2=4,6"
    assert game.legal(card) == [("wd2=4,6 W3", pos({0: "K", 9: "1"}))]
    game.play("wd2=4,6 W3")
    assert (game.hand, game.discard_pile) == (["w2", "w3", "t1"], ["wd2"])


def test_game_retrieve_card():
    game = Game(pos(LONE, "0 2/0"), ["w1", "wd2", "w3"], ["t1"], ["retrieve-card"])
    game.play("w1 W3 +retrieve-card")
    assert (sorted(game.hand), game.discards, game.drawn) == (["w1", "w3", "wd2"], 0, [])
    assert (game.status, game.position) == ("playing", pos({0: "K", 4: "1"}, "0 1/0"))
    game.play("wd2=5 W4 +retrieve-card")
    assert (sorted(game.hand), game.discards, game.status) == (["w1", "w3", "wd2"], 0, "playing")


def test_game_draw_two():
    game = Game(pos(LONE, "0 1/0"), ["w1", "w2", "w3"], ["t1", "t2", "t3"], ["draw-two"])
    game.play("w1 W3 +draw-two")
    assert (game.hand, game.drawn) == (["w2", "w3", "t1", "t2"], ["t1", "t2"])
    assert (game.status, game.discards) == ("playing", 1)
    game.play("w2 W4")
    assert (game.hand, game.drawn, game.status) == (["w3", "t1", "t2"], [], "playing")
    game.play("w3 W6")
    assert (game.drawn, game.status) == (["t3"], "lost")


@pytest.mark.parametrize("pile", [["t1"], ["t1", "t2"]])
def test_game_draw_two_empties_the_pile(pile):
    game = Game(pos(LONE, "0 1/0"), ["w1", "w2", "w3"], pile, ["draw-two"])
    game.play("w1 W3 +draw-two")
    assert (game.status, game.drawn) == ("lost", pile)


REFRESH = {"refresh": True}


def test_game_refresh_discards_the_whole_hand():
    game = Game(pos({0: "K", 3: "1", 9: "t"}), ["w1", "w2", "w3"], ["t1", "t2", "t3", "t4"], (), REFRESH)
    game.play("refresh T9.1")
    assert game.position == pos({0: "K", 3: "1", 10: "t"})
    assert (game.hand, game.drawn) == (["t1", "t2", "t3"], ["t1", "t2", "t3"])
    assert (game.discards, game.status) == (3, "playing")


def test_game_refresh_with_draw_two():
    position = pos({0: "K", 3: "1", 9: "t"}, "0 1/0")
    game = Game(position, ["w1", "w2", "w3"], ["t1", "t2", "t3", "t4"], ["draw-two"], REFRESH)
    game.play("refresh T9.1 +draw-two")
    assert (game.hand, game.discards, game.draw_pile) == (["t1", "t2", "t3"], 3, ["t4"])


def test_game_refresh_empties_the_pile():
    game = Game(pos({0: "K", 3: "1", 9: "t"}), ["w1", "w2", "w3"], ["t1", "t2", "t3"], (), REFRESH)
    game.play("refresh T9.1")
    assert game.status == "lost"


def test_game_card_limit():
    rules = {"card_limit": 2}
    game = Game(pos(LONE), ["w1", "w2", "w3"], ["t1", "t2", "t3"], (), rules)
    game.play("w1 W3")
    assert game.status == "playing"
    game.play("w2 W4")
    assert (game.status, game.discards) == ("lost", 2)


def test_game_card_limit_reached_with_the_goal_is_won():
    game = Game(pos({0: "K", 13: "1"}), ["w1", "w2", "w3"], ["t1", "t2"], (), {"card_limit": 1})
    game.play("w3 W13")
    assert game.status == "won"


def test_game_card_limit_does_not_count_a_retrieved_card():
    game = Game(pos(LONE, "0 1/0"), ["w1", "w2", "w3"], ["t1"], ["retrieve-card"], {"card_limit": 1})
    game.play("w1 W3 +retrieve-card")
    assert game.status == "playing"


def test_game_card_limit_and_refresh():
    game = Game(
        pos({0: "K", 3: "1", 9: "t"}),
        ["w1", "w2", "w3"],
        ["t1", "t2", "t3", "t4"],
        (),
        {"refresh": True, "card_limit": 3},
    )
    game.play("refresh T9.1")
    assert (game.status, game.discards) == ("lost", 3)


def test_online_preset():
    # Bottles start full and the goal is wizards only; swap-towers costs 1, free-wizard 2, no piggyback.
    game = Game(
        "start-spells", ["w1", "w2", "w3"], ["t1", "t2"], ["swap-towers", "piggyback"], reference.ONLINE
    )
    assert game.position == f"{START} 0 6/0"
    found = dict(game.legal("w1"))
    assert "w1 W1 +piggyback" not in found
    assert found["w1 W5 +swap-towers 5 6"] == "K/r3/t3/r3/t2/t1/r/r/t/r/-/-/-/-/-/- 0 5/0"
    assert found["refresh T9.1"] == "K/r3/t3/r3/t2/r1/t/r/t/-/r/-/-/-/-/- 0 6/0"
    freed = after(
        pos({0: "K", 3: "1r"}, "0 6/0"), "w5 - +free-wizard T3.1", "free-wizard", rules=reference.ONLINE
    )
    assert freed == pos({0: "K", 3: "r1"}, "0 4/0")
