"""Computer players: what workers think about, and what they answer.

A worker gets the view of its seat. Its answer is an ordinary write that names the version it was made for, so answers that come
late or twice change nothing. It is played immediately, or when its time has come (services/session/domain/clocks.py).

Early ones wait here, in memory, and no worker waits with them. Nobody knows of them: if this process ends in the meantime, the
move is still wanted, and the session's next owner requests it again; so does this one if the store cannot take the move then.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2
from services.runtime import limits, metrics
from services.runtime.logs import logger
from services.runtime.refusal import UNREACHED, Refused
from services.runtime.tasks import TaskSet
from services.session.computers.wants import Wants, wanted_seats
from services.session.domain.commands import actions
from services.session.domain.commands.decision import Command, Early
from services.session.domain.ids import checked, search_seed
from services.session.domain.state import State
from services.session.live.rules_client import Games
from services.session.live.session_cache import SessionCache, SessionEvents
from services.session.live.writer import Writer, Written

log = logger(__name__)

MAX_WAITING = 10_000
"""Answers that wait at once, of a few hundred bytes each; one more is not taken, and the sweeper asks for it again."""


@dataclass(eq=False, repr=False)
class ComputerMoves:
    """Gives workers positions, accepts their moves, and keeps those that wait for their moment."""

    _wants: Wants
    _session_cache: SessionCache
    _games: Games
    _writer: Writer
    _now_ms: Callable[[], int]
    _events: SessionEvents
    """Those are forgotten whose moves were taken from their workers, and could not be played."""

    def __post_init__(self) -> None:
        self._waiting = TaskSet()
        """By session, seat and version."""

    async def close(self) -> None:
        """Give up the answers that wait."""
        await self._waiting.end()

    async def find(self, asked: session_pb2.SeatToMove) -> session_pb2.WantedPosition:
        """Return the position that a seat's move is wanted for now, whichever version was asked for.

        Raises Refused: MALFORMED, NO_TOKEN without a good ticket, NOT_YOUR_TURN when no move is wanted, UNKNOWN, UNAVAILABLE.
        """
        limits.check(asked)
        self._check_ticket(asked)
        state = (await self._session_cache.newest(asked.session_id)).state
        position = await self._position(state, asked.seat)
        if position is None:
            raise Refused(
                errors_pb2.REASON_NOT_YOUR_TURN, "no computer's move is wanted of this seat", head_version=state.version
            )
        return position

    async def submit(self, request: session_pb2.SubmitActionRequest) -> session_pb2.SubmitActionResponse:
        """Take a computer player's action; the worker itself tells the AI service that it is done with the move.

        Raises Refused: MALFORMED, NO_TOKEN without a good ticket, what the rules refuse.
        """
        limits.check(request)
        with self._wants.in_hand(request.session_id, request.seat, goes_on=request.goes_on):
            response = await self._played(request)
        if request.goes_on and not response.held:
            state = (await self._session_cache.newest(request.session_id)).state
            position = await self._position(state, request.seat)
            if position is not None and response.played:
                response.next.CopyFrom(position)
            elif position is not None:  # it may have begun to be wanted while the worker's answer was looked at
                self._wants.again(state)
        return response

    async def _played(self, request: session_pb2.SubmitActionRequest) -> session_pb2.SubmitActionResponse:
        self._check_ticket(request)
        if _key(request) in self._waiting:  # it is due, and somebody else was asked as well
            return session_pb2.SubmitActionResponse(held=True)
        try:
            written = await self._play(request, actions.submit(request, await self._think_ms(request.session_id, request.seat)))
        except Early as early:
            self._take(request, early.at_ms)
            return session_pb2.SubmitActionResponse(held=True)
        response = written.answer
        assert isinstance(response, session_pb2.SubmitActionResponse)
        return response

    def _check_ticket(self, asked: session_pb2.SeatToMove | session_pb2.SubmitActionRequest) -> None:
        if not self._wants.is_good(asked.ticket, checked(asked.session_id), asked.seat, asked.version):
            raise Refused(errors_pb2.REASON_NO_TOKEN, "the ticket is not valid for this seat and version")

    async def _play(self, answer: session_pb2.SubmitActionRequest, command: Command) -> Written:
        """Carry out the command of an answer, count its outcome and return it. Raises Early and Refused, as the writer does."""
        try:
            written = await self._writer.write(answer.session_id, command)
        except Refused as refused:
            metrics.AI_ATTEMPTS.labels("refused").inc()
            log.warning("computer player refused", reason=errors_pb2.Reason.Name(refused.reason), rule=refused.refusal.rule)
            raise
        metrics.AI_ATTEMPTS.labels("played" if written.is_new else "late").inc()
        if written.is_new:
            metrics.ACTIONS.labels(written.state.game, "computer", "played").inc()
        return written

    def _take(self, answer: session_pb2.SubmitActionRequest, at_ms: int) -> None:
        """Play an answer at its moment, milliseconds since 1970. If something ends the wait for it, it changes nothing."""
        if len(self._waiting) >= MAX_WAITING:
            log.warning("too many computers wait for their moment", session=answer.session_id)
        else:
            self._waiting.start(self._play_at(answer, at_ms), _key(answer))

    async def _play_at(self, answer: session_pb2.SubmitActionRequest, at_ms: int) -> None:
        await asyncio.sleep(max(0, at_ms - self._now_ms()) / 1000)
        try:
            await self._play(answer, actions.submit(answer, at_ms=at_ms))
        except Refused as refused:  # it is in the log
            if refused.reason in UNREACHED:  # that says nothing of the answer: a later one to the same question may be played
                for tell in self._events.forgotten:
                    tell(answer.session_id)
        except Exception as error:
            log.error("a computer player's action was not played", session=answer.session_id, exc_info=error)

    async def _think_ms(self, session_id: str, seat: int) -> int | None:
        """Return how long a seat's computer may think about a turn; None where no computer sits."""
        state = (await self._session_cache.any(session_id)).state
        occupant = state.seats[seat].occupant if seat < len(state.seats) else None
        if occupant is None or not occupant.HasField("computer"):
            return None
        return (await self._games.timeouts(state.game)).thinking_ms(occupant.computer.level)

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


def _key(answer: session_pb2.SubmitActionRequest) -> tuple[str, int, int]:
    return answer.session_id, answer.seat, answer.version
