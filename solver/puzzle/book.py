"""A book of puzzles: one HTML page to print, with pictures, and the solutions at the end."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from solver import __version__
from solver.draw import draw_svg
from solver.notation import print_card, print_move, print_position
from solver.notation.goals import print_goal
from solver.puzzle.file import Puzzle
from solver.puzzle.rate import Rating
from solver.rules import SPELL_NUMBER, SPELLS
from solver.search.answer import Answer

STYLE = """
body { font: 11pt/1.45 Georgia, "Times New Roman", serif; color: #1d1d1f; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 24pt; margin: 0 0 .3rem; } h2 { font-size: 14pt; margin: 0; }
.lead { color: #555; margin: 0 0 2rem; }
.puzzle { break-inside: avoid; border-top: 1px solid #bbb; padding: 1rem 0 1.4rem; }
.head { display: flex; justify-content: space-between; align-items: baseline; }
.stars { color: #a06a00; letter-spacing: .1em; white-space: nowrap; }
.puzzle svg { display: block; width: 100%; max-width: 30rem; height: auto; margin: .6rem auto; }
.cards { margin: .3rem 0; } .cards b { font-weight: normal; color: #555; }
.card { display: inline-block; border: 1px solid #555; border-radius: .35rem; padding: .05rem .5rem; margin: .1rem .15rem;
  font-family: ui-monospace, Menlo, Consolas, monospace; background: #faf6ea; }
.task { font-weight: bold; margin: .3rem 0; }
.position { font: 8pt ui-monospace, Menlo, Consolas, monospace; color: #777; overflow-wrap: anywhere; }
.solutions { break-before: page; } .solutions ol { padding-left: 2.2rem; } .solutions li { margin-bottom: .5rem; break-inside: avoid; }
code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .92em; }
@media print { body { margin: 0; max-width: none; } .puzzle svg { max-width: 26rem; } }
"""


class Entry(NamedTuple):
    """A puzzle of the book with its proof and its difficulty."""

    puzzle: Puzzle
    answer: Answer
    rating: Rating


def book(entries: Sequence[Entry], title: str) -> str:
    """The page."""
    puzzles = "\n".join(_puzzle(number, entry) for number, entry in enumerate(entries, 1))
    solutions = "\n".join(_solution(entry) for entry in entries)
    count = f"{len(entries)} {'puzzle' if len(entries) == 1 else 'puzzles'}"
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title><style>{STYLE}</style></head>
<body>
<h1>{escape(title)}</h1>
<p class="lead">{count} for one player of Wandering Towers. All cards are open: play them in any order you like, and
draw to three after each as long as there is something to draw. Each puzzle can be done in the number of cards it says,
and never in fewer.</p>
{puzzles}
<section class="solutions">
<h1>Solutions</h1>
<p><code>w3 W5</code>: the card w3 moves a wizard of space 5. <code>t2 T7.1</code>: the card t2 moves the lowest tower of
space 7 with all that stands on it, <code>T7.2</code> the second from below. A spell follows after <code>+</code>.</p>
<ol>
{solutions}
</ol>
<p class="lead">Every puzzle was proved by towers {escape(__version__)}.</p>
</section>
</body>
</html>
"""


def stars(number: int) -> str:
    """Difficulty as text."""
    return "★" * number + "☆" * (5 - number)


def task(puzzle: Puzzle, cards: int) -> str:
    """What is asked, in a sentence."""
    if puzzle.goal is not None:
        aim = _in_words(print_goal(puzzle.goal))
    elif puzzle.position.bottles and puzzle.position.bottles.empty and puzzle.rules.bottles_in_goal:
        aim = "bring everybody home and leave no bottle empty"
    else:
        aim = "bring everybody home"
    return f"{aim[0].upper()}{aim[1:]} with {cards} {'card' if cards == 1 else 'cards'}."


def _in_words(goal: str) -> str:
    words = []
    for part in goal.split(" and "):
        name, _, number = part.rpartition(" ")
        words.append(
            {
                "home": f"have {number} wizards home",
                "bottles": f"have {number} bottles that are not empty",
                "keep on": f"have the keep on space {number}",
                "all": "bring everybody home",
                "nobody": "have nobody imprisoned",
            }[name]
        )
    return ", and ".join(words)


def _puzzle(number: int, entry: Entry) -> str:
    puzzle, answer, rating = entry
    assert answer.cards is not None
    rows = [_card_row("Hand", [print_card(card) for card in puzzle.hand])]
    if puzzle.draw:
        rows.append(_card_row("Then come", [print_card(card) for card in puzzle.draw]))
    for name in puzzle.spells:
        effect = SPELLS[SPELL_NUMBER[name] - 1].effect
        cost = puzzle.rules.spell_costs[name]
        rows.append(f'<p class="cards"><b>Spell</b> {escape(name)} ({cost}): {escape(effect)}</p>')
    return f"""<section class="puzzle">
<div class="head"><h2>{number}. {escape(puzzle.title or "Untitled")}</h2><span class="stars">{stars(rating.stars)}</span></div>
{draw_svg(puzzle.position)}
<p class="task">{escape(task(puzzle, answer.cards))}</p>
{"".join(rows)}
<p class="position">{escape(print_position(puzzle.position))}</p>
</section>"""


def _card_row(label: str, cards: list[str]) -> str:
    boxes = "".join(f'<span class="card">{escape(card)}</span>' for card in cards)
    return f'<p class="cards"><b>{label}</b> {boxes}</p>'


def _solution(entry: Entry) -> str:
    puzzle, answer, _ = entry
    moves = "; ".join(f"<code>{escape(print_move(move))}</code>" for move in answer.line)
    more = "" if answer.solutions == 1 else f" ({answer.solutions:,} orders of the same moves)"
    return f"<li><b>{escape(puzzle.title or 'Untitled')}</b>: {moves}{more}</li>"
