"""The rule data: board, cards, spells, options, presets and grades, as plain tables.

Everything that a reader of the rulebook could look up is here, and only here; kernels and texts take it from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

# Board ------------------------------------------------------------------------------------------------------

SPACES = 16
SHIELD_SPACES = (0, 4, 8, 12)  # their ground shows a raven shield
MAX_TOWERS = 9
MAX_WIZARDS = 12
MAX_ON_SURFACE = 6
MAX_BOTTLES = 6

START_BOARD = "K/r3/t3/r3/t2/r1/t/r/t/r/-/-/-/-/-/-"

# Cards ------------------------------------------------------------------------------------------------------

DIE = -1  # instead of a number of spaces: as many as the die shows
DIE_SIDES = 6


class Face(NamedTuple):
    """A card face: how far it moves a wizard or a tower (0: not at all), its rolls, its copies in the deck."""

    name: str
    wizard: int
    tower: int
    rolls: int
    copies: int


FACES = (
    *(Face(f"w{v}", v, 0, 0, 4) for v in range(1, 6)),
    *(Face(f"t{v}", 0, v, 0, 4) for v in range(1, 6)),
    *(Face(f"w{v}t{v}", v, v, 0, 3) for v in range(1, 5)),
    Face("w1t5", 1, 5, 0, 6),
    Face("w2t4", 2, 4, 0, 6),
    Face("w4t2", 4, 2, 0, 6),
    Face("w5t1", 5, 1, 0, 6),
    Face("wtd1", DIE, DIE, 1, 6),
    Face("wd2", DIE, 0, 2, 3),
    Face("td2", 0, DIE, 2, 3),
    Face("wd3", DIE, 0, 3, 1),
    Face("td3", 0, DIE, 3, 1),
)
FACE_NUMBER: Mapping[str, int] = {face.name: number for number, face in enumerate(FACES)}
DECK_SIZE = sum(face.copies for face in FACES)
HAND_SIZE = 3

# Spells -----------------------------------------------------------------------------------------------------


class Spell(NamedTuple):
    """A spell: its cost in full bottles, whether it is cast during the card's move, and what it does."""

    name: str
    cost: int
    during: bool
    effect: str


SPELLS = (
    Spell("advance-wizard", 2, False, "move a wizard by 1"),
    Spell("headwind-wizard", 2, False, "move a wizard by 1 counterclockwise"),
    Spell("advance-tower", 1, False, "move a tower by 2"),
    Spell("headwind-tower", 1, False, "move a tower by 2 counterclockwise"),
    Spell("swap-towers", 2, False, "two spaces exchange their topmost towers"),
    Spell("nudge-keep", 2, False, "the keep goes to the next space without visible wizards, either way"),
    Spell("free-wizard", 1, False, "a wizard from directly under a tower goes to the top of its stack"),
    Spell("piggyback", 1, True, "a second wizard of the same surface goes along"),
    Spell("fill-potion", 1, False, "an empty bottle becomes full"),
    Spell("retrieve-card", 1, False, "the card just played goes back to the hand"),
    Spell("draw-two", 1, False, "draw two cards"),
    Spell("extra-roll", 1, True, "roll once more after the last roll; the new roll counts"),
    Spell("movement-swap", 1, True, "the card's wizard and tower values change places"),
    Spell("close-keep", 1, False, "nothing, alone at the table"),
)
# Kernels know a spell by its number; 0 is "no spell".
SPELL_NUMBER: Mapping[str, int] = {spell.name: number for number, spell in enumerate(SPELLS, start=1)}
(
    ADVANCE_WIZARD,
    HEADWIND_WIZARD,
    ADVANCE_TOWER,
    HEADWIND_TOWER,
    SWAP_TOWERS,
    NUDGE_KEEP,
    FREE_WIZARD,
    PIGGYBACK,
    FILL_POTION,
    RETRIEVE_CARD,
    DRAW_TWO,
    EXTRA_ROLL,
    MOVEMENT_SWAP,
    CLOSE_KEEP,
) = SPELL_NUMBER.values()

ADVANCE_WIZARD_STEPS = 1
ADVANCE_TOWER_STEPS = 2
REFRESH_STEPS = 1
SPELLS_IN_A_GAME = 3  # of the player's choice; puzzles and set-up positions may open any number
DRAW_TWO_CARDS = 2

# Options ----------------------------------------------------------------------------------------------------

DEFAULT_COSTS: Mapping[str, int] = {spell.name: spell.cost for spell in SPELLS}


class Bottles(NamedTuple):
    """Bottles in play: those full and those still empty; spent ones are gone."""

    full: int
    empty: int

    def __str__(self) -> str:
        return f"{self.full}/{self.empty}"


@dataclass(frozen=True)
class Rules:
    """A rule set: one value for every option where readings of the rulebook differ."""

    spell_costs: Mapping[str, int] = field(default_factory=lambda: DEFAULT_COSTS)
    refresh: bool = False
    piggyback_in_solo: bool = True
    start_bottles: Bottles = Bottles(0, MAX_BOTTLES)
    card_limit: int | None = None

    @property
    def bottles_in_goal(self) -> bool:
        """Whether an empty bottle keeps the game from being won: not where all bottles start full."""
        return self.start_bottles.empty > 0

    def offers(self, spell: str) -> bool:
        """Whether a spell can be cast at all, if it is open."""
        return spell != "piggyback" or self.piggyback_in_solo


OPTION_MEANING: Mapping[str, str] = {
    "refresh": "instead of a card: discard the whole hand, move any tower by 1, draw a new hand",
    "piggyback-in-solo": "whether the spell piggyback is offered",
    "start-bottles": "bottles at the start, full/empty; if none starts empty the goal is wizards only",
    "card-limit": "the game is lost with that many cards in the discard pile",
}

PRESETS: Mapping[str, Rules] = {
    "rulebook": Rules(),
    "online": Rules(
        spell_costs={**DEFAULT_COSTS, "swap-towers": 1, "free-wizard": 2},
        refresh=True,
        piggyback_in_solo=False,
        start_bottles=Bottles(MAX_BOTTLES, 0),
        card_limit=30,
    ),
}
RULEBOOK = PRESETS["rulebook"]

# Grades -----------------------------------------------------------------------------------------------------

WIN_CARDS = 30  # the rulebook's goal: that many cards or fewer


class Grade(NamedTuple):
    """A line of the rulebook's table: the most cards that still earn it (None: any number, or a loss)."""

    most: int | None
    name: str


GRADES = (
    Grade(19, "Exceptional"),
    Grade(23, "Brilliant"),
    Grade(27, "Very good"),
    Grade(30, "Nice work"),
    Grade(35, "So close"),
    Grade(40, "Getting there"),
    Grade(45, "Practise"),
    Grade(None, "Needs lessons"),
)


def grade(cards: int | None) -> str:
    """The rulebook's word for a game won with so many cards in the discard pile, or lost (None)."""
    for most, name in GRADES:
        if most is None or (cards is not None and cards <= most):
            return name
    raise AssertionError("the last grade takes every game")
