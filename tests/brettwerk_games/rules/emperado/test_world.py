"""The map: what the rules say of it, and that it holds together."""

import json

from brettwerk_games.rules.emperado.world import CONTINENTS, COUNTRIES, NEIGHBOURS, WORLD
from tests.brettwerk_games.rules.emperado.worlds import ALASKA, ALBERTA, EMPERADO, OF, ONTARIO

RAW = json.loads((EMPERADO.facts.folder / "map.json").read_text(encoding="utf-8"))


def test_sixty_countries_lie_in_ten_continents() -> None:
    sizes = {continent.name_en: (len(continent.countries), continent.bonus) for continent in CONTINENTS}
    assert sizes == {
        "Asia": (13, 7),
        "Europe": (8, 6),
        "North America": (8, 5),
        "Africa": (7, 4),
        "South America": (6, 3),
        "Asia Minor": (4, 2),
        "Polar Islands": (3, 1),
        "Central America": (3, 1),
        "Oceania": (4, 1),
        "Australia": (4, 1),
    }
    assert sorted(country for continent in CONTINENTS for country in continent.countries) == list(range(WORLD))
    assert WORLD == 60


def test_neighbourhood_is_mutual_and_reaches_everywhere() -> None:
    for country, near in enumerate(NEIGHBOURS):
        assert near
        assert country not in near
        assert all(country in NEIGHBOURS[other] for other in near)
    reached, new = {0}, {0}
    while new:
        new = {near for country in new for near in NEIGHBOURS[country]} - reached
        reached |= new
    assert len(reached) == WORLD
    assert sum(map(len, NEIGHBOURS)) == 2 * len(RAW["links"]) == 222


def test_the_manuals_neighbours_are_neighbours() -> None:
    assert ONTARIO in NEIGHBOURS[ALBERTA]
    assert OF["Kamtschatka"] in NEIGHBOURS[ALASKA]
    assert OF["Neuseeland"] in NEIGHBOURS[OF["Argentinien"]]


def test_every_continent_hangs_together() -> None:
    for continent in CONTINENTS:
        reached, new = {continent.countries[0]}, {continent.countries[0]}
        while new:
            new = {near for country in new for near in NEIGHBOURS[country] if near in continent.countries} - reached
            reached |= new
        assert reached == set(continent.countries), continent.name_en


def test_names_are_unique_and_fit_plain_boards() -> None:
    for name in ("id", "name_de", "name_en", "notation"):
        assert len({getattr(country, name).casefold() for country in COUNTRIES}) == WORLD
    assert all(len(country.notation.encode()) <= 16 for country in COUNTRIES)


def test_the_catalogues_name_all_countries_and_continents() -> None:
    for language, name in (("en", "name_en"), ("de", "name_de")):
        catalogue = EMPERADO.facts.catalogue(language)
        assert all(catalogue[f"country.{country.id}"] == getattr(country, name) for country in COUNTRIES)
        assert all(catalogue[f"continent.{continent.id}"] == getattr(continent, name) for continent in CONTINENTS)


def test_land_links_are_drawn_as_borders_and_sea_links_as_lines() -> None:
    borders = {frozenset((border["a"], border["b"])) for border in RAW["borders"]}
    for link in RAW["links"]:
        ends = frozenset((link["a"], link["b"]))
        assert (ends in borders) == (link["kind"] == "land"), ends
        assert ("path" in link) == (link["kind"] == "sea"), ends
    of = {country["id"]: country["continent"] for country in RAW["countries"]}
    assert all((border["kind"] == "continent") == (of[border["a"]] != of[border["b"]]) for border in RAW["borders"])


def test_everything_is_drawn_inside_the_map() -> None:
    width, height = RAW["size"]
    for country in RAW["countries"]:
        for ring in (country["outline"], *country["shape"], [country["label"]]):
            assert all(0 <= x <= width and 0 <= y <= height for x, y in ring), country["id"]
