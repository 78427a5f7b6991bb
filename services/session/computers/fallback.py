"""Finds the move of a computer player that no worker moves for: the level's own or, if that fails, any legal one."""

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime.logs import logger
from services.runtime.pool import Pool
from services.runtime.refusal import Refused
from services.session.live.rules_client import RulesClient

log = logger(__name__)

TARGET = "services.session.computers.emergency_player:work"
"""What runs in the pool's process: it knows players, which this process does not."""
WAITING = 64
"""Moves that wait for it: as many sessions as the sweeper sees to at once."""
CPU_S = 5.0
WALL_S = 20.0
_LEGAL_PAGE = 1000
_LATER = (errors_pb2.REASON_FULL,)


class Fallback:
    """Finds moves."""

    def __init__(self, rules: RulesClient) -> None:
        self._rules = rules
        self._pool = Pool("session", TARGET, waiting=WAITING, waiting_each=WAITING, cpu_s=CPU_S, wall_s=WALL_S)

    async def close(self) -> None:
        """End the process."""
        await self._pool.close()

    async def action(self, game: str, view: AnyMessage, computer: record_pb2.Computer, seed: int) -> AnyMessage:
        """Return an action for a view's seat, the same for the same seed.

        Raises Refused: FULL if too many moves are being looked for, and what the rules refuse.
        """
        wanted = session_pb2.WantedPosition(game=game, view=view, computer=computer, search_seed=seed)
        try:
            return AnyMessage.FromString(await self._pool.run(wanted.SerializeToString()))
        except Refused as refused:
            if refused.reason in _LATER:
                raise
            log.warning("no player stands in", game=game, reason=errors_pb2.Reason.Name(refused.reason))
        return await self._drawn(game, view, seed)

    async def _drawn(self, game: str, view: AnyMessage, seed: int) -> AnyMessage:
        legal = await self._rules.legal(game, view, _LEGAL_PAGE)
        if legal.actions:
            return legal.actions[seed % len(legal.actions)].action
        return await self._rules.expiry(game, view)
