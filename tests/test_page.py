"""The page of `towers serve` in a real browser, used as its user does: by clicks, keys and addresses."""

import re
import time
from pathlib import Path

import pytest

from browser import FOLDER, Keys, Page, browsing, served, until
from solver.game import replay
from solver.notation import parse_position, parse_record, parse_spells, print_move, print_position
from solver.play.keeping import parse_kept
from solver.policy.names import parse_policy
from solver.policy.players import player_for
from solver.puzzle.file import parse_puzzle
from solver.puzzle.verify import verify
from solver.rules import grade
from solver.search.situation import EVERY_CARD, Situation
from solver.web.app import STATIC

MOST_BYTES = 150_000  # of all files of the page
SEED = 3  # a deal in which a die is rolled again
SPELLS_OPEN = ["advance-tower", "free-wizard", "piggyback"]
SHORT = """[Hand "w1t5,t1,w3t3"]
1. w1t5 W3 | wtd1
2. wtd1=2 W3 | wtd1
3. wtd1=6 T8.1 | w1t1
4. t1 T9.1 | w3
"""


@pytest.fixture(scope="module")
def address():
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    with browsing(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture
def page(driver, address, tmp_path):
    found = Page(driver, address, tmp_path)
    found.begin()
    yield found
    found.check()


# Playing ----------------------------------------------------------------------------------------------------


def learned(spells=""):
    """The game that the learned policy makes of the deal: the page deals the same."""
    board = parse_position("start-spells" if spells else "start")
    start = Situation(board, (), EVERY_CARD, 0, parse_spells(spells))
    return player_for(parse_policy("learned"), start, SEED).record(0)


def deal(page, spells=()):
    page.open("play")
    page.type(".setup input[type=text]", str(SEED))
    if spells:
        page.unfold("Spells: up to three")
    for spell in spells:
        page.click(f".spells input[value={spell}]")
    page.click("button", "Deal")
    page.one(".menu .card")


def stages(move):
    """What is clicked for a turn, up to each throw of the die."""
    card, *rest = print_move(move).split(" ", 2 if "+" not in print_move(move) else 3)
    face, _, rolls = card.partition("=")
    thrown = [[face], *[["again"]] * rolls.count(",")] if rolls else []
    piece = [*rest, "" if len(rest) > 1 else "no spell"]
    return [*thrown, piece if rolls else [face, *piece]]


def take(page, words, on_board=False):
    """Click through the menu, or on the pieces of the board; stages with one way only are left out by the page."""
    before = page.record
    for word in words:
        if on_board and re.fullmatch(r"[WT][\d.]+", word):
            page.click(piece(word))
        elif page.all(".menu button", word):
            page.click(".menu button", word)
    until(lambda: page.record != before, what=f"{words} after {before}")


def piece(label, kind="legal"):
    space, _, height = label[1:].partition(".")
    which = f".tower.{kind}[data-height='{height}']" if height else f".wizard.visible.{kind}"
    return f".picture g.space[data-space='{space}'] {which}"


def play(page, move, on_board=False):
    for words in stages(move):
        take(page, words, on_board)


def test_a_whole_game_by_clicks_ends_with_its_grade_and_its_record_replays(page):
    wanted = learned()
    assert any(turn.move.card and len(turn.move.card.rolls) > 1 for turn in wanted.turns)
    deal(page)
    for number, turn in enumerate(wanted.turns):
        assert page.text(".score").startswith(f"Turn {number + 1}\n{number} card")
        play(page, turn.move, on_board=number % 2 == 0)
    record, _ = parse_kept(page.record)
    assert record == wanted
    *_, last = replay(record)
    assert page.text(".score") == f"{grade(last.after.discards)}\nwon with {last.after.discards} cards"
    assert page.run("return localStorage.getItem('towers.game')") == page.record
    shown, said = page.board, page.text(".score")
    assert "Home: 12 wizards" in shown
    page.open("play", record=page.record)
    assert (page.one(".score").text, page.board) == (said, shown)
    page.click("button", "Save")
    assert parse_record(page.saved(f"deal-{SEED}.towers")).turns == record.turns
    page.click("button", "Undo")
    page.see(".score", f"Turn {len(wanted.turns)}")


def test_undo_takes_back_a_roll_or_a_turn(page):
    def shown():
        return page.board, page.text(".score"), page.text(".menu")

    first, second = learned().turns[:2]
    deal(page)
    start = shown()
    play(page, first.move)
    before = shown()
    take(page, stages(second.move)[0])
    assert shown() != before
    page.click("button", "Undo")
    until(lambda: shown() == before)
    page.click("button", "Undo")
    until(lambda: shown() == start)
    assert not page.one("button", "Undo").is_enabled()


def test_a_spell_is_cast_by_click_and_its_target_on_the_board(page):
    wanted = learned(",".join(SPELLS_OPEN))
    deal(page, SPELLS_OPEN)
    assert "0 full, 6 empty" in page.board
    cast = set()
    for number, turn in enumerate(wanted.turns[:5]):
        play(page, turn.move, on_board=number % 2 == 0)
        cast.add(turn.move.spell)
    assert cast >= {"advance-tower", "piggyback"}
    record, _ = parse_kept(page.record)
    assert record.turns == wanted.turns[:5]
    page.see(".facts", "advance-tower (1): move a tower by 2")


def test_a_game_at_the_table_is_told_by_clicks_with_a_hint_at_every_turn(page):
    page.open("play")
    page.click(".check input")
    for face in ("w3", "wd2", "t1"):
        page.click(".setup .take", face)
    page.click("button", "Deal")
    page.click(".tools label input")
    page.see(".ranking", "wd2")
    take(page, ["w3", "W5", "no spell"])
    page.click(".picker .take", "w1t5")
    page.see(".ranking", "w1t5")
    page.click(".menu .card", "wd2")
    page.see(".throw", "What did wd2 roll?")
    page.click(".throw button[aria-label='4']")
    page.see(".crumbs", "wd2=4")
    page.see(".ranking", "wd2=4")
    page.click(".menu button", "again")
    page.click(".throw button[aria-label='2']")
    page.see(".crumbs", "wd2=4,2")
    take(page, ["W1", "no spell"])
    page.see("h2", "Which card did you draw?")
    page.click(".picker .take", "w2t4")
    page.see(".ranking", "w2t4")
    record, _ = parse_kept(page.record)
    assert [print_move(turn.move) for turn in record.turns] == ["w3 W5", "wd2=4,2 W1"]
    assert sorted(str(card.face) for card in record.turns[1].drawn) == ["w2t4"]


def test_a_line_of_the_hint_is_previewed_while_it_is_pointed_at_and_played_by_a_click(page):
    deal(page)
    page.click("button", "Hint")
    until(lambda: page.all(".advice .how") and not page.all(".advice button", "stop"))
    moves = page.texts(".ranking .link")
    values = [float(text) for text in page.texts(".ranking tr:not(.why) td:nth-child(2)")]
    assert values == sorted(values)
    assert len(set(moves)) == len(moves) > 5
    before, record = page.board, page.record
    line = next(move for move in moves if " " in move)
    page.point_at(page.one(".ranking .link", line))
    until(lambda: page.board != before)
    assert page.all(".picture.preview")
    preview = page.board
    page.point_at(page.one(".brand"))
    until(lambda: page.board == before)
    assert not page.all(".picture.preview")
    page.click(".ranking .link", line)
    until(lambda: page.record != record)
    assert page.board == preview
    assert f"1. {line}" in page.record
    assert not page.all(".ranking")


def test_lines_of_the_menu_are_previewed_only_while_they_are_pointed_at(page):
    deal(page)
    before = page.board
    page.click(".menu .card", "t3")  # the pieces come to lie under the pointer, which rests
    assert len(page.all(".picture .tower.legal")) == 9
    page.point_at(page.one(".menu button", "T4.1"))
    until(lambda: page.board != before)
    assert "Space 7, from the ground up: raven tower, plain tower with 2 wizards" in page.board
    page.point_at(page.one(".brand"))
    until(lambda: page.board == before and len(page.all(".picture .tower.legal")) == 9)


def test_a_turn_is_played_by_keys_only(page):
    def is_focused(css):
        return page.run("return document.activeElement.matches(arguments[0])", css)

    deal(page)
    page.run("document.activeElement.blur()")
    page.press("1", "4")
    until(lambda: "1. t3 T4.1" in page.record)
    page.tab_to(".menu .card")
    for number, what in enumerate((".menu .choice", ".menu .card")):
        until(lambda what=what, number=number: is_focused((".menu .card", ".menu .choice")[number]))
        page.press(Keys.ENTER)
        page.one(what)
    until(lambda: "2. " in page.record)
    until(lambda: is_focused(".menu .card"), what="the focus on the next hand")
    page.tab_to(".tools button")
    record = page.record
    page.press(Keys.ENTER)
    until(lambda: page.record != record or page.all(".advice .how"), what="undo or a hint")
    assert is_focused("button")


def test_what_is_clicked_while_the_die_rolls_is_not_done(page):
    page.screen(calm=False)
    deal(page)
    die = next(card for card in page.all(".menu .card") if "d" in card.text.rsplit("\n")[-2])
    page.run("const [die] = arguments; for (const wait of [0, 100, 200]) setTimeout(() => die.click(), wait);", die)
    page.one(".throw .rolling")
    page.one(".on-table")
    time.sleep(1)
    assert len(page.all(".on-table .rolls .die")) == 1
    assert not any(page.texts(".fault"))


# A board set up by hand -------------------------------------------------------------------------------------

START = print_position(parse_position("start"))


def position(page):
    return page.one("input.position").get_attribute("value")


def follows(page, text):
    """The board, the text and the address all say a position."""
    until(lambda: position(page) == text, what=text)
    until(lambda: page.params["position"] == text)
    wanted = parse_position(text)
    assert f"{wanted.on_board} on the board, {wanted.imprisoned} imprisoned" in page.text(".picture")
    assert len(page.now(".picture .tower")) == sum(len(stack.towers) for stack in wanted.stacks)


def test_advice_on_a_board_set_up_by_clicks_and_drags_with_the_text_in_step(page):
    page.open("advise")
    until(lambda: position(page) == START)
    page.click(".palette button", "✕ take away")
    page.click(piece("W1", "visible"))
    follows(page, START.replace("r3", "r2", 1))
    page.click(piece("T9.1", "raven"))
    follows(page, "K/r2/t3/r3/t2/r1/t/r/t/-/-/-/-/-/-/- 0 -")
    page.drag(page.one(".palette button", "◆ raven tower"), page.one("path.ground[data-space='12']"))
    follows(page, "K/r2/t3/r3/t2/r1/t/r/t/-/-/-/r/-/-/- 0 -")
    page.drag(page.one(piece("T3.1", "raven")), page.one("path.ground[data-space='14']"))
    follows(page, "K/r2/t3/-/t2/r1/t/r/t/-/-/-/r/-/r3/- 0 -")
    page.drag(page.one(piece("W2", "visible")), page.one("path.ground[data-space='10']"))
    follows(page, "K/r2/t2/-/t2/r1/t/r/t/-/1/-/r/-/r3/- 0 -")
    page.drag(page.one(".picture .keep"), page.one(piece("T6.1", "plain")))
    follows(page, "-/r2/t2/-/t2/r1/tK/r/t/-/1/-/r/-/r3/- 0 -")
    page.click("button[aria-label='home: one more']")
    follows(page, "-/r2/t2/-/t2/r1/tK/r/t/-/1/-/r/-/r3/- 1 -")
    text = "-/-/-/-/1/-/-/-/K/-/-/-/-/-/rt/- 11 -"
    page.type("input.position", text.lower().replace("k", "K"), Keys.ENTER)
    follows(page, text)
    for name in ("w3", "w1t5", "td2"):
        page.click(f".taken button[aria-label^='{name},']")
    for name in ("w4", "t1", "t2"):
        page.click(".panel .take", name)
    page.click("button", "What is best?")
    page.see(".ranking .best", "w4 W4")
    assert page.text(".ranking .best .number") == "1.00"


def test_every_copy_of_a_card_that_is_not_in_the_hand_can_have_been_seen(page):
    page.open("advise", hand="w1t5,w3,td2")
    page.unfold("Cards seen already")
    take_w1t5 = "details .take[aria-label^='w1t5,']"
    for left in (5, 4, 3, 2, 1):
        assert page.one(take_w1t5).get_attribute("aria-label") == f"w1t5, {left} left"
        page.click(take_w1t5)
    until(lambda: page.params.get("seen") == ",".join(["w1t5"] * 5))
    assert not page.one(take_w1t5).is_enabled()


def test_a_hand_is_taken_by_keys_and_the_board_stays_within_reach_of_them(page):
    page.open("advise", position="K/1/-/r/-/tt/-/-/r1/-/-/tr/-/-/-/- 10 -", hand="w5")
    page.see(".ranking", "w5")
    page.run("document.querySelector(\".take[aria-label^='w3,']\").focus()")
    page.press(Keys.ENTER)
    until(lambda: page.params.get("hand") == "w5,w3")
    page.press(Keys.ENTER)
    until(lambda: page.params.get("hand") == "w5,w3,w3")
    page.click("button", "What is best?")
    until(lambda: page.all(".ranking .best") and not page.all(".advice button", "stop"))
    page.point_at(page.one(".ranking td span[tabindex]"))
    page.one(".picture.preview")
    page.point_at(page.one(".brand"))
    until(lambda: not page.all(".picture.preview"))
    assert page.run("return document.querySelectorAll('.space[tabindex]').length") == 16


def test_bottles_can_be_added_while_the_rules_are_mistyped(page):
    page.open("advise")
    until(lambda: position(page) == START)
    page.unfold("More")
    page.refusals += 1
    page.type("input[aria-label=Rules]", "nonsense")
    page.see(".field .fault", "nonsense")
    page.click(".counts input[type=checkbox]")
    follows(page, START.replace("0 -", "0 0/6"))


def test_a_new_game_waits_for_the_die(page):
    page.screen(calm=False)
    deal(page)
    die = next(card for card in page.all(".menu .card") if "d" in card.text.rsplit("\n")[-2])
    new = next(button for button in page.all(".tools button") if button.text == "New game")
    page.run("arguments[0].click(); setTimeout(() => arguments[1].click(), 150)", die, new)
    page.one(".on-table")
    page.click("button", "New game")
    page.one(".setup")


def test_a_board_is_set_up_by_keys(page):
    page.open("advise", position="K/-/-/-/-/-/-/-/-/-/-/-/-/-/-/- 3 -")
    until(lambda: position(page).endswith(" 3 -"))

    def put(tool, space):
        page.run("document.querySelector(arguments[0]).focus()", f".palette button:nth-child({tool})")
        page.press(Keys.ENTER)
        page.run("document.querySelector(arguments[0]).focus()", f"g.space[data-space='{space}']")
        page.press(Keys.ENTER)

    put(2, 4)
    follows(page, "K/-/-/-/r/-/-/-/-/-/-/-/-/-/-/- 3 -")
    put(1, 4)
    follows(page, "K/-/-/-/r1/-/-/-/-/-/-/-/-/-/-/- 3 -")
    assert page.run("return document.activeElement.dataset.space") == "4"
    put(5, 4)
    follows(page, "K/-/-/-/r/-/-/-/-/-/-/-/-/-/-/- 3 -")
    put(5, 4)
    follows(page, "K/-/-/-/-/-/-/-/-/-/-/-/-/-/-/- 3 -")


def test_a_finger_drags_a_stack_and_a_second_one_nothing(page):
    page.screen(360, 740)
    page.open("advise")
    until(lambda: position(page) == START)

    def middle(css):
        box = page.one(css).rect
        return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2 - page.run("return scrollY")}

    def touch(kind, *points):
        touches = [{**point, "id": number} for number, point in enumerate(points)]
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    page.run("document.querySelector('.picture').scrollIntoView()")
    one, other, free = (middle(each) for each in (
        piece("T2.1", "plain"), piece("T5.1", "raven"), "path.ground[data-space='12']",
    ))  # fmt: skip
    touch("touchStart", one)
    touch("touchStart", one, other)
    for share in (0.2, 0.5, 1):
        to = {name: one[name] + share * (free[name] - one[name]) for name in ("x", "y")}
        touch("touchMove", to, {**other, "x": other["x"] - 40 * share})
        time.sleep(0.02)
    touch("touchEnd")
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    follows(page, "K/r3/-/r3/t2/r1/t/r/t/r/-/-/t3/-/-/- 0 -")


def test_other_rules_have_other_bottles_and_costs(page):
    page.open("advise")
    until(lambda: position(page) == START)
    page.unfold("Spells: up to three")
    page.unfold("More")
    page.type("input[aria-label=Rules]", "online")
    page.see(".spells label", "swap-towers 1")
    page.click(".spells input[value=swap-towers]")
    until(lambda: position(page) == START.replace("0 -", "0 6/0"))
    page.type("input[aria-label=Rules]", "refresh=maybe")
    page.see(".field .fault", "refresh")
    page.refusals += 1


def test_a_wizard_put_on_the_keep_is_refused_and_none_comes_to_lie_under_it(page):
    page.open("advise", position="tK/-/-/-/-/-/-/-/-/-/-/-/-/-/-/- 0 -")
    page.refusals += 1
    page.click(".picture .keep")
    page.see(".side .fault", "space 0")
    assert "1 on the board" not in page.text(".picture")


def test_a_position_that_is_none_is_refused_with_the_sentence_and_the_board_stays(page):
    page.open("advise")
    until(lambda: position(page) == START)
    before = page.board
    page.refusals += 2
    page.type("input.position", "K/r7/-/-/-/-/-/-/-/-/-/-/-/-/-/- 0 -", Keys.TAB)
    page.see(".side .fault", "space 1")
    assert page.board == before
    page.click(piece("W1", "visible"))  # a thirteenth wizard
    page.see(".side .fault", "13")
    assert page.board == before
    page.click(".palette button", "✕ take away")
    page.click(piece("W1", "visible"))
    follows(page, START.replace("r3", "r2", 1))
    assert not page.all(".side .fault")


# Puzzles ----------------------------------------------------------------------------------------------------


def on_attempt(page, words):
    for word in words:
        page.click(".menu button", word)


def test_a_puzzle_is_solved_by_clicks(page):
    page.open("puzzles")
    page.click(".shelf a", "First steps")
    page.see(".task", "2 cards")
    on_attempt(page, ["w1", "W6"])
    page.click("button", "Still solvable?")
    page.see(".proof", "Yes, with 1 card more.")
    on_attempt(page, ["w1", "W7"])
    page.see(".solved", "Solved with 2 cards, the fewest there are.")
    assert page.params == {"name": "01-first-steps", "moves": "w1 W6;w1 W7"}
    page.click("button", "next ›")
    page.see("h1", "One after the other")


def test_after_a_wrong_move_it_says_that_a_puzzle_is_lost_and_a_solution_is_shown_step_by_step(page):
    page.open("puzzles", name="07-two-doors")
    page.click(".menu button", "w3t3")
    page.click(piece("W1"))
    page.click("button", "Still solvable?")
    page.see(".proof", "No: from here it cannot be solved any more.")
    page.click("button", "Undo")
    page.click("button", "Show me a solution")
    page.see(".proof", "A solution with 2 cards")
    first, second = page.texts(".solution button")
    assert first == "w4t2 W12"
    page.click(".solution button", first)
    until(lambda: page.params.get("moves") == first)
    page.click("button", "Show me a solution")
    page.click(".solution button", second)
    page.see(".solved", "Solved")


def test_a_puzzle_is_edited_proved_at_once_and_saved_as_a_file_that_verifies(page):
    page.open("puzzles")
    page.click("button", "Make one of my own")
    page.see(".verdict", "Solvable in 2, not in fewer: one solution; the key is w1 W6.")
    hand = page.labelled("Hand")
    hand.send_keys(Keys.CONTROL, "a")
    hand.send_keys("w5,w4")
    page.see(".verdict", "Not solvable")
    hand.send_keys(Keys.CONTROL, "a")
    hand.send_keys("w1,w2")
    page.see(".verdict", "Solvable in 1")
    page.drag(page.one(piece("W6", "visible")), page.one("path.ground[data-space='5']"))
    page.see(".verdict", "Solvable in 2")
    page.labelled("Title").send_keys("Made by hand")
    page.see(".verdict", "Solvable in 2")
    page.click("button", "Save .toml")
    text = page.saved("made-by-hand.toml")
    puzzle = parse_puzzle(text, "saved")
    assert (puzzle.title, puzzle.claims.cards) == ("Made by hand", 2)
    assert verify(puzzle).proved
    drawn = parse_puzzle(page.params["puzzle"], "the address")
    assert position(page) == print_position(drawn.position) == print_position(puzzle.position)
    page.click("button", "Try it")
    page.see("h1", "Made by hand")
    page.driver.back()
    page.see(".verdict", "Solvable in 2")


def test_a_link_to_a_half_finished_puzzle_says_what_is_missing(page):
    page.refusals += 1
    page.open("puzzles", puzzle='position = "start"', edit="yes")
    page.see(".proof", "hand")
    assert page.labelled("Title")


@pytest.mark.parametrize("width", [360, 1280])
def test_a_long_title_stays_within_its_lines(page, width):
    page.screen(width)
    text = (FOLDER / "01-first-steps.toml").read_text("utf-8")
    puzzle = re.sub("title = .*", f'title = "{"W" * 200}"', text)
    page.open("puzzles", puzzle=puzzle)
    page.see("h1", "WWW")
    assert page.run("return document.documentElement.scrollWidth") <= width


def test_a_puzzle_that_is_not_there_is_said_to_be_none(page):
    page.open("puzzles", name="nothing")
    page.see(".fault", 'no puzzle "nothing"')
    page.one(".shelf li")


def test_what_cannot_be_proved_cannot_be_saved(page):
    page.open("puzzles", edit="new")
    page.see(".verdict", "Solvable in 2")
    page.refusals += 1
    page.type("input.position", "K/r7/-", Keys.TAB)
    page.see(".proof", "the position is not as it should be")
    assert not page.one("button", "Save .toml").is_enabled()


# Reviews ----------------------------------------------------------------------------------------------------


def test_a_record_is_reviewed_and_gone_through_by_keys_and_on_the_chart(page, tmp_path):
    path = tmp_path / "mine.towers"
    path.write_text(SHORT)
    page.open("review")
    page.click(".tools label input")
    page.now("input[type=file]")[0].send_keys(str(path))
    page.one(".course")
    turns = parse_record(SHORT).turns
    assert len(page.all(".course .point")) == len(turns) + 2
    numbers = [float(text.replace("−", "-")) for text in page.texts(".sum .number")]
    assert sum(numbers[:-1]) == pytest.approx(numbers[-1], abs=0.005 * len(numbers))
    page.all(".course .point")[1].click()
    page.see(".details", f"Turn 1: {print_move(turns[0].move)}")
    steps = list(replay(parse_record(SHORT)))
    for number, turn in enumerate(turns[1:], start=2):
        page.press(Keys.ARROW_RIGHT)
        page.see(".details", f"Turn {number}: {print_move(turn.move)}")
        position = steps[number - 2].after.position
        until(lambda position=position: f"{position.imprisoned} imprisoned" in page.text(".picture"))
        assert len(page.all(".course .point.here")) == 1
    page.press(Keys.ARROW_LEFT)
    page.see(".details", f"Turn {len(turns) - 1}:")
    assert page.params["turn"] == str(len(turns) - 1)
    page.point_at(page.one(".details code"))
    page.one(".picture.preview")
    page.click("button", "Save the record")
    assert page.saved("mine.towers") == SHORT


def test_a_dropped_record_that_the_rules_do_not_allow_is_refused_with_its_line(page):
    page.open("review")
    page.one(".drop")
    page.refusals += 1
    page.run(DROP, SHORT.replace("T8.1", "W0"))
    page.see(".fault", "line 4:")
    assert "W0" in page.one("textarea").get_attribute("value"), "so that it can be mended"
    page.type("textarea", SHORT)
    page.click("button", "Review")
    page.see("h1", "Reviewing")
    page.click("button", "Cancel")
    page.one("textarea")


DROP = """
const files = new DataTransfer();
files.items.add(new File([arguments[0]], "dropped.towers"));
const drop = new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true });
document.querySelector(".drop").dispatchEvent(drop);
"""


def test_a_link_to_a_broken_game_says_the_line_and_the_game_that_was_kept_is_still_there(page):
    deal(page)
    take(page, ["t3", "T4.1", "no spell"])
    kept = page.record
    page.refusals += 1
    page.open("play", record=SHORT.replace("T8.1", "W0"))
    page.see(".fault", "line 4:")
    assert page.one("button", "Deal")
    page.open("play")
    page.see(".score", "Turn 2")
    assert page.record == kept
    page.click("button", "New game")
    page.one(".setup")
    page.driver.back()
    page.see(".score", "Turn 2")


# Numbers ----------------------------------------------------------------------------------------------------


def test_many_games_are_counted_live_until_they_are_stopped(page):
    page.open("numbers")
    page.type("input[type=number]", "200000")
    page.click("button", "Play them")
    page.one(".histogram .won")
    first = games(page)
    until(lambda: games(page) > first)
    page.click("button", "Stop")
    until(lambda: not page.all("progress"))
    assert games(page) < 200_000
    shares = [float(text.split()[0]) for text in page.texts(".grades td:nth-child(3)")]
    assert sum(shares) == pytest.approx(100, abs=0.5)
    assert page.params["games"] == "200000"


def games(page):
    return int(re.match(r"games\s*([\d,]+) of 200,000", page.text(".facts-table"))[1].replace(",", ""))


# Addresses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "params", "sign"),
    [
        ("play", {"record": SHORT}, ".score"),
        ("advise", {"position": "K/1/-/r/-/tt/-/-/r1/-/-/tr/-/-/-/- 10 -", "hand": "w3,w5,t1"}, ".ranking"),
        ("review", {"record": SHORT, "quick": "yes"}, ".sum"),
        ("puzzles", {}, ".shelf"),
        ("puzzles", {"name": "07-two-doors", "moves": "w3t3 W1"}, ".task"),
        ("numbers", {"policy": "greedy", "games": "50", "seed": "7"}, ".facts-table"),
    ],
)
def test_an_address_opened_afresh_shows_the_same(page, view, params, sign):
    page.open(view, **params)
    page.one(sign)
    until(lambda: not page.all("progress"))
    until(lambda: not page.all(".advice button", "stop"))
    shown, hash_ = but_for_stars(page.text("main")), page.run("return location.hash")
    page.driver.get("about:blank")
    page.driver.get(page.address + hash_)
    page.one(sign)
    until(lambda: but_for_stars(page.text("main")) == shown, what=shown)
    assert page.run("return location.hash") == hash_


def but_for_stars(text):
    """They come one after the other, as puzzles are rated."""
    return re.sub("[★☆…]+", "", text)


def test_a_browser_that_keeps_nothing_can_be_used(page):
    forbid = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden'); } });"
    script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": forbid})
    try:
        deal(page)
        take(page, ["t3", "T4.1", "no spell"])
        page.see(".score", "Turn 2")
    finally:
        page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def test_the_way_past_the_menu_keeps_the_address(page):
    page.open("advise", hand="w3,w1t5,t1")
    page.one(".ranking")
    before = page.run("return location.hash")
    page.run("document.querySelector('.skip').focus()")
    page.press(Keys.ENTER)
    assert page.run("return [location.hash, document.activeElement.id]") == [before, "main"]
    page.open("constructor")
    page.one(".setup")


def test_the_way_back_leads_through_what_was_seen(page):
    page.open("numbers")
    page.click("nav a", "Puzzles")
    page.click(".shelf a", "Two doors")
    page.see("h1", "Two doors")
    page.click("button", "Edit")
    page.one(".palette")
    page.driver.back()
    page.see("h1", "Two doors")
    page.driver.back()
    page.one(".shelf")
    page.driver.back()
    page.see("h2", "Many games")
    assert page.one("nav a[aria-current]").text == "Numbers"


# Looks ------------------------------------------------------------------------------------------------------

VIEWS = [  # each with what is there when all of it is
    ("play", {"record": SHORT}, ".menu .card"),
    ("advise", {"position": "K/1/-/r/-/tt/-/-/r1/-/-/tr/-/-/-/- 10 -", "hand": "w3,w5,t1"}, ".ranking"),
    ("review", {"record": SHORT, "quick": "yes"}, ".sum"),
    ("puzzles", {}, ".shelf li"),
    ("puzzles", {"name": "07-two-doors"}, ".menu .card"),
    ("puzzles", {"name": "07-two-doors", "edit": "yes"}, ".verdict"),
    ("numbers", {"policy": "greedy", "games": "50", "seed": "7"}, ".grades"),
]


def open_whole(page, view, params, sign):
    page.open(view, **params)
    page.one(sign)
    until(lambda: not page.all("progress"))


@pytest.mark.parametrize(("view", "params", "sign"), VIEWS)
def test_a_view_fits_a_phone_and_a_wide_screen(page, view, params, sign):
    open_whole(page, view, params, sign)
    for width in (360, 1280):
        page.screen(width)
        wide = page.run(
            "return [...document.querySelectorAll('main *')].filter((each) => each.checkVisibility() && "
            "each.getBoundingClientRect().right > innerWidth + 1 && !each.closest('.table, svg, summary')).length"
        )
        assert wide == 0
        assert page.run("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("view", "params", "sign"), VIEWS)
def test_texts_stand_out_from_what_is_behind_them(page, view, params, sign, dark):
    page.screen(dark=dark)
    open_whole(page, view, params, sign)
    assert page.run(CONTRAST) == []


# Texts whose contrast is below 4.5 (3 where they are large), as the Web's guidelines have it.
CONTRAST = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const rgba = (color) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
};
const light = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
const behind = (element) => {
  for (let each = element; each; each = each.parentElement) {
    const color = rgba(getComputedStyle(each).backgroundColor);
    if (color[3] > 250) return color;
  }
  return rgba(getComputedStyle(document.documentElement).colorScheme.includes("dark") ? "black" : "white");
};
const faults = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  const text = walker.currentNode.data.trim();
  if (!text || !element.checkVisibility() || element.closest("svg, :disabled, .off")) continue;
  const style = getComputedStyle(element);
  const [one, other] = [luminance(rgba(style.color)), luminance(behind(element))].sort((a, b) => b - a);
  const least = parseFloat(style.fontSize) >= 24 ? 3 : 4.5;
  const ratio = (one + 0.05) / (other + 0.05);
  if (ratio < least) faults.push(`${text}: ${ratio.toFixed(2)}`);
}
return faults;
"""


@pytest.mark.parametrize(("view", "params", "sign"), VIEWS)
def test_controls_have_names_and_pictures_say_what_they_show(page, view, params, sign):
    open_whole(page, view, params, sign)
    nodes = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    nameless = [
        node["role"]["value"] for node in nodes
        if not node["ignored"] and not node.get("name", {}).get("value", "").strip()
        and node["role"]["value"] in ("button", "link", "textbox", "spinbutton", "combobox", "checkbox", "image", "img")
    ]  # fmt: skip
    assert nameless == []


def test_the_page_is_small(address):
    files = [path for path in Path(str(STATIC)).iterdir() if path.is_file()]
    assert {path.suffix for path in files} == {".html", ".css", ".js", ".svg"}
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


def test_chosen_puzzles_are_printed_as_a_book(page):
    page.open("puzzles")
    page.click(".shelf input:enabled")
    href = page.one("a.button", "Print the chosen ones").get_attribute("href")
    page.driver.get(href)
    title = parse_puzzle((FOLDER / "01-first-steps.toml").read_text("utf-8"), "first").title
    assert title in page.text("body")
    assert page.all("svg")
