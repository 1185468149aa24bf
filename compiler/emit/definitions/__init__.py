"""Build definitions: layers, exceptions, contributions, memoised results."""
