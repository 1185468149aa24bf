"""Build definitions: layers, exceptions, contributions, kept answers."""
