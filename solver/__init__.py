"""A solver for the solitaire modes of Wandering Towers. Importing this imports no numba."""

__version__ = "0.1.0"
