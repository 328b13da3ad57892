"""A hand-made guess of the cards a position still needs: for choosing between positions, never for a verdict.

It begins with the events that the lower bound counts and adds what makes cards go to waste. Weights are in
hundredths of a card, so that scores are whole numbers and the same on every machine.
"""

from __future__ import annotations

from solver.engine.view import contains, look, seen_from, spaces_with_wizards
from solver.jit import kernel
from solver.layout import FULL, NIBBLE, get
from solver.rules import DIE_SIDES, SPACES
from solver.search.goal import Distance, GoalTable

CARD = 100  # one card more in the discard pile

HOME = 130  # a wizard to bring home: his own card, and a share of one that only moves somebody on
UNCOVER = 90  # a surface to uncover, or a bottle to fill: the card is often wanted for something else as well
IMPRISONED = 8  # a wizard under a tower: the more there are, the fewer choices
CLOSE = 14  # saved by a wizard one to six spaces before the keep
ENTERS_NOW = 25  # saved if a card of the hand brings somebody home at once
FULL_BOTTLE = 45  # saved by a spell that can be paid


@kernel
def guess(a: int, b: int, missing: Distance, reach: int, goal: GoalTable) -> int:
    """The cards still needed, in hundredths; `reach` are the spaces, seen from the keep, that the hand enters from."""
    score = missing.home * HOME + missing.towers * UNCOVER
    if goal.events_a_cast > 0:
        score -= min(get(a, FULL), missing.home + missing.towers) * FULL_BOTTLE
    if missing.home == 0:
        return score
    score += missing.imprisoned * IMPRISONED
    view = look(a, b)
    wizards = spaces_with_wizards(view, 1)
    if view.keep != 0:
        wizards = seen_from(wizards, view.keep)
    for steps in range(1, DIE_SIDES + 1):
        if contains(wizards, NIBBLE * (SPACES - steps)):
            score -= CLOSE
    if wizards & reach != 0:
        score -= ENTERS_NOW
    return score
