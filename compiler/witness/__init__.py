"""Search for witnesses: small positions in which two rule sets differ."""
