"""Learning the value from games played against oneself."""
