"""What lies beside the rules of each game for this service: files with data, found without loading the rules."""

from functools import cache
from pathlib import Path

import services.games
from services.game_packages import finding
from services.game_packages.trial import trial
from services.runtime.refusal import left_out, unknown

_FOLDER = Path(services.games.__path__[0])


@cache
def every_game() -> tuple[str, ...]:
    """Return the ids of all games: Brettwerk's own, and those that are installed beside it and not left out."""
    own = (path.parent.name for path in _FOLDER.glob("*/facts.json"))
    return tuple(sorted({*own, *trial().games}))


def require_game(game: str) -> None:
    """Make sure that there is a game of this id. Raises Refused: UNKNOWN, or UNAVAILABLE for a game that is left out."""
    if game not in every_game():
        raise left_out(game) if game in trial().left_out else unknown("game")


def folder(game: str) -> Path:
    """Return the folder of a game's data. Raises KeyError for a game that there is not."""
    own = _FOLDER / game
    return own if (own / "facts.json").is_file() else finding.folder(game)
