"""The rows of a tournament that is created, and of one who joins it."""

import secrets

from brettwerk.v1 import tournaments_pb2 as pb
from services.players.ratings.glicko2 import MEAN
from services.players.tournaments.tournament_rows import OPEN


def tournament(request: pb.CreateTournamentRequest, owner_id: str, owner_name: str, now_ms: int) -> dict[str, object]:
    """Return the row of a new tournament."""
    return {
        "tournament_id": secrets.token_hex(16),
        "owner_id": owner_id,
        "owner_name": owner_name,
        "request_id": request.request_id,
        "request": request.SerializeToString(deterministic=True),
        "game": request.game,
        "public": request.public and not request.club_id,
        "state": OPEN,
        "rounds": 0,
        "round": 0,
        "created_at_ms": now_ms,
        "starts_at_ms": request.starts_at_ms,
        "ended_at_ms": 0,
        "club_id": request.club_id,
        "lasts_ms": request.duration_s * 1000,
    }


def entry(tournament_id: str, player_id: str, name: str, now_ms: int) -> dict[str, object]:
    """Return the row of one who joins before the start."""
    return {
        "tournament_id": tournament_id,
        "player_id": player_id,
        "name": name,
        "joined_at_ms": now_ms,
        "rating": MEAN,
        "provisional": True,
    }
