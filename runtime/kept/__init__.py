"""Answers that are kept: about single places, of searches, while something is supposed, and in a copy."""
