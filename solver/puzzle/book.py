"""A book of puzzles: one HTML page to print, with pictures, and the solutions at the end."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib import resources

from solver import __version__
from solver.draw import draw_svg
from solver.notation import print_card, print_move, print_position, print_rules
from solver.puzzle.rate import Rated
from solver.puzzle.words import stars, task
from solver.rules import RULEBOOK, SPELL_NUMBER, SPELLS


def book(entries: Sequence[Rated], title: str) -> str:
    """The page."""
    style = resources.files("solver.puzzle").joinpath("book.css").read_text("utf-8")
    puzzles = "\n".join(_puzzle(number, entry) for number, entry in enumerate(entries, 1))
    solutions = "\n".join(_solution(entry) for entry in entries)
    count = f"{len(entries)} {'puzzle' if len(entries) == 1 else 'puzzles'}"
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title><style>
{style}</style></head>
<body>
<h1>{escape(title)}</h1>
<p class="lead">{count} for one player of Wandering Towers. All cards are open: play them in any order, and
draw to three after each as long as there is something to draw. Each puzzle can be done in the number of cards it says,
and never in fewer.</p>
{puzzles}
<section class="solutions">
<h1>Solutions</h1>
<p><code>w3 W5</code>: the card w3 moves a wizard of space 5. <code>t2 T7.1</code>: the card t2 moves the lowest tower
of space 7 with all that stands on it, <code>T7.2</code> the second from below. A spell follows <code>+</code>.</p>
<ol>
{solutions}
</ol>
<p class="lead">Every puzzle was proved by towers {escape(__version__)}.</p>
</section>
</body>
</html>
"""


def _puzzle(number: int, entry: Rated) -> str:
    puzzle, answer, rating = entry
    assert answer.cards is not None
    rows = [_card_row("Hand", [print_card(card) for card in puzzle.hand])]
    if puzzle.draw:
        rows.append(_card_row("Then come", [print_card(card) for card in puzzle.draw]))
    for name in puzzle.spells:
        effect = SPELLS[SPELL_NUMBER[name] - 1].effect
        cost = puzzle.rules.spell_costs[name]
        rows.append(f'<p class="cards"><b>Spell</b> {escape(name)} ({cost}): {escape(effect)}</p>')
    if puzzle.rules != RULEBOOK:
        rows.append(f'<p class="cards"><b>Rules</b> {escape(print_rules(puzzle.rules))}</p>')
    by = f" <small>by {escape(puzzle.author)}</small>" if puzzle.author else ""
    heading = f"{number}. {escape(puzzle.title or 'Untitled')}{by}"
    return f"""<section class="puzzle">
<div class="head"><h2>{heading}</h2><span class="stars">{stars(rating.stars)}</span></div>
{draw_svg(puzzle.position)}
<p class="task">{escape(task(puzzle, answer.cards))}</p>
{"".join(rows)}
<p class="position">{escape(print_position(puzzle.position))}</p>
</section>"""


def _card_row(label: str, cards: list[str]) -> str:
    boxes = "".join(f'<span class="card">{escape(card)}</span>' for card in cards)
    return f'<p class="cards"><b>{label}</b> {boxes}</p>'


def _solution(entry: Rated) -> str:
    puzzle, answer, _ = entry
    moves = "; ".join(f"<code>{escape(print_move(move))}</code>" for move in answer.line)
    more = ""
    if answer.solutions > 1:
        same = len(answer.keys) == 1 and answer.endings == 1
        more = f" ({answer.solutions:,} orders of the same plan)" if same else f" (one of {answer.solutions:,} ways)"
    return f"<li><b>{escape(puzzle.title or 'Untitled')}</b>: {moves}{more}</li>"
