"""The passes as steps of one value, in the order of the rooms; `pipeline.py` lists them."""
