"""The page in a real browser: how soon something is seen, a click is answered, and a hint has its first ranking.

The browser itself takes the time, from the event to the frame in which the answer is drawn (`-s` shows it).
"""

from __future__ import annotations

import pytest

from browser import Page, browsing, served, until
from test_page import deal

ROUNDS = 15
# Milliseconds from a click until something of a selector is there and was drawn.
CLICK = """
const [button, wanted, done] = arguments;
const old = new Set(document.querySelectorAll(wanted));
const watch = new MutationObserver(() => {
  if (![...document.querySelectorAll(wanted)].some((each) => !old.has(each))) return; // there before
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
});
watch.observe(document.body, { childList: true, subtree: true, attributes: true });
const began = performance.now();
button.click();
"""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with served() as address, browsing(tmp_path_factory.mktemp("browser")) as driver:
        found = Page(driver, address, tmp_path_factory.mktemp("downloads"))
        found.begin()
        yield found


def report(what, milliseconds):
    ordered = sorted(milliseconds)
    print(f"\n{what}: median {ordered[len(ordered) // 2]:.0f} ms, longest {ordered[-1]:.0f} ms of {len(ordered)}")


def test_first_paint(page):
    def moments():
        page.open("play")
        until(lambda: page.run(f"return {PAINTED} !== undefined") and page.all(".picture svg"))
        return page.run(f"return [{PAINTED}.startTime, performance.now()]")

    first, board = zip(*(moments() for _ in range(ROUNDS)), strict=True)
    report("first paint", first)
    report("the board is there, at the latest", board)


def test_click_to_legal_moves(page):
    """A card is clicked, and its pieces are lit; a piece, and the next hand is there."""
    cards, turns = [], []
    for number in range(ROUNDS):
        if number % 5 == 0:  # later there might be die cards only
            page.begin()
            deal(page)
        card = next(each for each in page.all(".menu .card") if "d" not in each.text)
        cards.append(page.driver.execute_async_script(CLICK, card, ".picture .legal, .menu .choice"))
        piece = page.one(".menu .choice")
        turns.append(page.driver.execute_async_script(CLICK, piece, ".menu .card"))
    report("a card to its legal moves", cards)
    report("a turn to the next hand", turns)


@pytest.mark.parametrize("spells", [(), ("piggyback", "free-wizard", "advance-tower")])
def test_hint(page, spells):
    """The first ranking; it gets better for about a second more."""
    times = []
    for _ in range(ROUNDS):
        page.begin()
        deal(page, spells)
        times.append(page.driver.execute_async_script(CLICK, page.one("button", "Hint"), ".ranking .best"))
    report(f"a hint's first ranking, {'spells' if spells else 'solo'}", times)
