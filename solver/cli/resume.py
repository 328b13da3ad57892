"""`towers resume`: it stands with `towers play`, of which it is the second half."""

from __future__ import annotations

from solver.cli.play import resume as command

__all__ = ["command"]
