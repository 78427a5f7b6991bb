"""The rules pages hold every table and figure of the rules, as the data has them."""

import pytest

from brettwerk_games.rules.wec import GAME
from tests.brettwerk_games.rules.wec.figures import read, routes, section


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_has_the_figures_and_tables_of_the_data(language: str) -> None:
    assert section(language) in GAME.facts.rules_page(language)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_has_the_routes_of_transports(language: str) -> None:
    assert routes(language) in GAME.facts.rules_page(language)


def test_left_handed_pieces_have_the_mirror_image() -> None:
    paths = read("paths")
    for ways in paths["slides"].values():
        for kind in ("panzer", "cleric"):
            mirrored = sorted([[-x, y] for x, y in path] for path in ways[f"{kind}_right"])
            assert mirrored == sorted(ways[f"{kind}_left"])
    for ways in paths["hops"].values():
        assert sorted([-x, y] for x, y in ways["chopper_right"]) == sorted(ways["chopper_left"])


def test_reinforcements_are_the_same_for_both_from_their_left() -> None:
    squares = read("start_reinforcements")["squares"]
    black = {s["col"]: s["piece"] for s in squares if s["owner"] == "black"}
    white = {11 - s["col"]: s["piece"] for s in squares if s["owner"] == "white"}
    assert {s["row"] for s in squares if s["owner"] == "black"} == {9}
    assert {s["row"] for s in squares if s["owner"] == "white"} == {2}
    assert black == white
