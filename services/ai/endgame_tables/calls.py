"""The calls of AiService that are about endgame tables."""

import redis

from brettwerk.internal.v1 import ai_pb2
from services.ai.celery_worker.app import THINK
from services.ai.endgame_tables.board import TablesBoard
from services.runtime import bell
from services.runtime.logs import logger
from services.runtime.refusal import Refused, unavailable

log = logger(__name__)


class TablesCalls:
    """Answers. Raises Refused (UNAVAILABLE)."""

    def __init__(self, board: TablesBoard, bells: str) -> None:
        """`bells`: the folder of those that wake workers."""
        self._board, self._bells = board, bells

    async def find(self) -> ai_pb2.FindEndgameTablesResponse:
        """Return the tables of all machines; where none reports, a worker that rests is woken. Raises Refused (UNAVAILABLE)."""
        try:
            machines = await self._board.reports()
        except (redis.RedisError, OSError) as error:
            raise _away(error) from None
        if not machines:
            bell.ring(self._bells, THINK)
        return ai_pb2.FindEndgameTablesResponse(machines=machines)

    async def ask(self, request: ai_pb2.AskForEndgameTablesRequest) -> ai_pb2.AskForEndgameTablesResponse:
        """Have the workers build or delete tables, and return an empty answer. Raises Refused (UNAVAILABLE)."""
        try:
            await self._board.ask(request.stones)
        except (redis.RedisError, OSError) as error:
            raise _away(error) from None
        log.info("an operator asks for endgame tables", stones=request.stones)
        await self.find()
        return ai_pb2.AskForEndgameTablesResponse()


def _away(error: Exception) -> Refused:
    log.warning("endgame tables cannot be asked for", error=repr(error))
    return unavailable("store of the endgame tables")
