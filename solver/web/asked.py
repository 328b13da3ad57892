"""What requests hold, as far as form goes; what it means is read by the notation."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from solver.errors import Refused
from solver.notation import parse_position, parse_rules, parse_spells
from solver.notation.positions import START, START_SPELLS
from solver.puzzle.file import MOST_TEXT
from solver.rules import DECK_SIZE, Rules
from solver.search.outset import check_start
from solver.search.situation import EVERY_CARD, Situation

MOST_SEED_DIGITS = 40
MOST_TURNS_AHEAD = 3  # a turn more takes minutes, in which nothing can be given up
MOST_GAMES = 200_000  # of a run on the page; the command line plays more

PositionText = Annotated[str, StringConstraints(max_length=400)]
CardsText = Annotated[str, StringConstraints(max_length=2_000)]
MoveText = Annotated[str, StringConstraints(max_length=200)]
RecordText = Annotated[str, StringConstraints(max_length=100_000)]
PuzzleText = Annotated[str, StringConstraints(max_length=MOST_TEXT)]
Word = Annotated[str, StringConstraints(max_length=200)]
Number = Annotated[int, Field(strict=True, ge=0, le=DECK_SIZE)]


class Asked(BaseModel):
    """A request: nothing in it that is not known, and no numbers as texts."""

    model_config = ConfigDict(extra="forbid", strict=True)


class WithRules(Asked):
    """A request about a game, with its open spells and its rules."""

    spells: Annotated[list[Word], Field(max_length=20)] = []
    rules: Word = ""

    def read_rules(self) -> tuple[Rules, tuple[str, ...]]:
        """Both, read."""
        return parse_rules(self.rules), parse_spells(",".join(self.spells))

    def read_start(self, text: str | None) -> Situation:
        """A game from its first card on; from the usual start if no position is named."""
        rules, spells = self.read_rules()
        position = parse_position(text or (START_SPELLS if spells else START), rules)
        if spells and position.bottles is None:
            raise Refused("a game with spells has bottles, such as '0/6' at the end of the position")
        start = Situation(position, (), EVERY_CARD, 0, spells, rules)
        check_start(start)
        return start


class BoardAsked(WithRules):
    """A board to be drawn, after a move if one is named."""

    position: PositionText
    move: MoveText | None = None


class NewGame(WithRules):
    """A game to be dealt, or with `physical` one whose cards are on the player's own table."""

    seed: Annotated[str, StringConstraints(max_length=MOST_SEED_DIGITS)] | None = None
    position: PositionText | None = None
    physical: bool = False
    hand: CardsText | None = None


class Act(Asked):
    """Something done in a game: a turn played, the die rolled, cards drawn, the last step taken back."""

    do: Literal["play", "roll", "draw", "undo"]
    text: MoveText = ""  # the turn, the card that is rolled (or `extra-roll`), the cards drawn
    number: Annotated[int, Field(strict=True, ge=1, le=6)] | None = None  # of a die on the player's own table


class GameAsked(Asked):
    """A game as it was kept, and what is done in it; nothing: only looked at."""

    record: RecordText
    act: Act | None = None


class AdviceAsked(WithRules):
    """A turn to be decided."""

    position: PositionText
    hand: CardsText
    seen: CardsText | None = None
    deck: CardsText | None = None
    played: Number | None = None
    rolled: Word | None = None
    new_roll: Annotated[int, Field(strict=True, ge=1, le=6)] | None = None
    within: Annotated[int, Field(strict=True, ge=1, le=DECK_SIZE)] | None = None
    depth: Annotated[int, Field(strict=True, ge=1, le=MOST_TURNS_AHEAD)] | None = None


class ReviewAsked(Asked):
    """A game to be reviewed."""

    record: RecordText
    name: Word = "game"
    quick: bool = False
    within: Annotated[int, Field(strict=True, ge=1, le=DECK_SIZE)] | None = None


class PuzzleAsked(Asked):
    """A puzzle, as its file has it, and the moves made in it."""

    puzzle: PuzzleText
    moves: Annotated[list[MoveText], Field(max_length=DECK_SIZE)] = []


class RunAsked(WithRules):
    """Many games to be played."""

    games: Annotated[int, Field(strict=True, ge=1, le=MOST_GAMES)] = 1000
    policy: Word = "learned"
    seed: Annotated[int, Field(strict=True, ge=0, le=2**53)] = 1
    position: PositionText | None = None
    within: Annotated[int, Field(strict=True, ge=1, le=DECK_SIZE)] | None = None
    less_luck: bool = False


class Fault(BaseModel):
    """Why a request was not taken, in a sentence."""

    error: str


class Status(BaseModel):
    """Whether the kernels are ready, or which of them are being compiled."""

    version: str
    ready: bool
    doing: str


Plain = dict[str, Any]
