"""Pools, challenges, tournaments and the arena, put together: the calls, and what is done without one."""

import asyncio
from collections.abc import Callable, Mapping

from sqlalchemy import Connection, exists, or_, select

from services.archive.access import Access
from services.players.arena.arena import Arena
from services.players.arena.pairing import Pairing
from services.players.arena.tables import ARENA_ENTRIES, ARENA_GAMES
from services.players.calls import Handler
from services.players.clubs import club_rows
from services.players.news.followers import Following
from services.players.opponents import seek_rows, session_orders
from services.players.opponents.block_feed import BlockFeed
from services.players.opponents.challenges import Challenges
from services.players.opponents.player_search import Finding
from services.players.opponents.pool import Pool
from services.players.opponents.session_orders import MADE, WANTED, Arranging
from services.players.opponents.sessions import Sessions
from services.players.opponents.tables import ARRANGEMENTS, SEEKS
from services.players.tournaments.arbiters import Arbiters
from services.players.tournaments.club_matches import ClubMatches
from services.players.tournaments.progress import Progress
from services.players.tournaments.round_plans import RoundPlans
from services.players.tournaments.series import SeriesOfTournaments
from services.players.tournaments.series_rows import RUNNING
from services.players.tournaments.series_tables import SERIES
from services.players.tournaments.tables import TOURNAMENTS
from services.players.tournaments.tournament_rows import LIVE
from services.players.tournaments.tournaments import Tournaments
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.runtime.settings import Settings
from services.runtime.wall_clock import wall_ms

EVERY_S = 0.5
"""How often to look for what is to be done."""
_TOURNAMENTS_EVERY = 2
"""Looks after which tournaments go on."""
_CLEAN_EVERY = 60
"""Looks after which what is over is removed."""
_ANYTHING = select(
    or_(
        exists().select_from(SEEKS),
        exists().where(ARRANGEMENTS.c.state.in_([WANTED, MADE])),
        exists().where(TOURNAMENTS.c.state.in_(LIVE)),
        exists().where(SERIES.c.state == RUNNING),
        exists().select_from(ARENA_ENTRIES),
        exists().where(ARENA_GAMES.c.ended_at_ms == 0),
    )
)
log = logger(__name__)


class Matchmaker:
    """Pools, challenges, tournaments, the arena, and the sessions that come of them."""

    def __init__(
        self,
        store: Access,
        following: Following,
        config: Settings,
        now_ms: Callable[[], int] = wall_ms,
        block_feed: BlockFeed | None = None,
    ) -> None:
        """Make it within the event loop. `block_feed`: as `Finding` takes it."""
        self._store = store
        self._max_arena_games = config.arena_games
        self._following = following
        self._now_ms = now_ms
        self._sessions = Sessions(config.session_address, config.call_timeout_s)
        self._pool = Pool(store, self._make, now_ms)
        self._challenges = Challenges(store, self._sessions, self._make, self._wake, now_ms)
        self._finding = Finding(store, now_ms, block_feed)
        self._tournaments = Tournaments(store, self._sessions, self._wake, now_ms)
        self._round_plans = RoundPlans(store, self._wake, now_ms)
        self._series = SeriesOfTournaments(store, self._sessions, self._wake, now_ms)
        self._running = Progress(store, self._wake, now_ms)
        self._arena = Pairing(store, config.arena_games, now_ms)
        announce = {
            session_orders.POOL: self._pool.announce,
            session_orders.CHALLENGE: self._challenges.announce,
            session_orders.TOURNAMENT: self._running.announce,
            session_orders.ARENA: self._arena.announce,
        }
        conclude = {session_orders.TOURNAMENT: self._running.conclude, session_orders.ARENA: self._arena.conclude}
        self._arranging = Arranging(store, self._sessions, announce, self._wake, config.join_timeout_s, now_ms, conclude)

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            **self._pool.handlers(),
            **self._challenges.handlers(),
            **self._finding.handlers(),
            **self._tournaments.handlers(),
            **self._round_plans.handlers(),
            **self._series.handlers(),
            **ClubMatches(self._store, self._sessions, self._wake, self._now_ms).handlers(),
            **Arbiters(self._store, self._now_ms).handlers(),
            **Arena(self._store, self._max_arena_games, self._now_ms).handlers(),
        }

    async def run(self) -> None:
        """Pair, go on with tournaments, create sessions and let challenges expire, until cancelled."""
        looks, was_pending, changes = 0, True, self._store.changes()
        while True:
            await asyncio.sleep(EVERY_S)
            looks += 1
            try:
                if changes.may_have_come() or was_pending:
                    is_pending = await self._store.run(is_anything_pending)
                    if is_pending or was_pending:  # once more when nothing is: gauges go to zero
                        await self._look(looks)
                    was_pending = is_pending
                if looks % _CLEAN_EVERY == 0:
                    await self._clean()
            except Refused:
                pass  # the database is away, and its access has said so
            except Exception as error:
                log.error("opponents could not be brought together", exc_info=error)

    async def _look(self, looks: int) -> None:
        await self._pool.pair_all()
        if looks % _TOURNAMENTS_EVERY == 0:
            await self._running.step()
            await self._arena.step()
        await self._arranging.carry_out_due()

    async def close(self) -> None:
        """Let go of the session service."""
        await self._sessions.close()

    async def _make(self, arrangement_id: str, address: str) -> None:
        await self._arranging.make(arrangement_id, address)

    def _wake(self, heads: dict[str, int]) -> None:
        self._following.wake(heads)
        self._pool.ring(list(heads))

    async def _clean(self) -> None:
        await self._challenges.expire()
        await self._arranging.forget_old()
        await self._running.forget_old()
        await self._arena.forget_old()
        now_ms = self._now_ms()
        await self._store.run(lambda connection: seek_rows.forget_left(connection, now_ms))
        await self._store.run(lambda connection: club_rows.forget_old(connection, now_ms))


def is_anything_pending(connection: Connection) -> bool:
    """Return whether somebody waits for an opponent, or a session, a tournament or the arena goes on.

    It is asked in one query: at rest there mostly is nothing to do.
    """
    return bool(connection.execute(_ANYTHING).scalar_one())
