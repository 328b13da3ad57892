"""The pictures of a position: nothing missing, nothing twice, and within the limits of a terminal."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from solver.draw import draw_svg, draw_text
from solver.position import Position, Stack, Tower
from solver.rules import MAX_ON_SURFACE, MAX_TOWERS, MAX_WIZARDS, SHIELD_SPACES, SPACES, START_BOARD, Bottles


def position(board: str, home: int = 0, bottles: Bottles | None = None) -> Position:
    """A position from a board text that is known to be sound."""
    spaces = board.split("/")
    stacks = []
    for space in spaces:
        ground, towers = re.fullmatch(r"(\d?)((?:[rt]\d?)*)K?", space.replace("-", "")).groups()
        roofs = tuple(
            Tower(kind == "r", int(count or 0)) for kind, count in re.findall(r"([rt])(\d?)", towers)
        )
        stacks.append(Stack(int(ground or 0), roofs))
    assert len(stacks) == SPACES
    return Position(tuple(stacks), next(i for i, space in enumerate(spaces) if "K" in space), home, bottles)


def at_random(seed: int) -> Position:
    """A position with up to nine towers and twelve wizards anywhere."""
    rng = random.Random(seed)
    towers: list[list[bool]] = [[] for _ in range(SPACES)]
    spaces = rng.sample(range(SPACES), rng.randint(1, SPACES))
    for _ in range(rng.randint(0, MAX_TOWERS)):
        towers[rng.choice(spaces)].append(rng.random() < 0.5)
    keep = rng.randrange(SPACES)
    wizards = [[0] * (len(stack) + 1) for stack in towers]
    total = rng.randint(0, MAX_WIZARDS)
    home = rng.randint(0, total)
    for _ in range(total - home):
        space = rng.choice([s for s in range(SPACES) if s != keep or towers[s]])
        surface = rng.randrange(len(wizards[space]) - (space == keep))
        if wizards[space][surface] < MAX_ON_SURFACE:
            wizards[space][surface] += 1
    stacks = tuple(
        Stack(counts[0], tuple(map(Tower, stack, counts[1:])))
        for stack, counts in zip(towers, wizards, strict=True)
    )
    bottles = Bottles(rng.randint(0, 3), rng.randint(0, 3)) if rng.random() < 0.5 else None
    return Position(stacks, keep, home, bottles)


START = position(START_BOARD)
MIDDLE = position("-/-/1r/-/2t1r2/-/-/rt1r/-/tK/-/-/r/-/-/-", 5, Bottles(2, 3))
NINE = position("1/-/-/-/-/-/2r1t3rt2r1trtrK/-/-/-/1/-/-/-/-/-", 1, Bottles(3, 0))
POSITIONS = {
    "start": START,
    "spells": position(START_BOARD, 0, Bottles(0, 6)),
    "middle": MIDDLE,
    "nine high": NINE,
    "sixes": position("6/6t6/6r6t6/6/6/6t6/6r6/6r6/K/6/6/6/6/6/6r6/6"),
    "nobody": position("-/-/-/K/-/-/-/-/-/-/-/-/-/-/-/-", 12),
    **{f"random {seed}": at_random(seed) for seed in range(60)},
}
each_position = pytest.mark.parametrize("drawn", POSITIONS.values(), ids=POSITIONS.keys())
each_alphabet = pytest.mark.parametrize("ascii_only", [False, True], ids=["unicode", "ascii"])

# Text -------------------------------------------------------------------------------------------------------

GRID = (
    (0, 1, 2, 3, 4),
    (15, None, None, None, 5),
    (14, None, None, None, 6),
    (13, None, None, None, 7),
    (12, 11, 10, 9, 8),
)
CELL = 14


def read_back(text: str, ascii_only: bool) -> tuple[tuple[Stack, ...], int]:
    """The stacks and the keep's space, read from a drawing as a player would; checks what is visible."""
    wizard, prisoner, shield, raven, plain = "@o*#[" if ascii_only else "▲△◆█▐"
    lines = text.split("\n")
    borders = [number for number, line in enumerate(lines) if line[0] in "+┌├└"]
    assert len(borders) == len(GRID) + 1
    stacks: dict[int, Stack] = {}
    keeps = []
    for row, (above, below) in zip(GRID, pairwise(borders), strict=True):
        for column, space in enumerate(row):
            if space is None:
                continue
            left = column * (CELL + 1) + 1
            cell = [line[left : left + CELL] for line in reversed(lines[above + 1 : below])]
            while not cell[-1].strip():
                cell.pop()
            if "KEEP" in cell[-1]:
                keeps.append(space)
                cell.pop()
            assert cell[0].split()[0] == str(space)
            assert (shield in cell[0]) == (space in SHIELD_SPACES)
            assert not any(wizard in line for line in cell[:-1])
            assert prisoner not in cell[-1]
            wizards = [line.count(wizard) + line.count(prisoner) for line in cell]
            towers = []
            for line, count in zip(cell[1:], wizards[1:], strict=True):
                assert line[3] in (raven, plain)
                assert (line[3] == raven) == (shield in line)
                towers.append(Tower(line[3] == raven, count))
            stacks[space] = Stack(wizards[0], tuple(towers))
    [keep] = keeps
    return tuple(stacks[space] for space in range(SPACES)), keep


@each_alphabet
@each_position
def test_text_shows_the_whole_board(drawn: Position, ascii_only: bool) -> None:
    text = draw_text(drawn, ascii_only=ascii_only)
    assert read_back(text, ascii_only) == (drawn.stacks, drawn.keep)


@each_alphabet
@each_position
def test_text_fits_a_terminal(drawn: Position, ascii_only: bool) -> None:
    lines = draw_text(drawn, ascii_only=ascii_only).split("\n")
    # A box: every line ends with the frame, so all are equally long and none ends with a space.
    assert {len(line) for line in lines} == {76}
    assert not any(line.endswith(" ") for line in lines)


def test_usual_positions_fit_24_lines() -> None:
    assert len(draw_text(START).split("\n")) == 16
    assert len(draw_text(MIDDLE).split("\n")) <= 23
    assert len(draw_text(NINE).split("\n")) <= 25


@each_position
def test_ascii_is_ascii(drawn: Position) -> None:
    assert draw_text(drawn, ascii_only=True).isascii()
    assert draw_text(drawn, ascii_only=True, colour=True).isascii()


@each_alphabet
@each_position
def test_colour_only_adds_escapes(drawn: Position, ascii_only: bool) -> None:
    plain = draw_text(drawn, ascii_only=ascii_only)
    coloured = draw_text(drawn, ascii_only=ascii_only, colour=True)
    assert "\x1b" not in plain
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
    # Every line ends in the terminal's own colours, also where a pager cuts the picture.
    assert all(not re.search(r"\x1b\[[1-9][^m]*m[^\x1b]*$", line) for line in coloured.split("\n"))


def test_text_counts() -> None:
    text = draw_text(MIDDLE)
    assert re.search(r"home +5  ▲{5} ", text)
    assert re.search(r"on board +7  ▲▲△△△△△  5 imprisoned", text)
    assert re.search(r"bottles +2 full ▮▮  3 empty ▯▯▯ ", text)
    assert "bottles" not in draw_text(START)
    assert re.search(r"bottles +0 full  6 empty :{6} ", draw_text(POSITIONS["spells"], ascii_only=True))


# SVG --------------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def marks(svg: str) -> list[str]:
    """The classes of all elements."""
    return [element.get("class", "") for element in ET.fromstring(svg).iter()]


@each_position
def test_svg_shows_every_piece(drawn: Position) -> None:
    found = marks(draw_svg(drawn))
    towers = [tower for stack in drawn.stacks for tower in stack.towers]
    ravens = sum(tower.raven for tower in towers)
    assert found.count("ground") == found.count("space") == found.count("number") == SPACES
    assert found.count("tower raven") == ravens
    assert found.count("tower plain") == len(towers) - ravens
    assert found.count("shield") == ravens + len(SHIELD_SPACES)
    assert found.count("wizard visible") == drawn.on_board - drawn.imprisoned
    assert found.count("wizard imprisoned") == drawn.imprisoned
    assert found.count("wizard-home") == drawn.home
    assert found.count("keep") == 1
    assert found.count("bottle full") == (drawn.bottles.full if drawn.bottles else 0)
    assert found.count("bottle empty") == (drawn.bottles.empty if drawn.bottles else 0)


@each_position
def test_svg_puts_pieces_on_their_spaces(drawn: Position) -> None:
    spaces = [element for element in ET.fromstring(draw_svg(drawn)).iter() if element.get("class") == "space"]
    for space, (group, stack) in enumerate(zip(spaces, drawn.stacks, strict=True)):
        assert group.get("transform").startswith(f"rotate({space * 22.5:g}) ")
        found = [child.get("class", "") for child in group]
        # Pieces come from the ground up, so their order is the stack's order.
        expected = ["wizard imprisoned" if stack.towers else "wizard visible"] * stack.ground
        for height, tower in enumerate(stack.towers, start=1):
            expected.append("tower raven" if tower.raven else "tower plain")
            kind = "imprisoned" if height < len(stack.towers) else "visible"
            expected += [f"wizard {kind}"] * tower.wizards
        expected += ["keep"] * (space == drawn.keep)
        assert [mark for mark in found if mark.startswith(("wizard", "tower", "keep"))] == expected


def test_svg_grows_with_the_stack() -> None:
    def box(drawn: Position) -> list[float]:
        return [float(number) for number in ET.fromstring(draw_svg(drawn)).get("viewBox").split()]

    for space in range(SPACES):
        stack = Stack(2, tuple(Tower(height % 2 == 0, 1) for height in range(MAX_TOWERS)))
        stacks = tuple(stack if number == space else Stack(0, ()) for number in range(SPACES))
        low = box(Position(tuple(Stack(0, ()) for _ in stacks), 0))
        high = box(Position(stacks, (space + 8) % SPACES))
        assert high[2] * high[3] > 1.4 * low[2] * low[3]


def test_svg_title_is_escaped() -> None:
    svg = draw_svg(START, title="Rooks & <ravens> \"and\" 'so' \x00\x1b]]>")
    root = ET.fromstring(svg)
    assert root.find(f"{SVG}title").text == "Rooks & <ravens> \"and\" 'so'   ]]>"
    [heading] = [element for element in root.iter() if element.get("class") == "heading"]
    assert heading.text.startswith("Rooks & <ravens>")
    assert "<ravens>" not in svg


def test_svg_wraps_a_long_title() -> None:
    found = marks(draw_svg(START, title="A very long title that goes on and on " * 3))
    assert found.count("heading") == 3
    assert "heading" not in marks(draw_svg(START))


def test_svg_describes_itself() -> None:
    root = ET.fromstring(draw_svg(MIDDLE))
    assert root[0].tag == f"{SVG}title"
    assert root[1].tag == f"{SVG}desc"
    assert (
        "Space 4, from the ground up: 2 wizards, plain tower with 1 wizard, raven tower with 2 wizards."
        in root[1].text
    )
    assert "Space 9, from the ground up: plain tower, the keep." in root[1].text
    assert root[1].text.endswith("Home: 5 wizards. Bottles: 2 full, 3 empty.")


def test_svg_stands_alone() -> None:
    svg = draw_svg(NINE, title="Nine")
    assert svg == draw_svg(NINE, title="Nine")
    # No ids, links or style sheets: several pictures can share a page.
    assert not re.search(r"\b(id|href|style)=|<style|url\(", svg)
