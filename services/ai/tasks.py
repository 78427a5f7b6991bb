"""What workers do with a request: think, and answer. Nothing that a request holds can stop a worker or come back for ever."""

import time
from collections.abc import Callable
from typing import Any

import grpc
import redis
from celery import Task
from kombu.exceptions import OperationalError

from brettwerk.v1 import ai_pb2, errors_pb2, record_pb2, session_pb2
from services.ai import alarm
from services.ai.answers import Answers
from services.ai.app import MOVE, REVIEW, THINK, app
from services.ai.assignment import Assignment, assign, packed_action
from services.ai.beating import Closing
from services.ai.board.worker_board import WorkerBoard
from services.ai.envelope import Envelope, now_ms
from services.ai.hints import hint
from services.ai.players.interface import NothingToDo, OutOfTime
from services.ai.session_client import SessionClient
from services.ai.thinking import Thinker
from services.ai.thoughts import Thoughts
from services.ai.turn import Turns
from services.runtime import metrics, spans
from services.runtime.interceptor import internal
from services.runtime.logs import logger
from services.runtime.redis_url import open_blocking_redis
from services.runtime.refusal import Refused
from services.runtime.settings import settings

log = logger(__name__)

REDELIVERIES = 2
"""A request that has cost so many processes their life is not tried again."""
HINTS = 64
"""Most hints of a review."""
_MARGIN_S = 0.1
"""How long before the answer is unwanted thinking ends, so that it still arrives."""

_answers: list[Answers] = []
_turns: list[Turns] = []
_LEAVE_POLICY = {"max_retries": 0}
"""The AI service leaves tickets, too: one that cannot be left is no loss."""


def open_answers() -> None:
    """Open this process's outgoing connections: once, after the fork."""
    _answers[:] = [Answers(settings())]


def open_turns(worker: str, closing: Closing) -> None:
    """Open what this process needs to take turns for a worker: once, after the fork."""
    config = settings()
    alarm.install()
    broker = open_blocking_redis(config.broker_url, socket_timeout=5, socket_connect_timeout=2, health_check_interval=10)
    hasty = open_blocking_redis(config.broker_url, socket_timeout=0.2, socket_connect_timeout=0.2)
    thinker = Thinker(Thoughts(hasty))
    board, client = WorkerBoard(broker, worker), SessionClient(config.session_address)
    _turns[:] = [Turns(board, client, thinker, broker, lambda: closing.has_begun)]


@app.task(name=THINK, acks_late=False)
def think() -> None:
    """Take a turn at the board; leave a ticket for the next when something waits still."""
    try:
        if _turns[0].take():
            app.send_task(THINK, queue=THINK, ignore_result=True, retry_policy=_LEAVE_POLICY)
    except (redis.RedisError, OperationalError, OSError) as error:
        log.warning("board cannot be reached", error=repr(error))


@app.task(name=MOVE, bind=True)
def move(task: "Task[Any, Any]", /, **fields: Any) -> None:
    """Find a move and submit it to the session service."""
    metrics.AI_ATTEMPTS.labels(_guarded(task, MOVE, fields, _move)).inc()


@app.task(name=REVIEW, bind=True)
def review(task: "Task[Any, Any]", /, **fields: Any) -> None:
    """Weigh a seat's actions and push the answer to whoever waits for it."""
    _guarded(task, REVIEW, fields, _review)


def _guarded(task: "Task[Any, Any]", queue: str, fields: dict[str, Any], work: Callable[[Envelope], str]) -> str:
    """Do the work and return what became of it; whatever goes wrong is logged and ends here."""
    span = spans.NONE
    try:
        envelope = Envelope(**fields)
        span = spans.begin(queue, envelope.traceparent)
        metrics.AI_QUEUE_WAIT.labels(queue).observe(max(0, now_ms() - envelope.asked_ms) / 1000)
        if now_ms() >= envelope.deadline_ms:
            return "expired"
        if (task.request.delivery_info or {}).get("redelivered"):
            count = _answers[0].redeliveries(task.request.id or "")
            log.warning("request came back from a lost process", queue=queue, count=count)
            if count > REDELIVERIES:
                return "dropped"
        return work(envelope)
    except OutOfTime:
        log.error("request took too long", queue=queue)
    except Exception as error:  # a request must not be able to stop a worker
        log.error("request failed", queue=queue, exc_info=error)
    finally:
        span.end()
    return "failed"


def _move(envelope: Envelope) -> str:
    request = ai_pb2.RequestMoveRequest.FromString(envelope.request_bytes())
    try:
        assignment = assign(request.game, request.computer, request.view)
    except Refused as refused:
        log.error("request cannot be carried out", game=request.game, reason=refused.refusal.message)
        return "refused"
    began = time.monotonic()
    thought = assignment.player.think(assignment.view, _deadline(assignment, envelope), request.search_seed)
    took = time.monotonic() - began
    metrics.AI_THINK.labels(request.game, assignment.level.id).observe(took)
    submission = session_pb2.SubmitActionRequest(
        session_id=request.session_id,
        seat=request.seat,
        version=request.version,
        ticket=request.ticket,
        action=packed_action(assignment.game, thought.action),
        thought=record_pb2.Thought(
            win_chance=thought.win_chance, nodes=thought.nodes, think_ms=int(took * 1000), depth=thought.depth
        ),
    )
    facts = {"game": request.game, "computer": assignment.level.id, "version": request.version, "attempt": request.attempt}
    try:
        response = _answers[0].submit(submission, (envelope.deadline_ms - now_ms()) / 1000)
    except grpc.RpcError as error:
        log.warning("answer was not taken", code=_code(error), **facts)
        return "not_delivered"
    log.info("moved", played=response.played, think_ms=int(took * 1000), nodes=thought.nodes, depth=thought.depth, **facts)
    return "played" if response.played else "late"


def _review(envelope: Envelope) -> str:
    request = ai_pb2.ReviewRequest.FromString(envelope.request_bytes())
    try:
        response = _reviewed(request, envelope)
    except Refused as refused:
        _answers[0].reply(envelope.reply_to, refused.refusal)
        return "refused"
    except Exception:
        _answers[0].reply(envelope.reply_to, internal().refusal)
        raise
    _answers[0].reply(envelope.reply_to, response)
    return "reviewed"


def _reviewed(request: ai_pb2.ReviewRequest, envelope: Envelope) -> ai_pb2.ReviewResponse:
    assignment = assign(request.game, request.computer, request.view)
    began = time.monotonic()
    try:
        advice = assignment.player.review(assignment.view, _deadline(assignment, envelope), request.search_seed)
    except NothingToDo:
        raise Refused(errors_pb2.REASON_NOT_YOUR_TURN, "the view's seat is not to act") from None
    metrics.AI_THINK.labels(request.game, assignment.level.id).observe(time.monotonic() - began)
    hints = [hint(assignment, one) for one in advice[:HINTS]]
    return ai_pb2.ReviewResponse(hints=hints, win_chance=hints[0].win_chance if hints else 0.0)


def _deadline(assignment: Assignment, envelope: Envelope) -> float:
    """Return when thinking must end, in seconds of `time.monotonic`."""
    left = (envelope.deadline_ms - now_ms()) / 1000 - _MARGIN_S
    return time.monotonic() + max(0.0, min(assignment.think_s, left))


def _code(error: grpc.RpcError) -> str:
    code = getattr(error, "code", None)
    return code().name if callable(code) else "UNKNOWN"
