"""From the name of a policy to the player that plays by it."""

from __future__ import annotations

from solver.errors import Refused
from solver.policy.at_random import RandomPlayer
from solver.policy.clairvoyant import Clairvoyant
from solver.policy.names import CLAIRVOYANT, EXPECTIMAX, GREEDY, NONE, RANDOM, PolicyName
from solver.policy.own import OwnPlayer, load, source_digest
from solver.policy.player import Player
from solver.policy.seer import Seer
from solver.search.outset import check_start, value_for
from solver.search.situation import HAND, LEARNED, Situation


def player_for(name: PolicyName, start: Situation, seed: int, with_luck: bool = False) -> Player:
    """A player for the games of one seed; `with_luck`: it measures the luck in them."""
    check_start(start)
    if name.is_own:
        return OwnPlayer(name, start, seed, with_luck)
    if name.name in (RANDOM, CLAIRVOYANT):
        if with_luck:
            raise Refused(f"luck cannot be taken off with '{name}': it has no value that tells what is expected")
        return RandomPlayer(start, seed) if name.name == RANDOM else Clairvoyant(start, seed, int(name.option("width")))
    if name.name == GREEDY:
        return Seer(start, seed, 1, HAND, None, with_luck)
    depth = int(name.option("depth")) if name.name == EXPECTIMAX else 1
    within = None if name.option("within") == NONE else int(name.option("within"))
    if with_luck and within is not None:
        raise Refused(f"luck cannot be taken off with '{name}': it is measured in cards, and this plays for a chance")
    return Seer(start, seed, depth, _value(name), within, with_luck)


def digest_of(name: PolicyName, start: Situation) -> str:
    """What a policy is besides its name: the value it plays by, or the text of its module; '' if there is nothing."""
    if name.is_own:
        return source_digest(load(name))
    if name.name in (RANDOM, CLAIRVOYANT, GREEDY):
        return ""
    return value_for(start.position, _value(name)).digest if _value(name) == LEARNED else ""


def _value(name: PolicyName) -> str:
    return name.option("value") if name.name == EXPECTIMAX else LEARNED
