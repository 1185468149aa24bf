"""What declarations mean: one canonical form for all ways of writing the same thing."""
