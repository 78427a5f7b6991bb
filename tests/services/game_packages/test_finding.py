"""Installed games are found by their entry points."""

from importlib.metadata import EntryPoint

import pytest

from services.game_packages import finding
from services.game_packages.finding import GROUP


def found(monkeypatch: pytest.MonkeyPatch, *points: tuple[str, str]) -> list[str]:
    made = [EntryPoint(name, value, GROUP) for name, value in points]
    monkeypatch.setattr(finding, "entry_points", lambda group: made if group == GROUP else [])
    return list(finding.installed.__wrapped__())


def test_games_are_listed_in_order_of_id(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(monkeypatch, ("reversi", "reversi:GAME"), ("hex", "hex:GAME")) == ["hex", "reversi"]


def test_a_package_that_is_found_twice_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(monkeypatch, ("hex", "hex:GAME"), ("hex", "hex:GAME")) == ["hex"]


def test_two_packages_with_one_game_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="two packages have a game hex"):
        found(monkeypatch, ("hex", "hex:GAME"), ("hex", "other_hex:GAME"))
