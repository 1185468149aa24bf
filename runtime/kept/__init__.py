"""Answers that are kept: about single places, of searches, and while something is supposed."""
