"""Players: what decides every turn of a game, by name."""
