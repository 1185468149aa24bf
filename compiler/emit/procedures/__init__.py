"""Build procedures: blocks, statements, and what can step in between."""
