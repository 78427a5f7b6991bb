"""What lies beside the rules of each game for this service: files with data, found without loading the rules."""

from functools import cache
from pathlib import Path

import services.games
from services.game_packages import finding

_FOLDER = Path(services.games.__path__[0])


@cache
def every_game() -> tuple[str, ...]:
    """Return the ids of all games: Brettwerk's own, and those that are installed beside it."""
    own = (path.parent.name for path in _FOLDER.glob("*/facts.json"))
    return tuple(sorted({*own, *finding.installed()}))


def folder(game: str) -> Path:
    """Return the folder of a game's data. Raises KeyError for a game that there is not."""
    own = _FOLDER / game
    return own if (own / "facts.json").is_file() else finding.folder(game)
