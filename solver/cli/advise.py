"""`towers advise`: what to play while the deck's order and the die are unknown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click
from tqdm import tqdm

from solver.advice.asked import KnownCards, known_cards
from solver.cli.answers import prepare_advice
from solver.cli.common import Command, print_json, single_option, with_json, with_rules
from solver.cli.ranking import print_advice, value_text
from solver.errors import Refused
from solver.goal import Goal
from solver.move import Card
from solver.notation import (
    parse_position,
    parse_rolled,
    parse_unrolled,
    print_card,
    print_cards,
    print_position,
    print_rules,
)
from solver.notation.goals import parse_goal, print_goal
from solver.notation.numbers import number_between, quote
from solver.rules import DECK_SIZE, Rules
from solver.search.situation import LEARNED, LOSS_CARDS, MOST_DEPTH, VALUES, Advice, Objective, Situation

MOST_HELD = 9  # three, and two more for each `draw-two` that the bottles pay for
MOST_LOSS = 1_000
MOST_NODES = 10**12
MOST_SHOWN = 10_000
USUALLY_SHOWN = 8
CARDS, WITHIN = "cards", "within:"


# What is asked ----------------------------------------------------------------------------------------------


def parse_objective(text: str) -> int | None:
    """`cards` as None, `within:30` as 30."""
    word = text.strip().lower()
    if word == CARDS:
        return None
    if word.startswith(WITHIN):
        with suppress(Refused):
            return number_between(1, DECK_SIZE)(word.removeprefix(WITHIN))
    raise Refused(f"expected '{CARDS}' or '{WITHIN}N' with N from 1 to {DECK_SIZE}, not {quote(text)}")


def parse_value(text: str) -> str:
    """The name of what judges positions at the end of the lookahead."""
    if text.strip().lower() not in VALUES:
        raise Refused(f"expected {' or '.join(VALUES)}, not {quote(text)}")
    return text.strip().lower()


def parse_faces(text: str) -> tuple[Card, ...]:
    """Cards without rolls."""
    return parse_unrolled(text, ", and --rolled for a roll")


def parse_hand(text: str) -> tuple[Card, ...]:
    """The cards of a hand, not too many of them."""
    hand = parse_faces(text)
    if len(hand) > MOST_HELD:
        raise Refused(f"expected from 1 to {MOST_HELD} cards, not {len(hand)}")
    return hand


def parse_seen(text: str) -> tuple[Card, ...]:
    """Cards in the discard pile, or an empty text for none."""
    return parse_faces(text) if text.strip() else ()


def _objective(within: int | None, loss_cards: int | None, played: int) -> Objective:
    if within is None:
        return Objective(None, LOSS_CARDS if loss_cards is None else loss_cards)
    if loss_cards is not None:
        raise Refused(f"--loss-cards goes with --objective {CARDS}; with {WITHIN}{within} a loss is a loss")
    if played > within:
        raise Refused(f"--objective: with {played} cards played {WITHIN}{within} cannot be reached any more")
    return Objective(within)


def _check_budget(depth: int | None, nodes: int | None, exact: bool, value: str | None) -> None:
    asked = {"--depth": depth is not None, "--nodes": nodes is not None, "--exact": exact}
    named = [name for name, is_asked in asked.items() if is_asked]
    if len(named) > 1:
        raise Refused(f"expected one of {', '.join(asked)}, not {' and '.join(named)}")
    if exact and value is not None:
        raise Refused("--value is what estimates come from, and --exact makes none")


# The command ------------------------------------------------------------------------------------------------


@click.command("advise", cls=Command, short_help="Say what to play while the next cards are unknown.")
@click.argument("position")
@single_option("--hand", parse=parse_hand, metavar="CARDS", help="The cards in the hand, such as w3,w1t5,td2.")
@single_option("--seen", parse=parse_seen, metavar="CARDS", help="The cards already discarded; the deck is the rest.")
@single_option("--deck", parse=parse_faces, metavar="CARDS", help="Instead: the cards still to be drawn, in any order.")
@single_option(
    "--played", parse=number_between(0, DECK_SIZE), metavar="N",
    help="Cards in the discard pile; as many as --seen has unless said otherwise.",
)  # fmt: skip
@single_option("--rolled", parse=parse_rolled, metavar="CARD", help="A die card on the table, such as wd2=4.")
@with_rules
@single_option("--goal", parse=parse_goal, metavar="GOAL", help='Such as "home 9 and keep on 8"; else the game\'s own.')
@single_option(
    "--objective", parse=parse_objective, default=CARDS, metavar="WHAT",
    help="cards: the fewest on average. within:30: the best chance of 30 or fewer.",
)  # fmt: skip
@single_option(
    "--loss-cards", parse=number_between(1, MOST_LOSS), metavar="N",
    help=f"What a lost game counts as; {LOSS_CARDS} unless said otherwise.",
)  # fmt: skip
@single_option("--depth", parse=number_between(1, MOST_DEPTH), metavar="N", help="Look so many turns ahead, 1 to 4.")
@single_option("--nodes", parse=number_between(1, MOST_NODES), metavar="N", help="Look at so many positions.")
@click.option("--exact", is_flag=True, help="Finish the whole tree: for late endings and small decks.")
@single_option("--value", parse=parse_value, metavar="NAME", help="What judges positions: learned, the usual, or hand.")
@single_option(
    "--top", parse=number_between(0, MOST_SHOWN), metavar="N",
    help=f"Moves to show, 0 for all; {USUALLY_SHOWN} unless said otherwise, with --json all.",
)  # fmt: skip
@click.option("--why", is_flag=True, help="Say of every move shown what it does.")
@click.option("--grades", is_flag=True, help="Show the chance of each grade.")
@with_json
def command(
    position: str,
    hand: tuple[Card, ...] | None,
    seen: tuple[Card, ...] | None,
    deck: tuple[Card, ...] | None,
    played: int | None,
    rolled: Card | None,
    spells: tuple[str, ...],
    rules: Rules,
    goal: Goal | None,
    objective: int | None,
    loss_cards: int | None,
    depth: int | None,
    nodes: int | None,
    exact: bool,
    value: str | None,
    top: int | None,
    why: bool,
    grades: bool,
    as_json: bool,
) -> None:
    """Rank what can be done in POSITION with a hand, while the deck's order and the die are unknown.

    Each move has the cards in the discard pile that the game ends with on average, if it is played well.

    \b
    Example:
      towers advise 1/-/-/-/K/-/-/-/-/-/-/-/-/-/-/- --hand wd2,w5 --deck w3,w4,t1
    """
    board = parse_position(position, rules)
    known = known_cards(hand, seen, deck, played, rolled, option="--")
    aim = _objective(objective, loss_cards, known.played)
    _check_budget(depth, nodes, exact, value)
    asked = Situation(board, known.hand, known.left, known.played, spells, rules, goal, rolled)
    prepare_advice()
    from solver.advice.advise import Budget, advise

    with thinking(aim) as news:
        advice = advise(asked, aim, Budget(depth, nodes, exact, value or LEARNED), news)
    if as_json:
        from solver.advice.plain import advice_json

        shown = advice.choices[: top or None]
        print_json({**_asked_json(asked, known, aim), **advice_json(asked, aim, advice, shown)})
        return
    print_advice(asked, aim, advice, advice.choices[: USUALLY_SHOWN if top is None else top or None], why, grades)


@contextmanager
def thinking(aim: Objective) -> Iterator[Callable[[Advice], None]]:
    """A line on the terminal while the advice is being found, with the best so far."""
    from solver.advice.words import choice_text

    with tqdm(bar_format="{desc}", disable=not sys.stderr.isatty(), leave=False) as bar:

        def news(advice: Advice) -> None:
            best = advice.choices[0]
            bar.set_description_str(f"thinking; so far {choice_text(best)}, {value_text(best.value, aim)}")

        bar.set_description_str("thinking")
        yield news


def _asked_json(asked: Situation, known: KnownCards, aim: Objective) -> dict[str, Any]:
    return {
        "position": print_position(asked.position),
        "hand": print_cards(asked.hand),
        "seen": None if known.seen is None else print_cards(known.seen),
        "deck": None if known.deck is None else print_cards(known.deck),
        "left": sum(asked.deck),
        "played": asked.played,
        "spells": list(asked.spells),
        "rules": print_rules(asked.rules),
        "goal": None if asked.goal is None else print_goal(asked.goal),
        "objective": CARDS if aim.within is None else f"{WITHIN}{aim.within}",
        "loss_cards": aim.loss_cards if aim.within is None else None,
        "rolled": None if asked.rolled is None else print_card(asked.rolled),
    }
