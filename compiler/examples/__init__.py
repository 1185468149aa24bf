"""Worked examples: run them, mutate the rules under them, report coverage."""
