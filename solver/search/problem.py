"""A task with all cards known: a position, its cards, its rules and its goal; and the turns it allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from solver.engine.code import REFRESH, SPELL, decode, refreshed
from solver.engine.table import RuleTable
from solver.engine.turn import turns, turns_after_extra_roll
from solver.errors import Refused
from solver.goal import Goal
from solver.jit import IntArray, kernel
from solver.layout import Field, Packed, get, pack, unpack
from solver.move import Card, Move
from solver.notation import print_move
from solver.position import Position
from solver.referee import Referee
from solver.rules import DRAW_TWO, RETRIEVE_CARD, RULEBOOK, Rules
from solver.search.cards import (
    DEAD,
    EXTRA,
    HELD,
    NEXT,
    NEXT_DRAWN,
    NEXT_REFRESHED,
    NEXT_RETRIEVED,
    NUMBER,
    PILE,
    TOWER,
    WIZARD,
    Cards,
    Deal,
    check_rolls,
)
from solver.search.goal import GoalTable, goal_table, reached

# A row of a turn: its code with the option it belongs to, where it leads, and the cards discarded by then.
CODE, A, B, HAND, DISCARDS = range(5)
ROW = 5
OPTION = Field(REFRESH.top, 12)  # above the turn's code: which option of its hand it is


class Setting(NamedTuple):
    """What kernels need of a task that stays the same in every turn."""

    rules: RuleTable  # with the refresh, if there is one
    plain: RuleTable  # without
    goal: GoalTable
    cards_decide: bool  # a turn is a card that does what its face says: no spells, no refresh


class Problem:
    """A task: bring the position to the goal with the fewest cards."""

    def __init__(
        self,
        position: Position,
        hand: Sequence[Card] = (),
        draw: Sequence[Card] = (),
        *,
        spells: tuple[str, ...] = (),
        rules: Rules = RULEBOOK,
        goal: Goal | None = None,
        deal: Deal | None = None,
    ) -> None:
        self.referee = Referee(rules, spells)
        self.position = position
        self.start: Packed = pack(position)
        if deal is None:
            check_rolls((*hand, *draw))
            self.cards = Cards(hand, draw, spells, rules.refresh)
        else:
            self.cards = Cards.of_deal(deal, spells, rules.refresh)
        table = self.referee.table
        aim = goal_table(goal, position, rules, spells)
        self.setting = Setting(table, table._replace(refresh=False), aim, self.cards.cards_decide)
        if "retrieve-card" in spells and rules.spell_costs["retrieve-card"] == 0:
            raise Refused("with 'retrieve-card' for nothing a line could go on for ever")
        if self.is_solved:
            raise Refused("the position meets the goal already")
        limit = rules.card_limit
        self.most_cards = self.cards.total if limit is None else min(limit, self.cards.total)

    @property
    def is_solved(self) -> bool:
        """Whether the goal is met before the first card."""
        return bool(reached(*self.start, self.setting.goal))

    def move(self, turn: int, hand: int, code: int) -> Move:
        """The move that a row's code stands for, when it was made with this hand."""
        option = self.cards.option(turn, hand, code >> OPTION.shift)
        return decode(code & ((1 << OPTION.shift) - 1), option.card, option.new_roll)

    def replay(self, moves: Sequence[Move]) -> Iterator[Position]:
        """The positions after each move of a line, by the referee; refused if the line is not one of this task."""
        position = self.position
        hand = self.cards.states[0]
        for turn, move in enumerate(moves, start=1):
            following = self.cards.after(turn, hand, move)
            position = self.referee.play(position, move)
            if following is None and not self.meets_goal(position):
                raise Refused(f"turn {turn}: '{print_move(move)}' is not possible with this hand")
            yield position
            if following is not None:
                hand = following

    def meets_goal(self, position: Position) -> bool:
        """Whether a position meets the goal."""
        return bool(reached(*pack(position), self.setting.goal))


def position_of(row: IntArray) -> Position:
    """The position in a row of words that begins with a and b."""
    return unpack(int(row[0]), int(row[1]))


@kernel
def play_option(a: int, b: int, options: IntArray, option: int, setting: Setting, rows: IntArray) -> int:
    """Write every turn with one option of a hand into `rows`; return how many there are."""
    return play_steps(a, b, options, option, options[option, WIZARD], options[option, TOWER], setting, rows)


@kernel
def play_steps(
    a: int, b: int, options: IntArray, option: int, wizard: int, tower: int, setting: Setting, rows: IntArray
) -> int:
    """The same, if the option moved a wizard and a tower this far."""
    if options[option, EXTRA] != 0:
        count = turns_after_extra_roll(a, b, wizard, tower, setting.plain, rows, 0)
    elif options[option, NEXT_REFRESHED] != DEAD:
        count = turns(a, b, wizard, tower, setting.rules, rows, 0)
    else:
        count = turns(a, b, wizard, tower, setting.plain, rows, 0)
    discards = options[option, PILE]
    for row in range(count):
        code = rows[row, CODE]
        spell = get(code, SPELL)
        rows[row, CODE] = code | (options[option, NUMBER] << OPTION.shift)
        rows[row, HAND] = options[option, NEXT]
        rows[row, DISCARDS] = discards + 1
        if refreshed(code):
            rows[row, HAND] = options[option, NEXT_REFRESHED]
            rows[row, DISCARDS] = discards + options[option, HELD]
        elif spell == RETRIEVE_CARD:
            rows[row, HAND] = options[option, NEXT_RETRIEVED]
            rows[row, DISCARDS] = discards
        elif spell == DRAW_TWO:
            rows[row, HAND] = options[option, NEXT_DRAWN]
    return count
