"""A review as one HTML page that needs nothing else: verdict, chart, turning points, and every turn with its board."""

from __future__ import annotations

from html import escape
from importlib import resources

from solver import __version__
from solver.advice.words import choice_text
from solver.draw import draw_svg
from solver.draw.course import Turn, course_svg
from solver.move import Card
from solver.notation import print_card, print_move
from solver.review.ledger import LEAST_TOLD, Account, TurnAccount
from solver.review.words import better, luck_words, lucks_of, mode_words, point_words, sum_of, turning_points, verdict


def page(account: Account, title: str) -> str:
    """The page."""
    style = resources.files("solver.review").joinpath("page.css").read_text("utf-8")
    sentences = "\n".join(f"<p>{escape(each)}</p>" for each in verdict(account))
    points = "\n".join(f"<li>{escape(point_words(each))}</li>" for each in turning_points(account))
    turning = f"<h2>Turning points</h2>\n<ol class=\"points\">\n{points}\n</ol>" if points else ""
    turns = "\n".join(_turn(turn, account.within) for turn in account.turns)
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}: review</title><style>
{style}</style></head>
<body>
<h1>{escape(title)}</h1>
<p class="lead">Wandering Towers, {escape(mode_words(account.start))}; judged {account.depth} turns ahead by towers
{escape(__version__)}</p>
<section class="verdict">
{sentences}
</section>
<h2>What was expected, and what changed it</h2>
<div class="scroll">
{chart(account)}
</div>
<table>
{_sum(account)}
</table>
<p class="lead">In cards; more is worse. Drift is where the estimate changed its own mind.</p>
{turning}
<h2>Every turn</h2>
<div class="turns">
{turns}
</div>
</body>
</html>
"""


def chart(account: Account) -> str:
    """The course of the game as a picture."""
    course = [
        Turn(each.expected, each.luck, each.loss, f"turn {each.number}, {print_move(each.move)}")
        for each in account.turns
    ]
    title = "Cards expected in the end, turn by turn; luck and losses below"
    return course_svg(account.expected, course, account.result, title)


def _sum(account: Account) -> str:
    lines = sum_of(account)
    rows = []
    for number, (words, amount) in enumerate(lines):
        text = f"{amount:.2f}" if number in (0, len(lines) - 1) else f"{amount:+.2f}"
        rows.append(f'<tr><td>{escape(words)}</td><td class="number">{text.replace("-", "−")}</td></tr>')
    return "\n".join(rows)


def _turn(turn: TurnAccount, within: int) -> str:
    mark = f' <span class="label">{turn.label}</span>' if turn.label else ""
    figures = f"{turn.expected:.2f} expected, {100 * turn.chance:.0f} % within {within}"
    lost = f"; gave away {turn.loss:.2f}" if turn.loss >= LEAST_TOLD else ""
    faults = "".join(
        f'<p class="better">Instead of <code>{escape(choice_text(each.played))}</code> better '
        f"{escape(better(each))}</p>"
        for each in turn.decisions
        if not each.is_fine
    )
    lucks = "; ".join(f"{luck_words(each)} ({each.amount:+.2f})" for each in lucks_of(turn))
    luck = f'<p class="figures">luck: {escape(lucks)}</p>' if lucks else ""
    return f"""<article class="turn">
<h3>{turn.number}. <code>{escape(print_move(turn.move))}</code>{mark}</h3>
<p class="hand">{_hand(turn)}</p>
<p class="figures">{escape(figures + lost)}</p>
{luck}{faults}
{draw_svg(turn.before.position)}</article>"""


def _hand(turn: TurnAccount) -> str:
    """The cards, the one played marked."""
    cards = list(turn.before.hand)
    played = cards.index(Card(turn.move.card.face)) if turn.move.card is not None else -1
    marks = [' class="played"' if number == played else "" for number in range(len(cards))]
    return "".join(f"<span{mark}>{escape(print_card(card))}</span>" for card, mark in zip(cards, marks, strict=True))
