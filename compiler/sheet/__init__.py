"""The errata sheet: what changed from one rule set to another, in words and pictures, ready to post."""
