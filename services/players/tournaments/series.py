"""Series of tournaments: the calls."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row

from brettwerk.v1 import errors_pb2
from brettwerk.v1 import series_pb2 as pb
from services.archive.access import Access
from services.players.accounts import rows
from services.players.calls import Answered, Caller, Handler
from services.players.clubs import club_rows
from services.players.opponents import blocks
from services.players.opponents.sessions import Sessions
from services.players.request_ids import require_request_id
from services.players.tournaments import description, rounds, seatings, series_course, series_rows, series_table, tournament_rows
from services.players.tournaments.entry import require_club
from services.players.tournaments.refusals import refused, require_owner
from services.players.tournaments.series_rows import CANCELLED, RUNNING
from services.players.tournaments.series_table import HUNDREDTHS
from services.players.tournaments.tournaments import check_request, example, has_one_round
from services.runtime.player_text import TITLE_BYTES, clean_text
from services.runtime.refusal import Refused, malformed, require_room, unknown
from services.runtime.time_zones import zone_of
from services.runtime.wall_clock import wall_ms

MAX_SERIES, MAX_OWN, MAX_JOINED = 200, 2, 10
"""Series that are not over: of a server, of an owner, and those that a player has joined."""
MIN_COUNT, MAX_COUNT, MAX_DAYS = 2, 52, 31
_ROWS = 200


class SeriesOfTournaments:
    """The calls. Raises Refused."""

    def __init__(
        self, store: Access, sessions: Sessions, wake: Callable[[dict[str, int]], None], now_ms: Callable[[], int] = wall_ms
    ) -> None:
        """`wake` takes the players who have news, with their newest versions."""
        self._store = store
        self._sessions = sessions
        self._wake = wake
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "create_series": self.create,
            "join_series": self.join,
            "leave_series": self.leave,
            "cancel_series": self.cancel,
            "get_series": self.get,
            "list_series": self.list,
        }

    async def create(self, request: pb.CreateSeriesRequest, caller: Caller) -> Answered:
        """Create a series with its first tournament, or find the one of an equal request; return it.

        Raises Refused: NO_TOKEN, MALFORMED, UNKNOWN, CLUB, FULL, REQUEST_ID_REUSED, and what the session service refuses.
        """
        caller.require_player()
        now_ms = self._now_ms()
        wanted = request.tournament
        wanted.name = clean_text(wanted.name, "name", TITLE_BYTES)
        wanted.request_id = request.request_id
        _check(request, now_ms)
        wanted.request_id = ""
        known = await self._store.run(partial(series_rows.find_asked, owner_id=caller.player_id, request_id=request.request_id))
        if known is None:
            for seats in seatings.possible_sizes(wanted.seats) if wanted.seats else (2,):
                await self._sessions.arrange(example(wanted, seats))

        def write(connection: Connection) -> pb.Series:
            rows.own(connection, caller)
            row = series_rows.find_asked(connection, caller.player_id, request.request_id)
            if row is None:
                require_club(connection, wanted.club_id, caller)
                require_room(series_rows.count_running(connection), MAX_SERIES, "series")
                require_room(series_rows.count_running(connection, caller.player_id), MAX_OWN, "own_series")
                require_room(tournament_rows.count_live(connection), tournament_rows.MAX_LIVE, "tournaments")
                series_rows.add(connection, _row(request, caller, now_ms))
                row = series_rows.find_asked(connection, caller.player_id, request.request_id)
                assert row is not None
                series_course.make(connection, row, 1, now_ms)
            if row.request != request.SerializeToString(deterministic=True):
                raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id was used for another series")
            return _series(connection, row, caller.player_id)

        return Answered(pb.CreateSeriesResponse(series=await self._store.run(write)))

    async def join(self, request: pb.JoinSeriesRequest, caller: Caller) -> Answered:
        """Join all tournaments of a series, and return it.

        Raises Refused: NO_TOKEN, UNKNOWN, TOURNAMENT once it is over or for players whom its owner blocks, CLUB for those who are
        no members of its club, FULL.
        """
        now_ms = self._now_ms()

        def write(connection: Connection, series: Row[Any]) -> None:
            _require_running(series)
            require_club(connection, series.club_id, caller)
            if blocks.among(connection, [caller.player_id, series.owner_id]):
                raise refused("blocked", "its owner and this player do not play each other")
            found = series_rows.players(connection, series.series_id)
            if all(one.player_id != caller.player_id for one in found):
                require_room(len(found), description.max_players(series_course.asked(series).tournament), "players")
                require_room(series_rows.count_joined(connection, caller.player_id), MAX_JOINED, "joined_series")
                series_rows.join(connection, series.series_id, caller.player_id, caller.name, now_ms)
            for tournament_id in series_rows.open_tournaments(connection, series.series_id):
                series_course.enter(connection, tournament_id, caller.player_id, caller.name, now_ms)

        return Answered(pb.JoinSeriesResponse(series=await self._change(request.series_id, caller, write)))

    async def leave(self, request: pb.LeaveSeriesRequest, caller: Caller) -> Answered:
        """Leave a series and its tournament that is open, and return the series. Raises Refused: NO_TOKEN, UNKNOWN."""

        def write(connection: Connection, series: Row[Any]) -> None:
            series_rows.leave(connection, series.series_id, caller.player_id)
            for tournament_id in series_rows.open_tournaments(connection, series.series_id):
                held = tournament_rows.hold(connection, tournament_id)
                if held is not None and held.state == tournament_rows.OPEN:
                    tournament_rows.drop(connection, tournament_id, caller.player_id)

        return Answered(pb.LeaveSeriesResponse(series=await self._change(request.series_id, caller, write)))

    async def cancel(self, request: pb.CancelSeriesRequest, caller: Caller) -> Answered:
        """Cancel a series of the caller's with its tournament that is open, and return it.

        Raises Refused: NO_TOKEN, UNKNOWN, TOURNAMENT for another owner, or one that is over.
        """
        now_ms = self._now_ms()

        def write(connection: Connection, series: Row[Any]) -> dict[str, int]:
            require_owner(series, caller)
            if series.state == CANCELLED:
                return {}
            _require_running(series)
            heads: dict[str, int] = {}
            for tournament_id in series_rows.open_tournaments(connection, series.series_id):
                held = tournament_rows.hold(connection, tournament_id)
                if held is not None and held.state == tournament_rows.OPEN:
                    heads |= rounds.end(connection, held, tournament_rows.CANCELLED, now_ms)
            series_rows.change(connection, series.series_id, state=CANCELLED, make_at_ms=0, ended_at_ms=now_ms)
            return heads

        return Answered(pb.CancelSeriesResponse(series=await self._change(request.series_id, caller, write)))

    async def get(self, request: pb.GetSeriesRequest, caller: Caller) -> Answered:
        """Return a series with its tournaments and its table. Raises Refused (UNKNOWN)."""

        def read(connection: Connection) -> pb.GetSeriesResponse:
            row = series_rows.find(connection, request.series_id)
            if row is None or not _is_known_to(connection, row, caller.player_id):
                raise unknown("series", "series_id", request.series_id)
            found = series_rows.tournaments(connection, row.series_id)
            shown = description.tournaments(connection, found, caller.player_id)
            numbered = [
                pb.SeriesTournament(number=one.series_number, tournament=each) for one, each in zip(found, shown, strict=True)
            ]
            return pb.GetSeriesResponse(
                series=_series(connection, row, caller.player_id),
                tournaments=numbered,
                rows=_table(connection, row, caller.player_id),
            )

        return Answered(await self._store.run(read))

    async def list(self, request: pb.ListSeriesRequest, caller: Caller) -> Answered:
        """Return the newest series.

        Raises Refused: NO_TOKEN for the caller's own, UNKNOWN or CLUB for those of a club of others.
        """
        if request.mine:
            caller.require_player()

        def read(connection: Connection) -> pb.ListSeriesResponse:
            require_club(connection, request.club_id, caller)
            found = series_rows.listed(connection, request, caller.player_id)
            return pb.ListSeriesResponse(series=[_series(connection, row, caller.player_id) for row in found])

        return Answered(await self._store.run(read))

    async def _change(
        self, series_id: str, caller: Caller, write: Callable[[Connection, Row[Any]], dict[str, int] | None]
    ) -> pb.Series:
        """Change a series that nobody else changes meanwhile; return it as it is then. `write` returns who has news."""
        caller.require_player()

        def change(connection: Connection) -> tuple[pb.Series, dict[str, int]]:
            rows.own(connection, caller)
            held = series_rows.hold(connection, series_id)
            if held is None:
                raise unknown("series", "series_id", series_id)
            heads = write(connection, held) or {}
            after = series_rows.find(connection, series_id)
            assert after is not None
            return _series(connection, after, caller.player_id), heads

        series, heads = await self._store.run(change)
        self._wake(heads)
        return series


def _check(request: pb.CreateSeriesRequest, now_ms: int) -> None:
    """Return for a series that there can be, as far as this service knows. Raises Refused (MALFORMED, UNKNOWN)."""
    require_request_id(request.request_id)
    check_request(request.tournament, now_ms)
    if has_one_round(request.tournament):
        raise malformed("kind", "a series has neither arenas nor tournaments in which its owner has to take part")
    if not request.tournament.starts_at_ms:
        raise malformed("starts_at_ms", "the first tournament of a series starts at a time")
    if not MIN_COUNT <= request.count <= MAX_COUNT:
        raise malformed("count", f"a series has {MIN_COUNT} to {MAX_COUNT} tournaments")
    if not 1 <= request.every_days <= MAX_DAYS:
        raise malformed("every_days", f"there are 1 to {MAX_DAYS} days from one tournament to the next")
    if request.time_zone and zone_of(request.time_zone) is None:
        raise malformed("time_zone", "there is no such time zone")
    if request.points not in (pb.Series.POINTS_SUM, pb.Series.POINTS_PLACES):
        raise malformed("points", "a tournament counts its points, or points by place")
    if request.best > request.count:
        raise malformed("best", "no more tournaments count than there are")


def _row(request: pb.CreateSeriesRequest, caller: Caller, now_ms: int) -> dict[str, object]:
    return {
        "series_id": secrets.token_hex(16),
        "owner_id": caller.player_id,
        "owner_name": caller.name,
        "request_id": request.request_id,
        "request": request.SerializeToString(deterministic=True),
        "public": request.tournament.public and not request.tournament.club_id,
        "club_id": request.tournament.club_id,
        "state": RUNNING,
        "made": 1,
        "make_at_ms": request.tournament.starts_at_ms,
        "created_at_ms": now_ms,
        "ended_at_ms": 0,
    }


def _series(connection: Connection, row: Row[Any], player_id: str) -> pb.Series:
    """Return a series as a player sees it; `player_id` is empty for nobody."""
    request = series_course.asked(row)
    joined = series_rows.players(connection, row.series_id)
    return pb.Series(
        series_id=row.series_id,
        owner=description.player(row.owner_id, row.owner_name),
        tournament=request.tournament,
        count=request.count,
        every_days=request.every_days,
        time_zone=request.time_zone,
        points=request.points,
        best=request.best,
        state=row.state,
        made=row.made,
        next_at_ms=series_course.starts_at_ms(request, row.made + 1) if row.make_at_ms else 0,
        players=len(joined),
        joined=any(one.player_id == player_id for one in joined),
        created_at_ms=row.created_at_ms,
        ended_at_ms=row.ended_at_ms,
    )


def _table(connection: Connection, row: Row[Any], player_id: str) -> Sequence[pb.SeriesRow]:
    results, names = series_rows.results(connection, row.series_id)
    table = series_table.table(results, series_course.asked(row).best)
    shown = table[:_ROWS] + [one for one in table[_ROWS:] if one.player == player_id]
    return [
        pb.SeriesRow(
            place=one.place,
            player=description.player(one.player, names[one.player]),
            points=one.points / HUNDREDTHS,
            results=[
                pb.SeriesResult(
                    number=each.number,
                    place=each.place,
                    points=each.points / HUNDREDTHS,
                    counts=each.number in one.counting,
                )
                for each in one.results
            ],
        )
        for one in shown
    ]


def _is_known_to(connection: Connection, row: Row[Any], player_id: str) -> bool:
    """Return whether a player may know of a series: of a club's its members, those who have joined it, and its owner."""
    if not row.club_id or (player_id and player_id == row.owner_id) or club_rows.is_member(connection, row.club_id, player_id):
        return True
    return any(one.player_id == player_id for one in series_rows.players(connection, row.series_id))


def _require_running(series: Row[Any]) -> None:
    if series.state != RUNNING:
        name = pb.Series.State.Name(series.state).removeprefix("STATE_").lower()
        raise refused(name, f"the series is {name}")
