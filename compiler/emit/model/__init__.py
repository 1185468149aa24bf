"""The emission model: Python-shaped nodes, built by the emitters and printed in one place."""
