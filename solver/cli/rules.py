"""`towers rules`: the rule data as tables."""

from __future__ import annotations

import textwrap

import click

from solver.cli.common import Command, print_json, with_json
from solver.notation import parse_rules, print_rules
from solver.notation.options import option_values
from solver.rules import DECK_SIZE, FACES, GRADES, OPTION_MEANING, PRESETS, SPELLS

WIDTH = 80  # columns of a usual terminal


@click.command("rules", cls=Command, short_help="Show cards, spells, options and grades.")
@click.argument("options", default="")
@with_json
def command(options: str, as_json: bool) -> None:
    """Show cards, spells with their costs, options and grades; OPTIONS choose a rule set.

    \b
    Examples:
      towers rules
      towers rules "online, refresh=off"
    """
    rules = parse_rules(options)
    values = option_values(rules)
    if as_json:
        print_json(
            {
                "rules": print_rules(rules),
                "cards": {face.name: face.copies for face in FACES},
                "spells": dict(rules.spell_costs),
                "options": values,
                "presets": {name: option_values(preset) for name, preset in PRESETS.items()},
                "grades": [{"most": most, "grade": name} for most, name in GRADES],
            }
        )
        return
    click.echo(f"Cards ({DECK_SIZE}): copies of each; w a wizard by, t a tower by, d the die and its rolls")
    for copies in sorted({face.copies for face in FACES}, reverse=True):
        names = " ".join(face.name for face in FACES if face.copies == copies)
        click.echo(f"  {copies} x  {names}")
    click.echo("\nSpells: cost in full bottles; * is cast during the card's move")
    for spell in SPELLS:
        cost = rules.spell_costs[spell.name]
        _print_row(f"  {spell.name:<16}{'*' if spell.during else ' '}{cost:>2}  ", spell.effect)
    click.echo('\nOptions, for --rules "option=value, spell=cost"')
    for name, value in values.items():
        _print_row(f"  {name:<18} {value:<5} ", OPTION_MEANING[name])
    click.echo(f"  presets: {', '.join(PRESETS)}")
    click.echo("\nGrades by cards in the discard pile")
    for most, name in GRADES:
        click.echo(f"  {'more, or lost' if most is None else f'up to {most}':<14} {name}")


def _print_row(head: str, text: str) -> None:
    click.echo(textwrap.fill(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)))
