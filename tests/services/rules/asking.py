"""Short ways to ask the rules in tests."""

from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import errors_pb2, sessions_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import AnyGame, Kind
from services.rules.answers import answer
from services.rules.steps import EVERYBODY
from services.runtime.refusal import Refused
from tests.brettwerk_games.rules.kit.pieces import joined

SEED = bytes(range(32))


def packed(game: AnyGame, kind: Kind, value: Any) -> AnyMessage:
    return AnyMessage(type_url=f"type.googleapis.com/{game.codec.type_name(kind)}", value=game.codec.encode(kind, value))


def new(game: str, seats: int = 2, seed: bytes = SEED, **fields: Any) -> pb.Step:
    response = answer(
        "new_position", pb.NewPositionRequest(game=game, seats=seats, step_seed=seed, audiences=EVERYBODY, **fields)
    )
    assert isinstance(response, pb.NewPositionResponse)
    return response.step


def act(game: str, position: AnyMessage, seat: int, action: AnyMessage, seed: bytes = SEED) -> pb.Step:
    done = pb.SeatAction(seat=seat, action=action)
    request = pb.ApplyActionRequest(game=game, position=position, action=done, step_seed=seed, audiences=EVERYBODY)
    response = answer("apply_action", request)
    assert isinstance(response, pb.ApplyActionResponse)
    return response.step


def system_step(game: str, position: AnyMessage, seed: bytes = SEED, **system_action: Any) -> pb.Step:
    request = pb.ApplyActionRequest(game=game, position=position, step_seed=seed, audiences=EVERYBODY)
    request.system_action.SetInParent()
    for name, value in system_action.items():
        if isinstance(value, AnyMessage):
            getattr(request.system_action, name).CopyFrom(value)
        else:
            setattr(request.system_action, name, value)
    response = answer("apply_action", request)
    assert isinstance(response, pb.ApplyActionResponse)
    return response.step


def seen(step: pb.Step, seat: int | None) -> sessions_pb2.Update:
    """Return what a seat or a spectator is told of a step that is shown to it."""
    return sessions_pb2.Update.FromString(joined(step, seat))


def value_of(game: str, kind: Kind, message: AnyMessage) -> Any:
    return registry.games()[game].codec.decode(kind, message.value)


def refusal_of(name: str, request: object) -> errors_pb2.Refusal:
    with pytest.raises(Refused) as caught:
        answer(name, request)  # type: ignore[arg-type]
    return caught.value.refusal
