"""Read a book: find its files, collect declarations, check data blocks against schemas, read maps and tables."""
