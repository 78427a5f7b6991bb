"""Installed games are found by their entry points."""

from importlib.metadata import EntryPoint

import pytest

from brettwerk_games.packages import discovery
from brettwerk_games.packages.discovery import GROUP


def found(monkeypatch: pytest.MonkeyPatch, *points: tuple[str, str]) -> discovery.Found:
    made = [EntryPoint(name, value, GROUP) for name, value in points]
    monkeypatch.setattr(discovery, "entry_points", lambda group: made if group == GROUP else [])
    monkeypatch.setattr(discovery, "_require_facts", lambda name, folder: None)
    return discovery.found.__wrapped__()


def test_games_are_listed_in_order_of_id(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(found(monkeypatch, ("json", "json:GAME"), ("email", "email:GAME")).games) == ["email", "json"]


def test_a_package_that_is_found_twice_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(found(monkeypatch, ("json", "json:GAME"), ("json", "json:GAME")).games) == ["json"]


def test_two_packages_with_one_game_are_both_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    games, left_out = found(monkeypatch, ("json", "json:GAME"), ("json", "email:GAME"), ("email", "email:GAME"))
    assert list(games) == ["email"]
    assert left_out == {"json": "the game json is left out: two packages have it, email:GAME and json:GAME"}
