"""The rules in words: every declaration of the core as English sentences."""
