"""Playtests: many games between named players, and what they amount to."""
