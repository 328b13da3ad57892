"""`towers review`: how good a game was, and how much of it was luck."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from textwrap import fill
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from solver.cli.advise import MOST_LOSS, parse_value
from solver.cli.answers import MOST_JOBS, WIDTH
from solver.cli.common import (
    STDIN,
    Command,
    check_writable,
    file_name,
    prepare,
    print_json,
    read_file,
    short_name,
    single_option,
    with_json,
    write_file,
)
from solver.errors import Refused
from solver.notation import Record, parse_record, print_cards, print_move
from solver.notation.numbers import number_between
from solver.rules import DECK_SIZE, WIN_CARDS
from solver.search.situation import LEARNED, LOSS_CARDS, MOST_DEPTH

if TYPE_CHECKING:  # they import numba, which takes its time
    from solver.review.ledger import Account, TurnAccount
    from solver.review.review import Played

QUICK = 2  # turns that --quick looks ahead
LONGEST_NAME = 40  # characters of a file's name in a line
LONGEST_IN_ROW = 24  # characters of a file's name in the table of several games


@click.command("review", cls=Command, short_help="How good a game was, and how much of it was luck.")
@click.argument("records", nargs=-1, metavar="RECORD...")
@click.option("--quick", is_flag=True, help=f"Look {QUICK} turns ahead instead of 3: an answer at once.")
@single_option("--depth", parse=number_between(1, MOST_DEPTH), metavar="N", help="Look so many turns ahead, 1 to 4.")
@single_option("--value", parse=parse_value, metavar="NAME", help="What judges positions: learned, the usual, or hand.")
@single_option(
    "--within", parse=number_between(1, DECK_SIZE), metavar="N", default=str(WIN_CARDS),
    help=f"Cards that count as a win, which points are about; {WIN_CARDS} unless said otherwise.",
)
@single_option(
    "--loss-cards", parse=number_between(1, MOST_LOSS), metavar="N", default=str(LOSS_CARDS),
    help=f"What a lost game counts as; {LOSS_CARDS} unless said otherwise.",
)
@single_option("--jobs", parse=number_between(1, MOST_JOBS), metavar="N", help="Threads; one a core, if not said.")
@single_option("--html", metavar="FILE", help="Write one page with boards and charts, to keep or to send.")
@with_json
def command(
    records: tuple[str, ...],
    quick: bool,
    depth: int | None,
    value: str | None,
    within: int,
    loss_cards: int,
    jobs: int | None,
    html: str | None,
    as_json: bool,
) -> None:
    """Judge every turn of RECORDs, .towers files or - for stdin: what it gave away, what luck did, and what it came to.

    \b
    Examples:
      towers review deal-7.towers
      towers review deal-7.towers --html deal-7.html
    """
    if not records:
        raise Refused("expected the file of a game, such as deal-7.towers")
    if quick and depth is not None:
        raise Refused(f"--quick looks {QUICK} turns ahead, and --depth says {depth}; expected one of them")
    if html is not None and len(records) > 1:
        raise Refused("--html makes the page of one game, and there are several")
    check_writable("--html", html, records)
    if records.count(STDIN) > 1:
        raise Refused("stdin is named twice, and can be read once")
    games = _read(records)
    from solver.review.evaluator import USUAL_DEPTH, Standard
    from solver.review.review import review

    standard = Standard(QUICK if quick else depth or USUAL_DEPTH, value or LEARNED, within, loss_cards)
    accounts: list[Account] = []
    with _bar(sum(len(game.turns) for _, game in games)) as tick:
        for _, game in games:
            accounts.append(review(game, standard, jobs or os.cpu_count() or 1, tick))
    if as_json:
        from solver.review.plain import account_json

        shown = [account_json(name, account) for name, account in zip(records, accounts, strict=True)]
        print_json(shown[0] if len(shown) == 1 else {"games": shown, "averages": _averages(accounts)})
    elif len(accounts) == 1:
        print_account(records[0], accounts[0])
    else:
        print_table(records, accounts)
    if html is not None:
        from solver.review.page import page

        write_file(html, page(accounts[0], _title(records[0])))
        if not as_json:
            click.echo(f"the page is {short_name(html, LONGEST_NAME)}")


def _title(name: str) -> str:
    return os.path.basename(name).removesuffix(".towers") or name


def _read(names: Sequence[str]) -> list[tuple[Record, Played]]:
    """The games of some files; all that are not right are told at once."""
    written: list[Record] = []
    faults: list[str] = []
    for name in names:
        try:
            text = read_file(name)
        except Refused as reason:
            faults.append(str(reason))
            continue
        try:
            written.append(parse_record(text))
        except Refused as reason:
            faults.append(f"{file_name(name)}: {reason}")
    if faults:
        raise Refused("\n".join(faults))
    from solver.review.warm import warm_up_review

    prepare("the review", warm_up_review)
    from solver.review.review import played_of

    games = []
    for name, record in zip(names, written, strict=True):
        try:
            games.append((record, played_of(record)))
        except Refused as reason:
            faults.append(f"{file_name(name)}: {reason}")
    if faults:
        raise Refused("\n".join(faults))
    return games


@contextmanager
def _bar(turns: int) -> Iterator[Callable[[], None]]:
    """A bar on the terminal with the turns judged so far."""
    with tqdm(total=turns, unit=" turns", disable=not sys.stderr.isatty(), leave=False, delay=1) as bar:

        def tick() -> None:
            bar.update()

        yield tick


def print_account(name: str, account: Account) -> None:
    """A review as text: turning points, every turn, the sum and the verdict."""
    from solver.review.words import better, mode_words, point_words, sum_of, turning_points, verdict

    _say(f"{short_name(name, LONGEST_NAME)}: {mode_words(account.start)}; {account.depth} turns ahead", "")
    points = turning_points(account)
    if points:
        click.echo("\nturning points")
        for point in points:
            _say(point_words(point), "  ")
    if account.turns:
        click.echo(f"\nturn  expected  lost  points   luck  move | drawn; points: chance of {account.within} or fewer")
    for turn in account.turns:
        click.echo(_row(turn))
        for decision in turn.decisions:
            if not decision.is_fine:
                label = f"{decision.label}; " if decision.label else ""
                _say(f"{label}better {better(decision)}", " " * 6)
    click.echo("")
    width = max(len(words) for words, _ in sum_of(account))
    for number, (words, amount) in enumerate(sum_of(account)):
        sign = "" if number in (0, len(sum_of(account)) - 1) else "+"
        click.echo(f"{words.ljust(width)}  {amount:>{sign}7.2f}")
    click.echo("")
    for sentence in verdict(account):
        _say(sentence, "")


def _row(turn: TurnAccount) -> str:
    from solver.review.ledger import LEAST_TOLD

    lost = f"{turn.loss:.2f}" if turn.loss >= LEAST_TOLD else "-"
    points = f"{100 * turn.points:.0f}" if turn.points >= LEAST_TOLD else "-"
    drawn = f" | {print_cards(turn.draw.came)}" if turn.draw else ""
    figures = f"{turn.expected:>8.2f}  {lost:>4}  {points:>6}  {turn.luck:+5.2f}"
    return f"{turn.number:>3}.  {figures}  {print_move(turn.move)}{drawn}"


def print_table(names: Sequence[str], accounts: Sequence[Account]) -> None:
    """Several games: a line each, and the averages."""
    shown = [short_name(name, LONGEST_IN_ROW) for name in names]
    width = max(map(len, [*shown, "average"]))
    click.echo(f"{'game'.ljust(width)}  result  luck   lost  drift  best  grade")
    for name, account in zip(shown, accounts, strict=True):
        result = f"{account.result:.0f}" if account.grade else f"{account.result:.1f}"
        grade = account.grade if not account.is_lost else f"{account.grade} (lost)"
        click.echo(
            f"{name.ljust(width)}  {result:>6}  {account.luck:+5.1f}  {account.losses:>5.1f}  {account.drift:+5.1f}  "
            f"{100 * account.accuracy:3.0f}%  {grade or 'goes on'}"
        )
    mean = _averages(accounts)
    doubtful = [name for name, account in zip(shown, accounts, strict=True) if account.is_doubtful]
    click.echo(
        f"{'average'.ljust(width)}  {mean['result']:>6.2f}  {mean['luck']:+5.1f}  {mean['losses']:>5.1f}  "
        f"{mean['drift']:+5.1f}  {100 * mean['accuracy']:3.0f}%"
    )
    if doubtful:
        from solver.review.words import DOUBT

        _say(f"{', '.join(doubtful)}: {DOUBT}", "")


def _averages(accounts: Sequence[Account]) -> dict[str, float]:
    columns = ("expected", "luck", "losses", "drift", "result", "accuracy")
    return {name: sum(getattr(account, name) for account in accounts) / len(accounts) for name in columns}


def _say(text: str, indent: str) -> None:
    click.echo(fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False))
