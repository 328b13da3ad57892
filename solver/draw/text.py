"""A position as a text picture for a terminal: the ring around a square, the counts in its middle."""

from __future__ import annotations

from typing import NamedTuple

from solver.position import Position
from solver.rules import MAX_ON_SURFACE, MAX_WIZARDS, SHIELD_SPACES

# The 16 spaces run clockwise around a 5x5 grid with the shield grounds at its corners. None is the middle.
_SIDE = 5
_GRID: tuple[tuple[int | None, ...], ...] = (
    (0, 1, 2, 3, 4),
    (15, None, None, None, 5),
    (14, None, None, None, 6),
    (13, None, None, None, 7),
    (12, 11, 10, 9, 8),
)
_MIDDLE = range(1, _SIDE - 1)

_BLOCK = MAX_ON_SURFACE + 4  # a tower: two walls, the shield, a gap, the wizards
_CELL = _BLOCK + 4  # and to its left the number, with a margin on either side
_INSIDE = len(_MIDDLE) * (_CELL + 1) - 1
_LOWEST = 2  # the middle needs this much height even if no tower stands beside it


class _Glyphs(NamedTuple):
    """The characters of one alphabet."""

    wizard: str
    prisoner: str
    shield: str
    raven_walls: str
    plain_walls: str
    keep: str
    full: str
    empty: str
    arrows: str  # right, down, left, up
    line: str
    post: str
    top: str  # corner, three kinds of joints, corner
    upper: str
    between: str
    lower: str
    bottom: str


_UNICODE = _Glyphs(
    wizard="▲",
    prisoner="△",
    shield="◆",
    raven_walls="██",
    plain_walls="▐▌",
    keep="▙▟ KEEP ▙▟",
    full="▮",
    empty="▯",
    arrows="→↓←↑",
    line="─",
    post="│",
    top="┌┬┬┬┬┐",
    upper="├┼┴┴┼┤",
    between="├┤  ├┤",
    lower="├┼┬┬┼┤",
    bottom="└┴┴┴┴┘",
)
_ASCII = _Glyphs(
    wizard="@",
    prisoner="o",
    shield="*",
    raven_walls="##",
    plain_walls="[]",
    keep="/^\\KEEP/^\\",
    full="!",
    empty=":",
    arrows=">v<^",
    line="-",
    post="|",
    top="++++++",
    upper="++++++",
    between="++  ++",
    lower="++++++",
    bottom="++++++",
)


class _Colours(NamedTuple):
    """ANSI attributes. Pieces bring their own background: they look the same on dark and light terminals."""

    wizard: str = "1;38;5;226"
    prisoner: str = "38;5;252"
    shield: str = "1;38;5;231"
    raven: str = "38;5;141;48;5;54"
    plain: str = "38;5;180;48;5;94"
    ground: str = "48;5;23"
    keep: str = "1;38;5;220;48;5;124"
    bottle: str = "1;38;5;32"
    number: str = "1"


_COLOURS = _Colours()

# A line is made of pieces, text and attributes, so that its width is known before any escape is in it.
_Piece = tuple[str, str]
_Line = list[_Piece]


def draw_text(position: Position, *, colour: bool = False, ascii_only: bool = False) -> str:
    """The ring as text, 76 columns wide, space 0 at the top left and clockwise from there.

    Every stack stands on the line with its space's number, one line a tower, which also shows the wizards on
    its roof. With colour the text holds ANSI escapes, otherwise none.
    """
    glyphs = _ASCII if ascii_only else _UNICODE
    cells = {space: _cell(position, space, glyphs) for row in _GRID for space in row if space is not None}
    heights = [max(_LOWEST, *(len(cells[space]) for space in row if space is not None)) for row in _GRID]
    # The rows beside the middle and the two borders between them are one area for the counts.
    inside = iter(_centred(_counts(position, glyphs), sum(heights[row] for row in _MIDDLE) + 2))

    lines: list[_Line] = [_border(glyphs.top, glyphs)]
    for row, height in enumerate(heights):
        if row in _MIDDLE and row > _MIDDLE[0]:
            side = (glyphs.line * _CELL, "")
            joints = [(joint, "") for joint in glyphs.between.replace(" ", "")]
            lines.append(
                [joints[0], side, joints[1], *_fit(next(inside), _INSIDE), joints[2], side, joints[3]]
            )
        elif row > 0:
            lower = row > _MIDDLE[-1]
            arrow = glyphs.arrows[2 if lower else 0]
            lines.append(_border(glyphs.lower if lower else glyphs.upper, glyphs, arrow))
        for number in range(height):
            parts = [
                _fit(_line_of(cells[space], number - height), _CELL)
                for space in _GRID[row]
                if space is not None
            ]
            posts = [glyphs.post] * (len(parts) + 1)
            if row in _MIDDLE:
                parts.insert(1, _fit(next(inside), _INSIDE))
                arrows = (glyphs.arrows[3], glyphs.arrows[1]) if number == height // 2 else (glyphs.post,) * 2
                posts = [glyphs.post, *arrows, glyphs.post]
            line: _Line = [(posts[0], "")]
            for part, post in zip(parts, posts[1:], strict=True):
                line += [*part, (post, "")]
            lines.append(line)
    lines.append(_border(glyphs.bottom, glyphs))
    return "\n".join(_printed(line, colour) for line in lines)


def _cell(position: Position, space: int, glyphs: _Glyphs) -> list[_Line]:
    """The lines of one space, the keep first and the ground last."""
    stack = position.stacks[space]
    number: _Piece = (f"{space:>3}", _COLOURS.number)
    shield = space in SHIELD_SPACES
    covered = bool(stack.towers)
    lines: list[_Line] = [[number, *_surface(stack.ground, shield, covered, "  ", _COLOURS.ground, glyphs)]]
    for height, tower in enumerate(stack.towers, start=1):
        walls = glyphs.raven_walls if tower.raven else glyphs.plain_walls
        block = _COLOURS.raven if tower.raven else _COLOURS.plain
        covered = height < len(stack.towers)
        lines.append([("   ", ""), *_surface(tower.wizards, tower.raven, covered, walls, block, glyphs)])
    if position.keep == space:
        lines.append([("   ", ""), (glyphs.keep, _COLOURS.keep)])
    return lines[::-1]


def _surface(wizards: int, shield: bool, covered: bool, walls: str, block: str, glyphs: _Glyphs) -> _Line:
    """The ground or a tower: its shield and the wizards that stand on it, between its walls."""
    mark, attributes = (glyphs.prisoner, _COLOURS.prisoner) if covered else (glyphs.wizard, _COLOURS.wizard)
    return [
        (walls[0], block),
        (glyphs.shield if shield else " ", f"{block};{_COLOURS.shield}"),
        (" ", block),
        (mark * wizards, f"{block};{attributes}"),
        (" " * (MAX_ON_SURFACE - wizards) + walls[1], block),
    ]


def _counts(position: Position, glyphs: _Glyphs) -> list[_Line]:
    """What the middle says: wizards, bottles and the legend."""
    imprisoned = position.imprisoned
    free = position.on_board - imprisoned

    # Wizards in the middle keep the default colours: there is no block behind them.
    # Nothing checks that there are no more than a game has; of more the number alone must do.
    board = glyphs.wizard * free + glyphs.prisoner * imprisoned if position.on_board <= MAX_WIZARDS else ""
    lines: list[_Line] = [
        [(f"  home     {position.home:>2}  {glyphs.wizard * position.home}", "")],
        [(f"  on board {position.on_board:>2}  {board}{'  ' if board else ''}{imprisoned} imprisoned", "")],
    ]
    if position.bottles is not None:
        full, empty = position.bottles
        lines.append(
            [
                (f"  bottles  {full:>2} full ", ""),
                (glyphs.full * full, _COLOURS.bottle),
                (f"{'  ' if full else ' '}{empty} empty ", ""),
                (glyphs.empty * empty, _COLOURS.bottle),
            ]
        )
    raven = _surface(1, True, False, glyphs.raven_walls, _COLOURS.raven, glyphs)
    plain = _surface(1, False, False, glyphs.plain_walls, _COLOURS.plain, glyphs)
    return [
        *lines,
        [],
        [(f"  {glyphs.wizard} wizard   {glyphs.prisoner} imprisoned   {glyphs.shield} raven shield", "")],
        [("  ", ""), *raven, (" raven ", ""), *plain, (" plain tower", "")],
        [("  wizards drawn in a tower are on its roof", "")],
        [(f"  {' '.join(glyphs.arrows)}  clockwise", "")],
    ]


def _border(joints: str, glyphs: _Glyphs, arrow: str = "") -> _Line:
    """A border over the whole width; along the middle it shows which way the ring runs."""
    plain = glyphs.line * _CELL
    half = _CELL // 2
    text = joints[0]
    for column, joint in enumerate(joints[1:]):
        pointed = arrow and column in _MIDDLE
        text += (plain[:half] + arrow + plain[half + 1 :] if pointed else plain) + joint
    return [(text, "")]


def _centred(lines: list[_Line], height: int) -> list[_Line]:
    """The lines with empty ones above and below."""
    above = (height - len(lines)) // 2
    return [*([] for _ in range(above)), *lines, *([] for _ in range(height - len(lines) - above))]


def _line_of(lines: list[_Line], from_end: int) -> _Line:
    """A line counted from the ground, which is -1; empty above the top."""
    return lines[from_end] if -from_end <= len(lines) else []


def _fit(line: _Line, width: int) -> _Line:
    """The line padded to a width."""
    return [*line, (" " * (width - sum(len(text) for text, _ in line)), "")]


def _printed(line: _Line, colour: bool) -> str:
    """The line as text, with escapes if asked for."""
    return "".join(
        f"\x1b[{attributes}m{text}\x1b[0m" if colour and text and attributes else text
        for text, attributes in line
    )
