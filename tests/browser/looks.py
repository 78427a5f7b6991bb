"""Which looks of a page every change is tested in, and which are left to the night: languages, colours and screens."""

import pytest

from tests.night import at_night

__all__ = ["LOOKS", "at_night"]
LOOKS = pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), at_night("de-DE", "dark")])
"""English by day, and German in the dark."""
