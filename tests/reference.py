"""A slow and plain reference engine for the solitaire modes of Wandering Towers.

It is written from the rules alone and imports nothing of the project, so that the fast engine can be
checked against it. Comments name the rule that the code below them follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

SPACES = 16
GROUND_SHIELDS = (0, 4, 8, 12)
SURFACE_LIMIT = 6
MAX_TOWERS = 9
MAX_WIZARDS = 12
MAX_BOTTLES = 6
HAND_SIZE = 3

START_BOARD = "K/r3/t3/r3/t2/r1/t/r/t/r/-/-/-/-/-/-"

DECK: dict[str, int] = {
    "w1": 4, "w2": 4, "w3": 4, "w4": 4, "w5": 4,
    "t1": 4, "t2": 4, "t3": 4, "t4": 4, "t5": 4,
    "w1t1": 3, "w2t2": 3, "w3t3": 3, "w4t4": 3,
    "wtd1": 6,
    "wd2": 3, "td2": 3,
    "w1t5": 6, "w2t4": 6, "w4t2": 6, "w5t1": 6,
    "wd3": 1, "td3": 1,
}  # fmt: skip

MOST_ROLLS = {"wtd1": 1, "wd2": 2, "td2": 2, "wd3": 3, "td3": 3}

SPELL_COSTS: dict[str, int] = {
    "advance-wizard": 2, "headwind-wizard": 2, "advance-tower": 1, "headwind-tower": 1,
    "swap-towers": 2, "nudge-keep": 2, "free-wizard": 1, "piggyback": 1,
    "fill-potion": 1, "retrieve-card": 1, "draw-two": 1, "extra-roll": 1, "movement-swap": 1, "close-keep": 1,
}  # fmt: skip
GRADES = (
    (19, "Exceptional"), (23, "Brilliant"), (27, "Very good"), (30, "Nice work"),
    (35, "So close"), (40, "Getting there"), (45, "Practise"),
)  # fmt: skip
NOT_IN_PERFT = ("retrieve-card", "draw-two", "extra-roll")

DEFAULTS: dict[str, object] = {
    "costs": {}, "refresh": False, "piggyback_in_solo": True,
    "start_bottles": (0, 6), "fill_goal": True, "card_limit": None,
}  # fmt: skip
RULEBOOK: dict[str, object] = {}
ONLINE: dict[str, object] = {
    "costs": {"swap-towers": 1, "free-wizard": 2}, "refresh": True, "piggyback_in_solo": False,
    "start_bottles": (6, 0), "fill_goal": False, "card_limit": 30,
}  # fmt: skip

Names = Sequence[str]
Rules = Mapping[str, object] | None


@dataclass
class Surface:
    """A place where wizards can stand: the ground ("ground") or the roof of a tower ("r" or "t")."""

    kind: str
    wizards: int = 0


@dataclass
class Board:
    """A position. `spaces[n]` lists the surfaces of space n from the ground up; item h is tower h's roof."""

    spaces: list[list[Surface]]
    keep: int
    home: int = 0
    has_bottles: bool = False
    full: int = 0
    empty: int = 0

    def copy(self) -> Board:
        """A second board, equal to this one and sharing no list with it."""
        return replace(self, spaces=[[replace(surface) for surface in space] for space in self.spaces])

    def visible(self, space: int) -> Surface:
        """The ground if no tower stands there, otherwise the roof of the topmost tower."""
        return self.spaces[space][-1]

    def towers(self) -> list[tuple[int, int]]:
        """Every tower as (space, height); height 1 is on the ground."""
        return [(space, height) for space in range(SPACES) for height in range(1, len(self.spaces[space]))]

    def wizards_on_board(self) -> int:
        """The wizards on all surfaces, imprisoned ones too."""
        return sum(surface.wizards for space in self.spaces for surface in space)


def parse_space(text: str, number: int) -> tuple[list[Surface], bool]:
    """The surfaces of one space, and whether the keep is on top."""
    surfaces = [Surface("ground")]
    has_keep = False
    if text == "-":
        return surfaces, has_keep
    if text == "":
        raise ValueError(f"space {number}: nothing is written; an empty space is '-'")
    for token in re.findall(r"[0-9]+|.", text, flags=re.DOTALL):
        if token == "K":
            if has_keep:
                raise ValueError(f"space {number}: two keeps")
            has_keep = True
        elif has_keep:
            raise ValueError(f"space {number}: {token!r} is written above the keep")
        elif token in ("r", "R", "t", "T"):
            surfaces.append(Surface(token.lower()))
        elif token[0] in "123456789":
            surfaces[-1].wizards = int(token)
        else:
            raise ValueError(f"space {number}: {token!r} is not understood")
    for surface in surfaces:
        if surface.wizards > SURFACE_LIMIT:
            raise ValueError(f"space {number}: more than {SURFACE_LIMIT} wizards on a surface")
    if has_keep and surfaces[-1].wizards > 0:
        raise ValueError(f"space {number}: a wizard under the keep")
    return surfaces, has_keep


def parse_position(text: str, rules: Rules = None) -> Board:
    """Read a position, or one of the words `start` and `start-spells`; ValueError if it breaks the rules."""
    words = text.split()
    if [word.lower() for word in words] == ["start"]:
        words = [START_BOARD, "0", "-"]
    elif [word.lower() for word in words] == ["start-spells"]:
        # Options, start_bottles: 6 empty unless the rule set says otherwise.
        full, empty = option(rules, "start_bottles")
        words = [START_BOARD, "0", f"{full}/{empty}"]
    if not 1 <= len(words) <= 3:
        raise ValueError("a position is BOARD HOME BOTTLES")

    spaces = words[0].split("/")
    if len(spaces) != SPACES:
        raise ValueError(f"the board has {len(spaces)} spaces, not {SPACES}")
    board = Board(spaces=[], keep=-1)
    for number in range(SPACES):
        surfaces, has_keep = parse_space(spaces[number], number)
        board.spaces.append(surfaces)
        if has_keep and board.keep != -1:
            raise ValueError(f"space {number}: a second keep")
        if has_keep:
            board.keep = number
    if board.keep == -1:
        raise ValueError("no keep on any space")

    if len(words) >= 2:
        if not re.fullmatch(r"[0-9]+", words[1]):
            raise ValueError(f"{words[1]!r} is not a number of wizards home")
        board.home = int(words[1])
    if len(words) == 3 and words[2] != "-":
        if not re.fullmatch(r"[0-9]+/[0-9]+", words[2]):
            raise ValueError(f"{words[2]!r} is not full/empty bottles")
        board.has_bottles = True
        board.full = int(words[2].split("/")[0])
        board.empty = int(words[2].split("/")[1])

    if len(board.towers()) > MAX_TOWERS:
        raise ValueError(f"more than {MAX_TOWERS} towers")
    if board.wizards_on_board() + board.home > MAX_WIZARDS:
        raise ValueError(f"more than {MAX_WIZARDS} wizards with those home")
    if board.full + board.empty > MAX_BOTTLES:
        raise ValueError(f"more than {MAX_BOTTLES} bottles")
    return board


def print_position(board: Board) -> str:
    """The canonical text of a position."""
    texts = []
    for space in range(SPACES):
        text = ""
        for surface in board.spaces[space]:
            if surface.kind != "ground":
                text += surface.kind
            if surface.wizards > 0:
                text += str(surface.wizards)
        if board.keep == space:
            text += "K"
        texts.append(text if text != "" else "-")
    bottles = f"{board.full}/{board.empty}" if board.has_bottles else "-"
    return f"{'/'.join(texts)} {board.home} {bottles}"


def option(rules: Rules, name: str):
    """One option of the rule set, or its default."""
    for key in rules or {}:
        if key not in DEFAULTS:
            raise ValueError(f"no such option: {key!r}")
    return (rules or {}).get(name, DEFAULTS[name])


def cost(spell: str, rules: Rules) -> int:
    """How many full bottles a spell costs."""
    return option(rules, "costs").get(spell, SPELL_COSTS[spell])


def check_spells(spells: Names) -> list[str]:
    """The open spells in lower case; ValueError for a name that is no spell."""
    names = [spell.lower() for spell in spells]
    for name in names:
        if name not in SPELL_COSTS:
            raise ValueError(f"no such spell: {name!r}")
    return names


def pay(board: Board, spell: str, spells: Names, rules: Rules) -> Board | None:
    """The board with the spell paid; None if it is not open or there are too few full bottles for it."""
    # Options, piggyback_in_solo: off means that piggyback is not offered.
    if spell == "piggyback" and not option(rules, "piggyback_in_solo"):
        return None
    if spell not in spells or board.full < cost(spell, rules):
        return None
    # Spells: spent bottles leave the game.
    after = board.copy()
    after.full -= cost(spell, rules)
    return after


def shows_shield(board: Board, space: int) -> bool:
    """Whether the visible surface is a raven tower's roof, or bare ground of 0, 4, 8 or 12."""
    kind = board.visible(space).kind
    return kind == "r" or (kind == "ground" and space in GROUND_SHIELDS)


def relocate_keep(board: Board) -> None:
    """Move the keep after one or more wizards entered; changes the board itself."""
    # Moving a wizard: clockwise from the next space, to the first of the other 15 spaces whose visible
    # surface shows a raven shield and holds no wizard; if there is none it stays.
    for distance in range(1, SPACES):
        space = (board.keep + distance) % SPACES
        if shows_shield(board, space) and board.visible(space).wizards == 0:
            board.keep = space
            return


def move_wizards(board: Board, space: int, steps: int, count: int) -> tuple[Board, bool] | None:
    """Move wizards of one visible surface (negative: counterclockwise), and whether they entered the keep."""
    if board.visible(space).wizards < count:
        return None
    destination = (space + steps) % SPACES
    after = board.copy()
    after.visible(space).wizards -= count
    if destination == board.keep:
        # Moving a wizard: if the keep is there it enters. Piggyback: both enter and it relocates once.
        after.home += count
        relocate_keep(after)
        return after, True
    # Moving a wizard: the surface must hold fewer than 6. Piggyback: both must fit.
    if board.visible(destination).wizards + count > SURFACE_LIMIT:
        return None
    after.visible(destination).wizards += count
    return after, False


def move_tower(board: Board, space: int, height: int, steps: int) -> Board | None:
    """Move the tower at a height with all that stands on it; negative steps go counterclockwise."""
    destination = (space + steps) % SPACES
    # Moving a tower: illegal if the keep stands on the destination; passing over is fine.
    if destination == board.keep:
        return None
    after = board.copy()
    lifted = after.spaces[space][height:]
    after.spaces[space] = after.spaces[space][:height]
    covered = after.visible(destination).wizards
    after.spaces[destination] = after.spaces[destination] + lifted
    # Moving a tower: the keep, if it is up there, goes along. It is always on top of its stack.
    if board.keep == space:
        after.keep = destination
    # Spells: newly covering one or more wizards fills one empty bottle, if there is one.
    if covered > 0 and after.empty > 0:
        after.empty -= 1
        after.full += 1
    return after


def swap_towers(board: Board, first: int, second: int) -> Board | None:
    """Exchange the topmost towers of two spaces, with the wizards on those roofs. Fills no bottle."""
    for space in (first, second):
        if len(board.spaces[space]) == 1 or board.keep == space:
            return None
    after = board.copy()
    one, other = after.spaces[first], after.spaces[second]
    one[-1], other[-1] = other[-1], one[-1]
    return after


def nudge_keep(board: Board, direction: int) -> Board:
    """Move the keep to the first other space whose visible surface holds no wizard, shield or not."""
    after = board.copy()
    for distance in range(1, SPACES):
        space = (board.keep + direction * distance) % SPACES
        if board.visible(space).wizards == 0:
            after.keep = space
            return after
    return after


def free_wizard(board: Board, space: int, height: int) -> Board | None:
    """Bring a wizard from directly under the tower at a height to the top of its stack."""
    # Spells, decisions: free-wizard with nobody below is not legal.
    if board.spaces[space][height - 1].wizards == 0:
        return None
    after = board.copy()
    after.spaces[space][height - 1].wizards -= 1
    if board.keep == space:
        after.home += 1
        relocate_keep(after)
        return after
    if board.visible(space).wizards >= SURFACE_LIMIT:
        return None
    after.visible(space).wizards += 1
    return after


def card_sides(card: str, roll: int | None = None) -> tuple[int | None, int | None]:
    """How far a card moves a wizard and a tower, None for a side it lacks; `roll` overrules its rolls."""
    face, equals, rolls_text = card.partition("=")
    if face not in DECK:
        raise ValueError(f"no such card: {card!r}")
    if face in MOST_ROLLS:
        if not re.fullmatch(r"[1-6](,[1-6])*", rolls_text):
            raise ValueError(f"{card!r}: a die card needs its rolls, 1 to 6")
        rolls = [int(text) for text in rolls_text.split(",")]
        if len(rolls) > MOST_ROLLS[face]:
            raise ValueError(f"{card!r}: more rolls than the card allows")
        # A turn, step 2: the earlier roll is gone.
        value = rolls[-1] if roll is None else roll
        return (value if "w" in face else None), (value if "t" in face else None)
    if equals:
        raise ValueError(f"{card!r}: not a die card")
    wizard = re.search(r"w([1-5])", face)
    tower = re.search(r"t([1-5])", face)
    return (int(wizard[1]) if wizard else None), (int(tower[1]) if tower else None)


def card_actions(board: Board, sides: tuple[int | None, int | None]) -> list[tuple[str, Board, bool]]:
    """Every legal move of a card with these sides: (action, board after, whether a wizard entered)."""
    wizard_value, tower_value = sides
    found = []
    if wizard_value is not None:
        for space in range(SPACES):
            moved = move_wizards(board, space, wizard_value, 1)
            if moved is not None:
                found.append((f"W{space}", moved[0], moved[1]))
    if tower_value is not None:
        for space, height in board.towers():
            after = move_tower(board, space, height, tower_value)
            if after is not None:
                found.append((f"T{space}.{height}", after, False))
    # A turn, step 3: a legal move must be made; if there is none, nothing happens.
    if len(found) == 0:
        found.append(("-", board.copy(), False))
    return found


def cast_one(paid: Board, spell: str) -> list[tuple[str, Board]]:
    """Every way to cast one spell at step 4, on a board where it is already paid: (text, board after)."""
    found = []
    if spell in ("advance-wizard", "headwind-wizard"):
        steps = 1 if spell == "advance-wizard" else -1
        for space in range(SPACES):
            moved = move_wizards(paid, space, steps, 1)
            if moved is not None:
                found.append((f"+{spell} W{space}", moved[0]))
    if spell in ("advance-tower", "headwind-tower"):
        steps = 2 if spell == "advance-tower" else -2
        for space, height in paid.towers():
            after = move_tower(paid, space, height, steps)
            if after is not None:
                found.append((f"+{spell} T{space}.{height}", after))
    if spell == "swap-towers":
        for first in range(SPACES):
            for second in range(first + 1, SPACES):
                after = swap_towers(paid, first, second)
                if after is not None:
                    found.append((f"+swap-towers {first} {second}", after))
    if spell == "nudge-keep":
        found.append(("+nudge-keep cw", nudge_keep(paid, 1)))
        found.append(("+nudge-keep ccw", nudge_keep(paid, -1)))
    if spell == "free-wizard":
        for space, height in paid.towers():
            after = free_wizard(paid, space, height)
            if after is not None:
                found.append((f"+free-wizard T{space}.{height}", after))
    # Spells, decisions: fill-potion without an empty bottle is not legal.
    if spell == "fill-potion" and paid.empty > 0:
        after = paid.copy()
        after.empty -= 1
        after.full += 1
        found.append(("+fill-potion", after))
    # On the board these three only cost their bottles; for hand and pile see Game.
    if spell in ("retrieve-card", "draw-two", "close-keep"):
        found.append((f"+{spell}", paid.copy()))
    return found


def with_spell_or_none(
    text: str, board: Board, entered: bool, spells: Names, rules: Rules
) -> list[tuple[str, Board]]:
    """A finished card move without a spell, and with every spell that step 4 allows."""
    found = [(text, board)]
    # A turn, step 4: unless a wizard entered the keep this turn.
    if entered:
        return found
    for spell in SPELL_COSTS:
        paid = pay(board, spell, spells, rules)
        if paid is not None:
            for spell_text, after in cast_one(paid, spell):
                found.append((f"{text} {spell_text}", after))
    return found


def board_turns(board: Board, card: str, spells: Names, rules: Rules) -> list[tuple[str, Board]]:
    """Every whole turn with one card, refresh aside."""
    sides = card_sides(card)
    found = []
    for action, after, entered in card_actions(board, sides):
        found += with_spell_or_none(f"{card} {action}", after, entered, spells, rules)

    # Spells, decisions: these three are cast during the card's move, are that turn's one spell, and are
    # paid from bottles that were full before the card.
    paid = pay(board, "piggyback", spells, rules)
    if paid is not None and sides[0] is not None:
        for space in range(SPACES):
            moved = move_wizards(paid, space, sides[0], 2)
            if moved is not None:
                found.append((f"{card} W{space} +piggyback", moved[0]))
    paid = pay(board, "movement-swap", spells, rules)
    if paid is not None:
        for action, after, _ in card_actions(paid, (sides[1], sides[0])):
            found.append((f"{card} +movement-swap {action}", after))
    paid = pay(board, "extra-roll", spells, rules)
    if paid is not None and "=" in card:
        for roll in range(1, 7):
            for action, after, _ in card_actions(paid, card_sides(card, roll)):
                found.append((f"{card} +extra-roll={roll} {action}", after))
    return found


def board_refreshes(board: Board, spells: Names, rules: Rules) -> list[tuple[str, Board]]:
    """Every turn that refreshes the hand instead of playing a card; none if the option is off."""
    found = []
    if not option(rules, "refresh"):
        return found
    # Options, refresh: spells as usual, but no retrieve-card.
    usual = [spell for spell in spells if spell != "retrieve-card"]
    for space, height in board.towers():
        after = move_tower(board, space, height, 1)
        if after is not None:
            found += with_spell_or_none(f"refresh T{space}.{height}", after, False, usual, rules)
    return found


def turns(position: str, card: str, spells: Names = (), rules: Rules = None) -> list[tuple[str, str]]:
    """Every legal whole turn with one card: (move text, position after the turn)."""
    board = parse_position(position, rules)
    names = check_spells(spells)
    found = board_turns(board, card.lower(), names, rules) + board_refreshes(board, names, rules)
    return [(text, print_position(after)) for text, after in found]


def goal_reached(position: str, rules: Rules = None) -> bool:
    """The game's own goal: no wizard left on the board, and no empty bottle left."""
    board = parse_position(position, rules)
    if board.wizards_on_board() > 0:
        return False
    return board.empty == 0 or not option(rules, "fill_goal")


def grade(cards: int | None) -> str:
    """The grade for a number of cards in the discard pile; None is a lost game."""
    if cards is None or cards > 45:
        return "Needs lessons"
    for most, name in GRADES:
        if cards <= most:
            return name
    raise ValueError(f"{cards} cards")


def count_lines(position: str, cards: Names, spells: Names, rules: Rules, reached: set[str]) -> int:
    """The lines below a position; the positions at their ends are added to `reached`."""
    # Perft: a line that reaches the goal early counts once and goes no further.
    if len(cards) == 0 or goal_reached(position, rules):
        reached.add(position)
        return 1
    lines = 0
    for _, after in turns(position, cards[0], spells, rules):
        lines += count_lines(after, cards[1:], spells, rules, reached)
    return lines


def perft(position: str, cards: Names, spells: Names = (), rules: Rules = None) -> tuple[int, int]:
    """(lines, positions) after playing the cards in their order."""
    for spell in check_spells(spells):
        if spell in NOT_IN_PERFT:
            raise ValueError(f"{spell} has no meaning in perft")
    reached: set[str] = set()
    lines = count_lines(print_position(parse_position(position, rules)), cards, spells, rules, reached)
    return lines, len(reached)


def divide(
    position: str, cards: Names, spells: Names = (), rules: Rules = None
) -> dict[str, tuple[int, int]]:
    """Perft below each first move; empty if there is no card or the goal is reached already."""
    perft(position, [], spells, rules)  # refuses what perft refuses
    counts: dict[str, tuple[int, int]] = {}
    if len(cards) == 0 or goal_reached(position, rules):
        return counts
    for text, after in turns(position, cards[0], spells, rules):
        counts[text] = perft(after, cards[1:], spells, rules)
    return counts


class Game:
    """A game with hand and piles. Draws come from the front of `draw_pile`."""

    def __init__(
        self, position: str, hand: Names, draw_pile: Names, spells: Names = (), rules: Rules = None,
        roll: Callable[[], int] | None = None,
    ) -> None:  # fmt: skip
        for face in list(hand) + list(draw_pile):
            if face.lower() not in DECK:
                raise ValueError(f"no such card: {face!r}")
        self.position = print_position(parse_position(position, rules))
        self.hand = [face.lower() for face in hand]
        self.draw_pile = [face.lower() for face in draw_pile]
        self.discard_pile: list[str] = []
        self.drawn: list[str] = []
        self.spells = check_spells(spells)
        self.rules = rules
        self.roll = roll
        self.status = "playing"

    @property
    def discards(self) -> int:
        """The number of cards in the discard pile."""
        return len(self.discard_pile)

    def rolled(self, card: str) -> str:
        """A die card with one more roll written: wd2 becomes wd2=4, wd2=4 becomes wd2=4,6."""
        if self.roll is None:
            raise ValueError("this game has no die")
        text = card.lower() + (f",{self.roll()}" if "=" in card else f"={self.roll()}")
        card_sides(text)
        return text

    def legal(self, card: str) -> list[tuple[str, str]]:
        """Every legal turn with a card of the hand (a die card with its rolls), refresh turns too."""
        if card.lower().partition("=")[0] not in self.hand:
            raise ValueError(f"{card!r} is not in the hand")
        return turns(self.position, card, self.spells, self.rules)

    def draw(self) -> bool:
        """Draw one card; False if the pile is empty."""
        if len(self.draw_pile) == 0:
            return False
        card = self.draw_pile.pop(0)
        self.hand.append(card)
        self.drawn.append(card)
        return True

    def play(self, move: str) -> None:
        """Play one turn, given as its move text; ValueError if the rules do not allow it."""
        if self.status != "playing":
            raise ValueError("the game is over")
        words = move.lower().split()
        if len(words) == 0 or len(self.hand) == 0:
            raise ValueError("no move, or no hand to play from")
        refreshing = words[0] == "refresh"
        # The refresh turns are the same beside any card, so any card without a die will do to list them.
        choices = turns(self.position, "w1", self.spells, self.rules) if refreshing else self.legal(words[0])
        matching = [after for text, after in choices if text.lower().split() == words]
        if len(matching) != 1:
            raise ValueError(f"not a legal turn: {move!r}")
        self.position = matching[0]
        self.drawn = []

        # A turn, step 1: the card goes onto the discard pile. Refresh: the whole hand does.
        leaving = list(self.hand) if refreshing else [words[0].partition("=")[0]]
        for face in leaving:
            self.hand.remove(face)
            self.discard_pile.append(face)

        # Step 4, as far as hand and piles go.
        held_too_few = False
        if "+retrieve-card" in words:
            self.hand.append(self.discard_pile.pop())
        if "+draw-two" in words:
            for _ in range(2):
                if not self.draw():
                    held_too_few = True

        # Step 5.
        if goal_reached(self.position, self.rules):
            self.status = "won"
            return
        # Options, card_limit: lost when that many are in the discard pile and the goal is not reached.
        limit = option(self.rules, "card_limit")
        if limit is not None and self.discards >= limit:
            self.status = "lost"
            return

        # Step 6: draw back up to three; lost if the pile is then empty, or held too few.
        while len(self.hand) < HAND_SIZE and not held_too_few:
            if not self.draw():
                held_too_few = True
        if held_too_few or len(self.draw_pile) == 0:
            self.status = "lost"
