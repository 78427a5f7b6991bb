"""Whether there is anything to be done without a call, asked in one query: at rest there mostly is not."""

from sqlalchemy import Connection, exists, or_, select

from services.players.arena.tables import ARENA_ENTRIES, ARENA_GAMES
from services.players.opponents.session_orders import MADE, WANTED
from services.players.opponents.tables import ARRANGEMENTS, SEEKS
from services.players.tournaments.tables import TOURNAMENTS
from services.players.tournaments.tournament_rows import LIVE

_ANYTHING = select(
    or_(
        exists().select_from(SEEKS),
        exists().where(ARRANGEMENTS.c.state.in_([WANTED, MADE])),
        exists().where(TOURNAMENTS.c.state.in_(LIVE)),
        exists().select_from(ARENA_ENTRIES),
        exists().where(ARENA_GAMES.c.ended_at_ms == 0),
    )
)


def is_anything_pending(connection: Connection) -> bool:
    """Return whether somebody waits for an opponent, or a session, a tournament or the arena goes on."""
    return bool(connection.execute(_ANYTHING).scalar_one())
