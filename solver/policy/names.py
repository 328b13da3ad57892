"""The names of policies with their parameters, as users write them: `expectimax:depth=2,value=hand`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from solver.errors import Refused
from solver.notation.numbers import quote, split_items
from solver.rules import DECK_SIZE
from solver.search.situation import LEARNED, MOST_DEPTH, VALUES

NONE = "none"
MOST_WIDTH = 1 << 22

_OWN = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")  # module:Class
_OPTION = re.compile(r"([A-Za-z_]\w*)=(.*)")


@dataclass(frozen=True)
class Parameter:
    """A number, or one of some words, that a policy can be given."""

    name: str
    usual: str
    meaning: str
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0  # 0: only words

    @property
    def range(self) -> str:
        """What can be given, in words."""
        numbers = [f"a number from {self.low} to {self.high:,}"] if self.high else []
        return " or ".join([*numbers, *self.words])

    def read(self, text: str) -> str:
        """The value as it is written, refused if it is none."""
        word = text.strip().lower()
        if word in self.words or (word.isascii() and word.isdigit() and self.low <= int(word[:19]) <= self.high):
            return word.lstrip("0") or word
        raise Refused(f"{self.name}: expected {self.range}, not {quote(text)}")


@dataclass(frozen=True)
class Entry:
    """A policy that comes with the program."""

    name: str
    about: str
    parameters: tuple[Parameter, ...] = ()


_DEPTH = Parameter("depth", "2", "turns it looks ahead", (), 1, MOST_DEPTH)
_VALUE = Parameter("value", LEARNED, "what judges positions where it stops", words=VALUES)
_WITHIN = Parameter(
    "within", NONE, "plays for the chance to be done with so many cards, not for the fewest", (NONE,), 1, DECK_SIZE
)
_WIDTH = Parameter("width", "1000", "plans that it keeps for each turn; more are better and slower", (), 1, MOST_WIDTH)

RANDOM, GREEDY, EXPECTIMAX, CLAIRVOYANT = "random", "greedy", "expectimax", "clairvoyant"
CATALOGUE = (
    Entry(RANDOM, "any card of the hand, however it falls, and any of its moves, all as likely"),
    Entry(GREEDY, "one turn ahead with a hand-made value: cards a wizard, cards a prison, who can enter soon"),
    Entry(LEARNED, "one turn ahead with the learned value", (_WITHIN,)),
    Entry(EXPECTIMAX, "some turns ahead over all draws and rolls, then the value", (_DEPTH, _VALUE, _WITHIN)),
    Entry(
        CLAIRVOYANT, "knows the order of the deck and all rolls: what was possible, not how to play; a game without "
        "a line found is undecided", (_WIDTH,),
    ),
)  # fmt: skip
BY_NAME = {entry.name: entry for entry in CATALOGUE}


@dataclass(frozen=True)
class PolicyName:
    """A policy as it was named: one of the catalogue, or the `module:Class` of somebody's own."""

    name: str
    options: tuple[tuple[str, str], ...] = ()  # those that differ from what is usual

    @property
    def is_own(self) -> bool:
        """Whether it is a class of the user's."""
        return self.name not in BY_NAME

    def __str__(self) -> str:
        if not self.options:
            return self.name
        return self.name + ("," if self.is_own else ":") + ",".join(f"{key}={value}" for key, value in self.options)

    def option(self, name: str) -> str:
        """The value of a parameter of a policy of the catalogue."""
        usual = {each.name: each.usual for each in BY_NAME[self.name].parameters}
        return dict(self.options).get(name, usual[name])


def parse_policy(text: str) -> PolicyName:
    """`learned`, `expectimax:depth=3`, or `module:Class` with `,key=value` for each argument of the class."""
    name, _, options = text.strip().partition(":")
    entry = BY_NAME.get(name.strip().lower())
    if entry is not None:
        return PolicyName(entry.name, _read(entry, options))
    if not text.strip().isprintable():  # names are shown, in files and commands too
        raise Refused(f"expected a policy that can be printed, not {quote(text)}")
    own, _, options = text.strip().partition(",")
    if not _OWN.fullmatch(own):
        names = ", ".join(BY_NAME)
        raise Refused(f"expected one of {names}, or module:Class for a policy of your own, not {quote(text)}")
    return PolicyName(own, tuple(_split(options)))


def _read(entry: Entry, options: str) -> tuple[tuple[str, str], ...]:
    given = dict(_split(options))
    known = {parameter.name: parameter for parameter in entry.parameters}
    for name in given:
        if name not in known:
            what = f"its parameters are {', '.join(known)}" if known else "it has no parameters"
            raise Refused(f"{entry.name} has no parameter {quote(name)}; {what}")
    read = {name: parameter.read(given.get(name, parameter.usual)) for name, parameter in known.items()}
    return tuple((name, value) for name, value in read.items() if value != known[name].usual)


def _split(options: str) -> list[tuple[str, str]]:
    found: dict[str, str] = {}
    for item in split_items(options):
        match = _OPTION.fullmatch(item)
        if match is None:
            raise Refused(f"expected name=value in a policy, not {quote(item)}")
        if match[1] in found:
            raise Refused(f"the parameter {quote(match[1])} of the policy is given twice")
        found[match[1]] = match[2]
    return list(found.items())

