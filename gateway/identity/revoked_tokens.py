"""The API tokens that are void, in eight bytes each: none is ever forgotten, or it would be good again."""

import hashlib
from array import array
from bisect import bisect_left


class VoidTokens:
    """A set of tokens' ids. Two ids are taken for one with a chance of one in 10^12 while there are some millions."""

    def __init__(self) -> None:
        self._numbers = array("Q")
        """Sorted."""

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, token_id: str) -> bool:
        number = _number(token_id)
        place = bisect_left(self._numbers, number)
        return place < len(self._numbers) and self._numbers[place] == number

    def add(self, token_id: str) -> None:
        """Add a token; nothing happens when it is there."""
        number = _number(token_id)
        place = bisect_left(self._numbers, number)
        if place == len(self._numbers) or self._numbers[place] != number:
            self._numbers.insert(place, number)

    def discard(self, token_id: str) -> None:
        """Take a token out, if it is there: its bot is no longer suspended."""
        number = _number(token_id)
        place = bisect_left(self._numbers, number)
        if place < len(self._numbers) and self._numbers[place] == number:
            del self._numbers[place]


def _number(token_id: str) -> int:
    return int.from_bytes(hashlib.blake2b(token_id.encode(), digest_size=8).digest())
