"""Every method says what API tokens may do with it."""

import pytest

from brettwerk.v1 import bots_pb2, errors_pb2
from gateway.identity import scopes
from gateway.identity.players import Player
from gateway.messages.contract import METHODS, WATCH_METHODS
from services.runtime.refusal import Refused

PLAYER = Player("a" * 26, "Ada")


def test_every_method_is_named_once() -> None:
    named = [*scopes.FREE, *scopes.NEEDS, *scopes.PERSONAL]
    assert sorted(named) == sorted({*METHODS, *WATCH_METHODS})


def test_every_scope_has_a_name_and_a_use() -> None:
    every = {number for number in bots_pb2.Scope.values() if number}
    assert set(scopes.NAMES) == every == {scope for needed in scopes.NEEDS.values() for scope in needed}


@pytest.mark.parametrize("method", ["Act", "SignOutEverywhere", "CreateApiToken", "SomethingNew"])
def test_a_call_without_its_scope_is_refused_and_told_which(method: str) -> None:
    token = Player(PLAYER.id, PLAYER.name, 0, "t1", 1 << bots_pb2.SCOPE_GAMES_READ)
    with pytest.raises(Refused) as refused:
        scopes.check(method, token)
    assert refused.value.reason == errors_pb2.REASON_NO_SCOPE
    assert refused.value.refusal.details["scope"] == ("play" if method == "Act" else "")


def test_a_scope_lets_its_methods_through_and_a_players_own_token_all() -> None:
    token = Player(PLAYER.id, PLAYER.name, 0, "t1", 1 << bots_pb2.SCOPE_CHALLENGES_WRITE)
    for method in ("ListChallenges", "ChallengePlayer", "GetGame"):
        scopes.check(method, token)
    for method in METHODS:
        scopes.check(method, PLAYER)
        scopes.check(method, None)
