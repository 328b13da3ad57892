"""What the commands that search with known cards share: limits, the bar, and how an answer is shown."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypeVar

import click
from tqdm import tqdm

from solver.cli.common import draw, prepare, single_option
from solver.errors import Refused
from solver.notation import print_move, print_position
from solver.notation.numbers import number_between, quote

if TYPE_CHECKING:  # they import numba, which takes its time
    from solver.search.answer import Answer
    from solver.search.plan import Effort
    from solver.search.problem import Problem

F = TypeVar("F", bound=Callable[..., object])

EXIT_CODES = {"proved": 0, "refuted": 1, "undecided": 3, "interrupted": 130}
SHOWN_KEYS = 6  # of many, in the text
MOST_JOBS = 256
WIDTH = 79  # columns of text that is wrapped
_SIZE = re.compile(r"0*([1-9][0-9]{0,5})\s*([MG])(iB|B)?", re.IGNORECASE)
_NO_BREAK = "\N{NO-BREAK SPACE}"


def prepare_search() -> None:
    """Have the kernels of the searches ready, and say so if they must be compiled first."""
    from solver.search.warm import warm_up_search

    prepare("the search", warm_up_search)


def prepare_advice() -> None:
    """Have the kernels of the advice ready, and say so if they must be compiled first."""
    from solver.advice.warm import warm_up_advice

    prepare("the advice", warm_up_advice)


def parse_memory(text: str) -> int:
    """`500M` or `2G` as bytes."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise Refused(f"expected a size such as 500M or 4G, not {quote(text)}")
    return int(match[1]) << (20 if match[2].upper() == "M" else 30)


def with_limits(command: F) -> F:
    """The options --max-nodes, --max-memory and --jobs."""
    for option in (
        single_option(
            "--jobs", parse=number_between(1, MOST_JOBS), metavar="N", help="Threads; all cores unless said otherwise."
        ),
        single_option(
            "--max-memory", parse=parse_memory, default="4G", metavar="SIZE",
            help="Give up beyond this, such as 500M; 4G unless said otherwise. A position takes 24 to 96 bytes.",
        ),
        single_option(
            "--max-nodes", parse=number_between(1, 10**12), default="200000000", metavar="N",
            help="Give up after so many positions; 200 million unless said otherwise.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def effort_of(max_nodes: int, max_memory: int, jobs: int | None, **more: Any) -> Effort:
    """The effort that the options ask for."""
    from solver.search.exact import Limits
    from solver.search.plan import Effort

    return Effort(Limits(max_nodes, max_memory), jobs=jobs, **more)


@contextmanager
def search_bar() -> Iterator[Callable[[str, int], None]]:
    """A bar on the terminal, once a search takes more than a second, with what is being tried."""
    with tqdm(unit=" positions", unit_scale=True, disable=not sys.stderr.isatty(), leave=False, delay=1) as bar:

        def progress(what: str, nodes: int) -> None:
            bar.set_description_str(what, refresh=False)
            bar.update(nodes - bar.n)

        yield progress


def headline(answer: Answer, within: int | None) -> str:
    """The answer in a sentence."""
    verdict = answer.verdict.value
    if verdict == "proved":
        if not answer.counted:
            return f"{answer.cards} is the fewest; stopped by {answer.limit} before its lines were counted"
        if answer.solutions == 1:
            return f"{answer.cards} is the fewest, in one way only"
        keys = f"{len(answer.keys):,} first {'move' if len(answer.keys) == 1 else 'moves'}"
        return f"{answer.cards} is the fewest: {answer.solutions:,} lines, {keys}"
    if verdict == "refuted":
        return "no solution with these cards" if answer.exhausted or within is None else f"no solution within {within}"
    known = f"at least {answer.lower_bound} {'is' if answer.lower_bound == 1 else 'are'} needed"
    if answer.cards is not None:
        known = f"solvable in {answer.cards}, {known}"
    return f"{verdict}, stopped by {answer.limit}: {known}"


def listed(label: str, items: Iterable[str]) -> str:
    """A label and items joined by commas, in lines that fit a terminal; no item is broken."""
    whole = ", ".join(item.replace(" ", _NO_BREAK) for item in items)
    lines = fill(
        whole, WIDTH, initial_indent=label, subsequent_indent=" " * min(len(label), 8),
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip
    return lines.replace(_NO_BREAK, " ")


def print_answer(problem: Problem, answer: Answer, within: int | None, boards: bool, start: bool = True) -> None:
    """The answer as text: a sentence, the line, with boards (that of the start too) or without, the keys, the cost."""
    click.echo(headline(answer, within))
    if boards and start and answer.line:
        click.echo(draw(problem.position))
    for number, (move, after) in enumerate(zip(answer.line, problem.replay(answer.line), strict=True), 1):
        click.echo(f"{number:>4}. {print_move(move)}")
        if boards:
            click.echo(draw(after))
            click.echo(f"      {print_position(after)}")
    if len(answer.keys) > 1:
        commonest = sorted(answer.keys, key=lambda key: -key.lines)[:SHOWN_KEYS]
        shown = [f"{print_move(key.move)} ({key.lines:,})" for key in commonest]
        more = len(answer.keys) - SHOWN_KEYS
        click.echo(listed("first moves, with their lines: ", [*shown, f"and {more:,} more"] if more > 0 else shown))
    click.echo(f"{answer.nodes:,} positions in {answer.seconds:.2f} s")
