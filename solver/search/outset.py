"""A turn to be decided, as kernels see it: the state of the game and what the player wants."""

from __future__ import annotations

from collections import Counter

from solver.engine.table import cost_of, rule_table
from solver.errors import Refused
from solver.layout import pack
from solver.move import Card
from solver.notation import print_card, print_cards
from solver.position import Position
from solver.rules import FACE_NUMBER, FACES, FILL_POTION, HAND_SIZE, SPELL_NUMBER
from solver.search.goal import goal_table, reached
from solver.search.leaf import Eye, Judge, Scale
from solver.search.outlook import Aim, State
from solver.search.pile import pile_of
from solver.search.situation import HAND, LEARNED, Objective, Situation
from solver.value.weights import SOLO, SPELLS, Value, hand_made, shipped

NO_LIMIT = 10_000  # instead of a number of cards or bottles: more than there are


def state_of(situation: Situation) -> State:
    """The state of the game before the turn."""
    hand = pile_of(FACE_NUMBER[card.face] for card in situation.hand)
    deck = pile_of(face for face, number in enumerate(situation.deck) for _ in range(number))
    return State(*pack(situation.position), hand, deck, 0, sum(situation.deck), situation.played)


def before_deal(start: Situation) -> State:
    """The state of a game whose hand is still to be drawn; where one is known already, nothing is."""
    return state_of(start)._replace(owed=0 if start.hand else HAND_SIZE)


def aim_of(situation: Situation, objective: Objective) -> Aim:
    """What the game is, and what the player wants."""
    rules, spells = situation.rules, situation.spells
    table = rule_table(rules, spells)
    limit = NO_LIMIT if rules.card_limit is None else rules.card_limit
    within = -1 if objective.within is None else objective.within
    # See `outlook.look_ahead`: three cards are in the hand before the last turn, and one is left in the deck, but the
    # card of the last turn is counted too. A limit of cards does not allow more turns with a card than itself.
    most = min(situation.played + len(situation.hand) + sum(situation.deck) - HAND_SIZE, limit)
    return Aim(
        plain=table._replace(refresh=False),
        refreshing=table,
        goal=goal_table(situation.goal, situation.position, rules, spells),
        cheapest=min((rules.spell_costs[name] for name in spells), default=NO_LIMIT),
        most=most if objective.within is None else min(most, within),
        card_limit=limit,
        within=within,
        loss=float(objective.loss_cards) if objective.within is None else 1.0,
    )


def judge_of(situation: Situation, objective: Objective, value: Value) -> Judge:
    """What tells the worth of a position to the player."""
    aim = aim_of(situation, objective)
    others = [name for name in situation.spells if name != "movement-swap"]
    return Judge(
        aim,
        rule_table(situation.rules, others)._replace(refresh=False),
        Eye(
            own_goal=situation.goal is None,
            spells=sum(1 << (SPELL_NUMBER[name] - 1) for name in situation.spells),
            fill_cost=int(cost_of(FILL_POTION, aim.plain)),
            weights=value.weights,
        ),
        Scale(aim.within, aim.loss, value.chances),
    )


def value_for(position: Position, name: str = LEARNED) -> Value:
    """The value that fits a position."""
    if name == HAND:
        return hand_made()
    return shipped(SOLO if position.bottles is None else SPELLS)


def check_start(situation: Situation) -> None:
    """Refuse what is no game that can be played."""
    rules = situation.rules
    if "retrieve-card" in situation.spells and rules.spell_costs["retrieve-card"] == 0:
        raise Refused("with 'retrieve-card' for nothing a game could go on for ever")
    aim = goal_table(situation.goal, situation.position, rules, situation.spells)
    if reached(*pack(situation.position), aim):
        raise Refused("the position meets the goal already")
    if rules.card_limit is not None and situation.played >= rules.card_limit:
        raise Refused(f"the game is lost already, with {situation.played} cards in the discard pile")


def check(situation: Situation) -> None:
    """Refuse what is no turn to decide."""
    check_start(situation)
    rolled = situation.rolled
    if not situation.hand:
        raise Refused("the hand is empty; expected cards such as 'w3,w1t5'")
    if len(situation.deck) != len(FACES) or min(situation.deck) < 0:
        raise Refused(f"the deck is one number for each of the {len(FACES)} faces")
    known = Counter(card.face for card in situation.hand)
    for face, number in zip(FACES, situation.deck, strict=True):
        if known[face.name] + number > face.copies:
            there = known[face.name] + number
            raise Refused(f"there are {face.copies} '{face.name}', and hand and deck have {there}")
    for card in situation.hand:
        if card.rolls:
            raise Refused(f"'{print_card(card)}' in the hand is rolled; only the card on the table can be")
    if rolled is not None and (not rolled.has_die or not 1 <= len(rolled.rolls) <= rolled.data.rolls):
        raise Refused(f"'{print_card(rolled)}' is no die card with its rolls so far")
    if situation.new_roll is not None and (rolled is None or "extra-roll" not in situation.spells):
        raise Refused("a new roll is there only by 'extra-roll', for a card on the table")
    if rolled is not None and Card(rolled.face) not in situation.hand:
        raise Refused(f"'{print_card(rolled)}' was rolled and is not in the hand ({print_cards(situation.hand)})")
