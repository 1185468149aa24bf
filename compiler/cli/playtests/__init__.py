"""Commands that play many games: playtests, and the tuning of doctrines."""
