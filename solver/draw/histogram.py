"""How many cards games took: a histogram as text for a terminal, or as SVG for a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from textwrap import wrap
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from solver.rules import GRADES

_NO_GAMES = "no games"


class _Row(NamedTuple):
    """A class of games: what it is called and how many there are."""

    label: str
    games: int


def _apart(lost: int, undecided: int) -> list[_Row]:
    """The games that took no number of cards, if there are any."""
    return [row for row in (_Row("lost", lost), _Row("undecided", undecided)) if row.games]


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _percent(part: int, whole: int) -> str:
    """A share; some is never called 0.0 and not all never 100.0."""
    share = f"{100 * part / whole:.1f}"
    if part and share == "0.0":
        share = "<0.1"
    elif part < whole and share == "100.0":
        share = ">99.9"
    return f"{share} %"


# Text -------------------------------------------------------------------------------------------------------

_MOST_ROWS = 40  # about a screen; more cards than that are joined into classes
_CLASS_SIZES = (1, 2, 3, 5, 10)
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_GAPS = 6  # blanks between the four columns


def histogram_text(
    counts: Sequence[int], lost: int, undecided: int, within: int, width: int = 80, ascii_only: bool = False
) -> str:
    """One row per number of cards with its bar, games and share of all games; at least 40 columns are needed."""
    total = sum(counts) + lost + undecided
    if not total:
        return _NO_GAMES
    classes = _classes(counts, within)
    rows = [_Row(f"{first}" if first == last else f"{first}-{last}", games) for first, last, games in classes]
    apart = _apart(lost, undecided)
    lines = _table([*rows, *apart], total, width, ascii_only)

    border = sum(last <= within for _, last, _ in classes)
    dash = "-" if ascii_only else "─"
    rule = f"{dash * 2} within {within}: {_percent(sum(counts[: within + 1]), total)} "
    lines.insert(border, rule.ljust(len(lines[0]), dash))
    if apart:
        lines.insert(-len(apart), "")
    return "\n".join(lines)


def _classes(counts: Sequence[int], within: int) -> list[tuple[int, int, int]]:
    """First and last number of cards and the games of every row, in the smallest classes that are few enough."""
    occurring = [cards for cards, games in enumerate(counts) if games]
    classes: list[tuple[int, int, int]] = []
    for size in _CLASS_SIZES:
        classes.clear()
        first, highest = (occurring[0], occurring[-1]) if occurring else (0, -1)
        while first <= highest:
            # Classes are counted from the border, so that one of them ends there.
            last = min(first + (within - first) % size, highest)
            classes.append((first, last, sum(counts[first : last + 1])))
            first = last + 1
        if len(classes) <= _MOST_ROWS:
            break
    return classes


def _table(rows: list[_Row], total: int, width: int, ascii_only: bool) -> list[str]:
    """The rows as lines of equal length: label, bar, games and share."""
    shares = [_percent(row.games, total) for row in rows]
    for_label = max(len(row.label) for row in rows)
    for_games = max(len(f"{row.games:,}") for row in rows)
    for_share = max(map(len, shares))
    room = max(1, width - for_label - for_games - for_share - _GAPS)
    most = max(row.games for row in rows)
    lines = []
    for row, share in zip(rows, shares, strict=True):
        bar = _bar(row.games, most, room, ascii_only)
        lines.append(f"{row.label:>{for_label}}  {bar:<{room}}  {row.games:>{for_games},}  {share:>{for_share}}")
    return lines


def _bar(games: int, most: int, room: int, ascii_only: bool) -> str:
    """A bar in proportion, rounded; if it stands for any game there is something to see."""
    parts = 1 if ascii_only else len(_EIGHTHS) - 1
    length = (2 * room * parts * games + most) // (2 * most)
    full, rest = divmod(max(length, 1) if games else 0, parts)
    return "#" * full if ascii_only else (_EIGHTHS[-1] * full + _EIGHTHS[rest]).rstrip()


# SVG --------------------------------------------------------------------------------------------------------

_WIDTH = 720.0
_MARGIN = 20.0
_LEFT = 72.0  # of the bars; the axis and its labels stand before it
_TOP = 80.0  # of the bars; the title and the grades stand above it
_BOTTOM = 316.0
_APART = 76.0  # for a bar on the right; the label "undecided" or a count of ten digits fits in
_APART_GAP = 14.0
_CUT = 2  # times the highest bar of those not apart; one apart that is higher is cut, or they would be too small
_WIDEST_BAR = 28.0  # few bars shall not become boards
_BAR_SHARE = 0.8  # of the room for one number of cards; the rest is the gap
_LETTER = 0.6  # the width of a letter of a sans-serif face, in its size
_TITLE_SIZE = 17.0
_TEXT_SIZE = 11.0
_LINE = 15.0  # from one line of the caption to the next
_CAPTION_LINES = 3
_MOST_TICKS = 5
_TICK_STEPS = (0.5, 1, 2, 5, 10, 20)  # in percent; the highest of 90 bars has more than 1 %
_LABEL_STEPS = (1, 2, 5, 10)  # in cards
_LABEL_ROOM = 22.0  # for two digits with some air

_COLOURS = {  # on a light and on a dark page
    "paper": ("#ffffff", "#17161f"),
    "strip": ("#f1f0f4", "#211f2c"),
    "grid": ("#d9d7e0", "#3a3848"),
    "ink": ("#1f1d2b", "#eceaf2"),
    "quiet": ("#5d5a6b", "#a9a6b8"),
    "won": ("#2b7a78", "#58b3ae"),
    "beyond": ("#c98a1b", "#e0ad4b"),
    "lost": ("#8c1c3c", "#e06c8c"),
    "undecided": ("#8b8798", "#8b8798"),
}


class _Plot(NamedTuple):
    """Where things are: numbers of cards from left to right, percent from the bottom up."""

    first: int
    last: int
    right: float
    step: float
    ticks: int

    @property
    def slot(self) -> float:
        """The width of one number of cards."""
        return (self.right - _LEFT) / (self.last - self.first + 1)

    def x(self, cards: float) -> float:
        """The middle of a number of cards."""
        return _LEFT + (cards - self.first + 0.5) * self.slot

    def y(self, percent: float) -> float:
        """The height of a share."""
        return _BOTTOM - (_BOTTOM - _TOP) * percent / (self.step * self.ticks)


def histogram_svg(counts: Sequence[int], lost: int, undecided: int, within: int, title: str, caption: str) -> str:
    """A self-contained picture, for light and dark pages: a bar per number of cards, games not won on the right."""
    total = sum(counts) + lost + undecided
    good = sum(counts[: within + 1])
    plot = _plot(counts, lost, undecided, within)
    title = _printable(title)
    below = _lines(caption, _TEXT_SIZE, _CAPTION_LINES)
    height = _n(_BOTTOM + 52 + len(below) * _LINE)
    said = [f"{good:,} won within {within}", f"{sum(counts) - good:,} with more"]
    said += [f"{games:,} {name}" for name, games in _apart(lost, undecided)]
    label = quoteattr(f"{title}. {_counted(total, 'game')}: {', '.join(said)}")
    elements = [
        *(_text(_MARGIN, 30, line, "heading", "start") for line in _lines(title, _TITLE_SIZE, 1)),
        *_grades(plot),
        *_axes(plot, total),
        *_bars(plot, counts, lost, undecided, within),
        *_border(plot, within, _percent(good, total) if total else _NO_GAMES),
        *(_text(_MARGIN, _BOTTOM + 56 + n * _LINE, line, "quiet", "start") for n, line in enumerate(below)),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="histogram" role="img" aria-label={label} '
            f'viewBox="0 0 {_n(_WIDTH)} {height}" width="{_n(_WIDTH)}" height="{height}">',
            f"<title>{escape(title)}</title>",
            f"<style>{_style(0)} @media (prefers-color-scheme: dark) {{ {_style(1)} }}</style>",
            f'<rect class="paper" width="{_n(_WIDTH)}" height="{height}"/>',
            *elements,
            "</svg>",
            "",
        ]
    )


def _style(scheme: int) -> str:
    """The looks; every rule says that it is meant for histograms, as the picture may be part of a page."""
    colours = {name: both[scheme] for name, both in _COLOURS.items()}
    rules = {f".{name}": f"fill: {colour}" for name, colour in colours.items()}
    rules[".grid"] = f"stroke: {colours['grid']}"
    rules[".cut"] = f"stroke: {colours['paper']}; stroke-width: 5"
    rules[".border"] = f"stroke: {colours['ink']}; stroke-width: 1.5; stroke-dasharray: 5 4"
    rules["text"] = f"fill: {colours['ink']}; font: {_n(_TEXT_SIZE)}px system-ui, sans-serif"
    rules["text.heading"] = f"font-size: {_n(_TITLE_SIZE)}px; font-weight: 600"
    rules["text.quiet"] = f"fill: {colours['quiet']}"
    rules["text.grade"] = f"fill: {colours['quiet']}; font-size: 9.5px"
    # The halo keeps it readable in front of bars.
    rules["text.within"] = f"font-weight: 600; paint-order: stroke; stroke: {colours['paper']}; stroke-width: 4px"
    return " ".join(f".histogram {name} {{ {rule} }}" for name, rule in rules.items())


def _plot(counts: Sequence[int], lost: int, undecided: int, within: int) -> _Plot:
    """Room for all that occurs and for the border, with one number of cards to spare on either side."""
    shown = [within, *(cards for cards, games in enumerate(counts) if games)]
    apart = len(_apart(lost, undecided))
    right = _WIDTH - _MARGIN - apart * _APART - (_APART_GAP if apart else 0)
    highest, others = max(counts, default=0), max(lost, undecided)
    if highest:
        others = min(others, _CUT * highest)
    peak = 100 * max(highest, others) / (sum(counts) + lost + undecided or 1) or 100
    step = next(step for step in _TICK_STEPS if step * _MOST_TICKS >= peak)
    return _Plot(min(shown) - 1, max(shown) + 1, right, step, ceil(peak / step))


def _grades(plot: _Plot) -> Iterator[str]:
    """The rulebook's grades: strips behind the bars, and above them names, slanted as some strips are narrow."""
    start = plot.first
    for number, (most, name) in enumerate(GRADES):
        end = plot.last if most is None else min(most, plot.last)
        if start > end:
            continue
        if number % 2 == 0:
            yield _rect("strip", plot.x(start - 0.5), _TOP, (end + 1 - start) * plot.slot, _BOTTOM - _TOP)
        yield _text(plot.x((start + end) / 2), _TOP - 5, name, "grade", "start", turned=-30)
        start = end + 1


def _axes(plot: _Plot, total: int) -> Iterator[str]:
    """The grid with its shares, and the numbers of cards."""
    for tick in range(plot.ticks + 1):
        percent = tick * plot.step
        y = _n(plot.y(percent))
        yield f'<path class="grid" d="M{_n(_LEFT)} {y} H{_n(_WIDTH - _MARGIN)}"/>'
        yield _text(_LEFT - 6, plot.y(percent) + 4, f"{_n(percent)} %", "quiet", "end")
    yield _text(_MARGIN + 4, (_TOP + _BOTTOM) / 2, f"of {_counted(total, 'game')}", "quiet", turned=-90)
    step = next((step for step in _LABEL_STEPS if step * plot.slot >= _LABEL_ROOM), _LABEL_STEPS[-1])
    for cards in range(max(plot.first, 0), plot.last + 1):
        if cards % step == 0:
            yield _text(plot.x(cards), _BOTTOM + 16, str(cards), "quiet")
    yield _text((_LEFT + plot.right) / 2, _BOTTOM + 34, "cards in the discard pile", "axis")


def _bars(plot: _Plot, counts: Sequence[int], lost: int, undecided: int, within: int) -> Iterator[str]:
    """A bar for every number of cards that occurs, then those apart with their labels."""
    total = sum(counts) + lost + undecided
    width = min(plot.slot * _BAR_SHARE, _WIDEST_BAR)
    for cards, games in enumerate(counts):
        if games:
            kind = "won" if cards <= within else "beyond"
            yield _bar_of(plot, kind, plot.x(cards), width, _Row(_counted(cards, "card"), games), total)
    for number, row in enumerate(_apart(lost, undecided)):
        x = plot.right + _APART_GAP + (number + 0.5) * _APART
        top = plot.y(100 * row.games / total)
        yield _bar_of(plot, row.label, x, _WIDEST_BAR, row, total)
        if top < _TOP:
            yield f'<path class="cut" d="M{_n(x - _WIDEST_BAR)} {_n(_TOP + 30)} l{_n(2 * _WIDEST_BAR)} -16"/>'
        yield _text(x, max(top, _TOP) - 6, f"{row.games:,}", "count")
        yield _text(x, _BOTTOM + 16, row.label, "name")
        yield _text(x, _BOTTOM + 34, _percent(row.games, total), "quiet")


def _bar_of(plot: _Plot, kind: str, x: float, width: float, row: _Row, total: int) -> str:
    """A bar about its middle, not higher than the plot and never so low that it cannot be seen."""
    height = min(max(_BOTTOM - plot.y(100 * row.games / total), 1), _BOTTOM - _TOP)
    said = f"{row.label}: {_counted(row.games, 'game')}, {_percent(row.games, total)}"
    return _rect(f"bar {kind}", x - width / 2, _BOTTOM - height, width, height, said)


def _border(plot: _Plot, within: int, share: str) -> Iterator[str]:
    """The line after the last number of cards that counts as a win, with the share of such games."""
    x = plot.x(within + 0.5)
    words = f"within {within}: {share}"
    fits = x + (len(words) + 1) * _LETTER * _TEXT_SIZE <= plot.right
    yield f'<path class="border" d="M{_n(x)} {_n(_TOP)} V{_n(_BOTTOM)}"/>'
    yield _text(x + (6 if fits else -6), _TOP + 16, words, "within", "start" if fits else "end")


def _rect(kind: str, x: float, y: float, width: float, height: float, said: str = "") -> str:
    place = f'<rect class="{kind}" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
    return f"{place}><title>{escape(said)}</title></rect>" if said else f"{place}/>"


def _text(x: float, y: float, text: str, kind: str, anchor: str = "middle", *, turned: float = 0) -> str:
    turn = f' transform="rotate({_n(turned)} {_n(x)} {_n(y)})"' if turned else ""
    return f'<text class="{kind}" x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}"{turn}>{escape(text)}</text>'


def _lines(text: str, size: float, most: int) -> list[str]:
    """A text in lines that fit the picture; what is too long for so many ends in an ellipsis."""
    letters = int((_WIDTH - 2 * _MARGIN) / (_LETTER * size))
    lines = wrap(_printable(text), letters)
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1][: letters - 1] + "…"]


def _printable(text: str) -> str:
    """A text with single blanks, without the characters that XML forbids."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _n(value: float) -> str:
    """A number with at most two decimals."""
    return f"{round(value, 2) + 0.0:.10g}"
