"""A run: everything that shapes its games, and the header that says so in a file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from math import isnan, nan
from pathlib import Path
from typing import Any

import solver
from solver.errors import Refused
from solver.notation import parse_position, parse_rules, parse_spells, print_position, print_rules
from solver.notation.deals import MOST_SEED
from solver.policy.names import PolicyName, parse_policy
from solver.search.situation import EVERY_CARD, Situation

FORMAT = "towers-run"
FORMAT_VERSION = 1
# What can change how a game goes. Texts, pictures and commands cannot.
_SHAPING = ("rules.py", "layout.py", "deal.py", "game.py", "referee.py", "engine", "search", "value", "policy")


@dataclass(frozen=True)
class Run:
    """Games of one policy, from one start, with the luck of one seed."""

    start: Situation
    policy: PolicyName
    seed: int
    less_luck: bool = False  # the luck of each game is measured

    def header(self, digest: str = "", expected: float = nan) -> dict[str, Any]:
        """All of it in plain words and numbers; `digest` and `expected` are known to the player only."""
        start = self.start
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "version": solver.__version__,
            "engine": engine_digest(),
            "position": print_position(start.position),
            "spells": list(start.spells),
            "rules": print_rules(start.rules),
            "policy": str(self.policy),
            "policy_digest": digest,
            "seed": self.seed,
            "less_luck": self.less_luck,
            "expected": None if isnan(expected) else expected,
        }


# What a header must have, so that nothing else is taken for one.
_TYPES: dict[str, type | tuple[type, ...]] = {
    "version": str,
    "engine": str,
    "position": str,
    "spells": list,
    "rules": str,
    "policy": str,
    "policy_digest": str,
    "seed": int,
    "less_luck": bool,
    "expected": (float, int, type(None)),
}


def run_of(header: dict[str, Any]) -> Run:
    """The run that a header describes."""
    for name, kind in _TYPES.items():
        found = header.get(name, kind)  # a type is never a value of JSON, so nothing fits where it is missing
        if not isinstance(found, kind) or isinstance(found, bool) != (kind is bool):
            raise Refused(f"the header of the run has no '{name}' that can be understood")
    if not 0 <= header["seed"] <= MOST_SEED or not all(isinstance(each, str) for each in header["spells"]):
        raise Refused("the header of the run has a seed or spells that cannot be understood")
    rules = parse_rules(header["rules"])
    spells = parse_spells(",".join(header["spells"]))
    start = Situation(parse_position(header["position"], rules), (), EVERY_CARD, 0, spells, rules)
    return Run(start, parse_policy(header["policy"]), header["seed"], header["less_luck"])


@cache
def engine_digest() -> str:
    """A short name for everything in the package that decides how a game goes."""
    package = Path(solver.__file__).parent
    found = hashlib.sha256()
    for name in _SHAPING:
        path = package / name
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.suffix in (".py", ".npz"):
                found.update(f"{file.relative_to(package).as_posix()}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()[:12]
