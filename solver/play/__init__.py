"""A game being played: what is on the table, where its cards and rolls come from, and the file it is kept in."""
