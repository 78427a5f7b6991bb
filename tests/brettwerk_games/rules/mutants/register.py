"""Broken games: each breaks one thing of a game that conforms, and names the check that must notice."""

from collections.abc import Callable
from typing import Any

from brettwerk_games.rules.einstein.game import Einstein
from brettwerk_games.rules.facts import Facts
from brettwerk_games.rules.interface import AnyGame
from tests.brettwerk_games.rules.blind_duel.game import BlindDuel

duel, einstein = BlindDuel(), Einstein()
MUTANTS: dict[str, tuple[str, Callable[[], AnyGame]]] = {}
"""By what is broken: the check that must fail, and the broken game."""


def breaks(check: str, base: type[Any], **broken: Any) -> Callable[[Callable[..., Any]], None]:
    """Register the game `base` with the method of this name (but for what follows `__`) replaced by the function."""

    def register(method: Callable[..., Any]) -> None:
        name, _, what = method.__name__.partition("__")
        overrides = {**broken, name: method}
        MUTANTS[f"{name} {what}".replace("_", " ")] = (check, lambda: type(f"Broken{base.__name__}", (base,), overrides)())

    return register


def breaks_codec(check: str, game: type[Any], codec: type[Any]) -> Callable[[Callable[..., Any]], None]:
    """Register `game` with a method of its codec replaced."""

    def register(method: Callable[..., Any]) -> None:
        name, _, what = method.__name__.partition("__")
        mutant = type(f"Broken{codec.__name__}", (codec,), {name: method})()
        MUTANTS[f"{name} {what}".replace("_", " ")] = (
            check,
            lambda: type(f"Broken{game.__name__}", (game,), {"codec": mutant})(),
        )

    return register


def breaks_facts(check: str, what: str, base: type[Any], facts: Facts) -> None:
    """Register `base` with other facts."""
    MUTANTS[what] = (check, lambda: type(f"Broken{base.__name__}", (base,), {"facts": facts})())
