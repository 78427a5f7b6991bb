"""What of a test is left to the night: every change is tested with less of the same.

BRETTWERK_EXAMPLES is the share of the usual number of examples: a quarter for every change, twice as many once a night.
"""

import os
from collections.abc import Iterable
from typing import Any

import pytest

SHARE = float(os.environ.get("BRETTWERK_EXAMPLES", "0.25"))
FEWEST = 8
"""What is tried so seldom, since each example takes long, is tried as often for every change."""


def examples(usual: int, few: int = 0) -> int:
    """Return how many examples to try, where so many are usual. `few`: how many for every change, where each takes long."""
    if few and SHARE < 1:
        return few
    return max(min(usual, FEWEST), round(usual * SHARE))


def at_night(*values: Any, id: str | None = None) -> Any:
    """Return a set of parameters that is tried once a night; the short form beside it is tried for every change."""
    return pytest.param(*values, marks=pytest.mark.nightly, id=id)


def by_day(all_of_them: Iterable[Any], *tried: Any) -> list[Any]:
    """Return all sets of parameters, of which these are tried for every change and the others once a night."""
    every = list(all_of_them)
    assert set(tried) <= set(every), f"not among them: {set(tried) - set(every)}"
    sets = ((each, each if isinstance(each, tuple) else (each,)) for each in every)
    return [each if each in tried else at_night(*values) for each, values in sets]
