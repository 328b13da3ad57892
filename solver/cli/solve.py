"""`towers solve`: the fewest cards when all of them are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from solver.cli.answers import (
    EXIT_CODES,
    effort_of,
    prepare_search,
    print_answer,
    search_bar,
    with_limits,
)
from solver.cli.common import Command, print_json, single_option, with_json, with_rules
from solver.errors import Refused
from solver.goal import Goal
from solver.move import Card
from solver.notation import parse_cards, parse_position, print_cards, print_position, print_rules
from solver.notation.deals import parse_deal
from solver.notation.goals import parse_goal, print_goal
from solver.notation.numbers import number_between
from solver.rules import DECK_SIZE, Rules, grade

if TYPE_CHECKING:  # it imports numba, which takes its time
    from solver.search.answer import Answer


MOST_WIDTH = 1 << 22


def _cards(option: str, text: str | None, spells: tuple[str, ...]) -> tuple[Card, ...]:
    try:
        return () if text is None else parse_cards(text, extra="extra-roll" in spells)
    except Refused as reason:
        raise Refused(f"{option}: {reason}") from None


@click.command("solve", cls=Command, short_help="Find the fewest cards when all of them are known.")
@click.argument("position")
@single_option("--hand", metavar="CARDS", help="The cards in the hand, such as w3,w1t5,wd2=4.")
@single_option("--draw", metavar="CARDS", help="The cards to be drawn, the next one first.")
@single_option(
    "--deal", parse=parse_deal, metavar="SEED[:GAME]",
    help="Instead of hand and draw: the whole deck and all rolls of this deal.",
)  # fmt: skip
@with_rules
@single_option("--goal", parse=parse_goal, metavar="GOAL", help='Such as "home 9 and keep on 8"; else the game\'s own.')
@single_option("--within", parse=number_between(1, DECK_SIZE), metavar="N", help="Cards at the most.")
@single_option(
    "--width", parse=number_between(1, MOST_WIDTH), metavar="N",
    help="Only a beam of this width: the best line found, no proof.",
)  # fmt: skip
@with_limits
@click.option("--show", "boards", is_flag=True, help="Draw the board after every move.")
@with_json
def command(
    position: str,
    hand: str | None,
    draw: str | None,
    deal: tuple[int, int] | None,
    spells: tuple[str, ...],
    rules: Rules,
    goal: Goal | None,
    within: int | None,
    width: int | None,
    max_nodes: int,
    max_memory: int,
    jobs: int | None,
    boards: bool,
    as_json: bool,
) -> int:
    """Find the fewest cards that reach the goal from POSITION, prove it, and count the ways.

    All cards and rolls are known; die cards name the rolls that come. The exit code is 0 for proved, 1 for
    refuted, 3 for undecided.

    \b
    Examples:
      towers solve "-/-/-/-/-/-/-/2r/t/K/-/-/-/-/-/- 10 -" --hand w2,t1,w5
      towers solve start --deal 7
    """
    board = parse_position(position, rules)
    if (hand is None) == (deal is None):
        both = "" if hand is None else ", not both"
        raise Refused(f"expected --hand with the cards, or --deal with a seed{both}")
    if deal is not None and draw is not None:
        raise Refused("--draw goes with --hand; a deal has its own draw pile")
    held = _cards("--hand", hand, spells)
    pile = _cards("--draw", draw, spells)
    prepare_search()
    from solver.search.cards import Deal
    from solver.search.plan import best_plan
    from solver.search.problem import Problem

    luck = Deal(*deal) if deal is not None else None
    problem = Problem(board, held, pile, spells=spells, rules=rules, goal=goal, deal=luck)
    more = {} if width is None else {"widths": (width,), "prove": False}

    def news(found: Answer) -> None:
        if not as_json and width is None:
            tqdm.write(f"solvable in {found.cards}")  # above the bar

    with search_bar() as progress:
        effort = effort_of(max_nodes, max_memory, jobs, **more)
        answer = best_plan(problem, within, effort, news, progress)
    if as_json:
        from solver.search.plain import answer_json

        asked = {
            "position": print_position(board),
            "hand": print_cards(held) or None,
            "draw": print_cards(pile) or None,
            "deal": None if deal is None else {"seed": deal[0], "game": deal[1]},
            "spells": list(spells),
            "rules": print_rules(rules),
            "goal": None if goal is None else print_goal(goal),
            "within": within,
        }
        print_json({**asked, **answer_json(answer)})
    else:
        print_answer(problem, answer, within, boards)
        if deal is not None and answer.cards is not None:
            click.echo(f"{answer.cards} cards: {grade(answer.cards)}")
    return EXIT_CODES[answer.verdict.value]
