"""The course of a series: its tournaments are made one after the other, and what they count is kept. In a transaction.

The next tournament is made when that before starts, so that one is open until the last has started. One whose start is past by
then, because the service was not there, is left out. A tournament is made in the transaction that counts it: there is none twice.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from brettwerk.v1 import series_pb2 as pb
from brettwerk.v1 import tournaments_pb2
from services.players.clubs import club_rows
from services.players.opponents import blocks
from services.players.tournaments import description, series_rows, series_table, tournament_rows
from services.players.tournaments.series_rows import FINISHED, RUNNING
from services.players.tournaments.series_table import Result
from services.runtime import metrics
from services.runtime.time_zones import zone_of


def asked(row: Row[Any]) -> pb.CreateSeriesRequest:
    """Return what the owner of a series has asked for."""
    return pb.CreateSeriesRequest.FromString(row.request)


def starts_at_ms(request: pb.CreateSeriesRequest, number: int) -> int:
    """Return when a tournament of a series starts, in milliseconds since 1970: always at the same time of day in its zone."""
    zone = zone_of(request.time_zone) or UTC
    first = datetime.fromtimestamp(request.tournament.starts_at_ms / 1000, zone)
    return round((first + timedelta(days=(number - 1) * request.every_days)).timestamp() * 1000)


def go_on(connection: Connection, series_id: str, now_ms: int) -> None:
    """Make the next tournament of a series if it is time, or end the series after its last one."""
    series = series_rows.hold(connection, series_id)
    if series is None or series.state != RUNNING:
        return
    request = asked(series)
    if not series.make_at_ms:
        if not any(row.state in tournament_rows.LIVE for row in series_rows.tournaments(connection, series_id)):
            series_rows.change(connection, series_id, state=FINISHED, ended_at_ms=now_ms)
        return
    if series.make_at_ms > now_ms:
        return
    number = series.made + 1
    while number <= request.count and starts_at_ms(request, number) <= now_ms:
        number += 1
    if number <= request.count:
        if tournament_rows.count_live(connection) >= tournament_rows.MAX_LIVE:
            return  # until there is room, or its start is past
        make(connection, series, number, now_ms)
    make_at_ms = starts_at_ms(request, number) if number < request.count else 0
    series_rows.change(connection, series_id, made=min(number, request.count), make_at_ms=make_at_ms)


def make(connection: Connection, series: Row[Any], number: int, now_ms: int) -> None:
    """Make a tournament of a series, with all players in it who have joined the series as a whole."""
    request = asked(series)
    wanted = tournaments_pb2.CreateTournamentRequest()
    wanted.CopyFrom(request.tournament)
    wanted.starts_at_ms = starts_at_ms(request, number)
    wanted.request_id = f"series-{series.series_id}-{number}"
    row = tournament_rows.new_tournament(wanted, series.owner_id, series.owner_name, now_ms)
    row |= {"series_id": series.series_id, "series_number": number}
    tournament_rows.add(connection, row)
    metrics.TOURNAMENTS.labels(description.kind_name(wanted), "created").inc()
    for player in series_rows.players(connection, series.series_id):
        enter(connection, str(row["tournament_id"]), player.player_id, player.name, now_ms)


def enter(connection: Connection, tournament_id: str, player_id: str, name: str, now_ms: int) -> None:
    """Let a player of a series take part in an open tournament of it; nothing happens where they cannot."""
    held = tournament_rows.hold(connection, tournament_id)
    if held is None or held.state != tournament_rows.OPEN:
        return
    if held.club_id and not club_rows.is_member(connection, held.club_id, player_id):
        return
    is_full = len(tournament_rows.players(connection, tournament_id)) >= description.max_players(description.asked(held))
    is_busy = tournament_rows.count_joined(connection, player_id) >= tournament_rows.MAX_JOINED
    if not (is_full or is_busy or blocks.among(connection, [player_id, held.owner_id])):
        tournament_rows.join(connection, tournament_rows.new_player(tournament_id, player_id, name, now_ms))


def count(connection: Connection, tournament: Row[Any]) -> None:
    """Keep what a tournament counts in the table of its series, once it is over."""
    series = series_rows.find(connection, tournament.series_id)
    found = tournament_rows.players(connection, tournament.tournament_id)
    if series is None or not found:
        return
    entrants = [tournament_rows.entrant(one) for one in found]
    games = tournament_rows.games(connection, tournament.tournament_id)
    standings = description.format_of(description.asked(tournament)).standings(entrants, games)
    by_places = asked(series).points == pb.Series.POINTS_PLACES
    points = series_table.points_of(standings, by_places=by_places)
    ids = {one.number: one.player_id for one in found}
    results = [Result(ids[row.number], tournament.series_number, row.place, points[row.number]) for row in standings]
    series_rows.note_results(connection, series.series_id, {one.player_id: one.name for one in found}, results)
