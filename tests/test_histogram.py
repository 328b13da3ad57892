"""The histograms of how many cards games took: true to the counts, and within the room that they have."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.draw.histogram import histogram_svg, histogram_text
from solver.rules import DECK_SIZE, GRADES, WIN_CARDS


def bell(first: int, last: int) -> list[int]:
    """Counts that rise from 1 to the middle and fall again."""
    return [max(0, min(k - first, last - k) + 1) for k in range(DECK_SIZE + 1)]


USUAL = bell(15, 33)
WIDE = bell(18, 86)
ALL = [7] * (DECK_SIZE + 1)
LATE = bell(40, 60)
SHAPES = {"usual": USUAL, "wide": WIDE, "all": ALL, "late": LATE, "early": bell(0, 3), "short": [0] * 24 + [5]}
each_shape = pytest.mark.parametrize("counts", SHAPES.values(), ids=SHAPES.keys())
each_alphabet = pytest.mark.parametrize("ascii_only", [False, True], ids=["unicode", "ascii"])

# Text -------------------------------------------------------------------------------------------------------

ROW = re.compile(r" *(\d+(?:-\d+)?|lost|undecided)  ([#█▏▎▍▌▋▊▉]*) +([\d,]+)  +([<>]?[\d.]+) %")
RULE = re.compile(r"(──|--) within (\d+): ([<>]?[\d.]+) % \1+[─-]*")


def rows_of(text: str) -> dict[str, tuple[str, int, str]]:
    """Bar, games and share of every row by its label."""
    rows = {}
    for line in text.split("\n"):
        if line and not RULE.fullmatch(line):
            label, bar, games, share = ROW.fullmatch(line).groups()
            assert label not in rows
            rows[label] = bar, int(games.replace(",", "")), share
    return rows


def cards_of(label: str) -> range:
    first, _, last = label.partition("-")
    return range(int(first), int(last or first) + 1)


def eighths(bar: str) -> int:
    """How long a bar is."""
    assert not re.search("[^█#].", bar), "only the end of a bar may be a part of a block"
    return sum(" ▏▎▍▌▋▊▉█".index(letter) for letter in bar.replace("#", "█"))


@each_alphabet
@each_shape
def test_text_counts_every_game(counts: Sequence[int], ascii_only: bool) -> None:
    rows = rows_of(histogram_text(counts, 12, 3, WIN_CARDS, ascii_only=ascii_only))
    assert rows.pop("lost")[1] == 12
    assert rows.pop("undecided")[1] == 3
    for label, (_, games, _) in rows.items():
        assert games == sum(counts[k] for k in cards_of(label))
    shown = [k for label in rows for k in cards_of(label)]
    occurring = [k for k, games in enumerate(counts) if games]
    assert shown == list(range(occurring[0], occurring[-1] + 1))


def test_text_shows_numbers_between_that_never_occurred() -> None:
    rows = rows_of(histogram_text([0, 0, 5, 0, 0, 5], 0, 0, WIN_CARDS))
    assert {label: games for label, (_, games, _) in rows.items()} == {"2": 5, "3": 0, "4": 0, "5": 5}
    assert [eighths(bar) > 0 for bar, _, _ in rows.values()] == [True, False, False, True]


@each_alphabet
@each_shape
def test_text_bars_are_in_proportion(counts: Sequence[int], ascii_only: bool) -> None:
    rows = rows_of(histogram_text(counts, 12, 0, WIN_CARDS, ascii_only=ascii_only))
    most = max(games for _, games, _ in rows.values())
    longest = max(eighths(bar) for bar, _, _ in rows.values())
    assert longest >= 8 * 40
    for bar, games, _ in rows.values():
        # Rounded to the next part of a block, a whole one in ASCII.
        assert abs(eighths(bar) - longest * games / most) <= (4 if ascii_only else 0.5)


@each_alphabet
def test_text_shows_the_smallest_bar(ascii_only: bool) -> None:
    rows = rows_of(histogram_text([0] * 20 + [1, 10**6], 1, 0, WIN_CARDS, ascii_only=ascii_only))
    assert rows["20"] == ("#" if ascii_only else "▏", 1, "<0.1")
    assert rows["21"][2] == ">99.9"
    assert rows["lost"] == rows["20"]


@pytest.mark.parametrize("within", [0, 17, 29, 30, 31, 90])
@each_shape
def test_text_draws_the_border(counts: Sequence[int], within: int) -> None:
    lines = histogram_text(counts, 5, 0, within).split("\n")
    [border] = [number for number, line in enumerate(lines) if RULE.fullmatch(line)]
    assert RULE.fullmatch(lines[border])[2] == str(within)
    good = [k for label in rows_of("\n".join(lines[:border])) for k in cards_of(label)]
    rest = [k for label in rows_of("\n".join(lines[border + 1 : -2])) for k in cards_of(label)]
    assert all(k <= within for k in good)
    assert all(k > within for k in rest)
    share = 100 * sum(counts[k] for k in good) / (sum(counts) + 5)
    assert float(RULE.fullmatch(lines[border])[3]) == pytest.approx(share, abs=0.051)


def test_text_puts_other_games_apart() -> None:
    lines = histogram_text(USUAL, 12, 3, WIN_CARDS).split("\n")
    assert lines[-3] == ""
    assert lines[-2].startswith("     lost  ")
    assert lines[-1].startswith("undecided  ")
    for lost, undecided in [(12, 0), (0, 3), (0, 0)]:
        text = histogram_text(USUAL, lost, undecided, WIN_CARDS)
        assert ("lost" in text, "undecided" in text) == (lost > 0, undecided > 0)
        assert text.split("\n").count("") == (lost + undecided > 0)


@pytest.mark.parametrize("within", [29, 30, 31, 32])
@pytest.mark.parametrize(
    ("numbers", "size"), [(40, 1), (41, 2), (60, 2), (DECK_SIZE, 3), (150, 5), (350, 10)], ids="{}".format
)
def test_text_joins_rows_into_classes(numbers: int, size: int, within: int) -> None:
    rows = rows_of(histogram_text([0] + [1] * numbers, 0, 0, within))
    classes = [cards_of(label) for label in rows]
    assert len(classes) <= 40
    # The first and the last class may be cut.
    assert {len(numbers) for numbers in classes[1:-1]} == {size}
    assert max(len(classes[0]), len(classes[-1])) <= size
    assert within in [numbers[-1] for numbers in classes]


@each_alphabet
@given(
    counts=st.lists(st.one_of(st.just(0), st.integers(0, 10**9)), max_size=DECK_SIZE + 1),
    lost=st.integers(0, 10**9),
    undecided=st.integers(0, 10**9),
    within=st.integers(0, DECK_SIZE),
    width=st.integers(40, 200),
)
def test_text_fits_the_width(
    ascii_only: bool, counts: list[int], lost: int, undecided: int, within: int, width: int
) -> None:
    text = histogram_text(counts, lost, undecided, within, width, ascii_only)
    assert all(len(line) <= width and line == line.rstrip() for line in text.split("\n"))
    assert text.isascii() or not ascii_only
    if text != "no games":
        assert max(map(len, text.split("\n"))) == width
        assert sum(games for _, games, _ in rows_of(text).values()) == sum(counts) + lost + undecided


@pytest.mark.parametrize("counts", [[], [0], [0] * (DECK_SIZE + 1)], ids=len)
def test_text_says_that_there_are_no_games(counts: Sequence[int]) -> None:
    assert histogram_text(counts, 0, 0, WIN_CARDS) == "no games"


def test_text_of_games_of_which_none_was_won() -> None:
    lines = histogram_text([], 3, 1, WIN_CARDS).split("\n")
    assert lines[0].startswith("── within 30: 0.0 % ──")
    assert rows_of("\n".join(lines)).keys() == {"lost", "undecided"}


# SVG --------------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def drawn(
    counts: Sequence[int], lost: int = 0, undecided: int = 0, within: int = WIN_CARDS, **words: str
) -> ET.Element:
    return ET.fromstring(
        histogram_svg(counts, lost, undecided, within, words.get("title", ""), words.get("caption", ""))
    )


def marked(root: ET.Element, mark: str) -> list[ET.Element]:
    """The elements of a class."""
    return [element for element in root.iter() if mark in element.get("class", "").split()]


def number(element: ET.Element, name: str) -> float:
    return float(element.get(name))


def title_of(bar: ET.Element) -> str:
    return bar.find(f"{SVG}title").text


@pytest.mark.parametrize("within", [0, 25, 30, 90])
@each_shape
def test_svg_has_a_bar_for_every_number_that_occurs(counts: Sequence[int], within: int) -> None:
    root = drawn(counts, 12, 3, within)
    total = sum(counts) + 15
    occurring = [(k, games) for k, games in enumerate(counts) if games]
    bars = marked(root, "bar")
    assert len(bars) == len(occurring) + 2
    kinds = ["bar won" if k <= within else "bar beyond" for k, _ in occurring]
    assert [bar.get("class") for bar in bars] == [*kinds, "bar lost", "bar undecided"]
    for bar, (k, games) in zip(bars, occurring, strict=False):
        said = re.fullmatch(r"(\d+) cards?: ([\d,]+) games?, <?([\d.]+) %", title_of(bar))
        assert (int(said[1]), int(said[2].replace(",", ""))) == (k, games)
        assert float(said[3]) == pytest.approx(100 * games / total, abs=0.051)


@each_shape
def test_svg_bars_are_in_proportion(counts: Sequence[int]) -> None:
    bars = marked(drawn(counts), "bar")
    games = [games for games in counts if games]
    tallest = max(number(bar, "height") for bar in bars)
    assert tallest > 100
    for bar, count in zip(bars, games, strict=True):
        assert number(bar, "height") == pytest.approx(max(1, tallest * count / max(games)), abs=0.02)
    # All stand on one line, from left to right, and none touches the next.
    assert len({round(number(bar, "y") + number(bar, "height"), 1) for bar in bars}) == 1
    for left, right in zip(bars, bars[1:], strict=False):
        assert number(left, "x") + number(left, "width") < number(right, "x")


def test_svg_shows_the_smallest_bar() -> None:
    least, *_, lost = marked(drawn([0] * 20 + [1, 10**6], 1), "bar")
    assert number(least, "height") == number(lost, "height") == 1


@each_shape
def test_svg_labels_do_not_overlap(counts: Sequence[int]) -> None:
    labels = [text for text in marked(drawn(counts, 1, 1), "quiet") if text.text.isdigit()]
    assert len(labels) >= 3
    for left, right in zip(labels, labels[1:], strict=False):
        assert number(right, "x") - number(left, "x") > 20


def test_svg_bars_match_the_axis() -> None:
    root = drawn([0] * 20 + [40, 35, 25])
    grid = [float(path.get("d").split()[1]) for path in marked(root, "grid")]
    shares = [text.text for text in marked(root, "quiet") if text.text.endswith(" %")]
    assert shares == ["0 %", "10 %", "20 %", "30 %", "40 %"]
    tops = [number(bar, "y") for bar in marked(root, "bar")]
    assert tops[0] == grid[4]
    assert tops[1] == pytest.approx((grid[3] + grid[4]) / 2)
    labels = {text.text: number(text, "x") for text in marked(root, "quiet") if text.text.isdigit()}
    for cards, bar in zip(("20", "22"), marked(root, "bar")[::2], strict=True):
        assert labels[cards] == pytest.approx(number(bar, "x") + number(bar, "width") / 2, abs=0.02)


@pytest.mark.parametrize("within", [0, 25, 30, 90])
@each_shape
def test_svg_draws_the_border(counts: Sequence[int], within: int) -> None:
    root = drawn(counts, 1, 0, within)
    [line] = marked(root, "border")
    x = float(re.match(r"M([\d.]+) ", line.get("d"))[1])
    for bar in marked(root, "won"):
        assert number(bar, "x") + number(bar, "width") < x
    for bar in [*marked(root, "beyond"), *marked(root, "lost")]:
        assert number(bar, "x") > x
    [label] = marked(root, "within")
    assert label.text.startswith(f"within {within}: ")
    # Beside the line, on the side where there is room for it.
    assert 0 < abs(number(label, "x") - x) < 10
    forward = label.get("text-anchor") == "start"
    assert forward == (number(label, "x") > x)
    end = x + 6 * len(label.text) * (1 if forward else -1)
    assert 0 < end < number(marked(root, "lost")[0], "x")


def test_svg_puts_other_games_apart() -> None:
    root = drawn(USUAL, 1204, 3)
    assert [text.text for text in marked(root, "name")] == ["lost", "undecided"]
    assert [text.text for text in marked(root, "count")] == ["1,204", "3"]
    [lost], [undecided] = marked(root, "lost"), marked(root, "undecided")
    assert title_of(lost) == "lost: 1,204 games, 92.1 %"
    last = marked(root, "beyond")[-1]
    assert number(last, "x") + 2 * number(last, "width") < number(lost, "x") < number(undecided, "x")
    assert not marked(drawn(USUAL), "name")
    assert [text.text for text in marked(drawn(USUAL, 0, 3), "name")] == ["undecided"]


def test_svg_cuts_a_bar_that_would_press_the_others_flat() -> None:
    for times, cuts in [(1, 0), (2, 0), (3, 1), (100, 1)]:
        root = drawn(USUAL, times * max(USUAL))
        assert len(marked(root, "cut")) == cuts
        heights = [number(bar, "height") for bar in marked(root, "bar")]
        assert heights[-1] == max(heights) < 2.6 * max(heights[:-1])
    # If no game was won there are no others.
    assert not marked(drawn([], 1000, 1), "cut")


def test_svg_names_the_grades() -> None:
    every = [grade.name for grade in GRADES]
    assert [text.text for text in marked(drawn(ALL), "grade")] == every
    assert [text.text for text in marked(drawn(bell(22, 33)), "grade")] == every[1:5]
    # Every other grade has a strip; it ends between its last bar and the next.
    root = drawn(ALL)
    bars, strips = marked(root, "bar"), marked(root, "strip")
    for strip, grade in zip(strips, GRADES[::2], strict=True):
        end = number(strip, "x") + number(strip, "width")
        last = bars[grade.most]
        assert number(last, "x") + number(last, "width") < end < number(bars[grade.most + 1], "x")


def test_svg_escapes_words() -> None:
    words = "Towers <&\"> 'so' \x00\x1b]]>"
    svg = histogram_svg(USUAL, 0, 0, WIN_CARDS, words, words)
    root = ET.fromstring(svg)
    assert root.find(f"{SVG}title").text == "Towers <&\"> 'so' ]]>"
    assert root.get("aria-label").startswith("Towers <&\"> 'so'")
    [heading] = marked(root, "heading")
    assert heading.text == "Towers <&\"> 'so' ]]>"
    assert heading.text in [text.text for text in marked(root, "quiet")]
    assert "<&" not in svg


def test_svg_wraps_the_caption() -> None:
    def lines(caption: str) -> list[str]:
        return [text.text for text in marked(drawn(USUAL, caption=caption), "quiet") if "word" in text.text]

    assert lines("a word") == ["a word"]
    assert " ".join(lines("word " * 40)) == ("word " * 40).strip()
    assert 2 <= len(lines("word " * 40)) <= 3
    endless = lines("word " * 400)
    assert len(endless) == 3
    assert endless[-1].endswith("…")
    assert number(drawn(USUAL, caption="word " * 400), "height") > number(drawn(USUAL), "height")


def test_svg_describes_itself() -> None:
    root = drawn([0] * 30 + [1000, 5], 2, 0, title="Ten thousand")
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Ten thousand. 1,007 games: 1,000 won within 30, 5 with more, 2 lost"
    assert root[0].tag == f"{SVG}title"


@each_shape
def test_svg_stays_within_the_picture(counts: Sequence[int]) -> None:
    root = drawn(counts, 10**9, 10**9, title="Long " * 50, caption="long " * 500)
    left, top, width, height = map(float, root.get("viewBox").split())
    assert (left, top) == (0, 0)
    for element in root.iter():
        if element.tag in (f"{SVG}rect", f"{SVG}text"):
            assert 0 <= float(element.get("x", "0")) <= width - float(element.get("width", "0"))
            assert 0 <= float(element.get("y", "0")) <= height - float(element.get("height", "0"))
            assert len(element.text or "") < 120


def test_svg_looks_good_in_the_dark_and_stands_alone() -> None:
    svg = histogram_svg(USUAL, 12, 3, WIN_CARDS, "Title", "Caption")
    assert svg == histogram_svg(USUAL, 12, 3, WIN_CARDS, "Title", "Caption")
    style = ET.fromstring(svg).find(f"{SVG}style").text
    light, dark = style.split("@media (prefers-color-scheme: dark)")
    colours = [re.findall(r"\.histogram (\S+) \{ (?:fill|stroke): (#\w+)", half) for half in (light, dark)]
    assert [name for name, _ in colours[0]] == [name for name, _ in colours[1]]
    assert dict(colours[0])[".paper"] != dict(colours[1])[".paper"]
    assert not re.search(r"\b(id|href|style)=|url\(", svg)
    assert not re.search(r"\d\.\d{3}", svg)


@pytest.mark.parametrize("counts", [[], [0] * 50], ids=len)
def test_svg_of_no_games(counts: Sequence[int]) -> None:
    root = drawn(counts)
    assert not marked(root, "bar")
    assert marked(root, "within")[0].text == "within 30: no games"
