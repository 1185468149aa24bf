"""Rule sets as they stood at a revision of a git repository."""
