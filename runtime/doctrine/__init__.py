"""Doctrines: players whose choices are written in the language, and can be explained."""
