"""Promises of the last release still hold, besides the messages themselves (test_contract.py): docs/compatibility.md."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from scripts.promises import PROMISED, broken, promises

REPLACED = Path(__file__).with_name("replaced.txt")


@pytest.fixture(scope="module")
def now() -> dict[str, Any]:
    return promises()


def test_promises_of_the_last_release_hold(now: dict[str, Any]) -> None:
    promised = json.loads(PROMISED.read_text(encoding="utf-8"))
    assert broken(promised, now, REPLACED.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("addresses", "/v1/connect"),
        ("settings", "BRETTWERK_REDIS_URL"),
        ("launcher", "--grpc-port"),
        ("chart", "redis.sessions.url"),
    ],
)
def test_a_name_that_went_is_found(now: dict[str, Any], what: str, name: str) -> None:
    later = {**now, what: [one for one in now[what] if one != name]}
    assert broken(now, later) == [f"{what}: {name} is gone"]


def test_a_replaced_name_may_go_a_minor_version_later(now: dict[str, Any]) -> None:
    later = {**now, "version": "1.2.0", "settings": now["settings"][1:]}
    name = now["settings"][0]
    assert broken(now, later, f"# why\n{name} 1.1.0\n") == []
    assert broken(now, later, f"{name} 1.2.0\n") == [f"settings: {name} is gone"]


def test_a_refusal_with_another_code_is_found(now: dict[str, Any]) -> None:
    later = {**now, "refusals": {**now["refusals"], "REASON_FULL": "ABORTED"}}
    assert broken(now, later) == ["refusals: REASON_FULL was RESOURCE_EXHAUSTED and is ABORTED"]


def test_a_new_refusal_breaks_nothing(now: dict[str, Any]) -> None:
    assert broken(now, {**now, "refusals": {**now["refusals"], "REASON_NEW": "ABORTED"}}) == []


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("Dice.roll", ["sides?"], None),
        ("Dice.below", ["bound"], ["limit"]),
        ("Dice.below", ["bound"], ["bound", "purpose"]),
        ("Dice.roll", ["sides?"], ["sides"]),
        ("ranked", ["merits", "reason"], ["reason", "merits"]),
        ("Game.outcome!", None, ["position"]),
    ],
)
def test_names_that_games_import_stay_and_ask_no_more_of_them(
    now: dict[str, Any], name: str, before: list[str] | None, after: list[str] | None
) -> None:
    def with_it(taken: list[str] | None) -> dict[str, Any]:
        others = {each: one for each, one in now["games"].items() if each != name}
        return {**now, "games": others if taken is None else {**others, name: taken}}

    assert len(broken(with_it(before), with_it(after))) == 1


def test_games_may_import_more_later_and_need_not_have_what_they_had_to(now: dict[str, Any]) -> None:
    games = {name.removesuffix("!"): [*taken, "more?"] for name, taken in now["games"].items()}
    assert broken(now, {**now, "games": {**games, "Card": ["number"], "Dice.card": []}}) == []


@pytest.mark.parametrize(
    ("older", "newer", "holds"),
    [
        ({"length": 64}, {"length": 63}, False),
        ({"length": 64}, {"length": 65}, True),
        ({"items": 8}, {}, True),
        ({}, {"items": 8}, False),
        ({"min": 1, "max": 6}, {"min": 2, "max": 6}, False),
        ({"min": 1, "max": 6}, {"min": 0, "max": 7}, True),
        ({"max": 6}, {"max": 5}, False),
    ],
)
def test_a_bound_may_only_grow(now: dict[str, Any], older: dict[str, int], newer: dict[str, int], *, holds: bool) -> None:
    before, after = copy.deepcopy(now), copy.deepcopy(now)
    before["bounds"]["Session.id"], after["bounds"]["Session.id"] = older, newer
    assert (broken(before, after) == []) is holds
