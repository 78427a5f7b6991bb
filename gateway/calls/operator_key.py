"""The operator of this server: whoever has its key. It is a secret of its own, since nobody plays with it."""

import hashlib
import hmac

from brettwerk.v1 import errors_pb2
from gateway.identity.caller import Caller
from services.runtime.refusal import Refused
from services.runtime.token_buckets import Buckets

SHORTEST = 32
WRONG_PER_S, WRONG_BURST = 5 / 60, 5
"""How many wrong keys of an address are compared; beyond that none is, not even the right one."""


class OperatorKey:
    """Knows the key."""

    def __init__(self, keys: str) -> None:
        """Take the key, or several that count while it is being replaced, separated by commas; empty: there is no operator.

        Raises ValueError for a key that could be guessed.
        """
        given = [key.strip() for key in keys.split(",") if key.strip()]
        if any(len(key) < SHORTEST for key in given):
            raise ValueError(f"BRETTWERK_OPERATOR_KEY must have at least {SHORTEST} characters")
        self._digests = [_digest(key) for key in given]
        self._wrong = Buckets("operator_key", WRONG_PER_S, WRONG_BURST)

    @property
    def is_set(self) -> bool:
        """Whether there is an operator at all."""
        return bool(self._digests)

    def check(self, key: str, caller: Caller) -> None:
        """Return if the key is right.

        Raises Refused: UNKNOWN, as if there were nothing to see, and TOO_MANY_REQUESTS if the address has tried too many.
        """
        self._wrong.take(caller.address, 0)
        digest = _digest(key)
        equal = [hmac.compare_digest(digest, each) for each in self._digests]
        if not any(equal):
            self._wrong.charge(caller.address, 1)
            raise Refused(errors_pb2.REASON_UNKNOWN, "there is nothing to see with this key", field="operator_key")


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
