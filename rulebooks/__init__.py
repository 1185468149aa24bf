"""The transcribed rulebooks, as data files."""
