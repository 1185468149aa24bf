"""Generated code and the oracle, side by side: see tools/twins.py."""
