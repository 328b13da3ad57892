"""The value of a position: how many further cards it needs on average, as the sum of entries of tables."""
