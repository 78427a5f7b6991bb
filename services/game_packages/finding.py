"""Which games are installed: the entry points of the group `brettwerk.games`, each named as its game.

    [project.entry-points."brettwerk.games"]
    connect_four = "connect_four:GAME"

The folder of the package it points into is the game's: facts, texts and rules pages lie there.
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

GROUP = "brettwerk.games"


@cache
def installed() -> Mapping[str, EntryPoint]:
    """Return the entry point of every installed game by id, in order of id. Raises ValueError where two packages have one."""
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        # A package that lies on the path twice (a copy, and installed for editing) is still one.
        if found.setdefault(point.name, point).value != point.value:
            raise ValueError(f"two packages have a game {point.name}: {found[point.name].value} and {point.value}")
    return MappingProxyType(dict(sorted(found.items())))


@cache
def folder(game: str) -> Path:
    """Return the folder of an installed game, without loading its rules. Raises KeyError where it is not installed.

    Raises ModuleNotFoundError for an entry point into a package that is not there.
    """
    module = installed()[game].module
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"the game {game} is in no package {module}", name=module)
    return Path(spec.submodule_search_locations[0])
