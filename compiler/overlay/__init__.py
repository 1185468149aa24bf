"""Overlays: read their heads, choose and order them, apply their amendments to the syntax of a book."""
