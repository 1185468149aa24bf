"""Choice spaces: what is legal, the ways to choose it, and plans that complete a duty."""
