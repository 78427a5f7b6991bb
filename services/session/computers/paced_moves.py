"""Plays the answers of computers: immediately, or when their time has come (services/session/domain/clocks.py).

Early ones wait here, in memory, and no worker waits with them. Nobody knows of them: if this process ends in the meantime, the
move is still wanted, and the session's next owner requests it again; so does this one if the store cannot take the move then.
"""

import asyncio
from collections.abc import Callable

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.runtime.task_cancel import ended
from services.session.domain.commands import actions
from services.session.domain.commands.decision import Command
from services.session.live.session_events import SessionEvents
from services.session.live.writer import Writer, Written

log = logger(__name__)

MAX_WAITING = 10_000
"""Answers that wait at once, of a few hundred bytes each; one more is not taken, and the sweeper asks for it again."""
_NOT_NOW = (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE)
"""Refusals that say nothing of the answer: a later one to the same question may be played."""


class PacedMoves:
    """Plays answers, and keeps those that wait."""

    def __init__(self, writer: Writer, now_ms: Callable[[], int], events: SessionEvents) -> None:
        """Among `events`, those are forgotten whose moves were taken from their workers, and could not be played."""
        self._events = events
        self._writer = writer
        self._now_ms = now_ms
        self._waiting: dict[tuple[str, int, int], asyncio.Task[None]] = {}

    def has(self, asked: session_pb2.SubmitActionRequest) -> bool:
        """Return whether an answer for the same seat and version waits already."""
        return _key(asked) in self._waiting

    async def play(self, answer: session_pb2.SubmitActionRequest, command: Command) -> Written:
        """Carry out the command of an answer, and count its outcome. Raises Early and Refused, as the writer does."""
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

    def take(self, answer: session_pb2.SubmitActionRequest, at_ms: int) -> None:
        """Play an answer at its moment, milliseconds since 1970. If something ends the wait for it, it changes nothing."""
        key = _key(answer)
        if len(self._waiting) >= MAX_WAITING:
            log.warning("too many computers wait for their moment", session=answer.session_id)
            return
        task = asyncio.create_task(self._play_at(answer, at_ms))
        self._waiting[key] = task
        task.add_done_callback(lambda _: self._waiting.pop(key, None))

    async def close(self) -> None:
        """Give up what waits."""
        await ended(*self._waiting.values())

    async def _play_at(self, answer: session_pb2.SubmitActionRequest, at_ms: int) -> None:
        await asyncio.sleep(max(0, at_ms - self._now_ms()) / 1000)
        try:
            await self.play(answer, actions.submit(answer, at_ms=at_ms))
        except Refused as refused:  # it is in the log
            if refused.reason in _NOT_NOW:
                for tell in self._events.forgotten:
                    tell(answer.session_id)
        except Exception as error:
            log.error("a computer player's action was not played", session=answer.session_id, exc_info=error)


def _key(answer: session_pb2.SubmitActionRequest) -> tuple[str, int, int]:
    return answer.session_id, answer.seat, answer.version
