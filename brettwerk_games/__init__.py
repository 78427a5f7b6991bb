"""The games, their computer players and what both need: a package of its own, which knows nothing of the server.

    from brettwerk_games import load

    game = load("emperado")

`rules` holds the games (`rules/interface.py` says what one is), `players` the computer players, `packages` finds games that
others have written and installed, and `api` has what these may import.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # who needs a part only, as the gateway does, loads no rules
    from brettwerk_games.rules.interface import AnyGame

OWN = tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("rules/*/facts.json")))
"""The ids of the games that come with the package."""


def load(game: str) -> "AnyGame":
    """Return a game by its id: one of `OWN`, or one that is installed beside. Raises LookupError, which names those there are."""
    if game in OWN:
        found: AnyGame = import_module(f"brettwerk_games.rules.{game}").GAME
        return found
    from brettwerk_games.rules.registry import games

    if game not in games():
        raise LookupError(f"there is no game {game}, but {', '.join(games())}")
    return games()[game]
