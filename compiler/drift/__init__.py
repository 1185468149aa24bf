"""Hold a printed text against the transcription of a book, without a word of the print."""
