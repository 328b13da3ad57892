"""`python -m solver` is the command `towers`."""

from solver.cli import main

main()
