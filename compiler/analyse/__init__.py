"""Analyses of the core: dependencies, order of exceptions, value ranges, inlining, invalidation."""
