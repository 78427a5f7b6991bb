"""The games that there are: every folder here whose package has a `GAME`, and those installed beside (services/game_packages)."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import services.games
from services.game_packages.contract import contracts
from services.game_packages.discovery import installed
from services.game_packages.trial import trial
from services.games.interface import AnyGame, Game, completed


@cache
def games() -> Mapping[str, AnyGame]:
    """Return all games by id, in order of id: Brettwerk's own, and those installed ones that have passed their trial."""
    found: dict[str, AnyGame] = {}
    for module in pkgutil.iter_modules(services.games.__path__):
        if module.ispkg:
            game: AnyGame | None = getattr(importlib.import_module(f"services.games.{module.name}"), "GAME", None)
            if game is not None:
                found[game.facts.id] = game
    if passed := trial().games:
        contracts()
    for name in passed:
        found[name] = completed(Game, installed()[name].load())
    return MappingProxyType(dict(sorted(found.items())))
