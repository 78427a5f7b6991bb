"""Arenas: tournaments that last a set time, in which whoever has no game is paired again and again. In a transaction.

All changes hold the tournament's row, except that of a game that is over, which changes only its own two players. So nobody is in
two games: whoever is paired has no table then, and has one from the same transaction on.
"""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Row

from brettwerk.v1 import record_pb2
from services.players.opponents.strength import rated, strengths
from services.players.tournaments import arbiter_rows, arena_pairing, arena_rows, description, rounds, tournament_rows
from services.players.tournaments.arena_pairing import Waiting
from services.players.tournaments.arena_score import tally
from services.players.tournaments.tournament_rows import CANCELLED, FINISHED, OPEN, RUNNING

AT_ONCE = 400
"""Players who are paired in one step: those who have waited longest. Their sessions take longer to create than a step."""
MAX_GAMES = 100_000
"""Games of an arena: with so many it ends."""
_MIN_CLOSED_MS, _MAX_CLOSED_MS = 30_000, 120_000


def start(connection: Connection, tournament: Row[Any], now_ms: int) -> dict[str, int]:
    """Start an open arena that is held, however many there are: number its players, who wait for an opponent from now on.

    Returns the new heads of the news of players who have any: none, until they are paired.
    """
    assert tournament.state == OPEN
    found = tournament_rows.players(connection, tournament.tournament_id)
    known = strengths(connection, [one.player_id for one in found], [tournament.game])
    players = [rated(known, one.player_id, one.name, tournament.game) for one in found]
    numbered = [
        {"id": one.player_id, "at": number, "strength": one.rating, "unsure": one.provisional}
        for number, one in enumerate(sorted(players, key=lambda each: -each.rating))
    ]
    arena_rows.number_all(connection, tournament.tournament_id, numbered)
    arena_rows.wait_all(connection, tournament.tournament_id, now_ms)
    tournament_rows.change(connection, tournament.tournament_id, state=RUNNING, rounds=1, round=1, starts_at_ms=now_ms)
    rounds.count(tournament, "started")
    return {}


def come_back(connection: Connection, tournament: Row[Any], player: Row[Any], now_ms: int) -> None:
    """Let a player who is on pause be paired again. A game that goes on is finished first."""
    changes = {"left_after": None, "free_since_ms": now_ms}
    tournament_rows.change_player(connection, tournament.tournament_id, player.player_id, **changes)


def leave(connection: Connection, tournament: Row[Any], player_id: str) -> None:
    """Put a player on pause, at their own wish. A game that goes on is finished, and counts."""
    own = arena_rows.find_player(connection, tournament.tournament_id, player_id)
    if own is not None:
        arena_rows.pause(connection, tournament.tournament_id, [own.number])


def go_on(connection: Connection, tournament_id: str, now_ms: int) -> dict[str, int]:
    """Pair those who wait in a running arena, or end it when its time is over.

    Returns the new heads of the news of players who have any.
    """
    tournament = tournament_rows.hold(connection, tournament_id)
    if tournament is None or tournament.state != RUNNING:
        return {}
    left_ms = description.ends_at_ms(tournament) - now_ms
    board = arena_rows.last_board(connection, tournament_id)
    if left_ms <= 0 or board >= MAX_GAMES:
        return end(connection, tournament, FINISHED, now_ms)
    if left_ms > closed_ms(description.asked(tournament).clock):
        _pair(connection, tournament, board, now_ms)
    return {}


def end(connection: Connection, tournament: Row[Any], state: Any, now_ms: int) -> dict[str, int]:
    """End an arena that is held: what is not over does not count, and the standings are as they are now.

    Returns the new heads of the news of players who have any.
    """
    assert state in (FINISHED, CANCELLED)
    heads = rounds.end(connection, tournament, state, now_ms)
    arena_rows.count_out(connection, tournament.tournament_id)
    return heads


def note_result(connection: Connection, tournament: Row[Any], pairing: Row[Any], now_ms: int) -> None:
    """Count a pairing that is decided, or corrected, and let its players wait for the next one. After the end nothing counts."""
    if tournament.state != RUNNING:
        return
    numbers = (pairing.first, pairing.second)
    games = arena_rows.games_of(connection, tournament.tournament_id, numbers)
    for number in numbers:
        arena_rows.note_tally(connection, tournament.tournament_id, number, tally(number, games))
    arena_rows.set_free(connection, tournament.tournament_id, pairing.board, now_ms)


def note_absent(connection: Connection, tournament: Row[Any], pairing: Row[Any], came: Collection[int]) -> None:
    """Put players on pause who did not come to their table. `came`: the seats of those who did."""
    absent = [number for seat, number in enumerate((pairing.first, pairing.second)) if seat not in came]
    arena_rows.pause(connection, tournament.tournament_id, absent)


def closed_ms(clock: record_pb2.ClockSpec) -> int:
    """Return for how long before the end nobody is paired any more, in milliseconds: such a game would hardly count.

    It is half of the clock's time, but at least half a minute and at most two.
    """
    return max(_MIN_CLOSED_MS, min(_MAX_CLOSED_MS, clock.time_ms // 2))


def _pair(connection: Connection, tournament: Row[Any], board: int, now_ms: int) -> None:
    """Pair those who wait. `board`: the newest table so far."""
    found = arena_rows.free(connection, tournament.tournament_id, min(AT_ONCE, 2 * (MAX_GAMES - board)))
    by_number = {one.number: one.player_id for one in found}
    waiting = [
        Waiting(one.number, one.points, one.rating, one.last_opponent, one.free_since_ms, one.seat_balance) for one in found
    ]
    are_all = len(found) == arena_rows.count_players(connection, tournament.tournament_id, active=True)
    arbiters = arbiter_rows.of_tables(connection, tournament)
    made = []
    for first, second in arena_pairing.pairs(waiting, now_ms, are_all=are_all):
        board += 1
        order = rounds.name_of_order(tournament.tournament_id, 1, board)
        made.append({"board": board, "first": first.number, "second": second.number, "arrangement_id": order})
        rounds.order(connection, tournament, order, [by_number[one.number] for one in (first, second)], arbiters, now_ms)
    if made:
        arena_rows.add_pairings(connection, tournament.tournament_id, made)
