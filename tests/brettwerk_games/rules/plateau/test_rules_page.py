"""The rules page says which of its rules the rule sheet has, and which are our own."""

import re

import pytest

from brettwerk_games.rules.plateau import GAME

MARK = {"en": "(ruling", "de": "(Festlegung"}
FROM_TO = {"en": "to", "de": "bis"}
RULE = re.compile(r'<a id="(EP-[^"]+)"></a>(.+?)(?=\n\s*\n|\Z)', re.DOTALL)


def own_rules(language: str) -> list[str]:
    """Return the rules that are marked as ours."""
    return [rule for rule, text in RULE.findall(GAME.facts.rules_page(language)) if MARK[language] in text]


def listed(language: str) -> set[str]:
    """Return the rules that the last chapter names; `EP-END-1 to EP-END-6` is six of them."""
    chapter = " ".join(GAME.facts.rules_page(language).rpartition("\n## ")[2].split())
    named = set(re.findall(r"EP-[A-Z0-9-]+", chapter))
    for kind, first, last in re.findall(rf"EP-(\w+)-(\d+) {FROM_TO[language]} EP-\1-(\d+)", chapter):
        named |= {f"EP-{kind}-{number}" for number in range(int(first), int(last) + 1)}
    return named


def test_both_languages_mark_the_same_rules_as_our_own() -> None:
    assert own_rules("en") == own_rules("de")


@pytest.mark.parametrize("language", MARK)
def test_the_last_chapter_lists_what_is_marked(language: str) -> None:
    assert listed(language) == set(own_rules(language))
    assert {"EP-BOARD-5", "EP-BOARD-8", "EP-MULTI-3"} <= listed(language)


def test_rules_from_the_rule_sheet_are_not_marked_as_own() -> None:
    said = {
        "EP-GOAL-1",
        "EP-ARMY-1",
        "EP-TURN-2",
        "EP-TURN-4",
        "EP-TURN-6",
        "EP-MOVE-7",
        "EP-CAPTURE-2",
        "EP-MOVE-2S-2",
        "EP-MULTI-2",
    }
    assert not said & set(own_rules("en"))
