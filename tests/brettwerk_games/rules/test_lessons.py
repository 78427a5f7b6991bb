"""The real rules play every lesson of the web client: it begins, its goal can be reached, and both languages say it."""

from typing import Any

import pytest

from brettwerk_games.rules import registry
from tests.brettwerk_games.rules.lessons import Table, courses, lessons, matches, newcomers_rules, verdict
from tests.night import examples

ALL = [pytest.param(*each, id=f"{each[0]}-{each[2]['id']}") for each in lessons()]
SOLVED = [param for param, (_, _, lesson) in zip(ALL, lessons(), strict=True) if lesson["solution"]]
"""All but whole games, which have no one solution."""
BY_OPTION = {"einstein": {"arrange"}, "emperado": {"enter"}}
"""Kinds of actions that only options bring about which newcomers leave alone."""

LONGEST_TASK, LONGEST_ANSWER = 190, 210
"""The room in a note on a phone, in characters."""


def test_the_games_of_this_server_have_lessons() -> None:
    assert set(courses()) <= set(registry.games())
    for course in courses().values():
        names = [lesson["id"] for lesson in course["lessons"]]
        assert len(set(names)) == len(names)
        assert len(names) >= 6


@pytest.mark.parametrize(("name", "course", "lesson"), ALL)
def test_a_lesson_begins_with_the_player_to_act_and_its_goal_open(name: str, course: Any, lesson: Any) -> None:
    table = Table(registry.games()[name], course, lesson, 0)
    assert table.is_own_turn
    assert table.actions()
    assert table.verdict == "open"


@pytest.mark.parametrize(("name", "course", "lesson"), SOLVED)
def test_the_wished_actions_are_legal_and_reach_the_goal_however_dice_fall(name: str, course: Any, lesson: Any) -> None:
    for number in range(examples(25)):
        table = Table(registry.games()[name], course, lesson, number)
        table.solve()
        assert table.verdict == "reached", number


@pytest.mark.parametrize(("name", "course", "lesson"), ALL)
def test_a_lesson_can_end_after_any_actions(name: str, course: Any, lesson: Any) -> None:
    found = set()
    for number in range(examples(12)):
        table = Table(registry.games()[name], course, lesson, number)
        table.wander(60)
        found.add(table.verdict)
    assert found - {"open"} or "actions" not in lesson


@pytest.mark.parametrize(("name", "course", "lesson"), [each for each in ALL if not each.values[2]["solution"]])  # type: ignore[index]
def test_a_whole_game_can_be_won_and_lost(name: str, course: Any, lesson: Any) -> None:
    found = set()
    for number in range(examples(150)):
        table = Table(registry.games()[name], course, lesson, number)
        table.wander(200)
        found.add(table.verdict)
    assert found == {"reached", "missed"}


@pytest.mark.parametrize(("name", "course", "lesson"), ALL)
def test_a_lesson_says_all_in_both_languages_and_no_more_than_a_phone_shows(name: str, course: Any, lesson: Any) -> None:
    for part, most in (("title", 32), ("task", LONGEST_TASK), ("done", LONGEST_ANSWER), ("other", LONGEST_ANSWER)):
        assert set(lesson[part]) == {"en", "de"}
        for language, text in lesson[part].items():
            assert 0 < len(text) <= most, (part, language, len(text))
    for slip in lesson.get("slips", []):
        assert set(slip["says"]) == {"en", "de"}


def test_each_rule_that_a_newcomer_meets_has_the_lessons_that_the_list_names() -> None:
    taught: dict[str, set[str]] = {}
    for _, _, lesson in lessons():
        assert lesson["rules"], lesson["id"]
        for rule in lesson["rules"]:
            taught.setdefault(rule, set()).add(lesson["id"])
    assert newcomers_rules() == taught


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", courses())
def test_the_rules_that_lessons_lead_to_are_on_the_rules_page(name: str, language: str) -> None:
    page = registry.games()[name].facts.rules_page(language)
    for lesson in courses()[name]["lessons"]:
        assert [rule for rule in lesson["rules"] if f'<a id="{rule}"></a>' not in page] == []


@pytest.mark.parametrize("name", courses())
def test_every_kind_of_action_that_newcomers_have_is_done_in_a_lesson(name: str) -> None:
    tables = [Table(registry.games()[name], courses()[name], lesson, 0) for lesson in courses()[name]["lessons"]]
    for table in tables:
        table.solve()
    assert {kind for table in tables for kind in table.done} == tables[0].kinds() - BY_OPTION.get(name, set())


@pytest.mark.parametrize(
    ("name", "hidden", "shown"),
    [("detect", "WEC_KIND_SUB", 1), ("stealth", "WEC_KIND_AAA", 1), ("bump", "WEC_KIND_AAA", 0)],
)
def test_a_lesson_about_hidden_pieces_hides_them_from_the_learner(name: str, hidden: str, shown: int) -> None:
    lesson = next(each for each in courses()["wec"]["lessons"] if each["id"] == name)
    table = Table(registry.games()["wec"], courses()["wec"], lesson, 0)
    assert any(piece["kind"] == hidden and piece["seat"] == 1 for piece in lesson["start"]["pieces"])

    def seen() -> int:
        return sum(piece["kind"] == hidden and piece.get("seat") == 1 for piece in table.view()["pieces"])

    assert seen() == 0
    table.solve()
    assert seen() == shown


def test_patterns_compare_fields_lists_and_absent_fields() -> None:
    value = {"a": {"b": 3}, "items": [{"x": 1}, {"x": 2, "y": "z"}]}
    assert matches(value, {"a": {"b": 3}, "none": 0})
    assert not matches(value, {"a": {"b": 4}})
    assert matches(value, {"items": {"$some": {"y": "z"}, "$none": {"x": 3}, "$count": 2, "$at": {"0": {"x": 1}}}})
    assert not matches(value, {"items": {"$none": {"x": 2}}})
    assert matches(value, {"a": {"b": {"$least": 3, "$most": 3}}})
    assert not matches(value, {"a": {"b": {"$least": 4}}})


def test_a_goal_is_open_before_the_first_action() -> None:
    assert verdict({"goal": [{"event": {"moved": {}}}], "actions": 1}, []) == "open"
