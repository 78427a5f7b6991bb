"""Which version of the interface for games an installed game is written for.

Its facts.json says so (`"interface": 1`); one that says nothing is written for the first. docs/compatibility.md says what the
version is of, and when it changes. It is read without loading the game, which might fail at anything else.
"""

import json

from services.game_packages.finding import folder, installed

INTERFACE = 1
"""The version that this Brettwerk has."""


def require_interface(game: str) -> None:
    """Make sure that an installed game is written for this Brettwerk. Raises ValueError that says in a sentence what is wrong.

    Raises KeyError for a game that is not installed, OSError for one without facts.
    """
    facts = json.loads((folder(game) / "facts.json").read_text("utf-8"))
    if (stated := facts.get("interface", 1)) != INTERFACE:
        package = installed()[game].module
        raise ValueError(
            f"the package {package} is written for version {stated} of the interface for games, but this Brettwerk has version "
            f"{INTERFACE}: install a release of the package that fits, or uninstall it"
        )
