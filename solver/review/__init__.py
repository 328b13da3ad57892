"""What a game was worth, turn by turn: what luck did and what play did, and words for it."""
