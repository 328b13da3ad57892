"""A goal in plain objects: what a puzzle asks for, when it is not the game's own goal."""

from __future__ import annotations

from dataclasses import dataclass

ALL = -1  # instead of a number of wizards: as many as there are


@dataclass(frozen=True)
class Goal:
    """Everything that must hold at once; what is None is not asked for."""

    home: int | None = None  # at least so many wizards home, or ALL
    bottles: int | None = None  # at least so many bottles not empty, spent ones included
    nobody_imprisoned: bool = False
    keep: int | None = None  # the space the keep stands on
