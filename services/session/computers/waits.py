"""The state of computers' moves that somebody here is waiting for: asked once a second, and shown when it has changed.

Only sessions are asked about that somebody follows by way of this process, that have been quiet for a moment and in which a
computer is to move. The messages say nothing of positions: they are made of the queue alone.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import errors_pb2, play_pb2
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.runtime.tasks import repeat
from services.session.computers.ai_client import AiClient, Workforce
from services.session.computers.wants import PERSON, WATCHER, WantReporter, Wants, wanted_seats
from services.session.domain.perception import unaware
from services.session.domain.state import State
from services.session.domain.updates import PackedUpdate
from services.session.live.session_cache import SessionCache, SessionEvents

log = logger(__name__)

PACE_S = 1.0
"""How often the AI service is asked, and how long a session is quiet before it is asked about."""
MOVES = 1024
"""How many moves are asked about in one call; with more, they take turns."""
LOOKS = 200
"""Sessions that are looked at in one go."""
REMINDED = 4096
"""Overdue moves that are to be asked about once."""
STEADY_MS = 2_000
"""How long what is shown stays the same at least, while only numbers change."""
AGAIN_MS = 10_000
"""How often the move that is watched is noted again as such."""
AWAY_MS = 3_000
"""How long there must be no worker before watchers learn that there is none."""
_LONGEST_PAUSE_MS = 2_000
"""The longest pause after a call that failed: only with an answer is it known whether what was noted is still there."""

_Key: TypeAlias = tuple[str, int]
_Status = ai_pb2.WantStatus
_THINKS = _Status(state=_Status.STATE_THINKING)


@dataclass(slots=True)
class _Watched:
    """A session that is followed here."""

    version: int
    since_ms: int
    """When that version came, or when the first follower did."""
    seats: tuple[int, ...] | None = None
    """The seats whose computers are to move at that version; None when that is not known."""
    has_computers: bool = True
    hides: bool = False
    """Whether computers can act unperceived there: nothing is shown then that changes before their turn ends."""
    is_new: bool = True
    """Whether somebody has come since the session was looked at."""
    shown: tuple[play_pb2.ComputerWait, ...] = ()
    shown_ms: int = 0

    def look(self, state: State) -> None:
        """Take in the session as it is now."""
        self.seats, self.has_computers = tuple(wanted_seats(state)), bool(state.computers)
        # Casual tables count, too, since what hides it may be the game's own option.
        self.hides = state.created.counts_perceived


@dataclass(eq=False, repr=False)
class Waits:
    """The waits of this process. It tells of seats that no worker can move for."""

    _ai: AiClient
    _workforce: Workforce
    _want_reporter: WantReporter
    _wants: Wants
    _session_cache: SessionCache
    _now_ms: Callable[[], int]
    _events: SessionEvents

    def __post_init__(self) -> None:
        self._watched: OrderedDict[str, _Watched] = OrderedDict()
        self._reminded: OrderedDict[_Key, None] = OrderedDict()
        self._next_ms = 0
        self._pause_ms = 0

    def enter(self, state: State) -> None:
        """Somebody follows a session here from now on."""
        watched = self._watched.get(state.id)
        if watched is None:
            self._watched[state.id] = _Watched(state.version, self._now_ms(), has_computers=bool(state.computers))
        else:
            watched.is_new, watched.seats = True, None

    def leave(self, session_id: str) -> None:
        """Nobody follows a session here any more."""
        self._watched.pop(session_id, None)

    def committed(self, state: State, _before: State | None, _updates: Sequence[PackedUpdate]) -> None:
        """Take in what this process has done to a session: nobody else writes to those that are followed here."""
        watched = self._watched.get(state.id)
        if watched is not None:
            self._moved(watched, state.version, is_hidden=unaware(state) > 0)
            watched.look(state)
            watched.is_new = False

    def doubt(self, session_id: str) -> None:
        """Look at a session again: versions of it may have been missed."""
        watched = self._watched.get(session_id)
        if watched is not None:
            watched.seats, watched.has_computers = None, True

    def remind(self, session_id: str, seat: int) -> None:
        """Ask about an overdue move once, whether anybody watches or not: it may be that no worker can make it."""
        self._reminded[session_id, seat] = None
        if len(self._reminded) > REMINDED:
            self._reminded.popitem(last=False)

    def shown(self, session_id: str) -> tuple[play_pb2.ComputerWait, ...]:
        """Return what is shown of a session now."""
        watched = self._watched.get(session_id)
        return () if watched is None else watched.shown

    async def run(self, show: Callable[[str], None]) -> None:
        """Ask until cancelled; `show` is called with each session of which something else is to be shown."""

        async def ask() -> None:
            for session_id in await self.ask():
                show(session_id)

        await repeat(ask, PACE_S, "moves were not asked about")

    async def ask(self) -> list[str]:
        """Ask how moves stand. Returns the sessions of which something else is to be shown. Raises Refused (UNAVAILABLE)."""
        self._want_reporter.forget_old()
        await self._look()
        keys = self._keys()
        if not keys and self._want_reporter.is_idle and not self._workforce.is_full:
            return []
        now = self._now_ms()
        statuses: dict[_Key, _Status] = {}
        if now >= self._next_ms:
            statuses = await self._statuses(keys)
        return [session_id for session_id in dict.fromkeys(key[0] for key in keys) if self._show(session_id, statuses)]

    async def _look(self) -> None:
        """Find out which computers are to move in sessions that are quiet; note that these are watched."""
        quiet_ms = self._now_ms() - round(PACE_S * 1000)
        unknown = [
            session_id
            for session_id, watched in self._watched.items()
            if (watched.seats is None or self._is_stale(session_id, watched))
            and watched.has_computers
            and watched.since_ms <= quiet_ms
        ]
        await asyncio.gather(*(self._look_at(session_id) for session_id in unknown[:LOOKS]))

    def _is_stale(self, session_id: str, watched: _Watched) -> bool:
        """Return whether a wait has to be noted again as one that is watched."""
        if not watched.seats:
            return False
        known = self._want_reporter.known(session_id)
        return known is None or known.at_ms <= self._now_ms() - AGAIN_MS

    async def _look_at(self, session_id: str) -> None:
        found = await self._session_cache.find(session_id)
        watched = self._watched.get(session_id)
        if watched is None:
            return
        if found is None:  # it is in the archive
            watched.seats, watched.has_computers = (), False
            return
        state = found.state
        if state.version != watched.version:
            self._moved(watched, state.version)
        watched.look(state)
        if not watched.seats:
            watched.is_new = False
            return
        known = self._want_reporter.known(session_id)
        if known is not None and known.version != state.version:
            known = None
        if known is None and state.persons() and not watched.is_new:
            return  # who made it their turn has noted it for a person
        watched.is_new = False
        waiting = self._wants.waiting(state)
        is_better = known is None or known.waiting > waiting
        if waiting in (PERSON, WATCHER) and (is_better or self._is_stale(session_id, watched)):
            self._wants.again(state, waiting)

    def _keys(self) -> list[_Key]:
        """Return what to ask about now: what is reminded of, then what is watched, in turn."""
        keys = list(self._reminded)[: MOVES // 2]
        for key in keys:
            del self._reminded[key]
        quiet_ms = self._now_ms() - round(PACE_S * 1000)
        turn: list[str] = []
        for session_id, watched in self._watched.items():
            if len(keys) >= MOVES:
                break
            if watched.seats and watched.since_ms <= quiet_ms:
                keys += ((session_id, seat) for seat in watched.seats)
                turn.append(session_id)
        for session_id in turn:
            self._watched.move_to_end(session_id)
        return list(dict.fromkeys(keys))[:MOVES]

    async def _statuses(self, keys: Sequence[_Key]) -> dict[_Key, _Status]:
        moves = [ai_pb2.Withdrawal(session_id=session_id, seat=seat) for session_id, seat in keys]
        try:
            response = await self._ai.ask(self._ai.calls.GetWantStatuses, ai_pb2.GetWantStatusesRequest(moves=moves))
        except Refused as refused:
            log.debug("statuses are not known", reason=errors_pb2.Reason.Name(refused.reason))
            self._workforce.unreachable()
            self._pause_ms = min(_LONGEST_PAUSE_MS, 2 * self._pause_ms or round(PACE_S * 1000))
            self._next_ms = self._now_ms() + self._pause_ms
            return {}
        self._pause_ms = 0
        self._want_reporter.hear(response.demand)
        statuses = dict(zip(keys, response.statuses, strict=False))
        for (session_id, seat), status in statuses.items():
            if status.state == _Status.STATE_UNPLAYABLE:
                for tell in self._events.unplayable:
                    tell(session_id, seat, status.version)
        return statuses

    def _show(self, session_id: str, statuses: dict[_Key, _Status]) -> bool:
        """Set what is shown of a session. Returns whether that is something else."""
        watched = self._watched.get(session_id)
        if watched is None or watched.seats is None:
            return False
        is_away = self._workforce.away_ms >= AWAY_MS
        if not is_away and not any((session_id, seat) in statuses for seat in watched.seats):
            return False  # it could not be asked
        new = tuple(
            computer_wait(seat, _THINKS if watched.hides else statuses.get((session_id, seat), _Status()), is_away=is_away)
            for seat in watched.seats
        )
        now = self._now_ms()
        is_other = [_kind(wait) for wait in new] != [_kind(wait) for wait in watched.shown]
        if new == watched.shown or (not is_other and now - watched.shown_ms < STEADY_MS):
            return False
        watched.shown, watched.shown_ms = new, now
        return True

    def _moved(self, watched: _Watched, version: int, *, is_hidden: bool = False) -> None:
        """Wait anew. By a version that is hidden from somebody nothing changes that is shown, or it would be seen by that."""
        watched.version = version
        if not is_hidden:
            watched.since_ms, watched.seats, watched.shown = self._now_ms(), None, ()


def computer_wait(seat: int, status: _Status, *, is_away: bool) -> play_pb2.ComputerWait:
    """Return how a computer's move stands, in numbers that do not change all the time."""
    thinks = status.state == _Status.STATE_THINKING and not is_away
    waits = status.state == _Status.STATE_WAITING and not is_away
    return play_pb2.ComputerWait(
        seat=seat,
        thinks=thinks,
        before=rounded(status.before, ((20, 1), (100, 10), (1000, 50))) if waits else 0,
        wait_ms=rounded(status.wait_ms, ((10_000, 2_000), (60_000, 5_000), (600_000, 30_000))) if waits else 0,
        no_computer=is_away,
    )


def rounded(number: int, steps: Sequence[tuple[int, int]]) -> int:
    """Return a number rounded up to a step that suits its size: `steps` are (up to, step); beyond, twice the last step."""
    step = next((step for limit, step in steps if number <= limit), 2 * steps[-1][1])
    return -(-number // step) * step


def _kind(wait: play_pb2.ComputerWait) -> tuple[int, bool, bool]:
    return wait.seat, wait.thinks, wait.no_computer
