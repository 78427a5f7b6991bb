"""Rounds of tournaments: who meets whom, ordered in the transaction in which the round begins. In a transaction.

A session's order is named by its tournament, round and board: whoever dies in between leaves either no round or a whole one, and
nobody gets a second game of it.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import news_pb2, record_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.players.accounts.deleted_players import PREFIX
from services.players.news import feed
from services.players.opponents import session_orders
from services.players.opponents.arrangement import asked as session_of
from services.players.opponents.strength import rated, strengths
from services.players.tournaments import (
    arbiter_rows,
    description,
    keeping_apart,
    line_ups,
    next_round,
    series_course,
    tournament_rows,
)
from services.players.tournaments.arbiter_rows import MAX_AT_TABLE
from services.players.tournaments.formats import MIN_PLAYERS
from services.players.tournaments.next_round import NextRound
from services.players.tournaments.results import LOSS, WIN, Game
from services.players.tournaments.tables import PAIRINGS
from services.players.tournaments.tournament_rows import CANCELLED, FINISHED, OPEN, RUNNING
from services.runtime import metrics

MAX_ABSENCES = 2
"""Tables to which a player does not come before they are taken out."""


def start(connection: Connection, tournament: Row[Any], now_ms: int) -> dict[str, int]:
    """Start an open tournament that is held: number its players and begin the first round.

    Where there are too few players, for a match of clubs too few boards, or the owner is needed and does not take part, it is
    given up. Returns the new heads of the
    news of players who have any.
    """
    assert tournament.state == OPEN
    found = _entrants(connection, tournament)
    if len(found) < MIN_PLAYERS or description.lacks_host(tournament, found):
        return end(connection, tournament, CANCELLED, now_ms)
    known = strengths(connection, [one.player_id for one in found], [tournament.game])
    players = [(rated(known, one.player_id, one.name, tournament.game), one) for one in found]
    if not tournament.other_club_id:  # the clubs of a match have ordered theirs
        players.sort(key=lambda each: -each[0].rating)
    for number, place in enumerate(_order_of(connection, tournament, [one for _, one in players])):
        player, one = players[place]
        changes = {"number": number, "rating": player.rating, "provisional": player.provisional}
        tournament_rows.change_player(connection, tournament.tournament_id, one.player_id, **changes)
    rounds = description.rounds_of(description.asked(tournament), len(found))
    tournament_rows.change(connection, tournament.tournament_id, state=RUNNING, rounds=rounds, starts_at_ms=now_ms)
    count(tournament, "started")
    return go_on(connection, tournament, now_ms)


def _entrants(connection: Connection, tournament: Row[Any]) -> Sequence[Row[Any]]:
    """Return who takes part in a tournament that starts."""
    if not tournament.other_club_id:
        return tournament_rows.players(connection, tournament.tournament_id)
    request = description.asked(tournament)
    return line_ups.fielded(connection, tournament, description.seats_of(request), description.max_players(request))


def _order_of(connection: Connection, tournament: Row[Any], players: Sequence[Row[Any]]) -> Sequence[int]:
    """Return in which order players, who come by rating, are numbered: those who are kept apart do not meet at once."""
    request = description.asked(tournament)
    free = description.format_of(request).first_free
    if free is None:
        return range(len(players))
    apart = keeping_apart.apart_by_place(connection, tournament.tournament_id, players)
    return keeping_apart.in_order(len(players), apart, *free(len(players), description.seats_of(request)))


def go_on(connection: Connection, tournament: Row[Any], now_ms: int) -> dict[str, int]:
    """Begin the next games of a running tournament that is held, or end it after its last ones.

    A new round waits first for as long as its owner has wished. Returns the new heads of the news of players who have any.
    """
    running = tournament_rows.find(connection, tournament.tournament_id)
    assert running is not None
    assert running.state == RUNNING
    _take_out_absent(connection, running)
    following = next_round.planned(connection, running)
    if not following.games:
        return end(connection, running, FINISHED, now_ms)
    pause_ms = description.asked(running).round_pause_s * 1000
    number = following.games[0].round_number
    if pause_ms and not running.round_due_ms and number > running.round:
        tournament_rows.change(connection, running.tournament_id, round_due_ms=now_ms + pause_ms)
        news = [] if running.owner_id.startswith(PREFIX) else [_waiting(running, number, now_ms, now_ms + pause_ms)]
        return feed.note(connection, news)
    _begin(connection, running, following, now_ms)
    return {}


def _waiting(tournament: Row[Any], number: int, now_ms: int, until_ms: int) -> players_pb2.NotedNews:
    """Return the news of a round that waits for the owner of its tournament."""
    news = news_pb2.News(
        kind=news_pb2.News.KIND_ROUND_WAITS,
        game=tournament.game,
        title=description.asked(tournament).name,
        at_ms=now_ms,
        until_ms=until_ms,
        tournament_id=tournament.tournament_id,
    )
    return players_pb2.NotedNews(player_id=tournament.owner_id, session_version=number, news=news)


def end(connection: Connection, tournament: Row[Any], state: pb.Tournament.State.ValueType, now_ms: int) -> dict[str, int]:
    """End a tournament that is held; sessions that were ordered, and are not there yet, are not created any more.

    Every player who takes part is told, in the same transaction; returns the new heads of their news.
    """
    session_orders.give_up(connection, tournament_rows.open_orders(connection, tournament.tournament_id))
    tournament_rows.change(connection, tournament.tournament_id, state=state, ended_at_ms=now_ms, round_due_ms=0)
    if state == FINISHED and tournament.series_id:
        series_course.count(connection, tournament)
    count(tournament, "finished" if state == FINISHED else "cancelled")
    return feed.note(connection, _end_news(connection, tournament, state, now_ms))


def _end_news(
    connection: Connection, tournament: Row[Any], state: pb.Tournament.State.ValueType, now_ms: int
) -> list[players_pb2.NotedNews]:
    """Return the news of the end: the final standings concern those who have left, too, and a cancelled one only who is there."""
    news = news_pb2.News(
        kind=news_pb2.News.KIND_TOURNAMENT_OVER if state == FINISHED else news_pb2.News.KIND_TOURNAMENT_CANCELLED,
        game=tournament.game,
        title=description.asked(tournament).name,
        at_ms=now_ms,
        tournament_id=tournament.tournament_id,
    )
    found = tournament_rows.players(connection, tournament.tournament_id)
    concerned = [one.player_id for one in found if state == FINISHED or one.left_after is None]
    return [players_pb2.NotedNews(player_id=player_id, news=news) for player_id in concerned]


def _begin(connection: Connection, tournament: Row[Any], following: NextRound, now_ms: int) -> None:
    """Begin games of one round: of the next one, or more of that which is played."""
    number = following.games[0].round_number
    players = tournament_rows.players(connection, tournament.tournament_id)
    by_number = {one.number: one for one in players}
    request = description.asked(tournament)
    here = {one.number for one in players if one.left_after is None}
    arbiters = arbiter_rows.of_tables(connection, tournament)
    first_board = tournament_rows.count_boards(connection, tournament.tournament_id, number) + 1
    for board, game in enumerate(following.games, first_board):
        row: dict[str, object] = {
            "tournament_id": tournament.tournament_id,
            "round": number,
            "board": board,
            "first": game.first,
            "second": game.second,
            "others": [*game.others] if description.seats_of(request) > 2 else None,
            "arrangement_id": "",
            "by_hand": game.numbers in following.chosen,
        }
        if game.points is not None:
            row |= {"first_points": game.points[0], "second_points": game.points[1]}
        elif game.second is None or not {game.first, game.second} <= here:
            row |= _unplayed(game, here, bye=description.format_of(request).bye)
        else:
            arrangement_id = row["arrangement_id"] = name_of_order(tournament.tournament_id, number, board)
            seated = [by_number[each].player_id for each in game.numbers]
            order(connection, tournament, arrangement_id, seated, arbiters, now_ms)
        connection.execute(PAIRINGS.insert().values(**row))
    tournament_rows.change(connection, tournament.tournament_id, round=number, round_due_ms=0, set_pairings=None)


def play_without(connection: Connection, tournament: Row[Any], pairing: Row[Any], came: Sequence[int], now_ms: int) -> None:
    """Begin a game of a larger table anew, without those who did not come. `came`: the seats of the others."""
    numbers = [pairing.first, pairing.second, *pairing.others]
    here = [numbers[seat] for seat in came]
    first, second, *others = [*here, *(number for number in numbers if number not in here)]
    arrangement_id = name_of_order(tournament.tournament_id, pairing.round, pairing.board, "again")
    changes = {"first": first, "second": second, "others": others, "seated": len(here)}
    if tournament_rows.change_undecided(connection, pairing, **changes, arrangement_id=arrangement_id, session_id=""):
        by_number = {one.number: one.player_id for one in tournament_rows.players(connection, tournament.tournament_id)}
        seated, arbiters = [by_number[number] for number in here], arbiter_rows.of_tables(connection, tournament)
        order(connection, tournament, arrangement_id, seated, arbiters, now_ms)


def order(
    connection: Connection,
    tournament: Row[Any],
    arrangement_id: str,
    players: Sequence[str],
    arbiters: Sequence[record_pb2.Person],
    now_ms: int,
) -> None:
    """Order the session of a game of a tournament. Those of its arbiters who play there are none."""
    request = description.asked(tournament)
    session = session_of(
        arrangement_id,
        tournament.game,
        players,
        options=request.options if request.HasField("options") else None,
        clock=request.clock,
        competitive=not request.friendly,
        title=request.name,
        public=request.public,
    )
    session.arbiters.extend([one for one in arbiters if one.player_id not in players][:MAX_AT_TABLE])
    join_timeout_ms = description.join_timeout_s(request) * 1000
    session_orders.order(connection, session_orders.TOURNAMENT, session, now_ms, join_timeout_ms=join_timeout_ms)


def _unplayed(game: Game, here: set[int], bye: int) -> dict[str, object]:
    """Return the points of a bye, or of a game that one of the two, or both, have left."""
    first = WIN if game.first in here else LOSS
    if game.second is None:
        return {"first_points": min(first, bye), "second_points": LOSS}
    return {"first_points": first, "second_points": WIN if game.second in here else LOSS}


def _take_out_absent(connection: Connection, tournament: Row[Any]) -> None:
    """Let those leave who did not come to their tables too often."""
    absences: dict[int, int] = {}
    for row in tournament_rows.pairings(connection, tournament.tournament_id):
        game = tournament_rows.game(row)
        if game.is_bye:
            continue
        for seat, (number, points) in enumerate(zip(game.numbers, game.points or (), strict=False)):
            is_absent = points == LOSS if not row.played else row.seated is not None and seat >= row.seated
            absences[number] = absences.get(number, 0) + is_absent
    for one in tournament_rows.players(connection, tournament.tournament_id):
        if one.left_after is None and absences.get(one.number, 0) >= MAX_ABSENCES:
            tournament_rows.change_player(connection, tournament.tournament_id, one.player_id, left_after=tournament.round)


def count(tournament: Row[Any], outcome: str) -> None:
    """Count what has become of a tournament in the metrics."""
    metrics.TOURNAMENTS.labels(description.kind_name(description.asked(tournament)), outcome).inc()


def name_of_order(tournament_id: str, number: int, board: int, *more: str) -> str:
    """Return the id of the order for the session of a round's table, the same however often it is asked."""
    named = "\0".join(("tournament", tournament_id, str(number), str(board), *more))
    return hashlib.sha256(named.encode()).hexdigest()[:32]
