"""What lies beside the rules of each game for this service: files with data, found without loading the rules."""

from functools import cache
from pathlib import Path

import services.games

_FOLDER = Path(services.games.__path__[0])


@cache
def every_game() -> tuple[str, ...]:
    """Return the ids of all games."""
    return tuple(sorted(path.parent.name for path in _FOLDER.glob("*/facts.json")))


def folder(game: str) -> Path:
    """Return the folder of a game's data."""
    return _FOLDER / game
