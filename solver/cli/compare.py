"""`towers compare`: two policies, spells or rule sets over the same games."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from solver.cli.batch import (
    FAILED,
    GAMES,
    LESS_LUCK,
    SEED,
    UNTIL,
    Asked,
    Until,
    be_stopped,
    games_bar,
    prepare_games,
    target_of,
    team_of,
    with_score,
    with_team,
)
from solver.cli.common import Command, announce, print_json, with_json
from solver.cli.numbers import mean_text, percent, plus_minus, run_line
from solver.errors import Refused
from solver.notation import parse_rules, parse_spells
from solver.policy.names import PolicyName, parse_policy
from solver.rules import RULEBOOK, Rules

if TYPE_CHECKING:  # they import numba, which takes its time
    from solver.batch.conduct import Pair
    from solver.batch.run import Run

SIDES = ("A", "B")

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])


def side_option(name: str, parse: Callable[[str], object], metavar: str, help: str) -> Callable[[F], F]:
    """An option that is given once for both sides, or twice, for one each."""

    def read(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[object, ...]:
        if len(values) > len(SIDES):
            raise Refused(f"{name} is given {len(values)} times; expected once, or once for each side")
        try:
            return tuple(parse(value) for value in values)
        except Refused as reason:
            raise Refused(f"{name}: {reason}") from None

    return click.option(name, multiple=True, callback=read, metavar=metavar, help=help)


@click.command("compare", cls=Command, short_help="Two policies (or spells, or rules) over the same games.")
@side_option("--policy", parse_policy, "NAME", "Who plays; twice for A and B.")
@side_option("--spells", parse_spells, "A,B,C", "The open spells; once for both, or twice.")
@side_option("--rules", parse_rules, "OPTIONS", "Rule options; once for both, or twice.")
@GAMES
@UNTIL
@SEED
@with_score
@LESS_LUCK
@with_team
@with_json
def command(
    policy: tuple[PolicyName, ...],
    spells: tuple[tuple[str, ...], ...],
    rules: tuple[Rules, ...],
    games: int | None,
    until: Until | None,
    seed: int | None,
    within: int,
    loss_cards: int,
    less_luck: bool,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
) -> int:
    """Play the same games twice, with the same deck and the same rolls, and compare them one by one.

    What is given twice differs between A and B; what is given once holds for both.

    \b
    Examples:
      towers compare --policy learned --policy greedy --games 2000
      towers compare --spells piggyback --spells nudge-keep --games 200
    """
    if max(len(policy), len(spells), len(rules)) < len(SIDES):
        raise Refused("expected --policy twice, such as --policy learned --policy greedy (or --spells, or --rules)")
    first, second = (
        Asked(
            _of_side(policy, side, parse_policy("learned")), None, _of_side(spells, side, ()),
            _of_side(rules, side, RULEBOOK), None, seed, less_luck,
        ).run()
        for side in range(len(SIDES))
    )  # fmt: skip
    if games == 1:
        raise Refused("--games: expected at least 2; of one game nobody can tell how much is luck")
    target = target_of(games, until)
    prepare_games((first, second))
    from solver.batch.conduct import Pair, conduct
    from solver.batch.processes import WorkerDied
    from solver.batch.tally import Score, Tally

    score = Score(within, loss_cards)
    pair = Pair(Tally(score, less_luck), Tally(score, less_luck))
    ending = 0
    with team_of(jobs, cluster, target.games) as team:
        try:
            with games_bar(0, target, lambda: _short(pair)) as tick:
                conduct((first, second), pair, target, team, tick=tick)
        except KeyboardInterrupt:
            ending = be_stopped(f"stopped after {pair.games:,} games")
        except WorkerDied as problem:
            announce(f"{problem}, after {pair.games:,} games")
            ending = FAILED
    if as_json:
        print_json({**_json(pair, first, second), "complete": ending == 0})
    else:
        _print(pair, first, second)
    return ending


def _of_side(given: tuple[T, ...], side: int, usual: T) -> T:
    """What holds for a side of what was given never, once or twice."""
    return given[min(side, len(given) - 1)] if given else usual


def _short(pair: Pair) -> str:
    return f"A - B {pair.difference.mean:+.2f} cards" if pair.games else ""


def _print(pair: Pair, first: Run, second: Run) -> None:
    for side, run in zip(SIDES, (first, second), strict=True):
        click.echo(f"{side}  {run_line(run)}")
    if not pair.games:
        click.echo("no games")
        return
    one, two = pair.first.summary(), pair.second.summary()
    games, in_time = pair.games, f"within {one.score.within}"
    only_first, only_second = pair.only
    rate = pair.wins.mean()
    rows = [
        ("", *SIDES, "A - B"),
        ("cards", mean_text(one.mean), mean_text(two.mean), _signed(mean_text(pair.difference))),
        (in_time, percent(one.wins, games), percent(two.wins, games), f"{_points(rate.mean)} {_plus_points(rate)}"),
        ("lost", f"{one.lost:,}", f"{two.lost:,}", ""),
    ]
    if one.undecided or two.undecided:
        rows.append(("undecided", f"{one.undecided:,}", f"{two.undecided:,}", ""))
    fewer, more, same = pair.better
    rows.append(("fewer cards", f"{fewer:,} games", f"{more:,} games", f"{same:,} as many"))
    rows.append((f"only {in_time}", f"{only_first:,} games", f"{only_second:,} games", f"p = {pair.p_value:.3g}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    click.echo(f"\n{games:,} games of seed {first.seed}, each played by both")
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    click.echo(_verdict(pair))


def _verdict(pair: Pair) -> str:
    """What the pairing was good for."""
    shrunk = pair.shrunk
    if shrunk == float("inf"):
        return "every game differs by as much, so there is nothing left to chance"
    return f"the same games for both: as good as {shrunk:.1f} times as many games dealt apart"


def _signed(text: str) -> str:
    return text if text.startswith("-") else f"+{text}"


def _points(rate: float) -> str:
    return f"{100 * rate:+.1f}"


def _plus_points(mean: Any) -> str:
    return f"{plus_minus()} {100 * mean.half_width:.1f} points"


def _json(pair: Pair, first: Run, second: Run) -> dict[str, Any]:
    from solver.batch.plain import run_json, summary_json

    only_first, only_second = pair.only
    rate, cards = pair.wins.mean(), pair.difference
    sides = {
        side.lower(): {**run_json(run), **summary_json(tally.summary())}
        for side, run, tally in zip(SIDES, (first, second), (pair.first, pair.second), strict=True)
    }
    several = pair.games > 1
    return {
        "games": pair.games,
        "seed": first.seed,
        "difference": cards.mean,
        "difference_half_width": cards.half_width if several else None,
        "win_difference": rate.mean,
        "win_difference_half_width": rate.half_width if several else None,
        "fewer_cards": dict(zip(("a", "b", "as_many"), pair.better, strict=True)),
        "only_a_won": only_first,
        "only_b_won": only_second,
        "p_value": pair.p_value,
        "variance_shrunk": None if pair.shrunk == float("inf") else pair.shrunk,
        **sides,
    }
