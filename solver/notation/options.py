"""Rule options and open spells as text: `online, refresh=off, swap-towers=2` and `piggyback,free-wizard`."""

from __future__ import annotations

from dataclasses import replace

from solver.errors import Refused
from solver.notation.numbers import quote, read_number, split_items
from solver.notation.positions import parse_bottles
from solver.rules import DECK_SIZE, OPTION_MEANING, PRESETS, RULEBOOK, SPELL_NUMBER, Rules

MOST_COST = 99  # any cost is allowed; above the number of bottles a spell can never be cast
_ON_OFF = {"on": True, "off": False}
_NO_LIMIT = "none"


def parse_spells(text: str) -> tuple[str, ...]:
    """Names of spells joined by commas, in the order of the rules; an empty text opens none."""
    names = [name.lower() for name in split_items(text)]
    for name in names:
        if name not in SPELL_NUMBER:
            raise Refused(f"{quote(name)} is no spell; the spells are {', '.join(SPELL_NUMBER)}")
        if names.count(name) > 1:
            raise Refused(f"the spell '{name}' is named twice")
    return tuple(sorted(names, key=lambda name: SPELL_NUMBER[name]))


def parse_rules(text: str) -> Rules:
    """Options joined by commas, each `option=value` or `spell=cost`; the name of a preset may come first."""
    rules = RULEBOOK
    named: set[str] = set()
    for number, item in enumerate(split_items(text.lower())):
        name, equals, value = (part.strip() for part in item.partition("="))
        name = name.replace("_", "-")
        if not equals:
            if name not in PRESETS or number > 0:
                raise Refused(f"expected option=value or, first, a preset ({', '.join(PRESETS)}), not {quote(item)}")
            rules = PRESETS[name]
            continue
        if name in named:
            raise Refused(f"the option {quote(name)} is named twice")
        named.add(name)
        rules = _with_option(rules, name, value)
    return rules


def _with_option(rules: Rules, name: str, value: str) -> Rules:
    if name in SPELL_NUMBER:
        cost = read_number(value, f"the cost of {name}", 0, MOST_COST)
        return replace(rules, spell_costs={**rules.spell_costs, name: cost})
    if name in ("refresh", "piggyback-in-solo"):
        if value not in _ON_OFF:
            raise Refused(f"{name} must be on or off, not {quote(value)}")
        if name == "refresh":
            return replace(rules, refresh=_ON_OFF[value])
        return replace(rules, piggyback_in_solo=_ON_OFF[value])
    if name == "start-bottles":
        return replace(rules, start_bottles=parse_bottles(value, "start-bottles"))
    if name == "card-limit":
        if value == _NO_LIMIT:
            return replace(rules, card_limit=None)
        return replace(rules, card_limit=read_number(value, "card-limit", 1, DECK_SIZE))
    raise Refused(
        f"{quote(name)} is no option; the options are {', '.join(OPTION_MEANING)} and the names of the spells"
    )


def print_rules(rules: Rules) -> str:
    """The canonical text of a rule set: the preset it differs least from, then what differs from that."""
    texts: list[list[str]] = []
    for preset, base in PRESETS.items():
        items = [] if base == RULEBOOK else [preset]
        usual = option_values(base)
        items += [f"{name}={value}" for name, value in option_values(rules).items() if usual[name] != value]
        items += [f"{name}={cost}" for name, cost in rules.spell_costs.items() if base.spell_costs[name] != cost]
        texts.append(items)
    texts.sort(key=len)  # stable: of two that are as short, the rulebook's
    return ", ".join(texts[0])


def option_values(rules: Rules) -> dict[str, str]:
    """Every option but the costs, with its value as text."""

    def switch(value: bool) -> str:
        return "on" if value else "off"

    return {
        "refresh": switch(rules.refresh),
        "piggyback-in-solo": switch(rules.piggyback_in_solo),
        "start-bottles": str(rules.start_bottles),
        "card-limit": _NO_LIMIT if rules.card_limit is None else str(rules.card_limit),
    }
