"""The games that there are: every folder here whose package has a `GAME`, and those installed beside (services/game_packages)."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import services.games
from services.game_packages.finding import installed
from services.game_packages.interface_version import require_interface
from services.games.interface import AnyGame


@cache
def games() -> Mapping[str, AnyGame]:
    """Return all games by id, in order of id.

    Raises ValueError where an installed game has the id of another one, is not called as its entry point says, or is written for
    another version of the interface, and whatever its package raises while it is loaded.
    """
    found: dict[str, AnyGame] = {}
    for module in pkgutil.iter_modules(services.games.__path__):
        if module.ispkg:
            game: AnyGame | None = getattr(importlib.import_module(f"services.games.{module.name}"), "GAME", None)
            if game is not None:
                found[game.facts.id] = game
    for name, point in installed().items():
        require_interface(name)
        added: AnyGame = point.load()
        if name != added.facts.id or name in found:
            raise ValueError(
                f"the entry point {name} = {point.value} brings the game {added.facts.id}, which must be named so and new"
            )
        found[name] = added
    return MappingProxyType(dict(sorted(found.items())))
