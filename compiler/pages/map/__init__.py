"""Maps and counters as pictures: one module a layer, put together by `draw`."""
