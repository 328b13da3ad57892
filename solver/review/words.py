"""A review in plain words: what was given away, what luck did, and what it all came to."""

from __future__ import annotations

from typing import NamedTuple

from solver.advice.words import choice_text, reason_of
from solver.game import PLAYING, WON
from solver.notation import print_cards, print_rules
from solver.notation.numbers import counted
from solver.review.ledger import DEAL, LABELS, LEAST_TOLD, ROLL, Account, Decision, Luck, TurnAccount
from solver.rules import grade
from solver.search.situation import Situation

MOST_POINTS = 6  # turning points told
SMALL = 0.3  # cards; less is no turning point
DOUBT = "the estimate changed its own mind by much, so take luck and losses for rough; it knows games played to be won"
UNLUCKY = 0.5  # cards; a turn with less bad luck is not called unlucky


class TurningPoint(NamedTuple):
    """Something that changed what was expected by much."""

    turn: int  # 0: the deal
    amount: float  # cards; more is worse
    luck: Luck | None  # or else a decision
    decision: Decision | None


def mode_words(start: Situation) -> str:
    """`solo`, or the spells; and the rules, if they are not the rulebook's."""
    rules = print_rules(start.rules)
    return (", ".join(start.spells) or "solo") + (f"; rules: {rules}" if rules else "")


def turning_points(account: Account) -> list[TurningPoint]:
    """The greatest of them, the greatest first."""
    found = [TurningPoint(0, account.deal.amount, account.deal, None)]
    for turn in account.turns:
        found += [TurningPoint(turn.number, roll.amount, roll, None) for roll in turn.rolls]
        if turn.draw is not None:
            found.append(TurningPoint(turn.number, turn.draw.amount, turn.draw, None))
        found += [TurningPoint(turn.number, each.loss, None, each) for each in turn.decisions if not each.is_fine]
    large = [point for point in found if abs(point.amount) >= SMALL]
    return sorted(large, key=lambda point: (-abs(point.amount), point.turn))[:MOST_POINTS]


def point_words(point: TurningPoint) -> str:
    """`turn 12, bad luck, +0.95 cards: drew w4`."""
    place = f"turn {point.turn}" if point.turn else "the deal"
    if point.luck is not None:
        name = "bad luck" if point.amount > 0 else "good luck"
        return f"{place}, {name}, {point.amount:+.2f} cards: {luck_words(point.luck)}"
    assert point.decision is not None
    decision = point.decision
    name = decision.label or "given away"
    points = f", {100 * decision.points:.0f} points" if decision.points >= LEAST_TOLD else ""
    return f"{place}, {name}, {point.amount:+.2f} cards{points}: {instead(decision)}"


def instead(decision: Decision) -> str:
    """`w3 W5; better w4 W2, which brings a wizard home`."""
    return f"{choice_text(decision.played)}; better {better(decision)}"


def better(decision: Decision) -> str:
    """The better choice, and why."""
    return f"{choice_text(decision.best)}: {reason_of(decision.situation, decision.best)}"


def luck_words(luck: Luck) -> str:
    """What came."""
    if luck.kind == ROLL:
        card = luck.came[0]
        if luck.new_roll is not None:
            return f"{card.face} rolled {luck.new_roll} by extra-roll"
        return f"{card.face} rolled {card.rolls[-1]}"
    return f"{'dealt' if luck.kind == DEAL else 'drew'} {print_cards(luck.came)}"


def verdict(account: Account) -> list[str]:
    """What was scored, what best play would have expected, how well it was played, and the last unlucky turn."""
    return [
        _scored(account), _with_this_luck(account), _played(account), *_last_unlucky(account), *_doubts(account)
    ]  # fmt: skip


def _scored(account: Account) -> str:
    cards = counted(account.end.discards, "card")
    if account.status == PLAYING:
        return f"The game goes on: {cards} played, {account.result:.1f} expected in the end."
    how = f"won with {cards}" if account.status == WON else f"lost after {cards}, which counts as {account.result:.0f}"
    return f"You {how}: {account.grade}."


def _with_this_luck(account: Account) -> str:
    fair = account.expected + account.luck
    luck = abs(account.luck)
    kind = "bad" if account.luck > 0 else "good"
    came = f"{luck:.1f} cards of {kind} luck" if luck >= 0.05 else "luck that evened out"
    start = f"{account.expected:.1f} at the start"
    return f"With your luck, best play would have expected {fair:.1f} cards: {start}, and {came}."


def _played(account: Account) -> str:
    turns = len(account.turns)
    if not turns:
        return "No turn was played yet."
    share = f"{100 * account.accuracy:.0f} %"
    were = "was" if turns == 1 else "were"
    text = f"{account.fine} of {counted(turns, 'turn')} ({share}) {were} the best or too close to call"
    labels = [each.label for turn in account.turns for each in turn.decisions if each.label]
    counts = {name: labels.count(name) for _, name in LABELS}
    named = [_counted_label(number, name) for name, number in counts.items() if number]
    faults = f", with {', '.join(named)}" if named else ""
    return f"{text}; play gave away {account.losses:.1f} cards{faults}."


def _counted_label(number: int, name: str) -> str:
    if number == 1:
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    return f"{number} {name.removesuffix('y')}ies" if name.endswith("y") else f"{number} {name}s"


def _last_unlucky(account: Account) -> list[str]:
    """Whether the last unlucky turn mattered: whether the grade would be another without it."""
    if account.status == PLAYING:
        return []
    unlucky = [turn for turn in account.turns if turn.luck >= UNLUCKY]
    if not unlucky:
        return ["No turn was unlucky by half a card or more."]
    last = unlucky[-1]
    came = " and ".join(luck_words(each) for each in lucks_of(last) if each.amount > 0)
    without = account.result - last.luck
    instead_of = grade(round(without))
    if instead_of == account.grade:
        matters = f"did not matter: without it {without:.1f} cards, {instead_of} all the same"
    else:
        matters = f"mattered: without it {without:.1f} cards, {instead_of}"
    return [f"The last unlucky turn, {last.number} ({came}, {last.luck:+.1f}), {matters}."]


def _doubts(account: Account) -> list[str]:
    """A warning where the estimate knew little of the game, as of one that was thrown away."""
    return [f"{DOUBT[0].upper()}{DOUBT[1:]}."] if account.is_doubtful else []


def lucks_of(turn: TurnAccount) -> list[Luck]:
    """All luck in a turn, in order."""
    return [*turn.rolls, *([turn.draw] if turn.draw else [])]


def sum_of(account: Account) -> list[tuple[str, float]]:
    """The lines of the sum, in hundredths; the last one is what the others add up to, as they are printed."""
    told = [
        ("expected at the start", round(account.expected, 2)),
        ("luck of the cards", round(account.luck_of_cards, 2)),
        ("luck of the die", round(account.luck_of_dice, 2)),
        ("given away by play", round(account.losses, 2)),
    ]
    result = round(account.result, 2)
    drift = round(result - sum(amount for _, amount in told), 2) + 0.0  # never -0
    end = "result" if account.status != PLAYING else "expected now"
    return [*told, ("drift of the estimate", drift), (end, result)]
