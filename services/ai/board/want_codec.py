"""The requests to the AI service, as they are put on the board."""

import re
import secrets

from brettwerk.internal.v1 import ai_pb2
from brettwerk_games.rules.facts import LevelFacts
from services.ai.board.board import VERSIONS
from services.ai.board.order import Urgency
from services.ai.board.want import Wanted
from services.ai.celery_worker.app import THINK_MAX_S
from services.runtime import trace
from services.runtime.refusal import malformed

HINT_MS = 700
"""The longest that a hint is thought about, whatever its level names."""
REPLY_KEY = "bw:reply:"
"""Stands before the names of the lists that reviews are answered into."""
_SESSION = re.compile(r"[0-9A-Za-z_-]{1,40}")
_WAITS = {
    ai_pb2.WAITING_PERSON: Urgency.PERSON,
    ai_pb2.WAITING_WATCHER: Urgency.WATCHER,
}


def key_of(session_id: str, seat: int) -> str:
    """Return the key of a seat's move. Raises Refused (MALFORMED) when no session can have this id."""
    if not _SESSION.fullmatch(session_id):
        raise malformed("session_id", "that is not the id of a session")
    return f"{session_id}:{seat}"


def version_of(version: int) -> int:
    """Return a version. Raises Refused (MALFORMED) when no session can have it."""
    if version >= VERSIONS:
        raise malformed("version", "there is no such version")
    return version


def of_want(want: ai_pb2.Want, level: LevelFacts) -> Wanted:
    """Return a move that is wanted. Raises Refused (MALFORMED) when there can be no such session or version."""
    think_ms, least_ms = _times(level)
    return Wanted(
        key=key_of(want.session_id, want.seat),
        version=version_of(want.version),
        kind="move",
        waits=_WAITS.get(want.waiting, Urgency.NOBODY),
        named_ms=think_ms,
        least_ms=least_ms,
        since_ms=max(0, want.since_ms),
        level=f"{want.game} {level.id}",
        payload=want.SerializeToString(),
        mark=want.player.hex(),
        address=want.address.hex(),
        traceparent=trace.traceparent(),
    )


def of_review(request: ai_pb2.ReviewRequest, level: LevelFacts, now_ms: int, ends_ms: int) -> Wanted:
    """Return a review that is wanted until `ends_ms`."""
    think_ms, least_ms = _times(level)
    mark = secrets.token_hex(16)
    return Wanted(
        key=f"review:{mark}",
        version=1,
        kind="review",
        waits=Urgency.HINT,
        named_ms=min(think_ms, HINT_MS),
        least_ms=min(least_ms, HINT_MS),
        since_ms=now_ms,
        level=f"{request.game} {level.id} hint",
        payload=request.SerializeToString(),
        ends_ms=ends_ms,
        reply_to=f"{REPLY_KEY}{mark}",
        traceparent=trace.traceparent(),
    )


def _times(level: LevelFacts) -> tuple[int, int]:
    """Return how long a level thinks, and the least that it may be granted, in milliseconds."""
    max_ms = int(THINK_MAX_S * 1000)
    think_ms = max(1, min(level.think_ms, max_ms))
    return think_ms, max(1, min(level.floor_ms, think_ms))
