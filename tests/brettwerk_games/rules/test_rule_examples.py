"""The examples in the docstrings of rules are run; each public function of these modules has one.

An example knows its own module, and the options and actions of its game; and besides `GAME`, `SEED`, `position`, the first one
of a game with the presets, and `view`, that of the seat to act there.
"""

import doctest
import importlib
import inspect
from typing import Any

import pytest

SEED = bytes(32)
SEATS = {"emperado": 3}
MODULES = [
    "einstein.rules",
    "einstein.start",
    "emperado.battle",
    "emperado.cards",
    "emperado.deal",
    "emperado.game_end",
    "emperado.legal",
    "emperado.play",
    "emperado.reinforcement",
    "emperado.system_actions",
    "plateau.rules",
    "plateau.start",
    "wec.rules",
    "wec.start",
]


def known(module: str) -> dict[str, Any]:
    """Return what the examples of a module know."""
    game = module.partition(".")[0]
    found: dict[str, Any] = {}
    for name in ("options", "actions", module.partition(".")[2]):
        found |= vars(importlib.import_module(f"brettwerk_games.rules.{game}.{name}"))
    played = importlib.import_module(f"brettwerk_games.rules.{game}").GAME
    position = played.new(found["Options"](), SEATS.get(game, 2), None, SEED).position
    view = played.view(position, played.to_act(position)[0])
    return {**found, "GAME": played, "SEED": SEED, "position": position, "view": view}


@pytest.mark.parametrize("name", MODULES)
def test_each_public_function_has_an_example_that_holds(name: str) -> None:
    module = importlib.import_module(f"brettwerk_games.rules.{name}")
    functions = {key for key, one in inspect.getmembers(module, inspect.isfunction) if one.__module__ == module.__name__}
    examples = [one for one in doctest.DocTestFinder().find(module, globs=known(name)) if one.examples]
    assert {one.name.rpartition(".")[2] for one in examples} == {key for key in functions if key[0] != "_"}
    runner, said = doctest.DocTestRunner(verbose=False), list[str]()
    for one in examples:
        runner.run(one, out=said.append)
    assert not said, "".join(said)
