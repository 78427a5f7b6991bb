"""Moves of computers that nobody makes, or may know of: they are requested again or, if no worker can make them, made here.

As long as any worker is alive, a move is waited for; if there has been none for a long time, or none can do it, the session moves
itself: with the level's own cheapest sensible move or, if that fails, with any legal one.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime import metrics, trace
from services.runtime.logs import logger
from services.runtime.pool.pool import Pool
from services.runtime.refusal import UNREACHED, Refused, is_newer, moved_shard
from services.runtime.tasks import TaskSet
from services.session.computers.ai_client import Workforce
from services.session.computers.waits import Waits
from services.session.computers.wants import NOBODY, Wants, wanted_seats
from services.session.domain import clocks
from services.session.domain.commands import actions
from services.session.domain.ids import search_seed
from services.session.domain.state import State
from services.session.live.rules_client import Games, RulesClient
from services.session.live.session_cache import SessionCache
from services.session.live.writer import Writer
from services.session.store.store import Store
from services.sharding.shards import shard_of

log = logger(__name__)

LONGEST_PAUSE_MS = 60_000
"""The longest pause before a move that is still wanted is noted again: anything lost in the meantime waits that long."""
NOBODY_MS = 600_000
"""Without any live worker: how long a move that nobody waits for is wanted before the session moves itself."""
UNPLAYABLE = 1_000
"""How many moves that no worker can make are remembered until they are made here."""
TARGET = "services.ai.thought.emergency_player:work"
"""The function that the pool's process runs: it knows players, which this process does not."""
WAITING = 64
"""Moves that wait for it: as many sessions as the sweeper sees to at once."""
CPU_S = 5.0
WALL_S = 20.0
_LEGAL_PAGE = 1000
PAUSE_S = 0.5
"""When something is tried again that cannot be done now."""
_NOT_NOW = (*UNREACHED, errors_pb2.REASON_FULL)
"""Refusals after which that is so."""
AT_ONCE = 64
"""How many sessions are read at once."""
_SPARE_MS = 30_000
"""How much later something may be due than is said here: for thinking, and for clocks of machines that differ."""


class Fallback:
    """Moves for computer players."""

    def __init__(self, rules: RulesClient, session_cache: SessionCache, writer: Writer) -> None:
        self._rules = rules
        self._session_cache = session_cache
        self._writer = writer
        self._pool = Pool("session", TARGET, waiting=WAITING, waiting_each=WAITING, cpu_s=CPU_S, wall_s=WALL_S)

    async def close(self) -> None:
        """End the process."""
        await self._pool.close()

    async def action(self, game: str, view: AnyMessage, computer: record_pb2.Computer, seed: int) -> AnyMessage:
        """Return an action for a view's seat, the same for the same seed. Raises Refused: FULL, and what the rules refuse."""
        wanted = session_pb2.WantedPosition(game=game, view=view, computer=computer, search_seed=seed)
        try:
            return AnyMessage.FromString(await self._pool.run(wanted.SerializeToString()))
        except Refused as refused:
            if refused.reason == errors_pb2.REASON_FULL:
                raise
            log.warning("no player stands in", game=game, reason=errors_pb2.Reason.Name(refused.reason))
        return await self._drawn(game, view, seed)

    async def move(self, session_id: str, number: int) -> bool:
        """Move for the computer player of a seat. Returns false where that is not wanted any more; raises Refused."""
        state = (await self._session_cache.newest(session_id)).state
        seat = state.seats[number]
        if number not in wanted_seats(state) or seat.occupant is None:
            return False
        version = seat.wanted_version
        view, seed = await self._session_cache.view(state, number), search_seed(state.id, number, version)
        action = await self.action(state.game, view, seat.occupant.computer, seed)
        request = session_pb2.SubmitActionRequest(seat=number, version=version, action=action)
        command = actions.submit(request, cause=record_pb2.Acted.CAUSE_FALLBACK)
        written = await self._writer.write(state.id, command, enforces_clocks=False)
        if written.is_new:
            log.warning("moved for a computer player", game=state.game)
            metrics.AI_FALLBACK.labels(state.game).inc()
            metrics.ACTIONS.labels(state.game, "computer", "fallback").inc()
        return True

    async def _drawn(self, game: str, view: AnyMessage, seed: int) -> AnyMessage:
        legal = await self._rules.legal(game, view, _LEGAL_PAGE)
        if legal.actions:
            return legal.actions[seed % len(legal.actions)].action
        return await self._rules.expiry(game, view)


@dataclass(eq=False, repr=False)
class OverdueMoves:
    """Sees to computers that have not moved yet, and has those that are overdue asked about."""

    _wants: Wants
    _workforce: Workforce
    _fallback: Fallback
    _session_cache: SessionCache
    _games: Games
    _now_ms: Callable[[], int]
    _waits: Waits

    def __post_init__(self) -> None:
        self._unplayable: OrderedDict[tuple[str, int], int] = OrderedDict()
        self._open = TaskSet()
        """By the session in which a move is made."""
        self._overdue: dict[str, int] = {}

    async def close(self) -> None:
        """Abandon what is under way; the sweepers will handle it."""
        await self._open.end()

    async def see_to(self, state: State) -> None:
        """Handle the computers of a session that have not moved yet: request their moves again, or move for them.

        The session stays due until its wants stand on the board: in the meantime they are only in this process's memory.
        """
        number = next((seat for seat in wanted_seats(state) if self._is_hopeless(state, seat)), None)
        if number is not None:
            if await self._fallback.move(state.id, number):
                self._overdue.pop(state.id, None)
                self._unplayable.pop((state.id, number), None)
            return
        again_ms = await self._again_ms(state)
        if (await self._session_cache.newest(state.id)).state.version != state.version:
            return  # it has moved on
        self._overdue[state.id] = again_ms
        for want in self._wants.again(state, self._wants.waiting(state), pause_until_ms=again_ms):
            self._waits.remind(want.session_id, want.seat)

    def give_up(self, session_id: str, seat: int, version: int) -> None:
        """Move for a seat, because no worker can."""
        self._unplayable[session_id, seat] = version
        if len(self._unplayable) > UNPLAYABLE:
            self._unplayable.popitem(last=False)
        if session_id not in self._open and len(self._open) < UNPLAYABLE:
            self._open.start(self._move_at_once(session_id), session_id)

    def count(self) -> int:
        """Return how many sessions this process has lately found with an overdue computer player."""
        now = self._now_ms()
        self._overdue = {session_id: until for session_id, until in self._overdue.items() if until > now}
        return len(self._overdue)

    def _is_hopeless(self, state: State, number: int) -> bool:
        """Return whether the session must move for a seat: no worker can, or none has been alive for a long time."""
        seat = state.seats[number]
        if self._unplayable.get((state.id, number)) == seat.wanted_version:
            return True
        return self._workforce.away_ms >= self._workforce.silence_ms and self._now_ms() >= self._hopeless_ms(state, number)

    def _hopeless_ms(self, state: State, number: int) -> int:
        """Return the time from which the session moves for a seat, if no worker is alive then."""
        is_missed = self._wants.waiting(state) != NOBODY
        return state.seats[number].wanted_at_ms + (self._workforce.silence_ms if is_missed else NOBODY_MS)

    async def _again_ms(self, state: State) -> int:
        """Return when a session with overdue computers is due again: later and later, but when a clock runs out at the latest."""
        now, seats = self._now_ms(), wanted_seats(state)
        timeouts = await self._games.timeouts(state.game)
        pauses = [self._pause_ms(state, number, now, timeouts) for number in seats]
        found = [now + min(pauses, default=LONGEST_PAUSE_MS)]
        if self._workforce.away_ms:
            found += (max(now + timeouts.grace_ms, self._hopeless_ms(state, number)) for number in seats)
        deadline = clocks.deadline_ms(state)
        return min(found) if deadline is None else min(*found, deadline)

    def _pause_ms(self, state: State, number: int, now: int, timeouts: clocks.Timeouts) -> int:
        seat = state.seats[number]
        assert seat.occupant is not None
        shortest = timeouts.move_ms(seat.occupant.computer.level)
        return min(LONGEST_PAUSE_MS, max(shortest, now - seat.wanted_at_ms))

    async def _move_at_once(self, session_id: str) -> None:
        try:
            state = (await self._session_cache.newest(session_id)).state
            await self.see_to(state)
        except Refused as refused:
            log.warning("no move instead of a computer player's", session=session_id, reason=refused.refusal.message)
        except Exception as error:
            log.error("no move instead of a computer player's", session=session_id, exc_info=error)


@dataclass(eq=False, repr=False)
class Recovery:
    """Notes again at once what computers are to do wherever it may have been forgotten.

    That is so in a shard that this process begins to serve, whose last owner may have died before it told the AI service; in a
    shard whose store was away, and may have been set back; and in a session whose last write may be stored, though nobody knows.
    A want that is noted already stays as it is on the board.
    """

    _store: Store
    _session_cache: SessionCache
    _wants: Wants
    _now_ms: Callable[[], int]
    _serves: Callable[[int], bool]
    """Tells whether a shard is this process's."""
    _grace_ms: int
    """How far a computer's move may exceed its time."""

    def __post_init__(self) -> None:
        self._todo: dict[int | str, None] = {}
        """Shards and sessions, in order."""
        self._later: dict[int | str, asyncio.TimerHandle] = {}
        self._open = TaskSet()
        self._is_closed = False

    def shards(self, shards: Iterable[int]) -> None:
        """Note again whatever is wanted in some shards."""
        for shard in shards:
            self.note(shard)

    async def settled(self) -> None:
        """Return when all is noted that can be noted now."""
        await self._open.idle()

    async def close(self) -> None:
        """Abandon what is left; whoever serves its shards next begins anew."""
        self._is_closed = True
        for timer in self._later.values():
            timer.cancel()
        await self._open.end()

    def note(self, one: int | str) -> None:
        """Note again whatever is wanted in a session, or in a shard."""
        if self._is_closed:
            return
        if (timer := self._later.pop(one, None)) is not None:
            timer.cancel()
        self._todo[one] = None
        if len(self._open) < AT_ONCE:
            self._open.start(self._work())

    async def _work(self) -> None:
        trace.begin()
        while self._todo:
            one = next(iter(self._todo))
            del self._todo[one]
            try:
                await (self._list(one) if isinstance(one, int) else self._note(one))
            except Refused as refused:
                # The process that owns the shard by now, or can read the session, does the same; one that is gone wants nothing.
                if refused.reason in _NOT_NOW and moved_shard(refused.refusal) is None and not is_newer(refused.refusal):
                    self._later[one] = asyncio.get_running_loop().call_later(PAUSE_S, self.note, one)
            except Exception as error:
                log.error("wants could not be noted again", subject=one, exc_info=error)

    async def _list(self, shard: int) -> None:
        """Go on with all sessions of a shard in which a computer may be to move."""
        if self._serves(shard):
            # No session in which a computer is to move is due later than that.
            until_ms = self._now_ms() + LONGEST_PAUSE_MS + self._grace_ms + _SPARE_MS
            for session_id in await self._store.due_until(shard, until_ms):
                self.note(session_id)

    async def _note(self, session_id: str) -> None:
        if self._serves(shard_of(session_id)):
            state = (await self._session_cache.newest(session_id)).state
            self._wants.again(state, self._wants.waiting(state))
