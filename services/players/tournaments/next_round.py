"""The round of a tournament that comes next, as it would begin now. In a transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Row

from services.players.tournaments import by_hand, description, keeping_apart, tournament_rows
from services.players.tournaments.formats import FORMATS, Terms
from services.players.tournaments.results import Entrant, Game, last_round


@dataclass(frozen=True, slots=True)
class NextRound:
    """The games to begin once all those before are decided."""

    games: Sequence[Game]
    """None when the tournament is over."""
    chosen: frozenset[by_hand.Pairing]
    """The numbers of those of them that are set by hand."""


def planned(connection: Connection, tournament: Row[Any]) -> NextRound:
    """Return the next games of a running tournament."""
    found = tournament_rows.players(connection, tournament.tournament_id)
    entrants = [tournament_rows.entrant(one) for one in found]
    before = tournament_rows.games(connection, tournament.tournament_id)
    request = description.asked(tournament)
    host = next((one.number for one in found if one.player_id == tournament.owner_id and one.left_after is None), None)
    chosen: tuple[by_hand.Pairing, ...] = ()
    apart: keeping_apart.Pairs = frozenset()
    if description.format_of(request).is_paired_anew:
        apart = keeping_apart.apart(connection, tournament.tournament_id, found)
    if tournament.set_pairings:
        pairings = [tuple(players) for players in tournament.set_pairings]
        chosen = by_hand.possible(following(connection, tournament), pairings)
    terms = Terms(tournament.rounds, description.seats_of(request), host, chosen, apart, description.plays_at_once(request))
    return NextRound(_paired(description.kind_name(request), tuple(entrants), tuple(before), terms), frozenset(chosen))


def following(connection: Connection, tournament: Row[Any]) -> by_hand.Next:
    """Return the next round of a running tournament, for which pairings can be set by hand."""
    found = tournament_rows.players(connection, tournament.tournament_id)
    games = tournament_rows.games(connection, tournament.tournament_id)
    return by_hand.Next(
        last_round(games) + 1,
        [tournament_rows.entrant(one) for one in found],
        games,
        description.seats_of(description.asked(tournament)),
        keeping_apart.forbidden_numbers(connection, tournament.tournament_id, found),
    )


# A large Swiss round takes a second: its owner looks at it several times, and then it begins as they saw it.
@lru_cache(maxsize=16)
def _paired(kind: str, entrants: tuple[Entrant, ...], games: tuple[Game, ...], terms: Terms) -> tuple[Game, ...]:
    return tuple(FORMATS[kind].pairings(entrants, games, terms))
