"""Puzzles: files, proofs of their claims, their difficulty, new ones, and books of them."""
