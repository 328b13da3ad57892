"""What kernels know of the rule set: the open spells with their costs, and the options that shape a turn."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from solver.jit import kernel
from solver.layout import FULL, ONE_FULL, get
from solver.rules import SPELL_NUMBER, SPELLS, Rules

_COST_BITS = 4
NOT_OPEN = (1 << _COST_BITS) - 1  # a cost nobody can pay


class RuleTable(NamedTuple):
    """Read-only for kernels; made once a rule set."""

    costs: int  # a nibble a spell number, NOT_OPEN where it is not in play (one word: arrays cost a kernel time)
    cheapest: int  # the lowest cost among the spells cast at the end of a turn
    refresh: bool
    bottles_in_goal: bool


def rule_table(rules: Rules, spells: Collection[str] = ()) -> RuleTable:
    """The table for a rule set with these spells open."""
    cost = {spell.name: NOT_OPEN for spell in SPELLS}
    for name in spells:
        if rules.offers(name):
            cost[name] = min(rules.spell_costs[name], NOT_OPEN)
    costs = sum(cost[name] << (_COST_BITS * number) for name, number in SPELL_NUMBER.items())
    at_the_end = [cost[spell.name] for spell in SPELLS if not spell.during]
    return RuleTable(costs, min(at_the_end), rules.refresh, rules.bottles_in_goal)


@kernel
def cost_of(spell: int, table: RuleTable) -> int:
    """The full bottles a spell takes."""
    return (table.costs >> (_COST_BITS * spell)) & NOT_OPEN


@kernel
def affordable(a: int, spell: int, table: RuleTable) -> bool:
    """Whether a spell is open and paid for by the full bottles."""
    return get(a, FULL) >= cost_of(spell, table)


@kernel
def pay(a: int, spell: int, table: RuleTable) -> int:
    """Word a after a spell's bottles were spent; they leave the game."""
    return a - cost_of(spell, table) * ONE_FULL
