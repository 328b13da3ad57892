"""How advice is shown on the terminal: a ranked table, and the reason for the best choice."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from textwrap import fill

import click

from solver.cli.answers import WIDTH
from solver.notation import print_card, print_cards, print_position
from solver.notation.numbers import counted
from solver.rules import GRADES, WIN_CARDS
from solver.search.situation import Advice, Choice, Objective, Situation

COLUMNS = 80  # of a terminal, if it does not say

Row = list[str]


def print_advice(
    asked: Situation, aim: Objective, advice: Advice, shown: Sequence[Choice], why: bool, grades: bool
) -> None:
    """Advice as text: how it was found, the table, why the best choice is good, and the plan of a die card."""
    from solver.advice.words import choice_text, plan_words, reason_of

    hand = print_cards(asked.hand) + (f", rolled {print_card(asked.rolled)}" if asked.rolled else "")
    click.echo(print_position(asked.position))
    click.echo(_wrapped(f"hand {hand}; {counted(sum(asked.deck), 'card')} left, {asked.played} played", ""))
    click.echo(_how(advice))
    if hopeless := _hopeless(aim, advice):
        click.echo(hopeless)
    for number, line in enumerate(_table(aim, advice, shown, grades)):
        click.echo(line)
        if why and 1 <= number <= len(shown):
            click.echo(_wrapped(f"{reason_of(asked, shown[number - 1])}.", "      "))
    if any(choice.close for choice in shown):
        click.echo("close: too close to the best to call")
    if len(shown) < len(advice.choices):
        click.echo(f"and {len(advice.choices) - len(shown)} more; --top 0 shows all")
    best = advice.choices[0]
    words = [] if why else [_wrapped(f"{choice_text(best)}: {reason_of(asked, best)}.", "")]
    if best.plan is not None and best.card is not None:
        words += plan_words(best.card, best.plan)
    if words:
        click.echo("\n".join(["", *words]))


def _how(advice: Advice) -> str:
    parts = ["exact" if advice.exact else f"{counted(advice.depth, 'turn')} ahead"]
    if advice.positions:
        parts.append(f"{advice.positions:,} positions")
    if advice.rollouts:
        parts.append(f"{advice.rollouts:,} rollouts each")
    return ", ".join(parts)


def _hopeless(aim: Objective, advice: Advice) -> str:
    """A sentence if nothing helps any more."""
    if aim.within is not None:
        return f"it cannot be done within {aim.within} any more" if advice.exact and not advice.choices[0].value else ""
    return "the game cannot be won any more" if advice.exact and advice.choices[0].value >= aim.loss_cards else ""


def _table(aim: Objective, advice: Advice, shown: Sequence[Choice], grades: bool) -> list[str]:
    """A line of headings and one for each choice; the grades beside them if there is room, else below if wanted."""
    best = advice.choices[0]
    rows = [_headings(aim, shown), *(_row(number, choice, best, aim) for number, choice in enumerate(shown, 1))]
    lines = _lined_up(rows)
    if not any(choice.odds for choice in shown):
        return [*lines, "the chances of the grades are not known here"] if grades else lines
    odds = [_grade_names(), *([_percent(chance) for chance in choice.odds] or [""] * len(GRADES) for choice in shown)]
    wide = _lined_up([[*row, *more] for row, more in zip(rows, odds, strict=True)])
    columns = shutil.get_terminal_size((COLUMNS, 0)).columns if sys.stdout.isatty() else COLUMNS
    if max(map(len, wide)) <= columns:
        return wide
    below = _lined_up([[row[0], "", *more] for row, more in zip(rows, odds, strict=True)])
    return [*lines, *below] if grades else lines


def _headings(aim: Objective, shown: Sequence[Choice]) -> Row:
    value = "cards" if aim.within is None else f"within {aim.within}"
    in_time = f"<={WIN_CARDS}" if aim.within is None and any(choice.odds for choice in shown) else ""
    return ["", "move", value, "worse", "", in_time, ""]


def _row(number: int, choice: Choice, best: Choice, aim: Objective) -> Row:
    from solver.advice.plain import chance_in_time, worse_by
    from solver.advice.words import choice_text

    worse = worse_by(choice, best, aim)
    sign = "+" if aim.within is None else "-"
    in_time = chance_in_time(choice, aim) if aim.within is None else None
    return [
        f"{number}.",
        choice_text(choice),
        value_text(choice.value, aim),
        "" if choice is best else f"{sign}{value_text(worse, aim)}",
        f"{_plus_minus()}{value_text(choice.error, aim)}" if choice.error else "",
        "" if in_time is None else _percent(in_time),
        "close" if choice.close else "",
    ]


def _lined_up(rows: Sequence[Row]) -> list[str]:
    """Rows as lines: columns that hold something, the second one to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if number == 1 else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
            if width
        ).rstrip()
        for row in rows
    ]


def _grade_names() -> Row:
    """`<20`, `20-23`, ..., `>45`."""
    names, low = [], 0
    for most, _ in GRADES:
        names.append(f">{low - 1}" if most is None else f"{low}-{most}" if low else f"<{most + 1}")
        low = 0 if most is None else most + 1
    return names


def value_text(value: float, aim: Objective) -> str:
    """A value or a difference of values: cards, or a probability in percent."""
    return f"{value:.2f}" if aim.within is None else f"{100 * value:.1f}%"


def _percent(chance: float) -> str:
    """A probability in a narrow column; one that is not certain is not written as if it were."""
    if 0 < chance < 0.005:
        return "<1%"
    return ">99%" if 0.995 < chance < 1 - 1e-9 else f"{100 * chance:.0f}%"


def _plus_minus() -> str:
    encoding = (sys.stdout.encoding or "ascii").lower()
    return "±" if encoding.startswith("utf") else "+-"


def _wrapped(text: str, indent: str) -> str:
    return fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent or "  ", break_on_hyphens=False)
