"""Commands that write papers: the errata sheet, the comparison of books, the reference."""
