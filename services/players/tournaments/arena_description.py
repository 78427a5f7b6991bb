"""An arena as clients are told it: a page of its standings, and the games that concern whoever asks. In a transaction."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row

from brettwerk.v1 import tournaments_pb2 as pb
from services.players.tournaments import arena_rows, description
from services.players.tournaments.results import WIN

PAGE = 100
"""Standings of an answer."""
GAMES = 50
"""Pairings of all, and of the caller."""


def whole(connection: Connection, row: Row[Any], player_id: str, skip: int) -> pb.GetTournamentResponse:
    """Return an arena. `player_id`: whoever asks, empty for nobody; `skip`: how many of the best are left out."""
    tournament = description.tournaments(connection, [row], player_id)[0]
    if not row.round:
        entrants = arena_rows.joined(connection, row.tournament_id, skip, PAGE)
        return pb.GetTournamentResponse(
            tournament=tournament, standings=[pb.Standing(player=description.player(one.player_id, one.name)) for one in entrants]
        )
    own = arena_rows.find_player(connection, row.tournament_id, player_id) if player_id else None
    pairings = {each.board: each for each in arena_rows.newest(connection, row.tournament_id, GAMES)}
    if own is not None:
        mine = arena_rows.newest(connection, row.tournament_id, GAMES, own.number)
        pairings |= {each.board: each for each in mine}
    named = {number for each in pairings.values() for number in (each.first, each.second)}
    if own is not None:
        named.add(own.number)
    found = arena_rows.standings(connection, row.tournament_id, skip, PAGE, named)
    shown = [one for one in found if skip < one.listed <= skip + PAGE]
    return pb.GetTournamentResponse(
        tournament=tournament,
        standings=_standings(shown),
        pairings=[description.pairing(pairings[board]) for board in sorted(pairings)],
        others=_standings([one for one in found if not skip < one.listed <= skip + PAGE]),
    )


def _standings(found: Sequence[Row[Any]]) -> list[pb.Standing]:
    return [
        pb.Standing(
            place=one.place,
            player=description.player(one.player_id, one.name, one.rating, provisional=one.provisional),
            number=one.number + 1,
            points=one.points / WIN,
            wins=one.wins,
            left=one.left_after is not None,
            first_round=1,
            games=one.games,
            streak=one.streak,
            playing=one.board is not None,
        )
        for one in found
    ]
