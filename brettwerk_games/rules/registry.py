"""The games that there are: every folder here whose package has a `GAME`, and installed ones (brettwerk_games/packages)."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import brettwerk_games.rules
from brettwerk_games.packages.contract import contracts
from brettwerk_games.packages.discovery import installed
from brettwerk_games.packages.trial import trial
from brettwerk_games.rules.interface import AnyGame, Game, completed


@cache
def games() -> Mapping[str, AnyGame]:
    """Return all games by id, in order of id: Brettwerk's own, and those installed ones that have passed their trial."""
    found: dict[str, AnyGame] = {}
    for module in pkgutil.iter_modules(brettwerk_games.rules.__path__):
        if module.ispkg:
            game: AnyGame | None = getattr(importlib.import_module(f"brettwerk_games.rules.{module.name}"), "GAME", None)
            if game is not None:
                found[game.facts.id] = game
    if passed := trial().games:
        contracts()
    for name in passed:
        found[name] = completed(Game, installed()[name].load())
    return MappingProxyType(dict(sorted(found.items())))
