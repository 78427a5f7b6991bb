"""The Chromium of this machine, for tests and measurements of the pages.

Debian's headless shell is asked for first: the whole Chromium draws a window of its own for every user, headless or not, which
takes ten times the CPU of an empty page.
"""

import shutil
from collections.abc import Sequence

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PACKAGES: Sequence[str] = ("chromium-headless-shell", "chromium")
"""Debian's names for them, the better first; older releases have the second only."""
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


def find() -> str | None:
    """Return the program on the PATH; None where there is none, and playwright has to have its own."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)
