"""Rule sets as environments for learning: Gymnasium, PettingZoo, OpenSpiel.

`match.py` and `sight.py` need no third-party package; each adapter needs its own library (extra `learning`).
"""
