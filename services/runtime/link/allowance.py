"""What the other side of a connection may do that costs us more than it: so much at once, and so much a second."""

import time


class Allowance:
    """A token bucket. It is full in the beginning."""

    __slots__ = ("_at", "_left", "_most", "_per_s")

    def __init__(self, most: float, per_s: float) -> None:
        """`most` may be taken at once, and `per_s` in each second from then on."""
        self._most = most
        self._per_s = per_s
        self._left = most
        self._at = time.monotonic()

    def take(self, amount: float) -> bool:
        """Take an amount; nothing is taken, and False returned, if there is less."""
        if self._left < amount:
            now = time.monotonic()
            self._left = min(self._most, self._left + (now - self._at) * self._per_s)
            self._at = now
            if self._left < amount:
                return False
        self._left -= amount
        return True

    def give(self, amount: float) -> None:
        """Give some back, as much as there is room for."""
        self._left = min(self._most, self._left + amount)

    @property
    def is_full(self) -> bool:
        """Whether nothing was taken lately."""
        return self._left + (time.monotonic() - self._at) * self._per_s >= self._most
