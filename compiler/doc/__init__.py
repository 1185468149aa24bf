"""Reference pages of a rule set and change notes of a diff."""
