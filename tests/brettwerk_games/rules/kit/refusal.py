"""The properties that a refusal must have."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from brettwerk_games.rules.interface import AnyGame, Text
from brettwerk_games.rules.refusals import GameRefusal, Illegal, Malformed
from tests.brettwerk_games.rules.kit.play import remembered

LANGUAGES = ("en", "de")
_NAME = re.compile(r"\{(\w+)\}")


@remembered
def words_of(game: AnyGame) -> Mapping[str, tuple[Mapping[str, str], str]]:
    """Return a game's catalogue and its rules page by language: each is made of files whenever it is asked for."""
    return {each: (game.facts.catalogue(each), game.facts.rules_page(each)) for each in LANGUAGES}


def names_in(sentence: str) -> set[str]:
    """Return the {names} in a sentence."""
    return set(_NAME.findall(sentence))


def refused(game: AnyGame, call: Callable[..., Any], *args: object) -> Illegal:
    """Return the refusal of a call that a rule must forbid."""
    try:
        answer = call(*args)
    except Illegal as refusal:
        explains_itself(game, refusal)
        return refusal
    except Malformed as refusal:
        raise AssertionError(f"{args!r} can be read, so it is illegal, not malformed: {refusal.message}") from refusal
    raise AssertionError(f"{args!r} was accepted: {answer!r}")


def explains_itself(game: AnyGame, refusal: GameRefusal) -> None:
    """Check that a refusal has a message, and a sentence in every language for its rule; and the contract's limits.

    What is illegal is so by a rule; what is malformed or ambiguous may name one.
    """
    assert refusal.message, "a refusal without a message"
    assert refusal.rule or not isinstance(refusal, Illegal), f"illegal without a rule: {refusal.message}"
    assert len(refusal.message.encode()) <= 1000
    assert len(refusal.details) <= 16, refusal.details
    for name, value in refusal.details.items():
        assert isinstance(value, str), f"detail {name} is no text"
        assert len(name.encode()) <= 200, name
        assert len(value.encode()) <= 200, value
    if not refusal.rule:
        return
    for language, (catalogue, page) in words_of(game).items():
        sentence = catalogue.get(f"rule.{refusal.rule}")
        assert sentence, f"the {language} catalogue has no rule.{refusal.rule}"
        missing = names_in(sentence) - refusal.details.keys()
        assert not missing, f"rule.{refusal.rule} ({language}) needs {missing}, the refusal has {set(refusal.details)}"
        assert f'id="{refusal.rule}"' in page, f"the {language} rules page has no {refusal.rule}"


def is_explained(game: AnyGame, text: Text) -> None:
    """Check that a text has a sentence in every language, with what stands in for its names; and the contract's limits."""
    assert len(text.key.encode()) <= 100, text.key
    assert len(text.args) <= 16, text
    for value in text.args.values():
        assert isinstance(value, str), f"{text} holds what is no text"
        assert len(value.encode()) <= 200, text
    for language, (catalogue, _) in words_of(game).items():
        sentence = catalogue.get(text.key)
        assert sentence, f"the {language} catalogue has no {text.key}"
        missing = names_in(sentence) - text.args.keys()
        assert not missing, f"{text.key} ({language}) needs {missing}"
