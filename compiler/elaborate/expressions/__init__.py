"""Elaborate expressions: a module for each family of forms, put together in build.py."""
