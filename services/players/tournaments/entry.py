"""Entry into tournaments: to whom it is open, and what is stored of those who take part. In a transaction."""

from typing import Any

from sqlalchemy import Connection, Row

from services.players.calls import Caller
from services.players.clubs import club_rows
from services.players.conduct.description import require_no_pause
from services.players.opponents import blocks
from services.players.opponents.strength import rated, strengths
from services.players.tournaments import arena_rows, arenas, description, tournament_rows
from services.players.tournaments.refusals import refused
from services.runtime.refusal import require_room


def late(connection: Connection, tournament: Row[Any], caller: Caller, number: int) -> dict[str, object]:
    """Return what is stored of one who joins a running tournament besides: they are numbered last."""
    known = strengths(connection, [caller.player_id], [tournament.game])
    player = rated(known, caller.player_id, caller.name, tournament.game)
    return {"rating": player.rating, "provisional": player.provisional, "number": number}


def come_in(connection: Connection, tournament: Row[Any], caller: Caller, now_ms: int) -> None:
    """Let a player join a running arena, or come back to it. Raises Refused (LEFT_GAMES) for one who has left too many games."""
    own = arena_rows.find_player(connection, tournament.tournament_id, caller.player_id)
    if own is not None and own.left_after is None:
        return
    require_no_pause(connection, caller.player_id, now_ms)
    count = arena_rows.count_players(connection, tournament.tournament_id)
    require(connection, tournament, caller, 0 if own is not None else count)
    if own is not None:
        arenas.come_back(connection, tournament, own, now_ms)
        return
    player = tournament_rows.new_player(tournament.tournament_id, caller.player_id, caller.name, now_ms) | late(
        connection, tournament, caller, count
    )
    tournament_rows.join(connection, player | {"free_since_ms": now_ms})


def require(connection: Connection, tournament: Row[Any], caller: Caller, count: int) -> None:
    """Return for one who may join. `count`: how many have. Raises Refused (CLUB, TOURNAMENT, FULL)."""
    require_club(connection, tournament.club_id, caller)
    if blocks.among(connection, [caller.player_id, tournament.owner_id]):
        raise refused("blocked", "its owner and this player do not play each other")
    require_room(count, description.max_players(description.asked(tournament)), "players")
    require_room(tournament_rows.count_joined(connection, caller.player_id), tournament_rows.MAX_JOINED, "joined_tournaments")


def require_club(connection: Connection, club_id: str, caller: Caller) -> None:
    """Return for what is for everybody, and for a member of its club. Raises Refused (UNKNOWN, CLUB)."""
    if club_id:
        club_rows.require_member(connection, club_rows.find(connection, club_id), club_id, caller.player_id)
