"""A position as an SVG picture for print: the board as a little planet whose stacks grow outwards.

Every surface is an edge that wizards stand on, seen from the side: the rim of the board or a tower's roof.
A tower over wizards lets its walls down around them. Looks are plain attributes without ids or style sheets, so that
several pictures can share one page. Classes and data attributes mark what is what, for readers of the file and for a
page on which the picture is played with: `data-space`, and `data-height` of a tower and of the surface of a wizard.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin, tan
from textwrap import wrap
from xml.sax.saxutils import escape

from solver.position import Position, Stack
from solver.rules import SHIELD_SPACES, SPACES

_RIM = 250.0  # how far the ground is from the centre; the ring has 16 flat sides, for towers to stand on
_RING = 34.0  # the ring's width
_NUMBERS = _RIM - _RING - 18
_ARROW = 160.0
_ARROW_END = 1.2  # in spaces, either way from the top

_TOWER_WIDTH = 92.0
_TOWER_HEIGHT = 26.0
_ROOM = 26.0  # over a surface that wizards stand on
_MERLON = 4.5
_WIZARD_STEP = 18.0  # less where many stand side by side
_KEEP_HEIGHT = 70.0  # with its flag
_MARGIN = 14.0
_TITLE_SIZE = 26.0

# Dark and light stay apart in black and white; no two kinds of pieces differ by hue alone.
_INK = "#1f1d2b"
_PAPER = "#ffffff"
_GROUND = "#e9e6da"
_RAVEN = "#453f63"
_PLAIN = "#f6e9c8"
_KEEP = "#f2c14e"
_WIZARD = "#8c1c3c"
_POTION = "#2b7a78"
_MORTAR = "#7d6f4a"
_STROKE = f'stroke="{_INK}" stroke-width="1.6"'

# Shapes about the middle of their feet, up being negative.
_HAT = "M-5.9 0 V-3.2 H-4.6 Q-2.4 -9 -.5 -20 H.5 Q2.4 -9 4.6 -3.2 H5.9 V0 Z"
_SHIELD = "M-8.5 -9.5 H8.5 V-1 Q8.5 6.5 0 10.5 Q-8.5 6.5 -8.5 -1 Z"
_RAVEN_BIRD = (
    "M5.9 -4.6 Q4.6 -6.9 2.2 -6.1 Q.6 -5.5 .1 -3.6 Q-3.4 -1.6 -5.4 3.4 L-6.3 5.4 L-3 3.9 Q-.4 4.6 1.2 3.2 "
    "L1 6.4 H2.1 L2.4 2.2 Q3.9 .2 3.6 -3.6 Z"
)
# From the top left corner of a tower: a line along its edge.
_SEAM = "m2.8 2.8 h86.4 v20.4 h-86.4 z"
# From there too: the joint between two courses, then the upright joints.
_BRICKS = "m1 13 h90 m-76 -1 v-11 m30 0 v11 m30 0 v-11 m-45 14 v11 m30 0 v-11"
_CASTLE = (
    "M-31 0 V-34 H-25 V-29 H-20 V-34 H-14 V-22 H-11 V-40 H-6.5 V-35 H-2.3 V-40 H2.3 V-35 H6.5 V-40 H11 V-22 "
    "H14 V-34 H20 V-29 H25 V-34 H31 V0 Z"
)
_GATE = "M-6 0 V-9 A6 6 0 0 1 6 -9 V0 Z"
_WINDOWS = "M-24 -13 V-21 H-21 V-13 Z M21 -13 V-21 H24 V-13 Z M-1.5 -22 V-30 H1.5 V-22 Z"
_FLAG = "M0 -40 V-58 L14 -53.5 L0 -49"
_BOTTLE = "M-3 -22 V-14.5 Q-8 -12 -8 -6.5 Q-8 0 -2.5 0 H2.5 Q8 0 8 -6.5 Q8 -12 3 -14.5 V-22"
_BOTTLE_NECK = "M-4.5 -22 H4.5"
_LIQUID = "M-6.1 -8.5 H6.1 Q6.9 -1.6 2.5 -1.6 H-2.5 Q-6.9 -1.6 -6.1 -8.5 Z"


def draw_svg(position: Position, *, title: str = "", room: float = 0.0) -> str:
    """The position as a self-contained SVG file: space 0 at the top, then clockwise.

    Solid wizards are visible, hollow ones imprisoned. The picture is as large as the stacks
    need, and shows at least so much room around the rim. A title is printed above it.
    """
    title = "".join(letter if letter.isprintable() else " " for letter in title).strip()
    left, top, right, bottom = _extent(position, room)
    heading: list[str] = []
    if title:
        # A letter of a serif face is about half as wide as high.
        lines = wrap(title, int((right - left) / (_TITLE_SIZE * 0.55)))
        top -= (len(lines) * 1.3 + 0.4) * _TITLE_SIZE
        middle = (left + right) / 2
        for number, line in enumerate(lines, start=1):
            baseline = top + (number * 1.3 - 0.3) * _TITLE_SIZE
            heading.append(_text(middle, baseline, _TITLE_SIZE, line, "heading", bold=True))
    left, top, right, bottom = left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN
    size = f"{_n(right - left)} {_n(bottom - top)}"
    width, height = size.split()
    elements = [
        f'<rect class="paper" x="{_n(left)}" y="{_n(top)}" width="{width}" height="{height}" fill="{_PAPER}"/>',
        *heading,
        *_board(),
        *(line for space in range(SPACES) for line in _space(position, space)),
        *_middle(position),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="{_n(left)} {_n(top)} {size}" '
            f'width="{width}" height="{height}" font-family="serif" fill="{_INK}">',
            f"<title>{escape(title or 'A position of Wandering Towers')}</title>",
            f"<desc>{escape(_description(position))}</desc>",
            *elements,
            "</svg>",
            "",
        ]
    )


def _extent(position: Position, room: float) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the board with its stacks, and with so much room around it."""
    edge = max(_RIM / cos(pi / SPACES), _RIM + room)
    xs, ys = [-edge, edge], [-edge, edge]
    for space, stack in enumerate(position.stacks):
        reach = _RIM + _heights(stack, position.keep == space)[-1]
        for side in (-_TOWER_WIDTH / 2, _TOWER_WIDTH / 2):
            x, y = _polar(reach, space)
            across_x, across_y = _polar(side, space + SPACES / 4)
            xs.append(x + across_x)
            ys.append(y + across_y)
    return min(xs), min(ys), max(xs), max(ys)


def _heights(stack: Stack, keep: bool) -> list[float]:
    """Where each tower of a stack begins above the ground, and last where the stack ends."""
    heights = []
    height = 0.0
    for wizards in stack.wizards[:-1]:
        height += _ROOM if wizards else 0
        heights.append(height)
        height += _TOWER_HEIGHT
    top = _KEEP_HEIGHT if keep else _ROOM if stack.visible else _MERLON
    return [*heights, height + top]


def _board() -> Iterator[str]:
    """The empty ring: the spaces, their numbers and the arrow."""
    half = tan(pi / SPACES)
    outer, inner = _RIM * half, (_RIM - _RING) * half
    for space in range(SPACES):
        yield (
            f'<path class="ground" data-space="{space}" '
            f'd="M{_n(-outer)} {_n(-_RIM)} H{_n(outer)} L{_n(inner)} {_n(_RING - _RIM)} H{_n(-inner)} Z" '
            f'transform="rotate({_n(_degrees(space))})" fill="{_GROUND}" {_STROKE}/>'
        )
        x, y = _polar(_NUMBERS, space)
        yield _text(x, y + 6.5, 19, str(space), "number", bold=True)
    start, end = (" ".join(map(_n, _polar(_ARROW, space))) for space in (-_ARROW_END, _ARROW_END))
    radius = _n(_ARROW)
    yield (
        f'<path class="arrow" d="M{start} A{radius} {radius} 0 0 1 {end}" '
        f'fill="none" stroke="{_INK}" stroke-width="2.2"/>'
    )
    yield (
        f'<path d="M-1 -6.5 L13 0 L-1 6.5 Z" '
        f'transform="translate({end}) rotate({_n(_degrees(_ARROW_END))})"/>'
    )


def _space(position: Position, space: int) -> Iterator[str]:
    """One space with all that stands on it, drawn at the top of the board and turned to its place."""
    stack = position.stacks[space]
    keep = position.keep == space
    heights = _heights(stack, keep)
    yield f'<g class="space" data-space="{space}" transform="rotate({_n(_degrees(space))}) translate(0 {_n(-_RIM)})">'
    if space in SHIELD_SPACES:
        yield from _shield(_RING / 2, dark=True)
    surface = 0.0
    for height, (wizards, tower, foot) in enumerate(zip(stack.wizards, stack.towers, heights, strict=False)):
        # The walls first: the wizards stand in front of them.
        half = _TOWER_WIDTH / 2
        room = foot - surface
        if room:
            yield (
                f'<path class="walls" d="M{_n(-half)} {_n(-surface)} v{_n(-room)} h{_n(_TOWER_WIDTH)} v{_n(room)}" '
                f'fill="none" {_STROKE}/>'
            )
        yield from _wizards(wizards, surface, height, visible=False)
        kind, fill = ("raven", _RAVEN) if tower.raven else ("plain", _PLAIN)
        yield (
            f'<rect class="tower {kind}" data-height="{height + 1}" x="{_n(-half)}" y="{_n(-foot - _TOWER_HEIGHT)}" '
            f'width="{_n(_TOWER_WIDTH)}" height="{_n(_TOWER_HEIGHT)}" fill="{fill}" {_STROKE}/>'
        )
        surface = foot + _TOWER_HEIGHT
        if tower.raven:
            # A light seam, or two raven towers on each other would print as one dark block.
            seam = f"M{_n(-half)} {_n(-surface)} {_SEAM}"
            yield f'<path d="{seam}" fill="none" stroke="{_PAPER}" stroke-width=".9"/>'
            yield from _shield(-surface + _TOWER_HEIGHT / 2, dark=False)
        else:
            # In black and white the bricks tell a plain tower from the room under one.
            bricks = f"M{_n(-half)} {_n(-surface)} {_BRICKS}"
            yield f'<path d="{bricks}" fill="none" stroke="{_MORTAR}" stroke-width=".8"/>'
    if stack.towers:
        # Battlements at the ends of the highest roof; those below are hidden in the tower above.
        fill = _RAVEN if stack.towers[-1].raven else _PLAIN
        for left in (-_TOWER_WIDTH / 2, _TOWER_WIDTH / 2 - _MERLON):
            yield (
                f'<path d="M{_n(left)} {_n(-surface)} v{_n(-_MERLON)} h{_n(_MERLON)} v{_n(_MERLON)}" '
                f'fill="{fill}" {_STROKE}/>'
            )
    yield from _wizards(stack.visible, surface, len(stack.towers), visible=True)
    if keep:
        yield from _keep(-surface)
    yield "</g>"


def _wizards(count: int, surface: float, height: int, *, visible: bool) -> Iterator[str]:
    """The wizards of one surface in a row, solid if visible and hollow if imprisoned."""
    kind, fill = ("visible", _WIZARD) if visible else ("imprisoned", _PAPER)
    step = min(_WIZARD_STEP, (_TOWER_WIDTH - 2 * _MERLON) / max(count, 1))
    for number in range(count):
        x = (number - (count - 1) / 2) * step
        yield _hat(x, -surface - 1.3, f"wizard {kind}", fill, f' data-height="{height}"')


def _hat(x: float, y: float, mark: str, fill: str, data: str = "") -> str:
    return (
        f'<path class="{mark}"{data} d="{_HAT}" transform="translate({_n(x)} {_n(y)})" fill="{fill}" '
        f'stroke="{_INK}" stroke-width="1.2" stroke-linejoin="round"/>'
    )


def _shield(y: float, *, dark: bool) -> Iterator[str]:
    """A raven shield about a height; dark on light ground, light on dark towers."""
    face, bird = (_RAVEN, _PAPER) if dark else (_PAPER, _RAVEN)
    yield (
        f'<path class="shield" d="{_SHIELD}" transform="translate(0 {_n(y)})" fill="{face}" stroke="{_INK}" '
        'stroke-width="1"/>'
    )
    yield f'<path d="{_RAVEN_BIRD}" transform="translate(0 {_n(y - 1)})" fill="{bird}"/>'


def _keep(y: float) -> Iterator[str]:
    yield f'<g class="keep" transform="translate(0 {_n(y)}) scale(1.16)" {_STROKE}>'
    yield f'<path d="{_CASTLE}" fill="{_KEEP}" stroke-linejoin="round"/>'
    yield f'<path d="{_GATE} {_WINDOWS}" stroke="none"/>'
    yield f'<path d="{_FLAG}"/>'
    yield "</g>"


def _middle(position: Position) -> Iterator[str]:
    """The counts: wizards home, on the board and imprisoned, and the bottles."""
    y = -14.0 if position.bottles is None else -48.0
    for number in range(position.home):
        x = (number - (position.home - 1) / 2) * 21
        yield f'<g transform="translate({_n(x)} {_n(y)}) scale(1.4)">{_hat(0, 0, "wizard-home", _WIZARD)}</g>'
    yield _text(0, y + 32, 27, f"{position.home} home", "home", bold=True)
    rest = f"{position.on_board} on the board, {position.imprisoned} imprisoned"
    yield _text(0, y + 60, 19, rest, "on-board")
    if position.bottles is None:
        return
    full, empty = position.bottles
    for number in range(full + empty):
        x = (number - (full + empty - 1) / 2) * 32
        yield from _bottle(x, y + 118, full=number < full)
    yield _text(0, y + 146, 19, f"{full} full, {empty} empty", "bottles")


def _bottle(x: float, y: float, *, full: bool) -> Iterator[str]:
    kind = "full" if full else "empty"
    yield (
        f'<g class="bottle {kind}" transform="translate({_n(x)} {_n(y)}) scale(1.4)" {_STROKE} '
        'stroke-linecap="round">'
    )
    yield f'<path d="{_BOTTLE}" fill="{_PAPER}"/>'
    if full:
        yield f'<path d="{_LIQUID}" fill="{_POTION}" stroke="none"/>'
    yield f'<path d="{_BOTTLE_NECK}"/>'
    yield "</g>"


def _description(position: Position) -> str:
    """The position in words, for those who cannot see the picture."""
    sentences = []
    for space, stack in enumerate(position.stacks):
        things = [_wizard_words(stack.ground)] if stack.ground else []
        for tower in stack.towers:
            roof = f" with {_wizard_words(tower.wizards)}" if tower.wizards else ""
            things.append(("raven tower" if tower.raven else "plain tower") + roof)
        if position.keep == space:
            things.append("the keep")
        if things:
            sentences.append(f"Space {space}, from the ground up: {', '.join(things)}.")
    sentences.append(f"Home: {_wizard_words(position.home)}.")
    if position.bottles is not None:
        sentences.append(f"Bottles: {position.bottles.full} full, {position.bottles.empty} empty.")
    return " ".join(sentences)


def _wizard_words(count: int) -> str:
    return "1 wizard" if count == 1 else f"{count} wizards"


def _text(x: float, y: float, size: float, text: str, mark: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text class="{mark}" x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}"{weight} '
        f'text-anchor="middle">{escape(text)}</text>'
    )


def _degrees(space: float) -> float:
    return space * 360 / SPACES


def _polar(radius: float, space: float) -> tuple[float, float]:
    """The point at a distance from the centre in the direction of a space."""
    angle = space * 2 * pi / SPACES
    return radius * sin(angle), -radius * cos(angle)


def _n(value: float) -> str:
    """A number in few characters, the same on every machine: rounding hides the last bits of sines."""
    return f"{round(value, 2) + 0.0:g}"
