"""The course of a game as SVG: what was expected from turn to turn, and below it what luck and play did in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from solver.rules import GRADES

_WIDTH = 760.0
_LEFT, _RIGHT = 44.0, 14.0  # room for the axis, and for the last point
_TOP, _LINE_BOTTOM = 28.0, 250.0  # of what was expected
_BARS_TOP, _BARS_BOTTOM = 286.0, 420.0
_HEIGHT = 462.0
_SPARE = 1.0  # cards above and below the line
_TICKS = (1, 2, 5, 10, 20)
_MOST_TICKS = 7
_BAR_SHARE = 0.36  # of a turn's room, for each of its two bars
_LEAST_BAR_SCALE = 1.0  # cards; small luck shall not look large
_LABEL_ROOM = 24.0


class Turn(NamedTuple):
    """A turn of the course."""

    expected: float  # before it
    luck: float
    loss: float
    said: str  # for those who point at it


class _Plot(NamedTuple):
    """Where things go."""

    turns: int
    low: float
    high: float
    scale: float  # cards from the middle of the bars to their end

    @property
    def slot(self) -> float:
        return (_WIDTH - _LEFT - _RIGHT) / (self.turns + 1)

    def x(self, turn: float) -> float:
        """The middle of a turn, from 0 for the deal."""
        return _LEFT + (turn + 0.5) * self.slot

    def y(self, cards: float) -> float:
        return _LINE_BOTTOM - (_LINE_BOTTOM - _TOP) * (cards - self.low) / (self.high - self.low)

    def bar(self, cards: float) -> float:
        """The height of a bar's end: bad is up."""
        middle = (_BARS_TOP + _BARS_BOTTOM) / 2
        return middle - (_BARS_BOTTOM - _BARS_TOP) / 2 * max(-1.0, min(cards / self.scale, 1.0))


def course_svg(start: float, turns: Sequence[Turn], result: float, title: str) -> str:
    """The picture; its looks are classes for the style sheet of a page."""
    values = [start, *(turn.expected for turn in turns), result]
    # A lost game counts as so many cards that all else would be flat; the line then leaves the picture.
    most = max(values[:-1]) if result > max(values[:-1]) + 15 else max(values)
    plot = _Plot(
        len(turns) + 1,
        floor(min(values) - _SPARE),
        ceil(most + _SPARE),
        max([_LEAST_BAR_SCALE, *(abs(turn.luck) for turn in turns), *(turn.loss for turn in turns)]),
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="course" role="img" aria-label={quoteattr(title)} '
            f'viewBox="0 0 {_n(_WIDTH)} {_n(_HEIGHT)}">',
            f"<title>{escape(title)}</title>",
            *_grades(plot),
            *_axis(plot),
            *_line(plot, values, turns),
            *_bars(plot, turns),
            "</svg>",
        ]
    )


def _grades(plot: _Plot) -> Iterator[str]:
    """Strips for the grades, each with its name."""
    low = plot.low
    for number, (most, name) in enumerate(GRADES):
        high = plot.high if most is None else min(most + 0.5, plot.high)
        if high <= low:
            continue
        top, bottom = plot.y(high), plot.y(low)
        if number % 2 == 0:
            width = _WIDTH - _LEFT - _RIGHT
            yield f'<rect class="strip" x="{_n(_LEFT)}" y="{_n(top)}" width="{_n(width)}" height="{_n(bottom - top)}"/>'
        if bottom - top > 11:
            yield _text(_LEFT + 5, (top + bottom) / 2 + 4, name, "grade", "start")
        low = high


def _axis(plot: _Plot) -> Iterator[str]:
    step = next((step for step in _TICKS if (plot.high - plot.low) / step <= _MOST_TICKS), _TICKS[-1])
    for cards in range(ceil(plot.low / step) * step, int(plot.high) + 1, step):
        y = plot.y(cards)
        yield f'<path class="grid" d="M{_n(_LEFT)} {_n(y)} H{_n(_WIDTH - _RIGHT)}"/>'
        yield _text(_LEFT - 6, y + 4, str(cards), "quiet", "end")
    every = next(step for step in (1, 2, 5, 10, 20) if step * plot.slot >= _LABEL_ROOM)
    for turn in range(1, plot.turns):
        if turn % every == 0:
            yield _text(plot.x(turn), _LINE_BOTTOM + 16, str(turn), "quiet")
    yield _text(_LEFT - 6, 12, "cards", "quiet", "end")
    yield _text(_LEFT - 6, _LINE_BOTTOM + 16, "turn", "quiet", "end")


def _line(plot: _Plot, values: Sequence[float], turns: Sequence[Turn]) -> Iterator[str]:
    """What was expected at the start, before each turn and at the end."""
    points = [(plot.x(turn), plot.y(value)) for turn, value in enumerate(values)]
    d = " L".join(f"{_n(x)} {_n(max(y, 0.0))}" for x, y in points)
    yield f'<path class="line" d="M{d}"/>'
    said = ["at the start", *(turn.said for turn in turns), "at the end"]
    for (x, y), value, words in zip(points, values, said, strict=True):
        if y >= 0:
            yield (
                f'<circle class="point" cx="{_n(x)}" cy="{_n(y)}" r="3.2"><title>{escape(words)}: {value:.2f}</title>'
                "</circle>"
            )


def _bars(plot: _Plot, turns: Sequence[Turn]) -> Iterator[str]:
    """Luck and losses of each turn, side by side about a middle line."""
    width = plot.slot * _BAR_SHARE
    middle = plot.bar(0)
    yield f'<path class="axis" d="M{_n(_LEFT)} {_n(middle)} H{_n(_WIDTH - _RIGHT)}"/>'
    for cards in (plot.scale, -plot.scale):
        yield _text(_LEFT - 6, plot.bar(cards) + 4, f"{cards:+.1f}", "quiet", "end")
    yield _text(_LEFT - 6, middle + 4, "0", "quiet", "end")
    for number, turn in enumerate(turns, start=1):
        for kind, amount, x in (
            ("bad" if turn.luck > 0 else "good", turn.luck, plot.x(number) - width),
            ("loss", turn.loss, plot.x(number)),
        ):
            if abs(amount) >= 0.005:
                ends = sorted((middle, plot.bar(amount)))
                what = "given away" if kind == "loss" else f"{kind} luck"
                yield (
                    f'<rect class="{kind}" x="{_n(x)}" y="{_n(ends[0])}" width="{_n(width)}" '
                    f'height="{_n(max(ends[1] - ends[0], 1))}"><title>{escape(turn.said)}: {what}, {amount:+.2f}'
                    "</title></rect>"
                )
    x = _LEFT
    for kind, name in (("bad", "bad luck"), ("good", "good luck"), ("loss", "given away by play")):
        y = _HEIGHT - 16
        yield f'<rect class="{kind}" x="{_n(x)}" y="{_n(y)}" width="11" height="11"/>'
        yield _text(x + 16, y + 10, name, "quiet", "start")
        x += 34 + 7 * len(name)


def _text(x: float, y: float, text: str, kind: str, anchor: str = "middle") -> str:
    return f'<text class="{kind}" x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}">{escape(text)}</text>'


def _n(value: float) -> str:
    return f"{round(value, 2) + 0.0:.10g}"
