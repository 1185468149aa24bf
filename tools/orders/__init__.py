"""The same book in another order of files, cases, declarations and rosters: it must be the same game."""
