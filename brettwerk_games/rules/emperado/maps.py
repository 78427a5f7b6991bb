"""The maps that can be played on besides the usual world (EMP-MAP-6): those in the folder maps/, and those of packages.

A map is a JSON file in the form of map.json (docs/games/emperado.md). A package says where its maps are by an entry point:

    [project.entry-points."brettwerk.emperado_maps"]
    atoll = "my_maps:atoll.json"

The file lies beside the module. `python -m brettwerk_games.rules.emperado.check_map FILE` says what is wrong with one. A map that
was played on is never changed: its games could not be repeated any more. Another one has another name.
"""

import logging
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

from brettwerk_games.rules.emperado.map_faults import faults
from brettwerk_games.rules.emperado.world import USUAL, World, read_world
from brettwerk_games.rules.refusals import Malformed

GROUP = "brettwerk.emperado_maps"
RULE = "EMP-MAP-6"
MAX_MAPS = 32
"""Maps that are read at most, in order of their ids; they are offered in a list."""
_FOLDER = Path(__file__).parent / "maps"
_log = logging.getLogger(__name__)


def _files() -> Iterator[tuple[str, Path]]:
    """Yield the ids and files of all maps: those that come along, then those of packages, in order of their ids."""
    for path in sorted(_FOLDER.glob("*.json")):
        yield path.stem, path
    for point in sorted(entry_points(group=GROUP)):
        yield point.name, _folder(point.module) / (point.value.partition(":")[2] or f"{point.name}.json")


def _folder(module: str) -> Path:
    """Return the folder in which a module lies; one that there is not where there is no such module."""
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        spec = None
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else Path(module)


def read_map(path: Path, name: str) -> World:
    """Return the world of a map's file. Raises OSError, and ValueError with what keeps it from being played on."""
    found = read_world(path, name)
    if wrong := faults(found):
        raise ValueError(wrong[0])
    return found


def _installed() -> Mapping[str, World]:
    """Return all worlds by the id of their map, the usual one first. A map that cannot be played on is left out, and logged."""
    worlds = {USUAL.id: USUAL}
    for name, path in _files():
        try:
            if name in worlds or len(worlds) > MAX_MAPS:
                raise ValueError("there is another map of this name, or there are too many")
            worlds[name] = read_map(path, name)
        except (OSError, ValueError) as error:
            _log.warning("the map %s is left out: %s", name, error)
    return MappingProxyType(worlds)


WORLDS = _installed()
"""Every world by what the option says."""


def require_world(map_id: str) -> World:
    """Return the world of a map. Raises Malformed for one that is not installed here."""
    if map_id not in WORLDS:
        message = f"the map {map_id!r} is not installed here"
        raise Malformed(message, rule=RULE, field="map", details={"map": map_id, "known": ", ".join(filter(None, WORLDS))})
    return WORLDS[map_id]
