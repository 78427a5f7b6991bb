"""Thoughts that are kept: equal positions are thought about once, in openings above all.

Two thoughts are the same when everything is equal that they depend on: game, rules, player, strength, the view's bytes and the
seed. A session's seed is one of 2^64, so nothing would ever be equal; therefore a search is given one of eight seeds only,
made of all this and the session's seed modulo eight. That keeps variety: a position that many sessions reach gets up to eight
answers, the sessions spread over them, and after ten moves there are 2^30 ways through them; and since the position is part of
what a seed is made of, the eight are others in every position. A kept answer is the very one that thinking would give.

They are kept where they were thought, and in the broker's Redis for other processes, each at a place that its key names: whoever
comes later takes the place. So there are never more than `PLACES`, and nobody has to count them.
"""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable

import redis
from google.protobuf.message import DecodeError

from brettwerk.internal.v1 import session_pb2
from services.ai.thought.assignment import Assignment
from services.runtime.version import VERSION

VARIETY = 8
"""How many answers a position may get."""
WORTH_S = 0.03
"""Thoughts that took less are not kept: they are recreated as fast."""
OWN = 2048
"""How many thoughts a process keeps for itself."""
PLACES = 16_384
"""How many there are for all, in Redis."""
BYTES = 1024
"""The most that one may take there."""
KEEP_S = 3600
PREFIX = "bw:thought:"
_REST_S = 5.0
"""How long Redis is left alone after it failed."""


def key_of(assignment: Assignment, depth: int, view: bytes, seed: int) -> bytes:
    """Return the 32 bytes that are equal for equal thoughts; `depth` is what the seat asked for, `seed` the session's."""
    facts, level = assignment.game.facts, assignment.level
    what = f"{VERSION} {facts.id} {facts.rules_version} {level.player} {level.id} {level.strength} {depth} {seed % VARIETY} "
    return hashlib.sha256(what.encode() + view).digest()


def seed_of(key: bytes) -> int:
    """Return the seed that a search with this key is given."""
    return int.from_bytes(key[:8], "big")


class Thoughts:
    """The kept thoughts, as one process finds them. A thought that Redis fails at is not there."""

    def __init__(self, client: "redis.Redis", now: Callable[[], float] = time.monotonic) -> None:
        """Use a client that returns bytes and waits for next to nothing."""
        self._client = client
        self._now = now
        self._own: OrderedDict[bytes, session_pb2.SubmitActionRequest] = OrderedDict()
        self._asks_at = 0.0

    def find(self, key: bytes, *, everywhere: bool) -> session_pb2.SubmitActionRequest | None:
        """Return a thought as the action and thought of a submission, or None; in Redis it is looked for if `everywhere`."""
        own = self._own.get(key)
        if own is not None:
            self._own.move_to_end(key)
            return own
        if not everywhere or self._now() < self._asks_at:
            return None
        try:
            data = self._client.get(_place(key))
        except (redis.RedisError, OSError):
            self._asks_at = self._now() + _REST_S
            return None
        if not isinstance(data, bytes) or data[: len(key)] != key:
            return None
        try:
            found = session_pb2.SubmitActionRequest.FromString(data[len(key) :])
        except DecodeError:
            return None
        self._keep_own(key, found)
        return found

    def keep(self, key: bytes, thought: session_pb2.SubmitActionRequest) -> None:
        """Keep a thought: of `thought` only the action and what the player thought of it."""
        kept = session_pb2.SubmitActionRequest(action=thought.action, thought=thought.thought)
        data = key + kept.SerializeToString()
        if len(data) > BYTES:
            return
        self._keep_own(key, kept)
        if self._now() < self._asks_at:
            return
        try:
            self._client.set(_place(key), data, ex=KEEP_S)
        except (redis.RedisError, OSError):
            self._asks_at = self._now() + _REST_S

    def _keep_own(self, key: bytes, kept: session_pb2.SubmitActionRequest) -> None:
        self._own[key] = kept
        if len(self._own) > OWN:
            self._own.popitem(last=False)


def _place(key: bytes) -> str:
    return f"{PREFIX}{int.from_bytes(key[8:16], 'big') % PLACES}"
