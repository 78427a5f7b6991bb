"""Reviews: an order that brings its view along, and is answered to whoever waits for it."""

import time

import redis
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import errors_pb2, play_pb2
from brettwerk_games.players.interface import Advice, NothingToDo
from services.ai.board.order import Finished, Order
from services.ai.thought import alarm
from services.ai.thought.assignment import Assignment, assign, described
from services.ai.thought.thinker import ALARM_S
from services.ai.thought.wanted_moves import note_thought
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused, internal

log = logger(__name__)

HINTS = 64
"""Most hints of a review."""
REPLY_KEEP_S = 30
"""How long a review's answer waits for its reader."""


class Reviewer:
    """Makes reviews, one by one."""

    def __init__(self, broker: "redis.Redis") -> None:
        """They are answered into lists of `broker`."""
        self._broker = broker

    def review(self, order: Order) -> Finished:
        """Weigh a seat's actions and push the answer, or its refusal, to the caller that waits for it; return what came of it."""
        began = time.monotonic()
        answer: Message
        is_weighed = False
        try:
            request = ai_pb2.ReviewRequest.FromString(order.payload)
            answer, is_weighed = self._reviewed(request, order.think_ms), True
        except Refused as refused:
            answer = refused.refusal
        except Exception as error:
            log.error("review failed", attempt=order.attempt, exc_info=error)
            answer = internal().refusal
        spent_s = time.monotonic() - began
        outcome = "reviewed" if self._reply(order.reply_to, answer) else "failed"
        note_thought(outcome if is_weighed else "failed", spent_s)
        was_full = is_weighed and order.think_ms >= order.named_ms
        return Finished(order.key, order.version, outcome, int(spent_s * 1000), was_full)

    def _reviewed(self, request: ai_pb2.ReviewRequest, think_ms: int) -> ai_pb2.ReviewResponse:
        assignment = assign(request.game, request.computer, request.view)
        granted_s = min(assignment.think_s, think_ms / 1000)
        began = time.monotonic()
        try:
            advice = alarm.within(
                granted_s + ALARM_S,
                lambda: assignment.player.review(assignment.view, began + granted_s, request.search_seed),
            )
        except NothingToDo:
            raise Refused(errors_pb2.REASON_NOT_YOUR_TURN, "it is not the turn of the view's seat") from None
        metrics.AI_THINK.labels(request.game, assignment.level.id).observe(time.monotonic() - began)
        hints = [hint(assignment, one) for one in advice[:HINTS]]
        return ai_pb2.ReviewResponse(hints=hints, win_chance=hints[0].win_chance if hints else 0.0)

    def _reply(self, key: str, answer: Message) -> bool:
        envelope = AnyMessage()
        envelope.Pack(answer)
        try:
            with self._broker.pipeline(transaction=True) as pipe:
                pipe.rpush(key, envelope.SerializeToString())
                pipe.expire(key, REPLY_KEEP_S)
                pipe.execute()
        except (redis.RedisError, OSError) as error:
            log.warning("review could not be answered", error=repr(error))
            return False
        return True


def hint(assignment: Assignment, advice: Advice) -> play_pb2.Hint:
    """Return the hint for an action of the assignment's view."""
    action = described(assignment.game, assignment.view, advice.action)
    return play_pb2.Hint(action=action, win_chance=advice.win_chance)
