"""How fast callers may go: token buckets by player, by address, and tighter ones for costly calls."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from brettwerk.v1 import errors_pb2
from gateway.identity.caller import Caller
from services.runtime import metrics
from services.runtime.refusal import Refused
from services.runtime.settings import Settings

BUCKETS = 40_000
"""How many buckets of a rule are remembered, some 300 bytes each.

The one that has been idle longest is forgotten first, and is full when it is needed again.
"""
COSTLY_SHARE = 10
"""How many times rarer costly calls must be than calls in general."""
TALKERS = 8
"""How many times a player's rate of talk an address has."""
BYTES_PER_TOKEN = 16 * 1024
"""A request takes one token, and one more for every this many bytes."""


CPU_S_PER_TOKEN = 0.005
"""A request takes one more token for every this many seconds of CPU time that it took, here and in other services."""


class Buckets:
    """The token buckets of one rule."""

    def __init__(self, rule: str, per_s: float, burst: float, now: Callable[[], float] = time.monotonic) -> None:
        """Name the rule (for metrics); `per_s` tokens flow into each bucket, which holds `burst`."""
        self._rule = rule
        self._per_s = per_s
        self._burst = max(burst, 1.0)
        self._now = now
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, tokens: float) -> None:
        """Take tokens from the bucket of `key`, at most a full bucket.

        Raises Refused (TOO_MANY_REQUESTS) if there are too few.
        """
        now = self._now()
        level, at = self._levels.get(key, (self._burst, now))
        level = min(self._burst, level + (now - at) * self._per_s)
        wanted = min(tokens, self._burst)
        is_there = level >= wanted
        self._levels[key] = (level - wanted if is_there else level, now)
        self._levels.move_to_end(key)
        if len(self._levels) > BUCKETS:
            self._levels.popitem(last=False)
        if not is_there:
            metrics.RATE_LIMITED.labels(self._rule).inc()
            wait_ms = math.ceil(1000 * (wanted - level) / self._per_s)
            raise Refused(
                errors_pb2.REASON_TOO_MANY_REQUESTS,
                f"too many requests; the next one is accepted in {wait_ms} ms",
                details={"limit": self._rule},
                retry_after_ms=wait_ms,
            )

    def charge(self, key: str, tokens: float) -> None:
        """Take tokens for what has already been done, whether or not they are there: a bucket may owe as many as it holds."""
        now = self._now()
        level, at = self._levels.get(key, (self._burst, now))
        level = min(self._burst, level + (now - at) * self._per_s)
        self._levels[key] = (max(-self._burst, level - tokens), now)
        self._levels.move_to_end(key)


class Rates:
    """All rules together."""

    def __init__(self, config: Settings, now: Callable[[], float] = time.monotonic) -> None:
        """Take the rates from the settings."""
        player = config.rate_per_s, config.rate_burst
        address = config.address_rate_per_s, config.address_rate_burst
        self._player = Buckets("player", *player, now)
        self._address = Buckets("address", *address, now)
        talk = config.talk_per_minute / 60, config.talk_burst
        self._talk_player = Buckets("talk_player", *talk, now)
        self._talk_address = Buckets("talk_address", talk[0] * TALKERS, talk[1] * TALKERS, now)
        self._costly_player = Buckets("costly_player", player[0] / COSTLY_SHARE, player[1] / COSTLY_SHARE, now)
        self._costly_address = Buckets("costly_address", address[0] / COSTLY_SHARE, address[1] / COSTLY_SHARE, now)

    def check(self, caller: Caller, size: int = 0, *, is_costly: bool = False, is_talk: bool = False) -> None:
        """Count one request of `size` bytes. Raises Refused (TOO_MANY_REQUESTS) that says when to try again.

        The player's own buckets come first: a single fast player takes nothing from those who share the address.
        """
        tokens = 1 + size // BYTES_PER_TOKEN
        if caller.player is not None:
            if is_costly:
                self._costly_player.take(caller.player.id, 1)
            if is_talk:
                self._talk_player.take(caller.player.id, 1)
            self._player.take(caller.player.id, tokens)
        if is_costly:
            self._costly_address.take(caller.address, 1)
        if is_talk:
            self._talk_address.take(caller.address, 1)
        self._address.take(caller.address, tokens)

    def charge(self, caller: Caller, cpu_s: float) -> None:
        """Count what an admitted request took: one that takes more than usual makes the next ones wait."""
        tokens = cpu_s / CPU_S_PER_TOKEN - 1
        if tokens <= 0:
            return
        if caller.player is not None:
            self._player.charge(caller.player.id, tokens)
        self._address.charge(caller.address, tokens)
