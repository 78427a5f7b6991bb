"""In every game with secrets: what looks the same is told in the same bytes. BRETTWERK_PAIRS sets how many pairs are compared."""

import os
from importlib import import_module
from typing import Any

import pytest

from brettwerk_games.rules.emperado import view as viewing
from brettwerk_games.rules.emperado.actions import Done
from brettwerk_games.rules.emperado.position import View
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.registry import games
from services.rules.steps import EVERYBODY
from tests.brettwerk_games.rules.kit.pieces import joined, shown
from tests.brettwerk_games.rules.kit.play import Ply, dice, play, seed_of, some
from tests.night import examples

PAIRS = int(os.environ.get("BRETTWERK_PAIRS", examples(300)))
DRAWS = (Done,)
"""Actions of which all chance is secret: which card was drawn."""
WITH_SECRETS = sorted(name for name, game in games().items() if game.facts.hidden)


def compare(game: AnyGame, most: int) -> int:
    """Play the same actions in so many pairs that look the same to an eye. Return how many looked the same afterwards."""
    look_alike = import_module(f"tests.brettwerk_games.rules.{game.facts.id}.lookalikes").look_alike
    followed = same = number = 0
    while followed < most:
        played = play(game, ("pairs", number), 120)
        number += 1
        for ply in some(dice("pairs", number), played.plies, 24):
            for eye in (*range(played.seats), None):
                other = look_alike(ply.before, eye, seed_of(number, eye))
                if other != ply.before and followed < most:
                    followed += 1
                    same += _looks_alike(game, ply, other, eye)
    return same


def _looks_alike(game: AnyGame, ply: Ply, other: Any, eye: int | None) -> bool:
    seen = game.codec.encode(Kind.VIEW, game.view(ply.before, eye))
    assert game.codec.encode(Kind.VIEW, game.view(other, eye)) == seen, "what looks the same is seen in the same bytes"
    if ply.action not in game.actions(game.view(other, ply.seat)):
        return False
    same = False
    seeds = (ply.seed, seed_of("another", ply.seed)) if isinstance(ply.action, DRAWS) else (ply.seed,)
    for seed in seeds:
        twin = Ply(other, ply.seat, ply.action, seed, game.apply(other, ply.seat, ply.action, seed))
        if game.view(ply.step.position, eye) == game.view(twin.step.position, eye):
            here, there = (joined(shown(game, each.step, EVERYBODY, each), eye) for each in (ply, twin))
            assert here == there, f"eye {eye} is told of {ply.action!r} otherwise"
            same = True
    return same


@pytest.mark.parametrize("name", WITH_SECRETS)
def test_positions_that_look_the_same_are_sent_in_the_same_bytes(name: str) -> None:
    assert compare(games()[name], PAIRS) > PAIRS // 5


def every_card(event: Any, seat: int | None) -> Any:
    return event


def every_hand(position: Any, seat: int | None) -> Any:
    return View(position, seat)


def something_of_a_hand(position: Any, seat: int | None) -> Any:
    seen = VIEW(position, seat)
    hands = zip(seen.position.parties, position.parties, strict=True)
    parties = tuple(received._replace(fresh=bool(party.riders % 2)) for received, party in hands)
    return View(seen.position._replace(parties=parties), seat)


VIEW = viewing.view


@pytest.mark.parametrize(("method", "leak"), [("show", every_card), ("view", every_hand), ("view", something_of_a_hand)])
def test_a_leak_planted_in_emperado_is_found(method: str, leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games()["emperado"]
    monkeypatch.setattr(type(game), method, staticmethod(leak))
    with pytest.raises(AssertionError):
        compare(game, 4000)
