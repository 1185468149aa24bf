"""The living edition: a rule set as a rulebook to read and print."""
