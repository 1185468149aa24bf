"""A game as one page that replays it: what changed at each choice, why it was allowed, on the map of the gallery."""
