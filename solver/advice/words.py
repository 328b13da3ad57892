"""Moves in plain words: what a turn does for the player, and how to play a die card.

What happened is read off the positions before and after each step of a turn, as the referee plays it: the step of the
card, and that of a spell cast after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from solver.move import Card, Move, Pair, Piece
from solver.notation import print_move
from solver.notation.moves import NOTHING, print_piece
from solver.notation.numbers import counted
from solver.position import Position, Stack
from solver.referee import Referee
from solver.rules import DIE_SIDES, RULEBOOK, SPACES, SPELLS, Rules
from solver.search.situation import Choice, Plan, Situation

REACH = DIE_SIDES  # no card moves a wizard further
LONGEST = 110  # characters; what matters least is left out beyond that
NAMED_CARDS = 2  # of the hand, that can bring somebody in next
_DURING = {"piggyback": "with", "extra-roll": "after", "movement-swap": "after"}
assert set(_DURING) == {spell.name for spell in SPELLS if spell.during}


class _Phrase(NamedTuple):
    """A part of a sentence: `uncovers 2 wizards on space 4`."""

    text: str
    tail: str = ""  # said only if it is the only phrase
    then: str = ""  # a clause of its own that follows
    space: int | None = None  # where the wizards are that it speaks of


class _Step(NamedTuple):
    """One piece moved, by a card or a spell."""

    before: Position
    after: Position
    last: bool  # whether the turn ends with it

    @property
    def home(self) -> int:
        return self.after.home - self.before.home

    @property
    def filled(self) -> int:
        if self.before.bottles is None or self.after.bottles is None:
            return 0
        return self.before.bottles.empty - self.after.bottles.empty


# A turn -----------------------------------------------------------------------------------------------------


def reason(
    position: Position,
    move: Move,
    spells: tuple[str, ...] = (),
    rules: Rules = RULEBOOK,
    kept: tuple[Card, ...] = (),
) -> str:
    """What a move does and why that matters, in a sentence without its full stop; `kept` stays in the hand."""
    if is_cast(move):
        bottles = counted(rules.spell_costs["extra-roll"], "bottle")
        return f"Spends {bottles} to roll once more"
    referee = Referee(rules, spells)
    after = referee.play(position, move)
    clauses, phrases = _clauses(referee, position, move, after)
    text = "; ".join(clauses)
    if after.on_board == 0:
        still = after.bottles.empty if after.bottles and rules.bottles_in_goal else 0
        text += f"; {counted(still, 'bottle')} {_is(still)} still empty" if still else ""
    elif following := _next_in(after, kept, rules, phrases):
        text += following
    elif len(reach := _in_reach(position, after, phrases)) + len(text) <= LONGEST:
        text += reach
    return text[0].upper() + text[1:]


def is_cast(move: Move) -> bool:
    """Whether a move is the spell `extra-roll` before its roll is known."""
    return move.spell == "extra-roll" and move.new_roll is None


def kept_cards(hand: Sequence[Card], move: Move) -> tuple[Card, ...]:
    """What of a hand is still there after a turn, before anything is drawn."""
    if move.card is None:
        return ()
    kept = [Card(card.face) for card in hand]
    if move.spell != "retrieve-card":
        kept.remove(Card(move.card.face))
    return tuple(kept)


def _clauses(referee: Referee, position: Position, move: Move, after: Position) -> tuple[list[str], list[_Phrase]]:
    """What the card does and what the spell does; and the phrases of the last of them."""
    later = move.spell is not None and move.spell not in _DURING
    between = referee.play(position, Move(move.card, move.action)) if later else after
    phrases = _of_piece(_Step(position, between, not later), move.action)
    text = _joined(phrases if move.card else [_Phrase("throws the hand away"), *phrases])
    if move.spell is None:
        return [text, *_then(phrases)], phrases
    if not later:
        return [f"{_DURING[move.spell]} {move.spell}{_price(position, after)} {text}", *_then(phrases)], phrases
    clauses = [text, *_then(phrases)]
    phrases = _of_spell(_Step(between, after, True), move)
    return [*clauses, f"{move.spell}{_price(between, after)} {_joined(phrases)}", *_then(phrases)], phrases


def _then(phrases: Iterable[_Phrase]) -> list[str]:
    return [phrase.then for phrase in phrases if phrase.then]


def _price(before: Position, after: Position) -> str:
    spent = sum(before.bottles or ()) - sum(after.bottles or ())
    return f" ({counted(spent, 'bottle')})" if spent else ""


def _of_piece(step: _Step, piece: Piece | None) -> list[_Phrase]:
    if piece is None:
        return [_Phrase("moves nothing")]
    return _of_tower(step) if piece.height else _of_wizard(step)


def _of_spell(step: _Step, move: Move) -> list[_Phrase]:
    if isinstance(move.target, Pair):
        return _of_swap(step, move.target)
    if move.spell == "nudge-keep":
        return [_Phrase(f"moves {_keep(step, 'to')}")]
    if move.spell == "free-wizard":
        assert isinstance(move.target, Piece)
        if step.home:
            return _of_wizard(step)
        return [_Phrase(f"frees a wizard on space {move.target.space}", space=move.target.space)]
    if isinstance(move.target, Piece):
        return _of_piece(step, move.target)
    card = move.card.face if move.card else "the card"
    return [
        _Phrase(
            {
                "fill-potion": "fills a bottle",
                "retrieve-card": f"takes {card} back into the hand",
                "draw-two": "draws two cards",
                "close-keep": "does nothing",
            }[move.spell or ""]
        )
    ]


def _of_wizard(step: _Step) -> list[_Phrase]:
    """One or two wizards went from one surface to another, or home."""
    if step.home:
        if step.after.on_board == 0:
            return [_Phrase(f"brings the last {'wizard' if step.home == 1 else f'{step.home} wizards'} home")]
        goes = _keep(step, "stays on" if step.after.keep == step.before.keep else "goes to")
        return [_Phrase(f"brings {_wizards(step.home)} home", then=goes)]
    changes = [after.visible - before.visible for before, after in _spaces(step)]
    space = max(range(SPACES), key=lambda each: changes[each])
    moved = _wizards(changes[space])
    behind = _behind(step.after, space)
    if behind <= REACH and step.last:
        return [_Phrase(f"puts {moved} {behind} behind the keep", space=space)]
    return [_Phrase(f"moves {moved} to space {space}", f", {behind} behind the keep" if step.last else "", space=space)]


def _of_tower(step: _Step) -> list[_Phrase]:
    """A tower went with all that stands on it: what it left behind, what it landed on, what it took along."""
    heights = [len(after.towers) - len(before.towers) for before, after in _spaces(step)]
    lifted = min(range(SPACES), key=lambda each: heights[each])
    landed = max(range(SPACES), key=lambda each: heights[each])
    freed = step.after.stacks[lifted].visible
    covered = step.before.stacks[landed].visible
    carried = step.after.stacks[landed].visible
    phrases = []
    if freed:
        behind = _behind(step.after, lifted)
        tail = f", {behind} behind the keep" if behind <= REACH and step.last else ""
        phrases.append(_Phrase(f"uncovers {_wizards(freed)} on space {lifted}", tail, space=lifted))
    if covered:
        who = str(covered) if freed else _wizards(covered)
        phrases.append(_Phrase(f"imprisons {who} on space {landed}"))
    if carried and (step.last or not phrases):
        behind = _behind(step.after, landed)
        who = str(carried) if phrases else _wizards(carried)
        place = "there" if covered else f"to space {landed}"
        if behind <= REACH and step.last:
            place += f", {behind} behind the keep"
        phrases.append(_Phrase(f"carries {who} {place}", space=landed))
    if step.after.keep != step.before.keep:
        phrases.append(_Phrase(f"carries {_keep(step, 'to')}"))
    if step.filled:
        phrases[-1] = phrases[-1]._replace(text=f"{phrases[-1].text}, filling a bottle")
    return phrases or [_Phrase(f"moves a tower from space {lifted} to {landed}")]


def _of_swap(step: _Step, pair: Pair) -> list[_Phrase]:
    there = step.before.stacks[pair.first].visible
    back = step.before.stacks[pair.second].visible
    phrases: list[_Phrase] = []
    for number, space in ((there, pair.second), (back, pair.first)):
        if number:
            who = str(number) if phrases else _wizards(number)
            phrases.append(_Phrase(f"{'' if phrases else 'takes '}{who} to space {space}", space=space))
    return phrases or [_Phrase(f"exchanges the towers of spaces {pair.first} and {pair.second}")]


def _keep(step: _Step, verb: str) -> str:
    """The keep, where it is now, and whom it is close to."""
    text = f"the keep {verb} space {step.after.keep}"
    if not step.last:
        return text
    for behind in range(1, REACH + 1):
        wizards = step.after.stacks[step.after.keep - behind].visible
        if wizards:
            return f"{text}, {behind} ahead of {_wizards(wizards)}"
    return f"{text} with nobody close behind"


# What may follow --------------------------------------------------------------------------------------------


def _next_in(position: Position, kept: Iterable[Card], rules: Rules, phrases: Sequence[_Phrase]) -> str:
    """Which cards of the hand can bring a wizard in next; a die card only if no other does, with its rolls."""
    referee = Referee(rules)
    ways: dict[Card, set[Move]] = {}
    for card in dict.fromkeys(kept):
        found = {turn.move for turn in referee.legal(position, card) if turn.position.home > position.home}
        if found:
            ways[card] = found
    space = phrases[0].space if len(phrases) == 1 else None
    there = {card: {move for move in found if move.action == Piece(space or 0)} for card, found in ways.items()}
    there = {card: found for card, found in there.items() if found and space is not None}
    if not ways:
        return ""
    names, rolls = _by_cards(there or ways)
    if there and space is not None:
        who = "it" if position.stacks[space].visible == 1 else "one"
        return f", where {names} of your hand brings {who} in{rolls}"
    return f"; then {names} brings one in{rolls}"


def _by_cards(ways: Mapping[Card, Iterable[Move]]) -> tuple[str, str]:
    """The cards to name, and with which roll: `w2 or w4`, or `wd2` and ` with a 3 or 5`."""
    sure = [card.face for card in ways if not card.has_die]
    if sure:
        return _either(sure[:NAMED_CARDS]), ""
    rolls = {card.face: sorted({move.roll or 0 for move in found}) for card, found in ways.items()}
    face = max(rolls, key=lambda face: len(rolls[face]))
    if len(rolls[face]) == DIE_SIDES:
        return face, " with any roll"
    return face, f" with a {_either(map(str, rolls[face]))}"


def _in_reach(before: Position, after: Position, phrases: Sequence[_Phrase]) -> str:
    was, now = reachable(before), reachable(after)
    said = was == 0 and len(phrases) == 1 and phrases[0].space is not None
    if was == now or (said and now):
        return ""
    if now == 0:
        return f"; nobody is within {REACH} of the keep any more"
    return f"; {counted(now, 'wizard')} {_is(now)} within {REACH} of the keep, {was or 'none'} before"


def reachable(position: Position) -> int:
    """How many wizards stand where a single card may bring them home."""
    return sum(position.stacks[position.keep - behind].visible for behind in range(1, REACH + 1))


# Die cards --------------------------------------------------------------------------------------------------


def reason_of(situation: Situation, choice: Choice) -> str:
    """The reason for a choice; for rolling a die card, how likely it is to do something when played by its plan."""
    position, spells, rules = situation.position, situation.spells, situation.rules
    if choice.move is not None:
        text = reason(position, choice.move, spells, rules, kept_cards(situation.hand, choice.move))
        return text if choice.plan is None else f"{text}{_chance(situation, choice.card, choice.plan)}"
    assert choice.card is not None, "a refresh is a move"
    text = "Rolls again" if choice.card.rolls else "Rolls the die"
    return text if choice.plan is None else f"{text}{_chance(situation, choice.card, choice.plan)}"


def _chance(situation: Situation, card: Card | None, plan: Plan) -> str:
    """How likely a die card is to bring somebody home or, if it never does, to uncover somebody."""
    assert card is not None, "a refresh has no plan"
    referee = Referee(situation.rules, situation.spells)
    before = situation.position
    enters = _likely(card, plan, lambda move: referee.play(before, move).home > before.home)
    if enters:
        return f", with {_percent(enters)} chance to bring a wizard home"
    frees = _likely(card, plan, lambda move: referee.play(before, move).imprisoned < before.imprisoned)
    return f", with {_percent(frees)} chance to uncover wizards" if frees else ", and brings nobody home yet"


def _likely(card: Card, plan: Plan, happens: Callable[[Move], bool]) -> float:
    """The probability that the turn played by a plan does something."""
    by_spell = 0.0
    for roll, piece in plan.after_extra_roll.items():
        shown = card if card.rolls else Card(card.face, (roll,))  # which roll is given up makes no difference
        by_spell += happens(Move(shown, piece, "extra-roll", None, roll)) / DIE_SIDES
    if not plan.replies:
        return by_spell
    replies = {roll: by_spell if is_cast(move) else float(happens(move)) for roll, move in plan.replies.items()}
    likely = 0.0
    for keep in reversed(plan.keep[len(card.rolls) :]):
        likely = sum(replies[roll] for roll in keep) / DIE_SIDES + (1 - len(keep) / DIE_SIDES) * likely
    return likely


def plan_words(card: Card, plan: Plan) -> list[str]:
    """How to play a die card: a line for the rolls to keep, and one for each reply with the rolls it answers."""
    lines = [f"{card.face}: {_keeping(plan.keep[len(card.rolls) :])}"] if plan.replies else []
    replies = {roll: _reply(move) for roll, move in plan.replies.items()}
    lines += _by_reply(replies)
    if plan.after_extra_roll:
        lines.append("after extra-roll:")
        pieces = plan.after_extra_roll.items()
        lines += _by_reply({roll: print_piece(piece) if piece else NOTHING for roll, piece in pieces})
    return lines


def _keeping(stages: Sequence[tuple[int, ...]]) -> str:
    """`keep 3 or 4, else roll again; then keep 2, 3 or 4, else roll again`; the last roll always counts."""
    parts = []
    for keep in stages[:-1]:
        if len(keep) == DIE_SIDES:
            parts.append("keep any roll")
            break
        parts.append(f"keep {_either(map(str, keep))}, else roll again" if keep else "roll again in any case")
    return "; then ".join(parts) or "the roll counts"


def _by_reply(replies: Mapping[int, str]) -> list[str]:
    """A line for each reply: `  3, 5: W12`."""
    rolls: dict[str, list[int]] = {}
    for roll, text in sorted(replies.items()):
        rolls.setdefault(text, []).append(roll)
    if len(rolls) == 1:
        return [f"  any roll: {text}" for text in rolls]
    return [f"  {', '.join(map(str, each))}: {text}" for text, each in rolls.items()]


def _reply(move: Move) -> str:
    return "cast extra-roll" if is_cast(move) else print_move(move).split(" ", 1)[1]


def choice_text(choice: Choice) -> str:
    """A choice as it is listed: the move, the face of a card to be rolled, or `roll again`."""
    if choice.move is not None:
        return move_text(choice.move)
    assert choice.card is not None, "a refresh is a move"
    return "roll again" if choice.card.rolls else choice.card.face


def move_text(move: Move) -> str:
    """The text of a move; to cast `extra-roll` is written without the action, which is not known yet."""
    text = print_move(move)
    return text.removesuffix(f" {NOTHING}") if is_cast(move) else text


# Small words ------------------------------------------------------------------------------------------------


def _joined(phrases: Sequence[_Phrase]) -> str:
    texts = [phrase.text for phrase in phrases]
    if len(phrases) == 1:
        return texts[0] + phrases[0].tail
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def _wizards(number: int) -> str:
    return "a wizard" if number == 1 else f"{number} wizards"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _either(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _percent(chance: float) -> str:
    article = "an" if round(100 * chance) in (8, 11, 18, *range(80, 90)) else "a"
    return f"{article} {100 * chance:.0f}%"


def _behind(position: Position, space: int) -> int:
    return (position.keep - space) % SPACES


def _spaces(step: _Step) -> Iterable[tuple[Stack, Stack]]:
    return zip(step.before.stacks, step.after.stacks, strict=True)
