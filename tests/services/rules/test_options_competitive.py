"""Options of competitive sessions: one switch for the session and for the game (WEC-MODE-1)."""

from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import errors_pb2, wec_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.wec.options import Government, Options
from services.rules.answers import answer
from services.runtime.refusal import Refused
from tests.services.rules.asking import packed

WEC = registry.games()["wec"]


def asked(**fields: Any) -> AnyMessage:
    found = AnyMessage()
    found.Pack(wec_pb2.WecOptions(**fields))
    return found


def begun(options: AnyMessage | None, *, competitive: bool, game: str = "wec") -> AnyMessage:
    """Return the options that a game begins with."""
    request = pb.NewPositionRequest(game=game, options=options, seats=2, step_seed=bytes(SEED_BYTES), competitive=competitive)
    response = answer("new_position", request)
    assert isinstance(response, pb.NewPositionResponse)
    return response.options


@pytest.mark.parametrize("given", [None, asked(), asked(competitive=True)], ids=["no options", "left out", "given"])
def test_a_competitive_session_closes_the_history(given: AnyMessage | None) -> None:
    assert begun(given, competitive=True) == packed(WEC, Kind.OPTIONS, Options(competitive=True))


def test_other_choices_stay_in_a_competitive_game() -> None:
    chosen = begun(asked(stun_range=4), competitive=True)
    assert chosen == packed(WEC, Kind.OPTIONS, Options(stun_range=4, competitive=True))


def test_a_competitive_session_with_an_open_history_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        begun(asked(competitive=False), competitive=True)
    assert refused.value.reason == errors_pb2.REASON_COMPETITIVE
    assert (refused.value.refusal.rule, dict(refused.value.refusal.details)) == ("WEC-OPT-30", {"option": "competitive"})


@pytest.mark.parametrize("given", [None, asked(), asked(competitive=False)])
def test_a_casual_session_begins_with_an_open_history(given: AnyMessage | None) -> None:
    assert begun(given, competitive=False) == packed(WEC, Kind.OPTIONS, Options())


def test_games_without_such_an_option_begin_as_they_did() -> None:
    assert begun(None, competitive=True, game="emperado") == begun(None, competitive=False, game="emperado")


def test_malformed_options_are_malformed_here_too() -> None:
    with pytest.raises(Refused) as refused:
        begun(AnyMessage(type_url="type.googleapis.com/brettwerk.v1.WecOptions", value=b"\xff"), competitive=True)
    assert refused.value.reason == errors_pb2.REASON_MALFORMED


def test_other_options_are_agreed_on_with_a_closed_history() -> None:
    before = packed(WEC, Kind.OPTIONS, Options(competitive=True))
    request = pb.SplitOptionsRequest(game="wec", seats=2, options=before, wanted=asked(stun_range=4), competitive=True)
    response = answer("split_options", request)
    assert isinstance(response, pb.SplitOptionsResponse)
    assert response.common == packed(WEC, Kind.OPTIONS, Options(stun_range=4, competitive=True))
    request.wanted.CopyFrom(asked(competitive=False))
    with pytest.raises(Refused):
        answer("split_options", request)


def test_the_rematch_of_a_session_of_an_earlier_release_is_closed() -> None:
    before = packed(WEC, Kind.OPTIONS, Options(government_white=Government.THEOCRACY))
    request = pb.DealOptionsRequest(game="wec", options=before, order=[1, 0], competitive=True)
    response = answer("deal_options", request)
    assert isinstance(response, pb.DealOptionsResponse)
    assert response.options == packed(WEC, Kind.OPTIONS, Options(government_black=Government.THEOCRACY, competitive=True))
