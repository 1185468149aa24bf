"""A player for any book: it tries what it may do by games played out, and needs nothing but the rules."""
