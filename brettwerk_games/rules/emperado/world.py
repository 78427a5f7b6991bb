"""The world: 60 countries in 10 continents and their neighbours (EMP-MAP-1, EMP-MAP-2), read from map.json.

A country is a number from 0 to 59, a continent one from 0 to 9, both in the order of the file.
"""

import json
from pathlib import Path
from typing import NamedTuple


class Country(NamedTuple):
    """A country. `notation` is its name in the notation and on plain boards, at most 16 bytes; `at` is the middle of it."""

    id: str
    name_de: str
    name_en: str
    notation: str
    continent: int
    at: tuple[float, float]


class Continent(NamedTuple):
    """A continent: its countries and the armies that it pays (EMP-REINF-3)."""

    id: str
    name_de: str
    name_en: str
    bonus: int
    countries: tuple[int, ...]


class World(NamedTuple):
    """The countries, the continents, by country its neighbours over land and sea, ascending, and the size of the map."""

    countries: tuple[Country, ...]
    continents: tuple[Continent, ...]
    neighbours: tuple[tuple[int, ...], ...]
    size: tuple[int, int]


def _read(path: Path) -> World:
    raw = json.loads(path.read_text(encoding="utf-8"))
    continent_of = {continent["id"]: number for number, continent in enumerate(raw["continents"])}
    countries = tuple(
        Country(c["id"], c["name_de"], c["name_en"], c["notation"], continent_of[c["continent"]], (c["label"][0], c["label"][1]))
        for c in raw["countries"]
    )
    continents = tuple(
        Continent(
            c["id"],
            c["name_de"],
            c["name_en"],
            c["bonus"],
            tuple(i for i, country in enumerate(countries) if country.continent == n),
        )
        for n, c in enumerate(raw["continents"])
    )
    number_of = {country.id: number for number, country in enumerate(countries)}
    neighbours: list[set[int]] = [set() for _ in countries]
    for link in raw["links"]:
        a, b = number_of[link["a"]], number_of[link["b"]]
        neighbours[a].add(b)
        neighbours[b].add(a)
    width, height = raw["size"]
    return World(countries, continents, tuple(tuple(sorted(found)) for found in neighbours), (width, height))


COUNTRIES, CONTINENTS, NEIGHBOURS, SIZE = _read(Path(__file__).parent / "map.json")
"""The countries, the continents, by country its neighbours (EMP-MAP-2), and width and height of the map."""

WORLD = len(COUNTRIES)
"""How many countries there are: 60."""

LETTERS = "ABCDEF"
"""The letters of the seats (EMP-SETUP-3)."""
