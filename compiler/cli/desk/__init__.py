"""A player's desk in the terminal: screen, board in letters, choices built step by step."""
