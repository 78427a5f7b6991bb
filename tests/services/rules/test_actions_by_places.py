"""The actions that begin with places: what a client lists once a player has touched something."""

from collections.abc import Sequence

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import games_pb2
from brettwerk_games.rules.interface import AnyGame, Kind
from services.rules.answers import answer
from services.runtime import limits
from services.runtime.refusal import Refused
from tests.brettwerk_games.rules.kit.play import plies_of
from tests.services.rules.asking import packed, refusal_of


def listed(game: str, view: AnyMessage, places: Sequence[str] = (), page_size: int = 1000) -> list[games_pb2.ActionChoice]:
    """All pages of what a seat may do."""
    found: list[games_pb2.ActionChoice] = []
    request = pb.LegalActionsRequest(game=game, view=view, page_size=page_size, places=places)
    while True:
        limits.check(request)
        page = answer("legal_actions", request)
        assert isinstance(page, pb.LegalActionsResponse)
        found += page.actions
        if not page.next_page_token:
            return found
        assert len(page.actions) == page_size
        request.page_token = page.next_page_token


def test_actions_by_places_are_those_of_the_whole_list(game: AnyGame) -> None:
    plies = [ply for ply, _ in plies_of(game)]
    beginnings = 0
    for ply in plies[:: max(1, len(plies) // 6)]:
        view = packed(game, Kind.VIEW, game.view(ply.before, ply.seat))
        whole = listed(game.facts.id, view)
        touched = {tuple(choice.places[:count]) for choice in whole for count in range(len(choice.places) + 1)}
        for places in sorted(touched)[:: max(1, len(touched) // 5)]:
            expected = [choice for choice in whole if tuple(choice.places[: len(places)]) == places]
            beginnings += len(expected) < len(whole)
            for page_size in (1000, max(1, len(expected) // 2)):
                assert listed(game.facts.id, view, places, page_size) == expected
        assert listed(game.facts.id, view, ["nowhere"]) == []
    has_places = any(choice.places for choice in whole)
    assert beginnings or not has_places, "nothing was left out"


def test_a_page_token_of_some_places_is_good_for_these_only(game: AnyGame) -> None:
    view = packed(game, Kind.VIEW, game.view(plies_of(game)[0][0].before, plies_of(game)[0][0].seat))
    whole = listed(game.facts.id, view)
    beginnings = [[], *([one] for one in sorted({choice.places[0] for choice in whole if choice.places}))]
    tokens = {}
    for places in beginnings:
        request = pb.LegalActionsRequest(game=game.facts.id, view=view, page_size=1, places=places)
        page = answer("legal_actions", request)
        assert isinstance(page, pb.LegalActionsResponse)
        if page.next_page_token:
            tokens[tuple(places)] = page.next_page_token
    for begins, token in tokens.items():
        for others in tokens:
            request = pb.LegalActionsRequest(game=game.facts.id, view=view, page_token=token, places=others)
            if others == begins:
                answer("legal_actions", request)
            else:
                assert refusal_of("legal_actions", request).field == "page_token"


def test_more_places_than_an_action_has_are_refused() -> None:
    for places in (["x"] * 65, ["x" * 17]):
        with pytest.raises(Refused):
            limits.check(pb.LegalActionsRequest(game="einstein", places=places))
