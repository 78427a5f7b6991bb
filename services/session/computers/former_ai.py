"""Asks an AI service of release 0.1.0, which knows no wants: it is sent the view. For as long as an upgrade takes."""

from collections.abc import Awaitable, Callable

from brettwerk.v1 import ai_pb2, errors_pb2
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.session.computers.ai_client import AiClient
from services.session.domain.due import Patience
from services.session.domain.seals import search_seed
from services.session.live.shelf import Shelf

log = logger(__name__)


class FormerAi:
    """An AI service of release 0.1.0."""

    def __init__(
        self, ai: AiClient, shelf: Shelf, now_ms: Callable[[], int], patience: Callable[[str], Awaitable[Patience]]
    ) -> None:
        self._ai = ai
        self._shelf = shelf
        self._now_ms = now_ms
        self._patience = patience

    async def ask(self, want: ai_pb2.Want) -> None:
        """Ask for a move. What cannot be asked for now is asked for again by the sweeper."""
        try:
            state = (await self._shelf.newest(want.session_id)).state
            if state.seats[want.seat].wanted_version != want.version:
                return
            patience = await self._patience(state.game)
            await self._ai.request_move(
                ai_pb2.RequestMoveRequest(
                    game=want.game,
                    session_id=want.session_id,
                    seat=want.seat,
                    version=want.version,
                    view=await self._shelf.view(state, want.seat),
                    computer=want.computer,
                    deadline_ms=self._now_ms() + patience.move_ms(want.computer.level),
                    ticket=want.ticket,
                    search_seed=search_seed(want.session_id, want.seat, want.version),
                    attempt=1,
                )
            )
        except Refused as refused:
            metrics.AI_ATTEMPTS.labels("unreachable").inc()
            log.warning("computer player not asked", reason=errors_pb2.Reason.Name(refused.reason))
