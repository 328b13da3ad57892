"""`towers play` and `towers resume`: a game at the terminal, or one that plays itself."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import click

from solver.cli.answers import WIDTH
from solver.cli.batch import MODE, POSITION, prepare_games, start_of
from solver.cli.common import (
    STDIN,
    Command,
    announce,
    check_writable,
    draw,
    file_name,
    prepare,
    print_json,
    read_file,
    rules_option,
    single_option,
    with_json,
    write_file,
)
from solver.errors import Failed, Refused
from solver.move import Card
from solver.notation import Record, parse_game_spells, print_cards, print_move, print_record, print_rules
from solver.notation.deals import parse_deal, print_deal
from solver.notation.numbers import counted
from solver.policy.names import PolicyName, parse_policy
from solver.rules import HAND_SIZE, Rules, grade
from solver.search.situation import Situation

if TYPE_CHECKING:  # they import numba, which takes its time
    from solver.game import State, Step
    from solver.play.keeping import Kept
    from solver.play.luck import Luck
    from solver.play.table import Table

STOPPED = 130

SEED = single_option(
    "--seed", parse=parse_deal, metavar="SEED[:GAME]",
    help="Which game is dealt, as `simulate` deals it; any, unless said otherwise.",
)  # fmt: skip
PHYSICAL = click.option(
    "--physical", is_flag=True, help="Cards and die are on your own table: type what you drew and rolled."
)


@click.command("play", cls=Command, short_help="Play a game in the terminal, or have one played.")
@SEED
@MODE
@single_option(
    "--spells", parse=parse_game_spells, default="", metavar="A,B,C", help="The open spells, up to three of them."
)
@rules_option
@POSITION
@PHYSICAL
@click.option("--auto", is_flag=True, help="Have a policy play.")
@single_option("--policy", parse=parse_policy, metavar="NAME", help="Who plays with --auto; learned, if not said.")
@click.option("--why", is_flag=True, help="With --auto: say of every turn what it does.")
@click.option("--step", is_flag=True, help="With --auto: draw the board after every turn, and wait for Enter.")
@single_option("--out", metavar="FILE", help="The file of the record, which must be new.")
@with_json
def command(
    seed: tuple[int, int] | None,
    mode: str | None,
    spells: tuple[str, ...],
    rules: Rules,
    position: str | None,
    physical: bool,
    auto: bool,
    policy: PolicyName | None,
    why: bool,
    step: bool,
    out: str | None,
    as_json: bool,
) -> int:
    """Play a game in the terminal; every turn is kept in a .towers file before the next one is asked for.

    \b
    Examples:
      towers play --auto --seed 7
      towers play --seed 7 --spells piggyback,free-wizard,advance-tower
      towers play --physical --rules online --spells free-wizard,draw-two
    """
    start = start_of(mode, spells, rules, position)
    _check(auto, seed, physical, policy, why, step, as_json)
    if out and Path(out).exists():
        raise Refused(f"--out: {file_name(out)} exists; go on with it by `towers resume`, or name a new file")
    check_writable("--out", out)
    from solver.play.luck import Dealt, Told

    dealt = Dealt(*seed) if seed else Dealt.anew()
    if auto:
        return _auto(start, (dealt.seed, dealt.game), policy or parse_policy("learned"), why, step, out, as_json)
    _prepare_table()
    from solver.referee import Referee

    if Referee(rules, spells).goal_reached(start.position):
        raise Refused("--position: the position meets the goal already")
    luck: Luck = Told() if physical else dealt
    name = out or _free_name("table" if physical else f"deal-{print_deal(dealt.seed, dealt.game).replace(':', '-')}")
    check_writable("--out", name)
    hand = _first_hand(luck, start)
    if hand is None:
        return 0
    from solver.play.keeping import Kept
    from solver.play.table import Table

    return _sit(Table(Record(start.position, hand, (), spells, rules)), luck, Kept(), name)


def _check(
    auto: bool, seed: tuple[int, int] | None, physical: bool, policy: PolicyName | None, why: bool, step: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Refuse options that do not go together."""
    if physical and seed is not None:
        raise Refused("--physical: the cards are yours, so there is no --seed")
    if physical and auto:
        raise Refused("--physical: you play yourself, so there is no --auto")
    given = {"--policy": policy is not None, "--why": why, "--step": step, "--json": as_json}
    for option, is_given in given.items():
        if is_given and not auto:
            raise Refused(f"{option} goes with --auto")
    if step and as_json:
        raise Refused("--step waits for you, and --json is for scripts; expected one of them")


# Played by hand ---------------------------------------------------------------------------------------------


def _prepare_table() -> None:
    from solver.play.warm import warm_up_table

    prepare("the table", warm_up_table)


def _free_name(stem: str) -> str:
    """The name of a file in this folder that is not there yet."""
    for number in range(1, 10_000):
        name = f"{stem}{f'-{number}' if number > 1 else ''}.towers"
        if not Path(name).exists():
            return name
    raise Refused("there are very many games in this folder; --out names a file for this one")


def _first_hand(luck: Luck, start: Situation) -> tuple[Card, ...] | None:
    """The hand that is dealt, or that the player names; None if the player has had enough before that."""
    from solver.cli.seat import Quit, ask_hand, has_line_editing
    from solver.play.luck import Dealt

    if isinstance(luck, Dealt):
        return luck.deck(Record(start.position, ()))[:HAND_SIZE]
    has_line_editing()
    try:
        return ask_hand()
    except Quit:
        return None


def _sit(table: Table, luck: Luck, kept: Kept, name: str, found: str | None = None) -> int:
    """Have the player play on; the game is on disk before anything is asked. `found` is what the file had."""
    from solver.cli.seat import Quit, Seat, has_line_editing

    shown = shlex.quote(name)
    written = found

    def text() -> str:
        return kept.text(table, luck)

    def keep() -> None:
        nonlocal written
        if written is not None and _content(name) not in (written, None):
            raise Refused(f"{file_name(name)} was changed by somebody else, perhaps by the same game in another window")
        write_file(name, text())
        written = text()

    keep()
    has_line_editing()
    click.echo(f"{luck}; kept in {name}; help tells what can be typed")
    code = 0
    try:
        Seat(table, luck, text, keep).play()
    except (Quit, KeyboardInterrupt) as leaving:
        code = 0 if isinstance(leaving, Quit) else STOPPED
    try:
        keep()
    except Refused as reason:
        raise Failed(f"the game is NOT kept as it is now: {reason}") from None
    if table.is_over:
        click.echo(f"the record is in {name}; how good it was: towers review {shown}")
    elif code:
        announce(f"stopped; to go on: towers resume {shown}")
    else:
        click.echo(f"kept in {name}; to go on: towers resume {shown}")
    return code


def _content(name: str) -> str | None:
    """What a file has now; None if it is not there or cannot be read."""
    try:
        return read_file(name)
    except Refused:
        return None


@click.command("resume", cls=Command, short_help="Go on with a game that was kept.")
@click.argument("record")
@SEED
@PHYSICAL
def resume(record: str, seed: tuple[int, int] | None, physical: bool) -> int:
    """Go on with the game of RECORD, a .towers file; it goes on being kept there.

    A game that does not say where its cards come from goes on with a deal of its own.

    \b
    Example:
      towers resume deal-7.towers
    """
    if record == STDIN:
        raise Refused("a game is kept in its file; expected the name of that file, not '-'")
    text = read_file(record)
    if physical and seed is not None:
        raise Refused("--physical: the cards are yours, so there is no --seed")
    try:
        _prepare_table()
        from solver.play.keeping import parse_kept, table_of
        from solver.play.luck import Dealt, Told, cards_of

        game, kept = parse_kept(text)
        table = table_of(game, kept)
    except Refused as reason:
        raise Refused(f"{file_name(record)}: {reason}") from None
    if table.is_over:
        raise Refused(f"{file_name(record)}: the game is over; `towers review` tells how good it was")
    if kept.luck is not None and (seed is not None or physical):
        raise Refused(f"{file_name(record)}: the game says where its cards come from ({kept.luck})")
    known = cards_of(game)
    new = Told() if physical else Dealt(*seed, known) if seed else Dealt.anew(known)
    return _sit(table, kept.luck or new, kept, record, text)


# Played by a policy -----------------------------------------------------------------------------------------


def _auto(
    start: Situation, deal: tuple[int, int], policy: PolicyName, why: bool, step: bool, out: str | None, as_json: bool
) -> int:
    """Have a policy play a game and show it."""
    from solver.batch.run import Run

    prepare_games((Run(start, policy, deal[0], False),))
    from solver.game import WON, replay, start_of
    from solver.policy.players import player_for

    record = player_for(policy, start, deal[0]).record(deal[1])
    steps = list(replay(record))
    if out is not None:
        write_file(out, print_record(record))
    end = steps[-1].after if steps else start_of(record)
    score = end.discards if end.status == WON else None
    if as_json:
        print_json(
            {
                "deal": {"seed": deal[0], "game": deal[1]},
                "policy": str(policy),
                "spells": list(start.spells),
                "rules": print_rules(start.rules),
                "status": end.status,
                "cards": end.discards,
                "grade": grade(score),
                "turns": [print_move(each.turn.move) for each in steps],
                "record": print_record(record),
            }
        )
        return 0
    mode = ", ".join(start.spells) if start.spells else "solo"
    click.echo(fill(f"deal {print_deal(*deal)}; {policy} plays; {mode}", WIDTH, break_on_hyphens=False))
    click.echo(f"      hand {print_cards(record.hand)}")
    from solver.cli.seat import Quit

    try:
        for line in _told(record, steps, why, step):
            click.echo(line)
    except Quit:  # who has seen enough does not want to be told the end
        return 0
    click.echo(f"{end.status} with {counted(end.discards, 'card')}: {grade(score)}")
    if out is not None:
        click.echo(f"the record is in {out}; how good it was: towers review {shlex.quote(out)}")
    return 0


def _told(record: Record, steps: list[Step], why: bool, step: bool) -> Iterator[str]:
    """A line a turn, with the reason below it and the board if they are wanted."""
    from solver.advice.words import kept_cards, reason
    from solver.cli.seat import ask_terminal
    from solver.game import start_of

    before: State = start_of(record)
    if step:
        yield draw(before.position)
    widest = max((len(print_move(turn.move)) for turn, _ in steps), default=0)
    for number, (turn, after) in enumerate(steps, start=1):
        move = print_move(turn.move)
        drawn = f"{move.ljust(widest)} | {print_cards(turn.drawn)}" if turn.drawn else move
        yield f"{number:>4}. {drawn}"
        if why:
            text = reason(before.position, turn.move, record.spells, record.rules, kept_cards(before.hand, turn.move))
            yield fill(f"{text}.", WIDTH, initial_indent="      ", subsequent_indent="      ", break_on_hyphens=False)
        if step:
            yield draw(after.position)
            if number < len(steps):
                ask_terminal(f"hand {print_cards(after.hand)}; Enter goes on ")
        before = after
