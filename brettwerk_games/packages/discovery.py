"""Which games are installed: the entry points of the group `brettwerk.games`, each named as its game.

    [project.entry-points."brettwerk.games"]
    connect_four = "connect_four:GAME"

The folder of the package it points into is the game's: facts, texts and rules pages lie there.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from brettwerk_games.packages import faults

GROUP = "brettwerk.games"
INTERFACE = 1
"""The version of the interface for games that this Brettwerk has (docs/compatibility.md)."""


class Found(NamedTuple):
    """The entry points of the games that are installed, by id and in order of id, and why others are left out."""

    games: Mapping[str, EntryPoint]
    left_out: Mapping[str, str]


@cache
def found() -> Found:
    """Return what is installed, as far as can be seen without loading any of it."""
    points: dict[str, EntryPoint] = {}
    left_out: dict[str, str] = {}
    for point in sorted(entry_points(group=GROUP)):
        # A package that lies on the path twice (a copy, and installed for editing) is still one.
        if (known := points.setdefault(point.name, point)).value != point.value:
            left_out[point.name] = faults.sentence(point.name, f"two packages have it, {known.value} and {point.value}")
    for name, point in points.items():
        if name not in left_out:
            try:
                _require_facts(name, _folder(point))
            except (Exception, SystemExit) as error:  # noqa: BLE001 - a package within another one loads that
                left_out[name] = faults.sentence(name, faults.reason(error), point.module)
    kept = {name: point for name, point in points.items() if name not in left_out}
    return Found(MappingProxyType(kept), MappingProxyType(left_out))


def installed() -> Mapping[str, EntryPoint]:
    """Return the entry point of every installed game by id, in order of id, without those that `found` leaves out."""
    return found().games


@cache
def folder(game: str) -> Path:
    """Return the folder of an installed game, without loading its rules. Raises KeyError where it is not installed."""
    return _folder(installed()[game])


def _folder(point: EntryPoint) -> Path:
    spec = find_spec(point.module)
    if spec is None or not spec.submodule_search_locations:
        raise faults.Fault(f"there is no package {point.module}")
    return Path(spec.submodule_search_locations[0])


def _require_facts(name: str, game: Path) -> None:
    """Make sure that a game's facts.json is its own, and written for this Brettwerk. Raises Fault, or what reading it raises.

    They are read without loading the game, which might fail at anything else.
    """
    facts = json.loads((game / "facts.json").read_text("utf-8"))
    if facts["id"] != name:
        raise faults.Fault(f"its facts.json is of the game {facts['id']}, and its entry point is named {name}")
    if (stated := facts.get("interface", 1)) != INTERFACE:
        raise faults.Fault(
            f"it is written for version {stated} of the interface for games, but this Brettwerk has version {INTERFACE}: install "
            "a release of the package that fits, or uninstall it"
        )
