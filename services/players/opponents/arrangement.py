"""The requests to the session service for players who have found each other. Pure."""

import hashlib
from collections.abc import Sequence

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import play_pb2, record_pb2

Sitter = str | record_pb2.Computer
"""The player of a seat: a player's id, or a computer player."""


def asked(
    arrangement_id: str,
    game: str,
    seats: Sequence[Sitter],
    *,
    options: AnyMessage | None,
    clock: record_pb2.ClockSpec | None,
    competitive: bool,
    title: str = "",
    public: bool = False,
    arena: bool = False,
) -> session_pb2.ArrangeSessionRequest:
    """Return the request for a session with these seats, in turn order."""
    wishes = [play_pb2.SeatWish(open=True) if isinstance(sitter, str) else play_pb2.SeatWish(computer=sitter) for sitter in seats]
    return session_pb2.ArrangeSessionRequest(
        arrangement_id=arrangement_id,
        create=play_pb2.CreateSessionRequest(
            game=game,
            options=options,
            seats=wishes,
            clock=clock,
            competitive=competitive,
            title=title,
            public=public,
        ),
        kept_for=[sitter if isinstance(sitter, str) else "" for sitter in seats],
        arena=arena,
    )


def seated(one: str, other: str, one_seat: int, computers: Sequence[record_pb2.Computer]) -> list[Sitter]:
    """Return the seats: the one at theirs, the other at the next that is free, and computers at the rest, in turn order.

    Raises ValueError where there is no such seat.
    """
    count = 2 + len(computers)
    if not 0 <= one_seat < count:
        raise ValueError("there is no such seat")
    sitters: list[Sitter] = [other, *computers]
    sitters.insert(one_seat, one)
    return sitters


def lot(arrangement_id: str, count: int) -> int:
    """Return a number below `count` that nobody chooses: it comes of the id, which is random."""
    return int.from_bytes(hashlib.sha256(b"lot\0" + arrangement_id.encode()).digest()[:8], "big") % count
