"""Which moves of computers are wanted, and how the AI service learns of them: right after the commit that makes it their turn.

A want says whose move it is, for whom, and who waits for it. The person it counts for travels as marks, which nobody can trace
back to players or addresses without the key.

All of a tick is noted in one call, and remembered. A want that cannot be noted now is retried at growing intervals. If the AI
service says that it has lost what was noted, everything remembered is noted again immediately. Both are only in memory, and
bounded: a session is left alone by the sweeper only once its wants stand on the board, so it notes again anything beyond,
and a shard's next owner whatever is lost with a process (overdue_moves.py).
"""

import asyncio
import contextlib
import hmac
import random
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import errors_pb2
from services.runtime import metrics, trace
from services.runtime.bots import is_bot
from services.runtime.logs import logger
from services.runtime.refusal import UNREACHED, Refused
from services.runtime.tasks import ended
from services.session.computers.ai_client import AiClient, Workforce
from services.session.domain import ids
from services.session.domain.state import RUNNING, State
from services.session.domain.updates import PackedUpdate
from services.session.live.session_cache import SessionEvents
from services.sharding.shards import shard_of

log = logger(__name__)

PERSON = ai_pb2.WAITING_PERSON
WATCHER = ai_pb2.WAITING_WATCHER
NOBODY = ai_pb2.WAITING_NOBODY

BATCH = 512
"""Wants, and withdrawals, in a call."""
KNOWN = 20_000
"""Sessions whose wants are remembered; beyond that the oldest are forgotten. The same bound is on what waits to be noted."""
KNOWN_MS = 150_000
"""How long a want is remembered. As long as it stands the sweeper notes it again before, and remembers it."""
_PAUSES_S = (0.25, 2.0)
"""The first and the longest pause before another attempt."""
_NOT_NOW = (*UNREACHED, errors_pb2.REASON_FULL, errors_pb2.REASON_INTERNAL)
"""Refusals after which the same call is repeated."""

_Key: TypeAlias = tuple[str, int]


@dataclass(slots=True)
class Known:
    """The wants of a session, as they were noted last."""

    version: int
    wants: tuple[bytes, ...]
    """Encoded: as messages they would take a kilobyte each."""
    waiting: ai_pb2.Waiting.ValueType
    at_ms: int
    pause_until_ms: int = 0
    """When the session is due again, once all of them stand on the board; 0 where that does not change."""


@dataclass(eq=False, repr=False)
class WantReporter:
    """Notes wants and withdrawals, and tells of wants that stand on the board, or cannot be played."""

    _ai: AiClient
    _workforce: Workforce
    _now_ms: Callable[[], int]
    _events: SessionEvents

    def __post_init__(self) -> None:
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._pending: OrderedDict[_Key, ai_pb2.Want | ai_pb2.Withdrawal] = OrderedDict()
        self._trace = ""
        self._task: asyncio.Task[None] | None = None
        self._pause_s = 0.0
        self._is_closed = False

    @property
    def is_idle(self) -> bool:
        """Whether nothing is remembered and nothing waits to be noted."""
        return not self._known and not self._pending

    def known(self, session_id: str) -> Known | None:
        """Return what a session wants, as far as it was noted here."""
        return self._known.get(session_id)

    def note(
        self,
        session_id: str,
        version: int,
        wants: tuple[ai_pb2.Want, ...],
        new: Sequence[ai_pb2.Want],
        withdrawals: Sequence[ai_pb2.Withdrawal] = (),
        pause_until_ms: int = 0,
    ) -> None:
        """Remember what a session wants at a version, and note those that are `new`, and what it does not want any more.

        `pause_until_ms`: until when nobody needs to look at the session again, once all of that is done.
        """
        if not self._pending:
            self._trace = trace.traceparent()
        self._known.pop(session_id, None)
        if wants:
            packed = tuple(want.SerializeToString() for want in wants)
            self._known[session_id] = Known(version, packed, wants[0].waiting, self._now_ms(), pause_until_ms)
            if len(self._known) > KNOWN:
                self._known.popitem(last=False)
        for withdrawal in withdrawals:
            self._wait(withdrawal)
        for want in new:
            self._wait(want)
        self._begin()

    def forget_old(self) -> None:
        """Forget what has not been noted for a long time."""
        old = self._now_ms() - KNOWN_MS
        while self._known:
            session_id, first = next(iter(self._known.items()))
            if first.at_ms > old:
                break
            del self._known[session_id]

    def hear(self, demand: ai_pb2.Demand) -> None:
        """Take in how all stands; when what was noted is lost, note it all again."""
        if self._workforce.hear(demand):
            log.warning("wanted moves were lost and are noted again", sessions=len(self._known))
            for known in self._known.values():
                for packed in known.wants:
                    self._wait(ai_pb2.Want.FromString(packed), is_newer=False)
            self._begin()

    def forget(self, shards: Collection[int]) -> None:
        """Forget the wants of shards' sessions: their new owners handle them."""
        for session_id in [one for one in self._known if shard_of(one) in shards]:
            del self._known[session_id]
        for key in [one for one in self._pending if shard_of(one[0]) in shards]:
            del self._pending[key]

    async def close(self) -> None:
        """Abandon what is waiting; the sweepers will handle it."""
        self._is_closed = True
        if self._task is not None:
            await ended(self._task)

    def _wait(self, one: ai_pb2.Want | ai_pb2.Withdrawal, *, is_newer: bool = True) -> None:
        key = one.session_id, one.seat
        if is_newer or key not in self._pending:
            self._pending[key] = one
        if len(self._pending) > KNOWN:
            self._pending.popitem(last=False)

    def _begin(self) -> None:
        """Let what waits be noted after this tick, unless that is under way."""
        if self._pending and self._task is None and not self._is_closed:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._pending:
                trace.begin(self._trace)  # of the first of many; the others' traces end where they began to wait
                self._trace = ""
                batch = [self._pending.popitem(last=False)[1] for _ in range(min(BATCH, len(self._pending)))]
                try:
                    await self._send(batch)
                except Refused as refused:
                    await self._put_off(batch, refused)
                else:
                    self._pause_s = 0.0
        except Exception as error:
            log.error("wanted moves could not be noted", exc_info=error)
        finally:
            self._task = None
            self._pause_s = 0.0

    async def _send(self, batch: Sequence[ai_pb2.Want | ai_pb2.Withdrawal]) -> None:
        wants = [one for one in batch if isinstance(one, ai_pb2.Want)]
        withdrawals = [one for one in batch if isinstance(one, ai_pb2.Withdrawal)]
        response = await self._ai.ask(self._ai.calls.WantMoves, ai_pb2.WantMovesRequest(wants=wants, withdrawals=withdrawals))
        self.hear(response.demand)
        for index in response.unplayable:
            if index < len(wants):
                want = wants[index]
                for tell in self._events.unplayable:
                    tell(want.session_id, want.seat, want.version)
        self._pause({want.session_id for want in wants}, {wants[index].session_id for index in response.no_room})

    def _pause(self, sent: Collection[str], has_no_room: Collection[str]) -> None:
        """Tell of the sessions among those sent whose wants are all on the board now."""
        waiting = {session_id for session_id, _ in self._pending}
        for session_id in sent:
            known = self._known.get(session_id)
            if known is None or not known.pause_until_ms or session_id in has_no_room or session_id in waiting:
                continue
            until_ms, known.pause_until_ms = known.pause_until_ms, 0
            for tell in self._events.noted:
                tell(session_id, known.version, until_ms)

    async def _put_off(self, batch: Sequence[ai_pb2.Want | ai_pb2.Withdrawal], refused: Refused) -> None:
        """Keep what could not be noted, and wait a while."""
        metrics.AI_ATTEMPTS.labels("unreachable").inc(len(batch))
        reason = errors_pb2.Reason.Name(refused.reason)
        if refused.reason not in _NOT_NOW:
            log.error("wanted moves are refused", reason=reason, message=refused.refusal.message)
            return  # the same would be refused again; each of them comes again with the sweeper, which has not paused for it
        self._workforce.unreachable()
        log.warning("wanted moves are not noted yet", reason=reason, waiting=len(batch) + len(self._pending))
        newer = self._pending
        self._pending = OrderedDict(((one.session_id, one.seat), one) for one in batch)
        for one in newer.values():
            self._wait(one)
        first, longest = _PAUSES_S
        self._pause_s = min(longest, max(first, 2 * self._pause_s))
        await asyncio.sleep(self._pause_s * random.uniform(0.5, 1.0))  # noqa: S311 - so that processes do not come at once


@dataclass(eq=False, repr=False)
class Wants:
    """Says which moves are wanted, as commits make and end them."""

    _mark_key: bytes
    _ticket_key: bytes
    """Makes the tickets with which workers come back."""
    _reporter: WantReporter
    _is_watched: Callable[[str], bool]
    """Tells whether somebody follows a session by way of this process."""
    _is_attended: Callable[[str], bool]
    """Tells whether somebody is at one of its seats."""

    def __post_init__(self) -> None:
        self._in_hand: dict[tuple[str, int], bool] = {}

    def ticket(self, session_id: str, seat: int, version: int) -> bytes:
        """Return what proves that a worker was asked for a seat at a version."""
        return ids.ticket(self._ticket_key, session_id, seat, version)

    def is_good(self, ticket: bytes, session_id: str, seat: int, version: int) -> bool:
        """Return whether a ticket is the one for a seat at a version."""
        return hmac.compare_digest(ticket, self.ticket(session_id, seat, version))

    def of(self, state: State, waiting: ai_pb2.Waiting.ValueType) -> tuple[ai_pb2.Want, ...]:
        """Return all that a session wants now."""
        seats = wanted_seats(state)
        if not seats:
            return ()
        player = self._player(state)
        return tuple(
            ai_pb2.Want(
                session_id=state.id,
                seat=number,
                version=state.seats[number].wanted_version,
                game=state.game,
                computer=occupant.computer,
                since_ms=state.seats[number].wanted_at_ms,
                waiting=waiting,
                player=player,
                address=state.created_from,
                ticket=self.ticket(state.id, number, state.seats[number].wanted_version),
            )
            for number in seats
            if (occupant := state.seats[number].occupant) is not None
        )

    def waiting(self, state: State) -> ai_pb2.Waiting.ValueType:
        """Return who is waiting for a session's computers now."""
        if state.persons() and not self._is_attended(state.id):
            return WATCHER
        return waiting_for(state, is_watched=self._is_watched(state.id))

    @contextlib.contextmanager
    def in_hand(self, session_id: str, seat: int, *, goes_on: bool) -> Iterator[None]:
        """Say of commits in here that a worker moves for this seat, and is done with it: it tells the AI service itself.

        `goes_on`: when the seat is to act again the worker does so at once, and nobody else is asked. Should it not,
        the session is due all the same, and the sweeper asks.
        """
        key = session_id, seat
        self._in_hand[key] = goes_on
        try:
            yield
        finally:
            self._in_hand.pop(key, None)

    def committed(self, state: State, before: State | None, _updates: Sequence[PackedUpdate]) -> None:
        """Ask the computer players whose turn a commit has begun, and stop asking those whose turn it has ended."""
        if not _wants_any(state) and (before is None or not _wants_any(before)):
            return
        wanted = wanted_seats(state)
        gone = () if before is None else [seat for seat in wanted_seats(before) if seat not in wanted]
        if not wanted and not gone:
            return
        since = 0 if before is None else before.version
        wants = self.of(state, waiting_for(state, is_watched=self._is_watched(state.id)))
        new = [one for one in wants if one.version > since and not self._in_hand.get((state.id, one.seat))]
        withdrawals = [
            ai_pb2.Withdrawal(session_id=state.id, seat=seat, version=before.seats[seat].wanted_version)
            for seat in gone
            if before is not None and (state.id, seat) not in self._in_hand
        ]
        self._reporter.note(state.id, state.version, wants, new, withdrawals)

    def again(
        self, state: State, waiting: ai_pb2.Waiting.ValueType | None = None, *, pause_until_ms: int = 0
    ) -> tuple[ai_pb2.Want, ...]:
        """Note again all that a session wants, and return it; once it is noted the session is due again at `pause_until_ms`.

        `waiting`: who waits for it; None for those for whom a commit would ask.
        """
        if waiting is None:
            waiting = waiting_for(state, is_watched=self._is_watched(state.id))
        wants = self.of(state, waiting)
        self._reporter.note(state.id, state.version, wants, wants, pause_until_ms=pause_until_ms)
        return wants

    def _player(self, state: State) -> bytes:
        """Return the mark of the persons at the table together; of who created it, where there are none."""
        players = sorted({seat.player_id for seat in state.seats if seat.is_person}) or [state.created.creator.player_id]
        return ids.mark(self._mark_key, "\n".join(players))


def wanted_seats(state: State) -> Sequence[int]:
    """Return the seats whose computers are to act now."""
    if state.status != RUNNING:
        return ()
    return [number for number, seat in enumerate(state.seats) if seat.wanted_version and seat.is_computer]


def waiting_for(state: State, *, is_watched: bool) -> ai_pb2.Waiting.ValueType:
    """Return who waits for the computers of a session, when its persons may be there. A bot does not mind waiting for people."""
    players = [state.seats[seat].player_id for seat in state.persons()]
    if any(not is_bot(player) for player in players):
        return PERSON
    return WATCHER if players or is_watched else NOBODY


def _wants_any(state: State) -> bool:
    """Return whether a computer player may be asked; every commit comes here, and most are of tables without."""
    for seat in state.seats:  # noqa: SIM110 - with `any` it takes three times as long
        if seat.wanted_version:
            return True
    return False
