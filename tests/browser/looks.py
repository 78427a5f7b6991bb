"""Which looks of a page every change is tested in, and which are left to the night: languages, colours and screens."""

from typing import Any

import pytest


def at_night(*values: Any, id: str | None = None) -> Any:
    """Return a set of parameters that is tried once a night; the short form beside it is tried for every change."""
    return pytest.param(*values, marks=pytest.mark.nightly, id=id)


LOOKS = pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), at_night("de-DE", "dark")])
"""English by day, and German in the dark."""
