"""How many examples of a property are tried. Without pytest: the conformance kit runs where a game is written, too.

BRETTWERK_EXAMPLES is the share of the usual number: an eighth for every change, twice as many once a night.
"""

import os

SHARE = float(os.environ.get("BRETTWERK_EXAMPLES", "0.125"))
FEWEST = 8
"""Tests that have no more examples than this, since each takes long, have as many for every change."""


def examples(usual: int, few: int = 0) -> int:
    """Return how many examples to try, where so many are usual. `few`: how many for every change, where each takes long."""
    if few and SHARE < 1:
        return few
    return max(min(usual, FEWEST), round(usual * SHARE))
