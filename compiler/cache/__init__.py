"""Results kept between edits and between runs: parsed blocks, passed checks, incremental pass results."""
