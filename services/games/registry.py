"""The games that there are: every folder here whose package has a `GAME`. A new folder is found by itself."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import services.games
from services.games.interface import AnyGame


@cache
def games() -> Mapping[str, AnyGame]:
    """Return all games by id, in order of id."""
    found: dict[str, AnyGame] = {}
    for module in pkgutil.iter_modules(services.games.__path__):
        if module.ispkg:
            game: AnyGame | None = getattr(importlib.import_module(f"services.games.{module.name}"), "GAME", None)
            if game is not None:
                found[game.facts.id] = game
    return MappingProxyType(dict(sorted(found.items())))
