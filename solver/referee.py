"""What is legal, in plain objects: the friendly face of the engine, and the reasons when a move is not allowed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from solver.engine.code import decode, encode
from solver.engine.table import rule_table
from solver.engine.turn import MAX_TURNS, goal_reached, turns, turns_after_extra_roll
from solver.errors import Refused
from solver.layout import pack, unpack
from solver.move import Card, Move, Pair, Piece
from solver.notation import print_move
from solver.notation.moves import REFRESH, print_piece
from solver.notation.numbers import counted
from solver.position import Position
from solver.rules import (
    ADVANCE_TOWER_STEPS,
    ADVANCE_WIZARD_STEPS,
    DIE,
    DIE_SIDES,
    MAX_ON_SURFACE,
    REFRESH_STEPS,
    RULEBOOK,
    SPACES,
    SPELL_NUMBER,
    SPELLS,
    Rules,
)


class Turn(NamedTuple):
    """A legal turn and the position it leads to."""

    move: Move
    position: Position


class Steps(NamedTuple):
    """How far a card moves a wizard and a tower; 0 is not at all."""

    wizard: int
    tower: int


def card_steps(card: Card, roll: int | None = None) -> Steps:
    """How far a card moves the pieces with this roll, or with the last one it names."""
    if roll is None and card.rolls:
        roll = card.rolls[-1]
    if card.has_die and roll is None:
        raise Refused(f"'{card.face}' needs its roll named, such as '{card.face}=4'")
    return Steps(*(roll or 0 if steps == DIE else steps for steps in (card.data.wizard, card.data.tower)))


class Referee:
    """Generates and checks turns under one rule set with the same spells open."""

    def __init__(self, rules: Rules = RULEBOOK, spells: tuple[str, ...] = ()) -> None:
        self.rules = rules
        self.spells = spells
        self.table = rule_table(rules, spells)
        self._rows = np.empty((MAX_TURNS, 3), dtype=np.int64)

    def legal(self, position: Position, card: Card) -> list[Turn]:
        """Every legal turn with a card; for a die card whose roll is not named, those of all six rolls."""
        if card.has_die and not card.rolls:
            rolled = [Card(card.face, (roll,)) for roll in range(1, DIE_SIDES + 1)]
            found = [turn for each in rolled for turn in self.legal(position, each)]
            # a refresh has no roll, so it is found with each of the six; it comes last, once
            return sorted(dict.fromkeys(found), key=lambda turn: turn.move.card is None)
        rows = self._rows_of(position, card_steps(card), extra_roll=False)
        found = [Turn(decode(code, card), after) for code, after in rows]
        if card.has_die:
            for roll in range(1, DIE_SIDES + 1):
                rows = self._rows_of(position, card_steps(card, roll), extra_roll=True)
                found += [Turn(decode(code, card, roll), after) for code, after in rows]
        return sorted(found, key=_order)

    def _rows_of(self, position: Position, steps: Steps, extra_roll: bool) -> Iterator[tuple[int, Position]]:
        generate = turns_after_extra_roll if extra_roll else turns
        count = generate(*pack(position), *steps, self.table, self._rows, 0)
        for code, a, b in self._rows[:count].tolist():
            yield code, unpack(a, b)

    def goal_reached(self, position: Position) -> bool:
        """Whether the game's own goal is reached."""
        return bool(goal_reached(*pack(position), self.table))

    def play(self, position: Position, move: Move) -> Position:
        """The position after a turn; refused with the reason if the rules do not allow it."""
        steps = _steps_of(move)
        wanted = encode(move)
        for code, after in self._rows_of(position, steps, extra_roll=move.new_roll is not None):
            if code == wanted:
                return after
        raise Refused(f"'{print_move(move)}' is not allowed: {self.why_not(position, move)}")

    def why_not(self, position: Position, move: Move) -> str:
        """The reason why a turn is not legal, in plain words."""
        if move.card is None and not self.rules.refresh:
            return "these rules have no refresh"
        spell = next((spell for spell in SPELLS if spell.name == move.spell), None)
        full = position.bottles.full if position.bottles else 0
        if spell is not None:
            if spell.name not in self.spells:
                others = f"open: {', '.join(self.spells)}" if self.spells else "no spell is"
                return f"the spell '{spell.name}' is not open ({others})"
            if not self.rules.offers(spell.name):
                return f"these rules do not offer {spell.name}"
            cost = self.rules.spell_costs[spell.name]
            if spell.during and full < cost:
                return f"'{spell.name}' costs {cost}, and before the card {_full(full)}"
        action_only = Move(move.card, move.action)
        if spell is not None and spell.during:
            return self._why_not_action(position, move, count=2 if spell.name == "piggyback" else 1)
        try:
            between = self.play(position, action_only) if spell is not None else None
        except Refused:
            between = None
        if between is None or spell is None:
            return self._why_not_action(position, move, count=1)
        if between.home > position.home:
            return "a wizard entered the keep, and no spell may follow that"
        full = between.bottles.full if between.bottles else 0
        if full < cost:
            return f"'{spell.name}' costs {cost}, and {_full(full)}"
        return self._why_not_cast(between, move)

    def _why_not_action(self, position: Position, move: Move, count: int) -> str:
        steps = _steps_of(move)
        name = f"'{move.card.face if move.card else REFRESH}'"
        if move.spell == "movement-swap":
            steps = Steps(steps.tower, steps.wizard)
            name += " after movement-swap"
        if move.action is None:
            if move.spell == "piggyback":
                return "'piggyback' needs a wizard that moves"
            return f"a move must be made where there is one, and {name} has one here"
        if move.action.height:
            if steps.tower == 0:
                return f"{name} moves no tower"
            if move.spell == "piggyback":
                return "'piggyback' needs a wizard that moves"
            return _why_not_tower(position, move.action, steps.tower)
        if steps.wizard == 0:
            return f"{name} moves no wizard"
        return _why_not_wizard(position, move.action, steps.wizard, count)

    def _why_not_cast(self, position: Position, move: Move) -> str:
        target = move.target
        if isinstance(target, Pair):
            for space in target:
                if not position.stacks[space].towers:
                    return f"space {space} has no tower to exchange"
                if position.keep == space:
                    return f"the keep is on space {space}"
        if move.spell == "fill-potion":
            return "no bottle is empty"
        if move.spell == "retrieve-card":
            return "a refresh plays no card that could go back to the hand"
        if isinstance(target, Piece):
            if move.spell == "free-wizard":
                return _why_not_free(position, target)
            backwards = move.spell is not None and move.spell.startswith("headwind")
            steps = ADVANCE_TOWER_STEPS if target.height else ADVANCE_WIZARD_STEPS
            steps = SPACES - steps if backwards else steps
            if target.height:
                return _why_not_tower(position, target, steps)
            return _why_not_wizard(position, target, steps, 1)
        return f"'{move.spell}' cannot be cast here"


def _steps_of(move: Move) -> Steps:
    return Steps(0, REFRESH_STEPS) if move.card is None else card_steps(move.card, move.roll)


def _order(turn: Turn) -> tuple[object, ...]:
    """Moves without a spell first, then by spell; wizards before towers, each by space and height."""
    move = turn.move
    action = move.action or Piece(-1)
    return (
        SPELL_NUMBER.get(move.spell or "", 0),
        move.card is None,
        move.new_roll or 0,
        action.height > 0,
        action,
        str(move.target) if isinstance(move.target, str) else "",
        move.target if isinstance(move.target, tuple) else (),
    )


def _full(bottles: int) -> str:
    return f"{counted(bottles, 'bottle')} {'is' if bottles == 1 else 'are'} full"


def _why_not_wizard(position: Position, piece: Piece, steps: int, count: int) -> str:
    target = (piece.space + steps) % SPACES
    visible = position.stacks[piece.space].visible
    if visible < count:
        kind = "wizard" if count == 1 else "second wizard"
        return f"space {piece.space} shows no {kind}"
    room = MAX_ON_SURFACE - position.stacks[target].visible
    if room < count:
        return f"space {target} has room for {room} more" if room else f"space {target} is full"
    return f"{print_piece(piece)} cannot go to space {target}"


def _why_not_tower(position: Position, piece: Piece, steps: int) -> str:
    height = len(position.stacks[piece.space].towers)
    if piece.height > height:
        return f"space {piece.space} has {counted(height, 'tower')}"
    return f"the keep stands on space {(piece.space + steps) % SPACES}, where it would land"


def _why_not_free(position: Position, piece: Piece) -> str:
    stack = position.stacks[piece.space]
    if piece.height > len(stack.towers):
        return _why_not_tower(position, piece, 0)
    if stack.wizards[piece.height - 1] == 0:
        return f"nobody stands directly under {print_piece(piece)}"
    return f"the top of space {piece.space} is full"
