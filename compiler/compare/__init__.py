"""One question to all books: how each defines a concept, in words, and in what they differ."""
