"""The command `towers`: every command in a file of its own, loaded when it is called."""

from __future__ import annotations

import sys

COMMANDS = {  # name -> module of this package that holds `command`; the order of the help
    "play": "play",
    "resume": "resume",
    "review": "review",
    "what-if": "what_if",
    "show": "show",
    "moves": "moves",
    "replay": "replay",
    "solve": "solve",
    "advise": "advise",
    "simulate": "simulate",
    "compare": "compare",
    "runs": "runs",
    "policies": "policies",
    "learn": "learn",
    "puzzle": "puzzle",
    "serve": "serve",
    "perft": "perft",
    "rules": "rules",
    "docs": "docs",
    "completion": "completion",
}


def main() -> None:
    """Run the command and exit; Ctrl-C ends it with 130 and no traceback, also while modules are being loaded."""
    try:
        from solver.cli.group import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        if sys.stderr is not None:
            print("towers: stopped", file=sys.stderr)
        code = 130
    sys.exit(code)
