"""A game under way carried over to other rules, from its present position on."""
