"""The compiler: from case blocks to generated Python modules."""
