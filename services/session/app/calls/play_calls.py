"""Calls of somebody who plays: actions, taking back, resigning, vacation."""

from functools import cache

from prometheus_client import Counter

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import play_pb2
from services.runtime import metrics
from services.session.app.calls.rows import Rows, writing
from services.session.domain.commands import actions, endings
from services.session.domain.ids import checked
from services.session.live.write_builder import Request
from services.session.live.writer import Writer


class PlayCalls:
    """Carries them out. Raises Refused."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    @property
    def rows(self) -> Rows:
        """What it answers."""
        return {
            "act": self.act,
            "undo": writing(self._writer, lambda request, _caller: actions.undo(request)),
            "resign": writing(self._writer, lambda request, _caller: endings.resign(request)),
            "take_vacation": writing(self._writer, lambda request, _caller: actions.take_vacation(request)),
        }

    async def act(self, request: play_pb2.ActRequest, _caller: session_pb2.Caller, once: Request) -> play_pb2.Answer:
        """Play an action."""
        written = await self._writer.write(checked(request.session_id), actions.act(request), once)
        _played(written.state.game).inc()
        assert isinstance(written.answer, play_pb2.Answer)
        return written.answer


@cache
def _played(game: str) -> Counter:
    return metrics.ACTIONS.labels(game, "person", "played")
