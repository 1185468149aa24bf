"""Expressions in a position: read, compiled one by one, worked out and explained."""
