"""Pictures of a position: text for terminals, SVG for paper and screens."""

from solver.draw.svg import draw_svg
from solver.draw.text import draw_text

__all__ = ["draw_svg", "draw_text"]
