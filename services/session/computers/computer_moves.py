"""Computer players: what workers think about and answer, and what happens to moves that nobody makes for a long time.

A worker gets the view of its seat. Its answer is an ordinary write that names the version it was made for, so answers that come
late or twice change nothing. As long as any worker is alive, a move is waited for; if there has been none for a long time, or
none can do it, the session moves itself.
"""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

from brettwerk.internal.v1 import ai_pb2, session_pb2
from brettwerk.v1 import errors_pb2
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.runtime.task_cancel import ended
from services.session.computers.fallback import Fallback
from services.session.computers.paced_moves import PacedMoves
from services.session.computers.wants import NOBODY, WATCHER, WantPlanner, Wants, waiting_for, wanted_seats
from services.session.computers.workforce import Workforce
from services.session.domain import clocks
from services.session.domain.commands import actions
from services.session.domain.commands.decision import Early
from services.session.domain.due import Timeouts
from services.session.domain.ids import checked, search_seed
from services.session.domain.state import State
from services.session.live.session_cache import SessionCache
from services.session.live.session_events import SessionEvents
from services.session.live.writer import Writer
from services.session.store.store import Store

log = logger(__name__)

LONGEST_PAUSE_MS = 60_000
"""The longest pause before a move that is still wanted is noted again: anything lost in the meantime waits that long."""
NOBODY_MS = 600_000
"""Without any live worker: how long a move that nobody waits for is wanted before the session moves itself."""
UNPLAYABLE = 1_000
"""How many moves that no worker can make are remembered until they are made here."""


class ComputerMoves:
    """Gives workers positions and accepts their moves."""

    def __init__(
        self,
        want_planner: WantPlanner,
        wants: Wants,
        workforce: Workforce,
        fallback: Fallback,
        store: Store,
        session_cache: SessionCache,
        writer: Writer,
        now_ms: Callable[[], int],
        timeouts: Callable[[str], Awaitable[Timeouts]],
        is_watched: Callable[[str], bool],
        is_attended: Callable[[str], bool],
        look_into: Callable[[Sequence[ai_pb2.Want]], None],
        events: SessionEvents,
        silence_ms: int,
    ) -> None:
        """`is_attended` tells whether somebody is connected to a seat of a session, `is_watched` whether anybody follows it.

        `look_into` is told of moves that are wanted for long, `events` of sessions whose wants may not be noted any more.

        `silence_ms`: how long no worker must live, and a move be wanted that somebody waits for, before the session moves.
        """
        self._want_planner = want_planner
        self._wants = wants
        self._workforce = workforce
        self._fallback = fallback
        self._store = store
        self._session_cache = session_cache
        self._writer = writer
        self._paced_moves = PacedMoves(writer, now_ms, events)
        self._now_ms = now_ms
        self._timeouts = timeouts
        self._is_watched = is_watched
        self._is_attended = is_attended
        self._look_into = look_into
        self._silence_ms = silence_ms
        self._unplayable: OrderedDict[tuple[str, int], int] = OrderedDict()
        self._open: dict[str, asyncio.Task[None]] = {}
        self._pauses: set[asyncio.Task[None]] = set()
        self._overdue: dict[str, int] = {}

    async def close(self) -> None:
        """Abandon what is under way; the sweepers will handle it."""
        await ended(*self._open.values(), *self._pauses)
        await self._paced_moves.close()

    async def find(self, asked: session_pb2.SeatToMove) -> session_pb2.WantedPosition:
        """Return the position that a seat's move is wanted for now, whichever version was asked for.

        Raises Refused: NO_TOKEN without a good ticket, NOT_YOUR_TURN when no move is wanted, UNKNOWN, UNAVAILABLE.
        """
        session_id = checked(asked.session_id)
        if not self._wants.is_good(asked.ticket, session_id, asked.seat, asked.version):
            raise _no_ticket()
        state = (await self._session_cache.newest(session_id)).state
        position = await self._position(state, asked.seat)
        if position is None:
            raise Refused(
                errors_pb2.REASON_NOT_YOUR_TURN, "no computer's move is wanted of this seat", head_version=state.version
            )
        return position

    async def submit(self, request: session_pb2.SubmitActionRequest) -> session_pb2.SubmitActionResponse:
        """Take a computer player's action; the worker itself tells the AI service that it is done with the move.

        Raises Refused: NO_TOKEN without a good ticket, what the rules refuse.
        """
        with self._want_planner.in_hand(request.session_id, request.seat, goes_on=request.goes_on):
            response = await self._played(request)
        if request.goes_on and not response.held:
            state = (await self._session_cache.newest(request.session_id)).state
            position = await self._position(state, request.seat)
            if position is not None and response.played:
                response.next.CopyFrom(position)
            elif position is not None:  # it may have begun to be wanted while the worker's answer was looked at
                self._want_planner.again(state, waiting_for(state, is_watched=self._is_watched(state.id)))
        return response

    async def _played(self, request: session_pb2.SubmitActionRequest) -> session_pb2.SubmitActionResponse:
        session_id = checked(request.session_id)
        if not self._wants.is_good(request.ticket, session_id, request.seat, request.version):
            raise _no_ticket()
        if self._paced_moves.has(request):  # it is due, and somebody else was asked as well
            return session_pb2.SubmitActionResponse(held=True)
        try:
            written = await self._paced_moves.play(
                request, actions.submit(request, await self._think_ms(session_id, request.seat))
            )
        except Early as early:
            self._paced_moves.take(request, early.at_ms)
            return session_pb2.SubmitActionResponse(held=True)
        response = written.answer
        assert isinstance(response, session_pb2.SubmitActionResponse)
        return response

    async def _think_ms(self, session_id: str, seat: int) -> int | None:
        """Return how long a seat's computer may think about a turn; None where no computer sits."""
        state = (await self._session_cache.any(session_id)).state
        occupant = state.seats[seat].occupant if seat < len(state.seats) else None
        if occupant is None or not occupant.HasField("computer"):
            return None
        return (await self._timeouts(state.game)).thinking_ms(occupant.computer.level)

    async def overdue(self, state: State) -> None:
        """Handle the computers of a session that have not moved yet: request their moves again, or move for them.

        The session stays due until its wants stand on the board: in the meantime they are only in this process's memory.
        """
        number = next((seat for seat in wanted_seats(state) if self._is_hopeless(state, seat)), None)
        if number is not None:
            await self._move(state, number)
            return
        again_ms = await self._again_ms(state)
        if (await self._session_cache.newest(state.id)).state.version != state.version:
            return  # it has moved on
        self._overdue[state.id] = again_ms
        self._look_into(self._want_planner.again(state, self.waiting(state), pause_until_ms=again_ms))

    def noted(self, session_id: str, version: int, pause_until_ms: int) -> None:
        """Leave a session alone until a moment: all that it wants at a version stands on the board."""
        task = asyncio.create_task(self._pause(session_id, version, pause_until_ms))
        self._pauses.add(task)
        task.add_done_callback(self._pauses.discard)

    async def _pause(self, session_id: str, version: int, until_ms: int) -> None:
        with contextlib.suppress(Refused):  # the store is down: the session is due again soon
            await self._store.postpone(session_id, version, until_ms)

    def give_up(self, session_id: str, seat: int, version: int) -> None:
        """Move for a seat, because no worker can."""
        self._unplayable[session_id, seat] = version
        if len(self._unplayable) > UNPLAYABLE:
            self._unplayable.popitem(last=False)
        if session_id not in self._open and len(self._open) < UNPLAYABLE:
            task = asyncio.create_task(self._move_at_once(session_id))
            self._open[session_id] = task
            task.add_done_callback(lambda _: self._open.pop(session_id, None))

    def count_overdue(self) -> int:
        """Return how many sessions this process has lately found with an overdue computer player."""
        now = self._now_ms()
        self._overdue = {session_id: until for session_id, until in self._overdue.items() if until > now}
        return len(self._overdue)

    async def _position(self, state: State, seat: int) -> session_pb2.WantedPosition | None:
        """Return what a seat's computer is to think about, or None when its move is not wanted."""
        if seat not in wanted_seats(state):
            return None
        version, occupant = state.seats[seat].wanted_version, state.seats[seat].occupant
        assert occupant is not None
        return session_pb2.WantedPosition(
            version=version,
            ticket=self._wants.ticket(state.id, seat, version),
            game=state.game,
            computer=occupant.computer,
            view=await self._session_cache.view(state, seat),
            search_seed=search_seed(state.id, seat, version),
        )

    def _is_hopeless(self, state: State, number: int) -> bool:
        """Return whether the session must move for a seat: no worker can, or none has been alive for a long time."""
        seat = state.seats[number]
        if self._unplayable.get((state.id, number)) == seat.wanted_version:
            return True
        return self._workforce.away_ms >= self._silence_ms and self._now_ms() >= self._hopeless_ms(state, number)

    def _hopeless_ms(self, state: State, number: int) -> int:
        """Return the time from which the session moves for a seat, if no worker is alive then."""
        is_missed = waiting_for(state, is_watched=self._is_watched(state.id)) != NOBODY
        return state.seats[number].wanted_at_ms + (self._silence_ms if is_missed else NOBODY_MS)

    async def _again_ms(self, state: State) -> int:
        """Return when a session with overdue computers is due again: later and later, but when a clock runs out at the latest."""
        now, seats = self._now_ms(), wanted_seats(state)
        timeouts = await self._timeouts(state.game)
        pauses = [self._pause_ms(state, number, now, timeouts) for number in seats]
        found = [now + min(pauses, default=LONGEST_PAUSE_MS)]
        if self._workforce.away_ms:
            found += (max(now + timeouts.grace_ms, self._hopeless_ms(state, number)) for number in seats)
        deadline = clocks.deadline_ms(state)
        return min(found) if deadline is None else min(*found, deadline)

    def _pause_ms(self, state: State, number: int, now: int, timeouts: Timeouts) -> int:
        seat = state.seats[number]
        assert seat.occupant is not None
        shortest = timeouts.move_ms(seat.occupant.computer.level)
        return min(LONGEST_PAUSE_MS, max(shortest, now - seat.wanted_at_ms))

    def waiting(self, state: State) -> ai_pb2.Waiting.ValueType:
        """Return who is waiting for a session's computers now."""
        if state.persons() and not self._is_attended(state.id):
            return WATCHER
        return waiting_for(state, is_watched=self._is_watched(state.id))

    async def _move_at_once(self, session_id: str) -> None:
        try:
            state = (await self._session_cache.newest(session_id)).state
            await self.overdue(state)
        except Refused as refused:
            log.warning("no move instead of a computer player's", session=session_id, reason=refused.refusal.message)
        except Exception as error:
            log.error("no move instead of a computer player's", session=session_id, exc_info=error)

    async def _move(self, state: State, number: int) -> None:
        """Move for a computer player."""
        state = (await self._session_cache.newest(state.id)).state
        seat = state.seats[number]
        if number not in wanted_seats(state) or seat.occupant is None:
            return
        version = seat.wanted_version
        view, seed = await self._session_cache.view(state, number), search_seed(state.id, number, version)
        action = await self._fallback.action(state.game, view, seat.occupant.computer, seed)
        written = await self._writer.write(state.id, actions.fallback(number, version, action), enforces_clocks=False)
        self._overdue.pop(state.id, None)
        self._unplayable.pop((state.id, number), None)
        if written.is_new:
            log.warning("moved for a computer player", game=state.game)
            metrics.AI_FALLBACK.labels(state.game).inc()
            metrics.ACTIONS.labels(state.game, "computer", "fallback").inc()


def _no_ticket() -> Refused:
    return Refused(errors_pb2.REASON_NO_TOKEN, "the ticket is not valid for this seat and version")
