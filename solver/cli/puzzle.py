"""`towers puzzle`: files of puzzles, their proofs, their difficulty, new ones and books."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from solver import __version__
from solver.cli.answers import (
    EXIT_CODES,
    WIDTH,
    effort_of,
    headline,
    listed,
    prepare_search,
    print_answer,
    search_bar,
    with_limits,
)
from solver.cli.common import (
    LONGEST_NAME,
    STDIN,
    Command,
    announce,
    draw,
    file_name,
    print_json,
    read_file,
    single_option,
    with_json,
    with_rules,
    write_file,
)
from solver.errors import Refused
from solver.goal import Goal
from solver.notation import print_card, print_move, print_position, print_rules
from solver.notation.deals import MOST_SEED
from solver.notation.goals import parse_goal
from solver.notation.numbers import counted, number_between, printable
from solver.puzzle.file import Faults, Puzzle, parse_puzzle, print_puzzle
from solver.puzzle.words import MOST_STARS, task
from solver.rules import MAX_WIZARDS, RULEBOOK, Rules

if TYPE_CHECKING:  # they import numba, which takes its time
    from solver.puzzle.rate import Rated
    from solver.search.answer import Answer
    from solver.search.plan import Effort
    from solver.search.problem import Problem

MOST_CARDS = 12  # of puzzles that are made; longer ones take too long to prove
MOST_MADE = 10_000

LONGEST_IN_ROW = 22  # characters of a title in the table of ratings, which fits 80 columns


@click.group("puzzle", invoke_without_command=True, short_help="Verify, solve, show, rate, make and print puzzles.")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Verify, solve, show, rate, make and print puzzles; `towers docs puzzles` tells what they are.

    \b
    Example:
      towers puzzle verify puzzles/*.toml
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _place(name: str) -> str:
    """A file at the begin of a line, as compilers write it."""
    return "stdin" if name == STDIN else printable(name, LONGEST_NAME)


def _read(name: str) -> Puzzle:
    return parse_puzzle(read_file(name), _place(name))


@command.command("verify", cls=Command, short_help="Prove or refute every claim of puzzle files.")
@click.argument("files", nargs=-1, required=True)
@with_limits
@with_json
def verify_command(files: tuple[str, ...], max_nodes: int, max_memory: int, jobs: int | None, as_json: bool) -> int:
    """Prove or refute every claim of every file; the exit code is 0 only if all are proved.

    A file that is wrong is reported with its line, and the next one follows.

    \b
    Example:
      towers puzzle verify puzzles/*.toml
    """
    prepare_search()
    from solver.puzzle.plain import certificate_json
    from solver.puzzle.verify import verify

    certificates: list[dict[str, Any]] = []
    counts = {"proved": 0, "refuted": 0, "undecided": 0, "interrupted": 0}
    faulty = 0
    for name in files:
        try:
            puzzle = _read(name)
            with search_bar() as progress:
                report = verify(puzzle, effort_of(max_nodes, max_memory, jobs), progress, _place(name))
        except Refused as reason:
            faulty += 1
            certificates.append({"file": name, "faults": _announced(reason)})
            continue
        for claim in report.claims:
            counts[claim.verdict.value] += 1
            if not as_json:
                remark = f" ({claim.remark})" if claim.remark else ""
                click.echo(f"{_place(name)}: {claim.text}: {claim.verdict.value}{remark}")
        if report.remarks and not as_json:
            click.echo(f"{_place(name)}: {'; '.join(report.remarks)}")
        certificates.append({"file": name, **certificate_json(puzzle, report)})
        if counts["interrupted"]:
            break
    summary = {"files": len(certificates), "faulty": faulty, **counts}
    if as_json:
        print_json({"engine": f"towers {__version__}", "summary": summary, "certificates": certificates})
    else:
        words = [f"{count:,} {name}" for name, count in counts.items() if count]
        words += [f"{counted(faulty, 'file')} with faults"] if faulty else []
        click.echo(f"{counted(len(certificates), 'file')}: {', '.join(words)}")
    if counts["interrupted"]:
        return EXIT_CODES["interrupted"]
    if faulty:
        return 2
    if counts["refuted"]:
        return EXIT_CODES["refuted"]
    return EXIT_CODES["undecided"] if counts["undecided"] else 0


def _announced(reason: Refused) -> list[str]:
    """All that is wrong with a file, after saying it."""
    faults = reason.faults if isinstance(reason, Faults) else [str(reason)]
    for fault in faults:
        announce(fault)
    return faults


def _solved(puzzle: Puzzle, name: str, effort: Effort | None = None) -> tuple[Problem, Answer]:
    prepare_search()
    from solver.puzzle.verify import problem_of
    from solver.search.plan import best_plan

    problem = problem_of(puzzle, _place(name))
    with search_bar() as progress:
        return problem, best_plan(problem, puzzle.within, effort, None, progress)


@command.command("solve", cls=Command, short_help="Solve a puzzle.")
@click.argument("file")
@with_limits
@click.option("--show", "boards", is_flag=True, help="Draw the board after every move.")
@with_json
def solve_command(
    file: str, max_nodes: int, max_memory: int, jobs: int | None, boards: bool, as_json: bool
) -> int:
    """Solve the puzzle in FILE: the fewest cards, proved, and a line.

    \b
    Example:
      towers puzzle solve puzzles/01-first-steps.toml
    """
    puzzle = _read(file)
    problem, answer = _solved(puzzle, file, effort_of(max_nodes, max_memory, jobs))
    if as_json:
        from solver.search.plain import answer_json

        print_json({"title": puzzle.title, **answer_json(answer)})
    else:
        print_answer(problem, answer, puzzle.within, boards)
    return EXIT_CODES[answer.verdict.value]


@command.command("show", cls=Command, short_help="Draw a puzzle, with --solution all of its boards.")
@click.argument("file")
@click.option("--solution", is_flag=True, help="The solution too, board by board.")
@single_option("--svg", metavar="FILE", help="Draw a picture into this file instead.")
@with_json
def show_command(file: str, solution: bool, svg: str | None, as_json: bool) -> int:
    """Draw the puzzle in FILE: its board, its cards and what is asked.

    With --solution the exit code is that of `towers puzzle solve`.

    \b
    Examples:
      towers puzzle show puzzles/01-first-steps.toml
      towers puzzle show puzzles/01-first-steps.toml --svg puzzle.svg
    """
    puzzle = _read(file)
    if svg is not None:
        from solver.draw import draw_svg

        write_file(svg, draw_svg(puzzle.position, title=puzzle.title))
        if not as_json and not solution:
            return 0
    cards = puzzle.claims.cards or puzzle.within
    told = {
        "title": puzzle.title,
        "author": puzzle.author,
        "position": print_position(puzzle.position),
        "hand": [print_card(card) for card in puzzle.hand],
        "draw": [print_card(card) for card in puzzle.draw],
        "spells": list(puzzle.spells),
        "task": task(puzzle, cards),
    }
    if not as_json:
        by = f", by {puzzle.author}" if puzzle.author else ""
        click.echo(f"{puzzle.title or 'Untitled'}{by}")
        click.echo(draw(puzzle.position))
        click.echo(fill(task(puzzle, cards), WIDTH))
        click.echo(listed("hand    ", map(print_card, puzzle.hand)))
        if puzzle.draw:
            click.echo(listed("draw    ", map(print_card, puzzle.draw)))
        if puzzle.spells:
            click.echo(listed("spells  ", (f"{name} ({puzzle.rules.spell_costs[name]})" for name in puzzle.spells)))
        if puzzle.rules != RULEBOOK:
            click.echo(listed("rules   ", print_rules(puzzle.rules).split(", ")))
    code = 0
    if solution:
        problem, answer = _solved(puzzle, file)
        if not as_json:
            click.echo()
            print_answer(problem, answer, puzzle.within, boards=True, start=False)
        told["solution"] = [print_move(move) for move in answer.line]
        code = EXIT_CODES[answer.verdict.value]
    if as_json:
        print_json(told)
    return code


@command.command("rate", cls=Command, short_help="Measure how hard puzzles are.")
@click.argument("files", nargs=-1, required=True)
@with_limits
@with_json
def rate_command(files: tuple[str, ...], max_nodes: int, max_memory: int, jobs: int | None, as_json: bool) -> int:
    """Measure how hard the puzzles in FILES are, from one star to five; `towers docs puzzles` says how.

    \b
    Example:
      towers puzzle rate puzzles/*.toml
    """
    rows: list[dict[str, Any]] = []
    codes = {0}
    effort = effort_of(max_nodes, max_memory, jobs)
    if not as_json:
        click.echo("stars points cards in reach moves keys near greedy bluff title")
    try:
        for name in files:
            try:
                rated = _rated(_read(name), name, effort)
            except Refused as reason:
                _announced(reason)
                codes.add(2)
                continue
            if rated is None:
                codes.add(EXIT_CODES["undecided"])
                continue
            rows.append({"file": name, "title": rated.puzzle.title, **rated.rating._asdict()})
            if not as_json:
                click.echo(_row(rated, name))
    except KeyboardInterrupt:
        codes = {EXIT_CODES["interrupted"]}
    if as_json:
        print_json({"puzzles": rows})
    return 2 if 2 in codes else max(codes)


def _row(rated: Rated, name: str) -> str:
    rating = rated.rating
    greedy = "wrong" if rating.greedy_fails else "right"
    title = printable(rated.puzzle.title or Path(name).stem, LONGEST_IN_ROW)
    return (
        f"{'*' * rating.stars:<5} {rating.points:>6.2f} {rating.cards:>5} {rating.pairs:>8} {rating.first_moves:>5} "
        f"{rating.keys:>4} {rating.near_misses:>4} {greedy:>6} {rating.plausible:>5.1f} {title}"
    )


def _rated(puzzle: Puzzle, name: str, effort: Effort) -> Rated | None:
    """A puzzle with its proof and its difficulty; None, and a line on stderr, if there is no proof."""
    problem, answer = _solved(puzzle, name, effort)
    from solver.puzzle.rate import Rated, rate

    if answer.verdict.value == "interrupted":
        raise KeyboardInterrupt
    if not answer.counted:
        announce(f"{_place(name)}: no solution is proved and counted: {headline(answer, puzzle.within)}")
        return None
    try:
        return Rated(puzzle, answer, rate(puzzle, answer, effort.limits))
    except Refused as reason:
        announce(f"{_place(name)}: {reason}")
        return None


@command.command("make", cls=Command, short_help="Make new puzzles that are proved to be sound.")
@single_option("--cards", parse=number_between(1, MOST_CARDS), metavar="N", help="The fewest cards they take; 1 to 12.")
@single_option("--wizards", parse=number_between(1, MAX_WIZARDS), metavar="W", help="Wizards on the board.")
@with_rules
@single_option("--goal", parse=parse_goal, metavar="GOAL", help='Such as "nobody imprisoned"; else the game\'s own.')
@click.option("--unique", is_flag=True, help="One line only, not just one first move.")
@single_option("--stars", parse=number_between(1, MOST_STARS), metavar="S", help="Of this difficulty.")
@single_option("--count", parse=number_between(1, MOST_MADE), default="1", metavar="C", help="How many; 1.")
@single_option("--seed", parse=number_between(0, MOST_SEED), default="0", metavar="X", help="Where luck begins; 0.")
@single_option("--out", metavar="FOLDER", help="Write a file each into this folder, not all to the screen.")
@with_json
def make_command(
    cards: int | None,
    wizards: int | None,
    spells: tuple[str, ...],
    rules: Rules,
    goal: Goal | None,
    unique: bool,
    stars: int | None,
    count: int,
    seed: int,
    out: str | None,
    as_json: bool,
) -> int:
    """Make puzzles that are sound: proved, one first move, no idle card, no spell that could be left out.

    \b
    Examples:
      towers puzzle make --cards 4 --unique --count 3 --seed 1
      towers puzzle make --cards 3 --spells free-wizard --count 2 --out mine
    """
    if cards is None:
        raise Refused("expected --cards with a number, such as --cards 4")
    from solver.puzzle.make import Wish, make

    wish = Wish(cards, wizards, spells, rules, goal, unique, stars)
    if out is not None:
        _make_folder(out)
    prepare_search()
    told: list[dict[str, Any]] = []
    code = 0
    with tqdm(total=count, unit=" puzzles", disable=not sys.stderr.isatty(), leave=False) as bar:

        def progress(candidates: int, made: int) -> None:
            bar.set_postfix_str(f"{candidates:,} tried", refresh=False)
            bar.update(made - bar.n)

        try:
            for number, made in enumerate(make(wish, count, seed, progress), 1):
                text = print_puzzle(made.puzzle)
                name = None
                if out is not None:
                    name = str(Path(out) / f"{seed}-{cards}-{number:03}.toml")
                    write_file(name, text)
                elif not as_json:
                    tqdm.write(f"# {made.rating.stars} of 5 stars\n{text}", file=sys.stdout)
                told.append({"file": name, "puzzle": text, **made.rating._asdict()})
            if len(told) < count:
                code = EXIT_CODES["undecided"]
        except KeyboardInterrupt:
            code = EXIT_CODES["interrupted"]
    if as_json:
        print_json({"seed": seed, "made": len(told), "puzzles": told})
    if code or (out is not None and not as_json):
        where = f" in {file_name(out)}" if out is not None else ""
        vain = "; too many tries brought nothing, so expect less of them" if code == EXIT_CODES["undecided"] else ""
        announce(f"made {len(told)} of {count}{where}{vain}")
    return code


def _make_folder(name: str) -> None:
    if not name:
        raise Refused("the name of the folder is empty")
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise Refused(f"cannot make the folder {file_name(name)}: {problem.strerror}") from None


@command.command("book", cls=Command, short_help="Make a printable page of puzzles.")
@click.argument("files", nargs=-1, required=True)
@single_option("--output", "-o", metavar="FILE", help="The page, such as book.html.")
@single_option("--title", default="Puzzles for Wandering Towers", metavar="TEXT", help="The title of the page.")
@with_limits
def book_command(
    files: tuple[str, ...], output: str | None, title: str, max_nodes: int, max_memory: int, jobs: int | None
) -> int:
    """Make one HTML page of the puzzles in FILES, with pictures and, at the end, the solutions.

    \b
    Example:
      towers puzzle book puzzles/*.toml -o book.html
    """
    if output is None:
        raise Refused("expected -o with the name of the page, such as -o book.html")
    if not output:
        raise Refused("the name of the page is empty")
    effort = effort_of(max_nodes, max_memory, jobs)
    puzzles = [(_read(name), name) for name in files]  # all of them before the long part
    found = [
        _rated(puzzle, name, effort)
        for puzzle, name in tqdm(puzzles, unit=" puzzles", disable=not sys.stderr.isatty(), leave=False)
    ]
    from solver.puzzle.book import book

    entries = [each for each in found if each is not None]
    if entries:
        write_file(output, book(entries, title))
    announce(f"{counted(len(entries), 'puzzle')} in {file_name(output)}" if entries else "no page is written")
    return 0 if len(entries) == len(found) else EXIT_CODES["undecided"]
