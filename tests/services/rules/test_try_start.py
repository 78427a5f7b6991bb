"""Start positions are checked before anybody plays them."""

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import einstein_pb2, errors_pb2, games_pb2
from brettwerk_games.rules import registry
from services.rules import facts
from services.rules.answers import answer
from services.runtime.refusal import Refused

BOARDS = [(game, preset) for game in registry.games() for preset in facts.game(game).presets if preset.HasField("start_position")]


def tried(game: str, preset: games_pb2.Preset) -> pb.TryStartResponse:
    request = pb.TryStartRequest(game=game, options=preset.options, seats=2, start_position=preset.start_position)
    response = answer("try_start", request)
    assert isinstance(response, pb.TryStartResponse)
    return response


@pytest.mark.parametrize(("kind", "preset"), BOARDS, ids=[f"{game}-{preset.id}" for game, preset in BOARDS])
def test_a_game_can_begin_with_every_prepared_board_and_oddities_are_reported(kind: str, preset: games_pb2.Preset) -> None:
    response = tried(kind, preset)
    assert response.view.value
    assert response.position.value
    texts = registry.games()[kind].facts.catalogue("de")
    assert all(warning.key in texts for warning in response.warnings)
    assert len(response.warnings) == (2 if preset.id == "two_kings" else 0)


def test_a_start_that_cannot_be_is_refused_with_its_rule() -> None:
    start = AnyMessage()
    start.Pack(einstein_pb2.EinsteinPosition(squares=[1] + [0] * 24))
    with pytest.raises(Refused) as caught:
        answer("try_start", pb.TryStartRequest(game="einstein", seats=2, start_position=start))
    assert (caught.value.reason, caught.value.refusal.rule) == (errors_pb2.REASON_ILLEGAL, "EWN-END-2")


def test_without_a_position_the_default_start_is_shown() -> None:
    response = answer("try_start", pb.TryStartRequest(game="wec", seats=2))
    assert isinstance(response, pb.TryStartResponse)
    assert response.view.value
