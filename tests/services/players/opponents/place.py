"""Pools and challenges of a test: a real database, a clock that stands, and a session service that notes what it is asked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import opponents_pb2
from services.archive.access import Access
from services.players.calls import Caller
from services.players.news.followers import Following
from services.players.opponents import session_orders
from services.players.opponents.challenges import Challenges
from services.players.opponents.player_search import Finding
from services.players.opponents.pool import Pool
from services.players.opponents.session_orders import Arranging
from services.players.opponents.sessions import Sessions
from services.players.store import open_store
from services.runtime.refusal import Refused

NOON = 1_800_000_000_000
JOIN_TIMEOUT_S = 60.0


class NotedSessions(Sessions):
    """Answers as the session service does: the same arrangement is the same session. `away`: what it raises instead."""

    def __init__(self) -> None:
        self.asked: list[session_pb2.ArrangeSessionRequest] = []
        self.closed: list[str] = []
        self.away: Refused | None = None

    async def arrange(self, request: session_pb2.ArrangeSessionRequest) -> str:
        if self.away is not None:
            raise self.away
        if request.only_checks:
            return ""
        self.asked.append(request)
        return f"07{request.arrangement_id[:22]}"

    async def close_waiting(self, arrangement_id: str) -> session_pb2.CloseWaitingResponse:
        self.closed.append(arrangement_id)
        return session_pb2.CloseWaitingResponse()


class Process:
    """The parts of it that one process of the service has."""

    def __init__(self, store: Access, sessions: NotedSessions, clock: Callable[[], int]) -> None:
        self.store, self.sessions = store, sessions
        self.following = Following(store, clock)
        self.pool = Pool(store, self._make, clock)
        self.challenges = Challenges(store, sessions, self._make, self.following.wake, clock)
        self.finding = Finding(store, clock)
        announce = {session_orders.POOL: self.pool.announce, session_orders.CHALLENGE: self.challenges.announce}
        self.arranging = Arranging(store, sessions, announce, self.following.wake, JOIN_TIMEOUT_S, clock)
        self.makes = True
        """Whether it lives long enough to create the sessions that it has ordered."""
        self._handlers = {**self.pool.handlers(), **self.challenges.handlers(), **self.finding.handlers()}

    async def _make(self, arrangement_id: str, address: str) -> None:
        if self.makes:
            await self.arranging.make(arrangement_id, address)

    async def ask(self, name: str, caller: Caller, request: Any) -> Any:
        """Return the response to a call, by its field in a Call."""
        return (await self._handlers[name](request, caller)).response

    async def seek(self, caller: Caller, request_id: str = "search-1", **fields: Any) -> opponents_pb2.Seek:
        request = opponents_pb2.StartSeekRequest(game="einstein", request_id=request_id, **fields)
        seek: opponents_pb2.Seek = (await self.ask("start_seek", caller, request)).seek
        return seek

    async def follow(self, caller: Caller, seek: opponents_pb2.Seek, wait_ms: int = 0) -> opponents_pb2.Seek:
        request = opponents_pb2.FollowSeekRequest(seek_id=seek.seek_id, wait_ms=wait_ms)
        followed: opponents_pb2.Seek = (await self.ask("follow_seek", caller, request)).seek
        return followed

    async def challenge(self, caller: Caller, request_id: str = "challenge-1", **fields: Any) -> opponents_pb2.Challenge:
        request = opponents_pb2.ChallengePlayerRequest(request_id=request_id, **{"game": "einstein", **fields})
        made: opponents_pb2.Challenge = (await self.ask("challenge_player", caller, request)).challenge
        return made


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now_ms = NOON

    def __call__(self) -> int:
        return self.now_ms

    def wait(self, seconds: float) -> None:
        self.now_ms += round(seconds * 1000)


class Place:
    """Two processes on one database."""

    def __init__(self, file: Path) -> None:
        self.clock, self.sessions = Clock(), NotedSessions()
        self.store = open_store(f"sqlite:///{file}")
        self.one, self.other = (Process(self.store, self.sessions, self.clock) for _ in range(2))


def player(letter: str, name: str) -> Caller:
    return Caller(letter * 26, name, "192.0.2.1")
