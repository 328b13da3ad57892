"""Search: one kind a file."""
