"""The moves of computers, from the logs of the sessions: the one truth of when each was wanted and made, and by whom."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import redis

from brettwerk.v1 import record_pb2
from loadtests.computers.mix import Company, Kind
from loadtests.computers.notes import Game
from loadtests.computers.people import OWN_SEAT
from services.runtime.seats import seat_in
from services.session.domain.storage_format import entry_of

_MANY = 500
"""Entries that are read at once."""


@dataclass(frozen=True, slots=True)
class Move:
    """A computer's move. `wanted_at`, `at`: since when it was wanted, and when it was made, in seconds since 1970."""

    kind: Kind
    wanted_at: float
    at: float
    think_s: float
    is_fallback: bool

    @property
    def waited_s(self) -> float:
        """From when it was wanted until it was made, thinking included."""
        return self.at - self.wanted_at


@dataclass(frozen=True, slots=True)
class Story:
    """All moves of some sessions, in order of time, and the waits for moves that were not made before the table was left."""

    moves: Sequence[Move]
    unanswered: Sequence[Move]

    def made(self, begin: float, end: float) -> list[Move]:
        """Return the moves that were made between two times."""
        return [move for move in self.moves if begin <= move.at < end]

    def longest_wait_s(self, company: Company, begin: float, end: float) -> float:
        """Return how long a move has been waited for at most between two times: one that was made, or not yet."""
        longest = 0.0
        for move in (*self.moves, *self.unanswered):
            if move.kind.company is company and move.wanted_at < end and move.at >= begin:
                longest = max(longest, min(move.at, end) - move.wanted_at)
        return longest


def story(redis_url: str, games: Iterable[Game]) -> Story:
    """Return what computers did in these sessions, read from the store."""
    made: list[Move] = []
    unanswered: list[Move] = []
    with redis.Redis.from_url(redis_url) as store:
        for game in games:
            last = 0.0
            for entry in _entries(store, game.session_id):
                if move := _move(game.kind, entry, last):
                    made.append(move)
                last = entry.at_ms / 1000 if entry.WhichOneof("change") != "closed" else last
            if game.computer_was_to_act and last:
                unanswered.append(Move(game.kind, last, max(last, game.left_at), 0.0, is_fallback=False))
    return Story(sorted(made, key=lambda move: move.at), unanswered)


def newest_at(redis_url: str, games: Iterable[Game]) -> dict[str, float]:
    """Return when each session last changed, in seconds since 1970; 0 for one that the store does not have."""
    found = {}
    with redis.Redis.from_url(redis_url) as store:
        for game in games:
            data = store.lindex(_key(game.session_id), -1)
            found[game.session_id] = _entry(data).at_ms / 1000 if data else 0.0
    return found


def _move(kind: Kind, entry: record_pb2.Entry, wanted_at: float) -> Move | None:
    """Return the move that an entry is; None where it is none of a computer."""
    if entry.WhichOneof("change") != "acted":
        return None
    actor = seat_in(entry.acted.ply, "actor_seat")
    if actor is None or (kind.company is Company.PERSON and actor == OWN_SEAT):
        return None
    is_fallback = entry.acted.cause == record_pb2.Acted.CAUSE_FALLBACK
    return Move(kind, wanted_at, entry.at_ms / 1000, entry.acted.thought.think_ms / 1000, is_fallback)


def _entries(store: redis.Redis, session_id: str) -> Iterable[record_pb2.Entry]:
    first = 0
    while page := store.lrange(_key(session_id), first, first + _MANY - 1):
        for data in page:
            yield _entry(data)
        first += _MANY


def _entry(data: bytes | str) -> record_pb2.Entry:
    assert isinstance(data, bytes)
    return record_pb2.Entry.FromString(entry_of(data))


def _key(session_id: str) -> str:
    return f"bw:{{s{session_id[:2]}}}:log:{session_id}"
