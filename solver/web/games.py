"""A game on the page: the page keeps its text, the server answers what it is worth, step by step, and keeps nothing."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from solver.errors import Refused
from solver.game import WON
from solver.move import Card, Move
from solver.notation import (
    Record,
    parse_move,
    parse_unrolled,
    print_card,
    print_cards,
    print_move,
    print_position,
    print_rules,
)
from solver.notation.deals import parse_deal
from solver.notation.numbers import quote
from solver.play.keeping import Kept, parse_kept, table_of
from solver.play.luck import Dealt, Luck, Told, cards_of
from solver.play.menu import Entry, Menu
from solver.play.table import Table, check_hand
from solver.rules import FACES, HAND_SIZE, SPELL_NUMBER, SPELLS, SPELLS_IN_A_GAME, grade
from solver.web.asked import Act, GameAsked, NewGame, Plain
from solver.web.picture import picture

EXTRA_ROLL = "extra-roll"

router = APIRouter()


@router.post("/game/new")
def new_game(asked: NewGame) -> Plain:
    """Deal a game."""
    start = asked.read_start(asked.position)
    if len(start.spells) > SPELLS_IN_A_GAME:
        raise Refused(f"a game has at most {SPELLS_IN_A_GAME} spells, not {len(start.spells)}")
    luck: Luck = Told()
    if asked.physical:
        if asked.seed is not None:
            raise Refused("the cards are yours, so there is no seed")
        if asked.hand is None:
            raise Refused(f"expected the hand, {HAND_SIZE} cards such as w3,td2,w1t5")
        hand = parse_unrolled(asked.hand)
        check_hand(hand)
    else:
        if asked.hand is not None:
            raise Refused("the hand is dealt, unless the cards are yours")
        luck = Dealt(*parse_deal(asked.seed)) if asked.seed else Dealt.anew()
        hand = luck.deck(Record(start.position, ()))[:HAND_SIZE]
    return _game(Table(Record(start.position, hand, (), start.spells, start.rules)), luck, Kept(), [])


@router.post("/game")
def game(asked: GameAsked) -> Plain:
    """A game as it stands after something was done in it."""
    record, kept = parse_kept(asked.record)
    table = table_of(record, kept)
    luck = kept.luck or Dealt.anew(cards_of(record))
    happened: list[str] = []
    if asked.act is not None:
        happened = _do(table, luck, asked.act)
    elif table.state.owed:
        happened = _draw(table, luck)
    return _game(table, luck, kept, happened)


def _do(table: Table, luck: Luck, act: Act) -> list[str]:
    """Do it, and say what the die and the deck brought."""
    if act.do == "undo":
        table.undo()
        return []
    if act.do == "draw":
        if not table.state.owed:
            raise Refused("no card is to be drawn now")
        if not isinstance(luck, Told):
            raise Refused("the cards are drawn for you")
        table.draw(parse_unrolled(act.text))
        return []
    if table.state.owed:
        raise Refused("expected the cards drawn first")
    if act.do == "roll":
        return _roll(table, luck, act)
    move = parse_move(act.text)
    if move.card is not None and not isinstance(luck, Told):
        thrown = () if table.rolled is None else table.rolled.rolls
        if len(move.card.rolls) > len(thrown) or (move.new_roll is not None and table.new_roll is None):
            raise Refused("the die is rolled for you; roll the card first")
    table.play(move)
    return _draw(table, luck)


def _roll(table: Table, luck: Luck, act: Act) -> list[str]:
    wanted = act.text.strip().lower()
    lies = table.rolled
    options = [each for each in table.options if each.is_roll]
    for option in options:
        card, is_spell = option.card, option.move is not None
        assert card is not None
        if wanted != (EXTRA_ROLL if is_spell else card.face):
            continue
        number = act.number
        if isinstance(luck, Told):
            if number is None:
                raise Refused("expected the number that you rolled")
        elif number is not None:
            raise Refused("the die is rolled for you")
        else:
            number = luck.roll(table.turns + 1, len(card.rolls))
        table.roll(option, number)
        return [f"{card.face} rolls a {number}"]
    on_table = f"; '{print_card(lies)}' lies on the table" if lies else ""
    raise Refused(f"{quote(act.text)} cannot be rolled now{on_table}")


def _draw(table: Table, luck: Luck) -> list[str]:
    """Draw what is owed, if the deck is the program's."""
    if not table.state.owed or isinstance(luck, Told):
        return []
    drawn = luck.next_cards(table.record, table.state.owed)
    table.draw(drawn)
    return [f"drawn: {print_cards(drawn)}"]


def _game(table: Table, luck: Luck, kept: Kept, happened: list[str]) -> Plain:
    """All that the page shows of a game."""
    state, record = table.state, table.record
    over = table.is_over
    situation = table.situation
    deck = [Card(face.name) for face, copies in zip(FACES, situation.deck, strict=True) for _ in range(copies)]
    return {
        "record": kept.text(table, luck),
        "luck": str(luck),
        "physical": isinstance(luck, Told),
        "position": print_position(state.position),
        "svg": picture(state.position),
        "turn": table.turns + 1,
        "played": state.discards,
        "pile": state.pile,
        "hand": [print_card(card) for card in state.hand],
        "rolled": None if table.rolled is None else print_card(table.rolled),
        "new_roll": table.new_roll,
        "deck": print_cards(deck),
        "owed": state.owed,
        "status": state.status,
        "grade": grade(state.discards if state.status == WON else None) if over else None,
        "spells": [spell_plain(name, record.rules.spell_costs[name]) for name in record.spells],
        "rules": print_rules(record.rules),
        "turns": [
            {"move": print_move(turn.move), "drawn": print_cards(turn.drawn)} for turn in record.turns
        ],
        "menu": [] if over or state.owed else entries_plain(table.menu),
        "happened": happened,
    }  # fmt: skip


def spell_plain(name: str, cost: int) -> dict[str, Any]:
    """A spell, as the page shows it."""
    return {"name": name, "cost": cost, "effect": SPELLS[SPELL_NUMBER[name] - 1].effect}


def entries_plain(menu: Menu) -> list[Plain]:
    """Everything that can be done: cards, under each its pieces, under each the spells, under each their targets."""
    return [_entry(menu, entry) for entry in menu.entries]


def _entry(menu: Menu, entry: Entry) -> Plain:
    plain: Plain = {"label": entry.label, "note": entry.note}
    found = Menu(menu.position, entry.options, menu.path).choose(entry)  # only these options matter to it
    if isinstance(found, Menu):
        plain["entries"] = entries_plain(found)
    elif found.is_roll:
        plain["roll"] = EXTRA_ROLL if found.move is not None else found.card.face if found.card else ""
    else:
        assert isinstance(found.move, Move)
        plain["move"] = print_move(found.move)
    return plain
