"""Answers the calls about the arena."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from brettwerk.v1 import arena_pb2, bots_pb2, errors_pb2
from services.archive.access import Access
from services.players.accounts import bot_rows, rows, token_rows
from services.players.accounts.deleted_players import PREFIX as GONE
from services.players.accounts.names import names_of
from services.players.arena import arena_rows
from services.players.arena.line_ups import LEVEL
from services.players.arena.pairing import CLOCK, CLOCK_MANY
from services.players.calls import Answered, Caller, Handler
from services.players.game_data import require_game
from services.players.results.tables import RESULTS
from services.runtime.bots import is_bot
from services.runtime.refusal import Refused, unknown
from services.runtime.wall_clock import wall_ms

_BOTS, _LIVE, _RECENT = 200, 100, 50


class Arena:
    """The calls. Raises Refused."""

    def __init__(self, store: Access, max_games: int, now_ms: Callable[[], int] = wall_ms) -> None:
        self._store = store
        self._max_games = max_games
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {"enter_arena": self.enter, "get_arena": self.get}

    async def enter(self, request: arena_pb2.EnterArenaRequest, caller: Caller) -> Answered:
        """Let a bot play a game in the arena, or end that; return all its entries.

        Raises Refused: NO_TOKEN, UNKNOWN for another's bot or a game that there is not, BOT for a person, NO_SCOPE.
        """
        caller.require_player()
        require_game(request.game)
        bot_id = request.bot_id or caller.player_id
        if not is_bot(bot_id):
            raise Refused(errors_pb2.REASON_BOT, "only bots play in the arena: say which")

        def write(connection: Connection) -> arena_pb2.EnterArenaResponse:
            rows.own(connection, caller)
            if bot_id != caller.player_id:
                _check_scope(connection, caller)
                if bot_rows.find(connection, caller.player_id, bot_id) is None:
                    raise unknown("bot", "bot_id", bot_id)
            arena_rows.enter(connection, bot_id, request.game, request.at_once)
            return arena_pb2.EnterArenaResponse(entries=[entry(row) for row in arena_rows.entries_of(connection, [bot_id])])

        return Answered(await self._store.run(write))

    async def get(self, request: arena_pb2.GetArenaRequest, caller: Caller) -> Answered:
        """Return the arena of a game."""
        require_game(request.game)

        def read(connection: Connection) -> arena_pb2.GetArenaResponse:
            entered = arena_rows.entered(connection, request.game)[:_BOTS]
            owners = bot_rows.owners(connection, [row.player_id for row in entered])
            live = arena_rows.listed(connection, request.game, _LIVE, live=True)
            recent = arena_rows.listed(connection, request.game, _RECENT, live=False)
            return arena_pb2.GetArenaResponse(
                max_games=self._max_games,
                clock=CLOCK,
                clock_many=CLOCK_MANY,
                bots=[_bot(row, owners) for row in entered],
                live=_games(connection, live),
                recent=_games(connection, recent),
            )

        return Answered(await self._store.run(read))


def entry(row: Row[Any]) -> arena_pb2.ArenaEntry:
    """Return an entry as its owner sees it."""
    return arena_pb2.ArenaEntry(game=row.game, at_once=row.at_once, rests_until_ms=row.rests_until_ms)


def _bot(row: Row[Any], owners: Mapping[str, bot_rows.Owner]) -> arena_pb2.ArenaBot:
    owner = owners.get(row.player_id, bot_rows.Owner("", ""))
    return arena_pb2.ArenaBot(
        player_id=row.player_id, name=row.name, owner_id=owner.player_id, owner_name=owner.name, entry=entry(row)
    )


def _games(connection: Connection, found: Sequence[Row[Any]]) -> list[arena_pb2.ArenaGame]:
    names = names_of(connection, {one for row in found for one in row.line_up.split() if is_bot(one)})
    sessions = [row.session_id for row in found if row.ended_at_ms and row.session_id]
    query = select(RESULTS.c.session_id, RESULTS.c.seat, RESULTS.c.place).where(
        RESULTS.c.session_id.in_(sessions), RESULTS.c.began
    )
    places = {(row.session_id, row.seat): row.place for row in connection.execute(query)}
    return [
        arena_pb2.ArenaGame(
            session_id=row.session_id,
            seats=[_seat(one, names, places.get((row.session_id, number), 0)) for number, one in enumerate(row.line_up.split())],
            paired_at_ms=row.paired_at_ms,
            ended_at_ms=row.ended_at_ms,
            unplayed=row.unplayed,
        )
        for row in found
    ]


def _seat(one: str, names: Mapping[str, str], place: int) -> arena_pb2.ArenaSeat:
    if one.startswith(LEVEL):
        return arena_pb2.ArenaSeat(level=one.removeprefix(LEVEL), place=place)
    return arena_pb2.ArenaSeat(player_id="" if one.startswith(GONE) else one, name=names.get(one, ""), place=place)


def _check_scope(connection: Connection, caller: Caller) -> None:
    """Return if a caller may manage bots: the gateway lets through whoever may play, too, since bots may enter themselves."""
    token = token_rows.find(connection, caller.token_id) if caller.token_id else None
    if token is not None and not token.scopes >> bots_pb2.SCOPE_BOTS & 1:
        raise Refused(errors_pb2.REASON_NO_SCOPE, "the API token may not manage bots", details={"scope": "bots"})
