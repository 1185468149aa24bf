"""Hostile and broken input, by the hundred thousand: six campaigns and the command line.

Use: PYTHONPATH=tools python -m fuzz CAMPAIGN [--count N] [--seed S] [--only I] [--report FILE]

Each campaign is one module with `TITLE`, `WHAT` (what is done and what must hold), `COUNT` (how many inputs the
long run takes) and `run(tally, count)`. `make fuzz` runs them all and writes docs/fuzz; tests/fuzz runs a few
seconds of each.
"""

CAMPAIGNS = ("front_end", "choices", "saves", "books", "secrets", "arguments", "socket")
