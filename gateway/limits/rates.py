"""How fast callers may go: token buckets by player, by address, and tighter ones for costly calls.

A call over HTTP is charged as a whole when it ends; a stream has no end, so it is charged on the way for its JSON that is read
and written here, and waits once its client owes too much.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gateway.identity.caller import Caller
from services.runtime.refusal import Refused
from services.runtime.settings import Settings
from services.runtime.token_buckets import Buckets

COSTLY_SHARE = 10
"""How many times rarer costly calls must be than calls in general."""
TALKERS = 8
"""How many times a player's rate of talk an address has."""
BYTES_PER_TOKEN = 16 * 1024
"""A request takes one token, and one more for every this many bytes."""
CPU_S_PER_TOKEN = 0.005
"""A request takes one more token for every this many seconds of CPU time that it took, here and in other services."""
CHARGED_S = 0.02
"""How much CPU time may go into a stream's JSON before its client is charged for it, and others have their turn."""


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


class StreamCharges:
    """The time spent on the JSON of one stream since its client was last charged."""

    def __init__(self, rates: Rates) -> None:
        self._rates = rates
        self._spent_s = 0.0

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Return a block whose CPU time is counted."""
        began = time.thread_time()
        try:
            yield
        finally:
            self._spent_s += time.thread_time() - began

    def pause_s(self, caller: Caller) -> float | None:
        """Charge the client if it is time to, and return how long it has to wait then; None if it was not.

        0 means that it owes nothing, but others have their turn first.
        """
        if self._spent_s <= CHARGED_S:
            return None
        self._rates.charge(caller, self._spent_s)
        self._spent_s = 0.0
        return self.owed_s(caller)

    def owed_s(self, caller: Caller) -> float:
        """Return how long the client has to wait until its next request is accepted."""
        try:
            self._rates.check(caller)
        except Refused as refused:
            return refused.refusal.retry_after_ms / 1000
        return 0.0
