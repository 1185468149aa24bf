"""Chances: where rolls end, and what they come to before and after a change."""
