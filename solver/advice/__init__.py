"""Advice for a turn while the deck's order and the die are unknown: what to do, by how much, and why."""
