"""Which looks of a page every change is tested in, and which are left to the night: languages, colours and screens."""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.night import at_night

__all__ = ["ANDROID", "DESKTOP", "FULL_HD", "IPHONE", "LOOKS", "PHONES", "SCREENS", "Screen", "at_night"]
LOOKS = pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), at_night("de-DE", "dark")])
"""English by day, and German in the dark."""


@dataclass(frozen=True)
class Screen:
    """A screen of so many pixels of CSS, each of them `scale` pixels wide; it is touched, or there is a mouse."""

    width: int
    height: int
    scale: int = 1
    has_touch: bool = False

    @property
    def viewport(self) -> dict[str, Any]:
        return {"width": self.width, "height": self.height}

    @property
    def context(self) -> dict[str, Any]:
        """The arguments of playwright's `new_context`."""
        touched = {"has_touch": True, "is_mobile": True} if self.has_touch else {}
        return {"viewport": self.viewport, "device_scale_factor": self.scale, **touched}


DESKTOP, FULL_HD = Screen(1440, 900), Screen(1920, 1080)
IPHONE, ANDROID = Screen(390, 844, scale=3, has_touch=True), Screen(360, 800, scale=3, has_touch=True)
PHONES = {"iphone": IPHONE, "android": ANDROID}
SCREENS = {"desktop": DESKTOP, "full-hd": FULL_HD, **PHONES}
"""The standard sizes."""
