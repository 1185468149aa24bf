"""The files of games: their layout on disk, who holds them, and the positions that a game can go back to."""
