"""The runtime: state, decisions, search, dice and the journal; no rule of any game."""
