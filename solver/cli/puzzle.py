"""`towers puzzle`: files of puzzles, their proofs, their difficulty, new ones and books."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from solver import __version__
from solver.cli.answers import (
    EXIT_CODES,
    answer_json,
    effort_of,
    number_between,
    prepare_search,
    print_answer,
    search_bar,
    with_limits,
)
from solver.cli.common import (
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
from solver.notation import print_card, print_cards, print_position, print_rules
from solver.notation.goals import parse_goal, print_goal
from solver.puzzle.file import Faults, Puzzle, parse_puzzle, print_puzzle
from solver.puzzle.words import MOST_STARS, task
from solver.rules import MAX_WIZARDS, RULEBOOK, Rules

if TYPE_CHECKING:  # they import numba, which takes its time
    from solver.puzzle.rate import Rated
    from solver.puzzle.verify import Report
    from solver.search.answer import Answer
    from solver.search.plan import Effort
    from solver.search.problem import Problem

MOST_CARDS = 12  # of puzzles that are made; longer ones take too long to prove
MOST_MADE = 10_000
MOST_SEED = 2**62


@click.group("puzzle", short_help="Verify, solve, show, rate, make and print puzzles.")
def command() -> None:
    """Verify, solve, show, rate, make and print puzzles; `towers docs puzzles` tells what they are.

    \b
    Example:
      towers puzzle verify puzzles/*.toml
    """


def _read(name: str) -> Puzzle:
    return parse_puzzle(read_file(name), file_name(name))


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
    from solver.puzzle.verify import verify

    certificates: list[dict[str, Any]] = []
    counts = {"proved": 0, "refuted": 0, "undecided": 0, "interrupted": 0}
    faulty = 0
    for name in files:
        try:
            puzzle = _read(name)
            with search_bar() as progress:
                report = verify(puzzle, effort_of(max_nodes, max_memory, jobs), progress, file_name(name))
        except Refused as reason:
            faulty += 1
            faults = reason.faults if isinstance(reason, Faults) else [str(reason)]
            certificates.append({"file": name, "faults": faults})
            for fault in faults:
                click.echo(f"towers: {fault}", err=True)
            continue
        for claim in report.claims:
            counts[claim.verdict.value] += 1
            if not as_json:
                remark = f" ({claim.remark})" if claim.remark else ""
                click.echo(f"{file_name(name)}: {claim.text}: {claim.verdict.value}{remark}")
        if report.remarks and not as_json:
            click.echo(f"{file_name(name)}: {'; '.join(report.remarks)}")
        certificates.append({"file": name, **_certificate(puzzle, report)})
        if counts["interrupted"]:
            break
    summary = {"files": len(certificates), "faulty": faulty, **counts}
    if as_json:
        print_json({"engine": f"towers {__version__}", "summary": summary, "certificates": certificates})
    else:
        words = [f"{count:,} {name}" for name, count in counts.items() if count]
        words += [f"{faulty} {'file' if faulty == 1 else 'files'} with faults"] if faulty else []
        click.echo(f"{len(certificates)} {'file' if len(certificates) == 1 else 'files'}: {', '.join(words)}")
    if counts["interrupted"]:
        return EXIT_CODES["interrupted"]
    if faulty:
        return 2
    if counts["refuted"]:
        return EXIT_CODES["refuted"]
    return EXIT_CODES["undecided"] if counts["undecided"] else 0


def _certificate(puzzle: Puzzle, report: Report) -> dict[str, Any]:
    """What was checked, so that somebody else can check it again."""
    return {
        "title": puzzle.title,
        "position": print_position(puzzle.position),
        "hand": print_cards(puzzle.hand),
        "draw": print_cards(puzzle.draw),
        "spells": {name: puzzle.rules.spell_costs[name] for name in puzzle.spells},
        "rules": print_rules(puzzle.rules) or "rulebook",
        "goal": None if puzzle.goal is None else print_goal(puzzle.goal),
        "within": puzzle.within,
        "claims": [claim._asdict() | {"verdict": claim.verdict.value} for claim in report.claims],
        "remarks": list(report.remarks),
        **answer_json(report.answer),
    }


def _solved(name: str, effort: Effort | None = None) -> tuple[Puzzle, Problem, Answer]:
    puzzle = _read(name)
    prepare_search()
    from solver.puzzle.verify import problem_of
    from solver.search.plan import best_plan

    problem = problem_of(puzzle, file_name(name))
    with search_bar() as progress:
        return puzzle, problem, best_plan(problem, puzzle.within, effort, None, progress)


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
    puzzle, problem, answer = _solved(file, effort_of(max_nodes, max_memory, jobs))
    if as_json:
        print_json({"title": puzzle.title, **answer_json(answer)})
    else:
        print_answer(problem, answer, puzzle.within, boards)
    return EXIT_CODES[answer.verdict.value]


@command.command("show", cls=Command, short_help="Draw a puzzle, with --solution all of its boards.")
@click.argument("file")
@click.option("--solution", is_flag=True, help="The solution too, board by board.")
@single_option("--svg", metavar="FILE", help="Draw a picture into this file instead.")
@with_json
def show_command(file: str, solution: bool, svg: str | None, as_json: bool) -> None:
    """Draw the puzzle in FILE: its board, its cards and what is asked.

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
            return
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
        click.echo(told["task"])
        click.echo(f"hand    {print_cards(puzzle.hand)}")
        if puzzle.draw:
            click.echo(f"draw    {print_cards(puzzle.draw)}")
        if puzzle.spells:
            click.echo(f"spells  {', '.join(f'{name} ({puzzle.rules.spell_costs[name]})' for name in puzzle.spells)}")
        if puzzle.rules != RULEBOOK:
            click.echo(f"rules   {print_rules(puzzle.rules)}")
    if solution:
        _, problem, answer = _solved(file)
        if not as_json:
            print_answer(problem, answer, puzzle.within, boards=True)
        told["solution"] = answer_json(answer)["line"]
    if as_json:
        print_json(told)


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
    rows = []
    code = 0
    if not as_json:
        click.echo("stars  points  cards  in reach  first moves  keys  near  greedy  plausible  title")
    for name in files:
        rated = _rated(name, effort_of(max_nodes, max_memory, jobs))
        if rated is None:
            code = EXIT_CODES["undecided"]
            continue
        puzzle, _, rating = rated
        rows.append({"file": name, "title": puzzle.title, **rating._asdict()})
        if not as_json:
            click.echo(
                f"{'*' * rating.stars:<5}  {rating.points:>6.2f}  {rating.cards:>5}  {rating.pairs:>8,}  "
                f"{rating.first_moves:>11}  {rating.keys:>4}  {rating.near_misses:>4}  "
                f"{'wrong' if rating.greedy_fails else 'right':>6}  {rating.plausible:>9.1f}  {puzzle.title}"
            )
    if as_json:
        print_json({"puzzles": rows})
    return code


def _rated(name: str, effort: Effort) -> Rated | None:
    """A puzzle with its proof and its difficulty; None, and a line on stderr, if there is no proof."""
    puzzle, problem, answer = _solved(name, effort)
    from solver.puzzle.rate import Rated, rate

    if answer.verdict.value == "interrupted":
        raise KeyboardInterrupt
    if not answer.counted:
        announce(f"{file_name(name)} has no proved solution ({answer.verdict.value})")
        return None
    return Rated(puzzle, answer, rate(problem, answer))


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
    if out is not None:
        _make_folder(out)
    prepare_search()
    from solver.puzzle.make import Wish, make

    wish = Wish(cards, wizards, spells, rules, goal, unique, stars)
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
        except KeyboardInterrupt:
            code = EXIT_CODES["interrupted"]
    if as_json:
        print_json({"seed": seed, "made": len(told), "puzzles": told})
    elif code or out is not None:
        where = f" in {file_name(out)}" if out is not None else ""
        announce(f"made {len(told)} of {count}{where}")
    return code


def _make_folder(name: str) -> None:
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
    found = [
        _rated(name, effort_of(max_nodes, max_memory, jobs))
        for name in tqdm(files, unit=" puzzles", disable=not sys.stderr.isatty(), leave=False)
    ]
    from solver.puzzle.book import book

    entries = [each for each in found if each is not None]
    write_file(output, book(entries, title))
    announce(f"{len(entries)} {'puzzle' if len(entries) == 1 else 'puzzles'} in {file_name(output)}")
    return 0 if len(entries) == len(found) else EXIT_CODES["undecided"]
