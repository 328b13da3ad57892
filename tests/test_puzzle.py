"""Puzzles: files and their faults, what claims come to, the words for them, difficulty, making, books."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import Refused
from solver.goal import Goal
from solver.notation import parse_move, parse_rules, print_move, print_position
from solver.puzzle import make as making
from solver.puzzle import rate as rating
from solver.puzzle.book import book
from solver.puzzle.file import Claims, Faults, Puzzle, parse_puzzle, print_puzzle
from solver.puzzle.make import Wish, make
from solver.puzzle.rate import Rated, rate
from solver.puzzle.verify import problem_of, verify
from solver.search.answer import Answer, Verdict
from solver.search.exact import Limits, solve
from solver.search.plan import Effort

# Two wizards under the tower of 7, the keep on 9. The tower must go (8 is all it can reach), w2 brings one home, the
# keep goes on to the shield of 12, and w5 brings the other one home.
GOOD = """title = "Two birds"
author = "someone"
position = "-/-/-/-/-/-/-/2r/t/K/-/-/-/-/-/- 10 -"
hand = ["w2", "t1"]
draw = ["w5"]
spells = []
goal = "all home"
within = 3

[claims]
cards = 3
solutions = 1
key = "t1 T7.1"
"""
FREE = "-/-/-/-/-/-/-/1/1/K/-/-/-/-/-/- 10 -"  # wizards in front of the keep on 9; after one of them it is on 12


def puzzle_of(position: str, hand: str, draw: str = "", rest: str = "") -> Puzzle:
    cards = [f"{key} = {[*filter(None, names.split(' '))]}" for key, names in (("hand", hand), ("draw", draw))]
    return parse_puzzle(f"position = '{position}'\n{cards[0]}\n{cards[1]}\n{rest}", "it")


def report_of(puzzle: Puzzle, **limits: int) -> dict[str, tuple[Verdict, str]]:
    report = verify(puzzle, Effort(Limits(**limits)))
    return {claim.text: (claim.verdict, claim.remark) for claim in report.claims}


def faults_of(text: str) -> list[str]:
    with pytest.raises(Faults) as caught:
        problem_of(parse_puzzle(text, "it"), "it")
    return caught.value.faults


def swapped(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


# --- files


def test_a_file_is_read_and_written():
    puzzle = parse_puzzle(GOOD, "it")
    assert (puzzle.title, puzzle.author, puzzle.within) == ("Two birds", "someone", 3)
    assert puzzle.goal == Goal(home=-1)
    assert puzzle.claims == Claims(3, 1, parse_move("t1 T7.1"))
    assert puzzle.lines == {"title": 1, "author": 2, "position": 3, "hand": 4, "draw": 5, "spells": 6,
                            "goal": 7, "within": 8, "claims": 10}  # fmt: skip
    assert parse_puzzle(print_puzzle(puzzle), "it") == puzzle


def test_everything_a_puzzle_can_have_is_written():
    puzzle = puzzle_of(
        "-/2r1/t1/-/1/rtK/-/2r2/-/t/1/-/-/r1t/-/r 1 4/2", "wd2=4,6 w3", "wtd1=2",
        'spells = ["free-wizard"]\nrules = "refresh=on, free-wizard=2"\ngoal = "home 3 and bottles 5"',
    )  # fmt: skip
    assert puzzle.rules == parse_rules("refresh=on, free-wizard=2")
    assert parse_puzzle(print_puzzle(puzzle), "it") == puzzle


LINES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=200)


@settings(max_examples=200, deadline=None)
@given(title=LINES, author=LINES)
def test_any_title_survives_its_file(title, author):
    puzzle = replace(parse_puzzle(GOOD, "it"), title=title, author=author)
    assert parse_puzzle(print_puzzle(puzzle), "it") == puzzle


FAULTS = [
    ("author", "autor", 2, "'autor' is no key of a puzzle; did you mean 'author'?"),
    ("cards = 3", "crads = 3", 11, "'crads' is no key of claims; did you mean 'cards'?"),
    ("cards = 3", "hand = 3", 11, "'hand' is no key of claims"),
    ('"Two birds"', "12", 1, "title must be a text, not '12'"),
    ("Two birds", "Two\\nbirds", 1, "expected one line of text"),
    ("Two birds", "\\u001b[31m", 1, "expected one line of text"),
    ("Two birds", "bird" * 51, 1, "at most 200 characters, not 204"),
    ("/2r/", "/8r/", 3, "space 7: '8' puts 8 wizards on one surface"),
    ('["w2", "t1"]', '["w2", "t9"]', 4, "'t9' is no card"),
    ('["w2", "t1"]', '["w2", 3]', 4, "expected names in quotes, not '3'"),
    ('["w2", "t1"]', '"w2,t1"', 4, "hand must be a list of cards, not 'w2,t1'"),
    ('["w2", "t1"]', "[]", 4, "it is empty"),
    ('["w2", "t1"]', str(["w2"] * 2_000), 4, "2000 cards, and the deck has 90"),
    ('["w2", "t1"]', '["w2*10000"]', 4, "from 1 to 90, not '10000'"),
    ('["w2", "t1"]', '["w2*45", "t1*45"]', 4, "hand and draw have 91 cards, and the deck 90"),
    ('["w2", "t1"]', '["wd2", "t1"]', 4, "'wd2' needs its rolls named"),
    ('["w5"]', '["wd2"]', 5, "'wd2' needs its rolls named"),
    ('["w5"]', '["wd2=4", "wd2=4,6"]', 5, "begin alike"),
    ("spells = []", 'spells = ["fre-wizard"]', 6, "'fre-wizard' is no spell"),
    ("spells = []", 'spells = ["retrieve-card"]\nrules = "retrieve-card=0"', 6, "could go on for ever"),
    ("all home", "all hoem", 7, "goal 'all hoem': expected 'all home'"),
    ("all home", "home 10", 7, "the position meets the goal already"),
    ("all home", "bottles 4", 7, "the position has no bottles"),
    ("within = 3", "within = 4", 8, "within must be from 1 to 3 (there are 3 cards), not '4'"),
    ("within = 3", "within = 0", 8, "within must be from 1 to 3"),
    ("cards = 3", "cards = 4", 11, "cards must be from 1 to 3"),
    ("cards = 3", 'cards = "three"', 11, "cards must be a whole number, not 'three'"),
    ("cards = 3", "cards = 3.0", 11, "cards must be a whole number, not '3.0'"),
    ("cards = 3", "cards = true", 11, "cards must be a whole number, not 'true'"),
    ("cards = 3", f"cards = {'9' * 5000}", 11, "too many digits"),
    ("cards = 3", f"cards = 0x{'f' * 5000}", 11, "too many digits"),
    ("solutions = 1", "solutions = 0", 12, "solutions must be at least 1"),
    ("t1 T7.1", "t1 X7", 13, "'X7' is no action"),
    ("[claims]", "[[claims]]", 10, "claims must be a table"),
    ("[claims]", "claims.cards = 0\n[extra]", 10, "cards must be from 1 to 3"),
    ('"someone"', '"someone', 2, "not TOML"),
    ("author", "title", 2, "not TOML"),
]


@pytest.mark.parametrize(("old", "new", "line", "words"), FAULTS, ids=[f[3] + str(n) for n, f in enumerate(FAULTS)])
def test_a_fault_is_named_with_its_line(old, new, line, words):
    first = faults_of(swapped(old, new))[0] if "[extra]" not in new else faults_of(swapped(old, new))[1]
    assert first.startswith(f"it:{line}: ")
    assert words in first
    assert "\n" not in first


def test_one_fault_does_not_bring_others():
    for old, new, *_ in FAULTS:
        if "[extra]" not in new:
            assert len(faults_of(swapped(old, new))) == 1, new


def test_lines_are_found_however_the_file_is_written():
    text = (
        "author = 'a'\n# hand = 1\ntitle = '''x'''\nhand = [\n 't9',\n]\nposition = 'start'\nclaims = {cards = 'x'}\n"
    )
    assert [fault.split(" ")[0] for fault in faults_of(text)] == ["it:4:", "it:8:"]
    hidden = swapped('author = "someone"', 'author = """x\nhand = 1"""').replace("t1", "t9", 1)
    assert [fault.split(" ")[0] for fault in faults_of(hidden)] == ["it:2:", "it:5:"]
    assert faults_of(swapped("Two birds", "Two\N{NEXT LINE}").replace("t1", "t9", 1))[1].startswith("it:4: ")


def test_what_is_missing_and_what_is_no_file():
    assert faults_of("") == ["it: the key 'position' is missing", "it: the key 'hand' is missing"]
    assert "too deeply" in faults_of(f"hand = {'[' * 5000}{']' * 5000}")[0]
    met = GOOD.replace('goal = "all home"\n', "").replace("/2r/", "/-/").replace("/- 10", "/- 12")
    assert faults_of(met) == ["it:3: the position meets the goal already"]  # no goal: the position's line


def test_all_faults_come_at_once():
    text = GOOD.replace("author", "autor").replace('"t1"', '"t9"').replace("all home", "x").replace("T7.1", "X")
    assert [fault.split(" ")[0] for fault in faults_of(text)] == ["it:2:", "it:4:", "it:7:", "it:13:"]


# --- claims and words


def test_every_claim_proved():
    report = verify(parse_puzzle(GOOD, "it"))
    assert [claim.text for claim in report.claims] == [
        "solvable within 3", "cards = 3", "solutions = 1", "key = t1 T7.1",
    ]  # fmt: skip
    assert report.proved
    assert report.remarks == ("sound",)


@pytest.mark.parametrize(
    ("puzzle", "claim", "remark"),
    [
        (puzzle_of(FREE, "w1 w2"), "solvable", "there is no solution"),
        (puzzle_of(FREE, "w1 w2", "", "[claims]\ncards = 2"), "cards = 2", "there is no solution"),
        (puzzle_of(FREE, "w1 w5 w2", "", "[claims]\ncards = 3"), "cards = 3", "short: solvable in 2"),
        (puzzle_of(FREE, "w1 w3 w2", "", "[claims]\ncards = 2"), "cards = 2", "it takes 3"),
        (puzzle_of(FREE, "w1 w5", "", "[claims]\nsolutions = 2"), "solutions = 2", "there are 1"),
        (puzzle_of(FREE, "w1 w5", "", "[claims]\nkey = 'w1 W7'"), "key = w1 W7", "it does not keep to the shortest"),
        (puzzle_of(FREE, "w1 w5 w2 w4", "", "[claims]\nkey = 'w1 W8'"), "key = w1 W8", "cooked: w2 W7 as well"),
    ],
)
def test_a_claim_refuted(puzzle, claim, remark):
    verdict, said = report_of(puzzle)[claim]
    assert verdict is Verdict.REFUTED
    assert said.startswith(remark)


def test_claims_undecided():
    puzzle = parse_puzzle(GOOD, "it")
    claims = report_of(puzzle, nodes=1)
    assert len(claims) == 4
    for verdict, remark in claims.values():
        assert verdict is Verdict.UNDECIDED
        assert remark == "stopped by 1 positions; at least 3 cards"
    fewer = replace(puzzle, claims=Claims(cards=2))  # the lower bound is enough to refute this
    assert report_of(fewer, nodes=1)["cards = 2"] == (Verdict.REFUTED, "it takes at least 3")


@pytest.mark.parametrize(
    ("puzzle", "words"),
    [
        (puzzle_of(FREE, "w1 w5"), ["sound"]),
        (puzzle_of(FREE, "w1 w5 w3"), ["sound", "idle: w3 is never played"]),
        # w1 and w5, or w2 and w4: either wizard may go first
        (puzzle_of(FREE, "w1 w5 w2 w4"), ["cooked: 2 first moves keep to the shortest"]),
        (puzzle_of(FREE, "w1 w5 w2", "", "within = 3"), ["short: solvable in 2, not 3", "idle: w2 is never played"]),
        # The tower move is forced, then either wizard goes home, and the other stays.
        (puzzle_of("-/r/-/-/-/-/1/1/-/K/-/-/-/-/-/- 10 -", "t1", "w2 w3", "goal = 'home 11'"),
         ["dual: 2 lines after the key, with 2 different ends"]),
        # t1 must move the tower of 7, as the keep stands before that of 3; w2 and t2 do not meet.
        (puzzle_of("-/-/1/1t/K/-/-/1r/-/-/-/-/-/-/-/- 9 -", "t1", "w2 t2", "goal = 'home 10 and nobody imprisoned'"),
         ["sound", "transposed: 2 lines after the key, all with the same end"]),
    ],
)  # fmt: skip
def test_the_words(puzzle, words):
    assert list(verify(puzzle).remarks) == words


# --- difficulty


def rated(puzzle: Puzzle) -> Rated:
    answer = solve(problem_of(puzzle), puzzle.within)
    return Rated(puzzle, answer, rate(puzzle, answer))


def test_measures_worked_out_by_hand():
    # Turn 1: w2 moves nobody, or t1. After it 2 pairs, then 4, then 4 that are not the goal; with the start 11.
    # 'w2 -' is refuted at once: two cards are left and three are needed. With another w2 it would do.
    found = rated(parse_puzzle(GOOD, "it")).rating
    assert (found.first_moves, found.keys, found.pairs, found.near_misses, found.plausible) == (2, 1, 11, 1, 0.0)
    size, narrow, greedy = rating.SIZE * math.log10(11) / 7, rating.NARROW / 6, rating.GREEDY_FAILS * found.greedy_fails
    assert found.points == pytest.approx(size + narrow + rating.TEMPTING + greedy)
    assert found.stars == 1 + sum(found.points >= least for least in rating.STARS)


def test_near_misses_need_one_card_more():
    # With w4 and another w5 to spare, 'w4 -' and 'w5 -' only waste a card; w2 is needed later.
    puzzle = replace(parse_puzzle(GOOD, "it"), within=None)
    more = replace(puzzle, hand=(*puzzle.hand, *parse_puzzle(swapped('["w2", "t1"]', '["w5", "w4"]'), "it").hand))
    found = rated(more).rating
    assert (found.first_moves, found.keys, found.near_misses, found.cards) == (4, 1, 2, 3)
    fewer = rated(puzzle).rating
    assert found.pairs > fewer.pairs
    assert found.points > fewer.points


def test_pairs_within_reach_are_those_of_the_referee():
    puzzle = puzzle_of(FREE, "w2 w1 w5")
    problem = problem_of(puzzle)
    layer = {(problem.position, puzzle.hand)}
    pairs = 1
    for _ in range(2):
        layer = {
            (turn.position, tuple(sorted({*hand} - {card})))
            for at, hand in layer
            for card in hand
            for turn in problem.referee.legal(at, card)
            if not problem.meets_goal(turn.position)
        }
        pairs += len(layer)
    found = rated(puzzle).rating
    assert (found.cards, found.keys, found.pairs) == (2, 1, pairs)
    assert found.first_moves == 6  # three cards, two wizards


def test_what_is_too_large_is_not_rated():
    puzzle = parse_puzzle(GOOD, "it")
    with pytest.raises(Refused, match="too large to be rated with 1 positions"):
        rate(puzzle, solve(problem_of(puzzle)), Limits(nodes=1))


# --- making


def quarter_turns(puzzle: Puzzle) -> set[str]:
    board, *rest = print_position(puzzle.position).split()
    spaces = board.split("/")
    cards = str((sorted(puzzle.hand), puzzle.draw))
    return {" ".join(["/".join(spaces[shift:] + spaces[:shift]), *rest, cards]) for shift in (0, 4, 8, 12)}


def test_made_puzzles_are_sound_and_the_same_for_one_seed():
    wish = Wish(3, unique=True)
    made = list(make(wish, 6, 1))
    assert [print_puzzle(each.puzzle) for each in make(wish, 3, 1)] == [print_puzzle(e.puzzle) for e in made[:3]]
    assert made[0].puzzle != next(make(wish, 1, 2)).puzzle
    seen: set[str] = set()
    for puzzle, answer, found in made:
        report = verify(parse_puzzle(print_puzzle(puzzle), "it"))
        assert report.proved
        assert report.remarks == ("sound",)
        assert (puzzle.claims.cards, puzzle.claims.solutions, answer.solutions, found.cards) == (3, 1, 1, 3)
        assert not seen & quarter_turns(puzzle)
        seen |= quarter_turns(puzzle)


def test_likeness_is_the_same_for_quarter_turns_only():
    puzzle = parse_puzzle(GOOD, "it")
    alike = {making._likeness(puzzle_of(turned.split(" (")[0], "w2 t1", "w5")) for turned in quarter_turns(puzzle)}
    assert alike == {making._likeness(puzzle)}
    other = "-/-/-/-/-/-/2r/t/K/-/-/-/-/-/-/- 10 -"  # turned by one space: the shields are elsewhere
    assert making._likeness(puzzle_of(other, "w2 t1", "w5")) not in alike


@pytest.mark.parametrize("spells", [("free-wizard",), ("headwind-wizard", "advance-tower")])
def test_every_spell_asked_for_is_needed(spells):
    for puzzle, *_ in make(Wish(2, spells=spells), 2, 4):
        assert solve(problem_of(puzzle), 2).verdict is Verdict.PROVED
        for spell in spells:
            rest = replace(puzzle, spells=tuple(name for name in spells if name != spell))
            assert solve(problem_of(rest), 2).verdict is Verdict.REFUTED


def test_wishes_for_goals_and_wizards():
    (bottles,) = make(Wish(2, goal=Goal(bottles=3), wizards=4), 1, 1)
    assert bottles.puzzle.position.bottles.empty > 3
    assert bottles.puzzle.position.on_board == 4
    (stars,) = make(Wish(2, stars=2), 1, 1)
    assert stars.rating.stars == 2


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"cards": 2, "wizards": 3}, "3 wizards cannot come home with 2 cards"),
        ({"cards": 2, "spells": ("close-keep",)}, "does nothing"),
        ({"cards": 2, "spells": ("piggyback",), "rules": parse_rules("online")}, "do not offer 'piggyback'"),
        ({"cards": 2, "spells": ("retrieve-card",), "rules": parse_rules("retrieve-card=0")}, "for ever"),
    ],
)
def test_wishes_that_cannot_come_true(wish, words):
    with pytest.raises(Refused, match=words):
        Wish(**wish)


def test_making_gives_up_and_can_be_stopped(monkeypatch):
    monkeypatch.setattr(making, "MOST_IN_VAIN", 5)
    assert list(make(Wish(1, wizards=5, goal=Goal(home=12)), 1, 1)) == []
    monkeypatch.setattr(making, "solve", lambda *_: Answer(Verdict.INTERRUPTED, 1))
    with pytest.raises(KeyboardInterrupt):
        list(make(Wish(2), 1, 1))


# --- books


def test_a_book_has_every_title_picture_and_solution():
    good = parse_puzzle(swapped("Two birds", "<b>Two & 'birds'</b>").replace("someone", "<i>"), "it")
    cooked = replace(puzzle_of(FREE, "w1 w5 w2 w4", "", "rules = 'refresh=on'"), title="The other")
    entries = [rated(good), rated(cooked)]
    page = book(entries, "<script>")
    assert page.count("<svg") == 2
    assert page.count("&lt;b&gt;Two &amp; &#x27;birds&#x27;&lt;/b&gt;") == 2  # with its picture and its solution
    assert page.count("The other") == 2
    assert "&lt;script&gt;" in page
    assert "by &lt;i&gt;" in page
    assert "refresh=on" in page
    assert "(one of 2 ways)" in page
    for bad in ("<script>", "<b>Two", "<i>"):
        assert bad not in page
    for entry in entries:
        for move in entry.answer.line:
            assert f"<code>{print_move(move)}</code>" in page
