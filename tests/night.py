"""The parts of tests that are left to the night: every change is tested with less of the same (amounts.py)."""

from collections.abc import Iterable
from typing import Any

import pytest

from tests.amounts import SHARE, examples

__all__ = ["SHARE", "at_night", "by_day", "examples"]


def at_night(*values: Any, id: str | None = None) -> Any:
    """Return a set of parameters that is tried once a night; the short form beside it is tried for every change."""
    return pytest.param(*values, marks=pytest.mark.nightly, id=id)


def by_day(all_of_them: Iterable[Any], *tried: Any) -> list[Any]:
    """Return all sets of parameters, of which these are tried for every change and the others once a night."""
    every = list(all_of_them)
    assert set(tried) <= set(every), f"not among them: {set(tried) - set(every)}"
    sets = ((each, each if isinstance(each, tuple) else (each,)) for each in every)
    return [each if each in tried else at_night(*values) for each, values in sets]
