"""Orders that bring what they are about: reviews, and moves that the release before asks for."""

from typing import Any

import pytest
import redis
from google.protobuf.any_pb2 import Any as AnyMessage
from prometheus_client import REGISTRY

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import errors_pb2
from brettwerk_games.rules.einstein import GAME as EINSTEIN
from brettwerk_games.rules.interface import Kind
from services.ai.thought.turn import Turns
from tests.services.ai.listed import Board
from tests.services.ai.turning import board, broker, hears, peer, turns
from tests.services.ai.wanted import computer, start_position, view_of

__all__ = ["board", "broker", "hears", "peer", "turns"]
pytestmark = pytest.mark.usefixtures("hears")


def review(level: str = "easy", seat: int = 0) -> bytes:
    request = ai_pb2.ReviewRequest(game="einstein", view=view_of(start_position(), seat), computer=computer(level), search_seed=1)
    return request.SerializeToString()


def reply(broker: "redis.Redis") -> AnyMessage:
    found = broker.lpop("reply")
    assert isinstance(found, bytes)
    return AnyMessage.FromString(found)


def test_a_review_is_answered_with_hints_best_first(turns: Turns, board: Board, broker: "redis.Redis"):
    board.put_payload("review:1", "review", review(), reply_to="reply")
    reviewed = {"outcome": "reviewed"}
    before = REGISTRY.get_sample_value("brettwerk_ai_thought_seconds_total", reviewed) or 0.0
    turns.take()
    assert (REGISTRY.get_sample_value("brettwerk_ai_thought_seconds_total", reviewed) or 0.0) > before
    assert 0 < broker.ttl("reply") <= 30
    response = ai_pb2.ReviewResponse()
    assert reply(broker).Unpack(response)
    view = EINSTEIN.view(start_position(), 0)
    actions = [EINSTEIN.codec.decode(Kind.ACTION, hint.action.action.value) for hint in response.hints]
    assert sorted(actions) == sorted(EINSTEIN.actions(view))
    chances = [hint.win_chance for hint in response.hints]
    assert chances == sorted(chances, reverse=True)
    assert response.win_chance == chances[0]
    best = response.hints[0].action
    assert EINSTEIN.read(view, best.notation) == actions[0]
    assert best.places and best.label.key
    assert [one.outcome for one in board.finished] == ["reviewed"]


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (review(seat=1), errors_pb2.REASON_NOT_YOUR_TURN),
        (review(level="of another release"), errors_pb2.REASON_UNKNOWN),
        (b"\xff", errors_pb2.REASON_INTERNAL),
    ],
    ids=["turn", "level", "bytes"],
)
def test_a_review_that_cannot_be_made_is_refused(turns: Turns, board: Board, broker: "redis.Redis", payload: bytes, reason: Any):
    board.put_payload("review:1", "review", payload, reply_to="reply")
    turns.take()
    refused = errors_pb2.Refusal()
    assert reply(broker).Unpack(refused)
    assert refused.reason == reason
    assert [one.outcome for one in board.finished] == ["reviewed"]
