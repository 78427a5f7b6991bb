"""The files beside the rules of each game for this service: files with data, found without loading the rules."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

import brettwerk_games.rules
from brettwerk_games.packages import discovery, faults
from brettwerk_games.packages.trial import trial
from services.runtime.logs import logger
from services.runtime.refusal import left_out, unknown

T = TypeVar("T")
log = logger(__name__)

_FOLDER = Path(brettwerk_games.rules.__path__[0])


@cache
def every_game() -> tuple[str, ...]:
    """Return the ids of all games: Brettwerk's own, and those that are installed beside it and not left out."""
    own = (path.parent.name for path in _FOLDER.glob("*/facts.json"))
    return tuple(sorted({*own, *trial().games}))


def require_game(game: str) -> None:
    """Make sure that there is a game of this id. Raises Refused: UNKNOWN, or UNAVAILABLE for a game that is left out."""
    if game not in every_game():
        raise left_out(game) if game in trial().left_out else unknown("game", "game", game, every_game())


def read(game: str, file: str, parse: Callable[[Path], T], without: T) -> T:
    """Return what a file beside a game's rules holds; `without` where there is none.

    Raises what `parse` raises for one of our games; of a package such a file is left out, and the log says why.
    """
    path = folder(game) / file
    if not path.is_file():
        return without
    try:
        return parse(path)
    except Exception as error:
        if path.is_relative_to(_FOLDER):
            raise
        log.error(f"the game {game} is without its {file}: {faults.reason(error)}", game=game)
        return without


def folder(game: str) -> Path:
    """Return the folder of a game's data. Raises KeyError for a game that there is not."""
    own = _FOLDER / game
    return own if (own / "facts.json").is_file() else discovery.folder(game)
