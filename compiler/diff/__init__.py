"""Compare two rule sets: facts, what each does to play, and what it means for games under way."""
