"""Worlds: countries in continents, and their neighbours (EMP-MAP-1, EMP-MAP-2), as a map's file has them (EMP-MAP-6).

The world that is usually played is map.json's: 60 countries in 10 continents. maps.py has the others.
A country is a number from 0 on, a continent one too, both in the order of the file.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

MAX_COUNTRIES, MAX_CONTINENTS = 60, 10
"""Of the largest map that the contract has room for: those of the usual world."""
LETTERS = "ABCDEF"
"""The letters of the seats (EMP-SETUP-3)."""
BASE = "en"
"""The language in which everything has a name."""

Ring: TypeAlias = tuple[tuple[float, float], ...]
"""An outline, point by point."""


class Country(NamedTuple):
    """A country. `notation` is its name in the notation and on plain boards, at most 16 bytes; `at` is the middle of it.

    `key` stands for it in the keys of texts, `names` are those in languages, and `shape` are its outlines.
    """

    id: str
    names: Mapping[str, str]
    notation: str
    continent: int
    at: tuple[float, float]
    shape: tuple[Ring, ...]
    key: str

    @property
    def name_en(self) -> str:
        """Its English name."""
        return self.names[BASE]

    @property
    def name_de(self) -> str:
        """Its German name; the English one where it has none."""
        return self.names.get("de", self.name_en)


class Continent(NamedTuple):
    """A continent: its countries, the armies that it pays (EMP-REINF-3), and its colour on the map."""

    id: str
    names: Mapping[str, str]
    bonus: int
    countries: tuple[int, ...]
    colour: str
    key: str

    @property
    def name_en(self) -> str:
        """Its English name."""
        return self.names[BASE]

    @property
    def name_de(self) -> str:
        """Its German name; the English one where it has none."""
        return self.names.get("de", self.name_en)


@dataclass(frozen=True, eq=False)
class World:
    """The countries, the continents, by country its neighbours over land and sea, ascending, and width and height of the map.

    `id` is what the option says (EMP-MAP-6), empty for the usual world. `names` are those of the map.
    """

    id: str
    names: Mapping[str, str]
    countries: tuple[Country, ...]
    continents: tuple[Continent, ...]
    neighbours: tuple[tuple[int, ...], ...]
    size: tuple[float, float]

    @cached_property
    def count(self) -> int:
        """How many countries there are."""
        return len(self.countries)

    @cached_property
    def max_seats(self) -> int:
        """How many seats can take part: each of them is dealt two countries at least, and one more than the seat before."""
        return max(seats for seats in range(1, len(LETTERS) + 1) if (self.count - seats * (seats - 1) // 2) // seats >= MIN_SHARE)

    @cached_property
    def holdings(self) -> tuple[tuple[Callable[[tuple[int, ...]], tuple[int, ...]], int, int, int], ...]:
        """By continent: what picks its owners out of all, how many countries it has, the first of them, and what it pays."""
        return tuple(
            (_picked(continent.countries), len(continent.countries), continent.countries[0], continent.bonus)
            for continent in self.continents
        )


MIN_SHARE = 2
"""The least countries that a seat is dealt."""


def _picked(countries: tuple[int, ...]) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    if len(countries) > 1:
        return itemgetter(*countries)
    (only,) = countries
    return lambda owners: (owners[only],)


def read_world(path: Path, world_id: str = "") -> World:
    """Return the world of a map's file, which may be one that cannot be played on (map_faults.py).

    Raises OSError, and ValueError for a file that is no map.
    """
    try:
        return _world(json.loads(path.read_text(encoding="utf-8")), world_id)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"a map's file lacks something, or has it otherwise: {error!r}") from error


def _world(raw: Mapping[str, Any], world_id: str) -> World:
    before = f"{world_id}." if world_id else ""
    continent_of = {continent["id"]: number for number, continent in enumerate(raw["continents"])}
    if lost := {c["continent"] for c in raw["countries"]} - set(continent_of):
        raise ValueError(f"there is no continent {sorted(lost)[0]}")
    countries = tuple(
        Country(
            c["id"],
            _names(c),
            c["notation"],
            continent_of[c["continent"]],
            _point(c["label"]),
            tuple(tuple(_point(point) for point in ring) for ring in c["shape"]),
            before + c["id"],
        )
        for c in raw["countries"]
    )
    continents = tuple(
        Continent(
            c["id"],
            _names(c),
            c["bonus"],
            tuple(i for i, country in enumerate(countries) if country.continent == n),
            c["colour"],
            before + c["id"],
        )
        for n, c in enumerate(raw["continents"])
    )
    width, height = raw["size"]
    names = _names(raw) if world_id else {}
    return World(world_id, names, countries, continents, _neighbours(countries, raw["links"]), (width, height))


def _names(raw: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the names by language: `name_en`, `name_de` and others."""
    return {key.removeprefix("name_"): name for key, name in raw.items() if key.startswith("name_")}


def _point(raw: Any) -> tuple[float, float]:
    x, y = raw
    return x, y


def _neighbours(countries: tuple[Country, ...], links: Iterable[Mapping[str, Any]]) -> tuple[tuple[int, ...], ...]:
    number_of = {country.id: number for number, country in enumerate(countries)}
    neighbours: list[set[int]] = [set() for _ in countries]
    for link in links:
        ends = (link["a"], link["b"])
        if lost := set(ends) - set(number_of):
            raise ValueError(f"a link leads to {sorted(lost)[0]}, which is no country")
        a, b = (number_of[end] for end in ends)
        if a == b or b in neighbours[a]:
            raise ValueError(f"{ends[0]} and {ends[1]} are linked twice, or are one country")
        neighbours[a].add(b)
        neighbours[b].add(a)
    return tuple(tuple(sorted(found)) for found in neighbours)


USUAL = read_world(Path(__file__).parent / "map.json")
"""The world that is played where the options name no other."""
COUNTRIES, CONTINENTS, NEIGHBOURS, SIZE, WORLD = USUAL.countries, USUAL.continents, USUAL.neighbours, USUAL.size, USUAL.count
"""Its countries, continents, by country its neighbours, width and height, and how many countries it has: 60."""
