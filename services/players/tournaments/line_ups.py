"""The line-ups of a match of clubs: who of those who have entered plays, and at which board. In a transaction."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row

from services.players.opponents.strength import rating_of, strengths
from services.players.tournaments import club_match_rows
from services.players.tournaments.boards import CHALLENGED, CHALLENGER
from services.players.tournaments.club_match_rows import ACCEPTED


def line_up(connection: Connection, tournament: Row[Any], club: int, *, as_ordered: bool = True) -> Sequence[Row[Any]]:
    """Return who has entered for a club, the first board first: in the order of its organisers, all others after them by rating.

    `as_ordered`: whether its organisers' order counts; it is not told to the other club.
    """
    found = club_match_rows.entered(connection, tournament, club)
    known = strengths(connection, [one.player_id for one in found], [tournament.game])

    def place(one: Row[Any]) -> tuple[bool, int, float]:
        line = one.line if as_ordered else None
        return line is None, line or 0, -rating_of(known, one.player_id, tournament.game)

    return sorted(found, key=place)


def fielded(connection: Connection, tournament: Row[Any], seats: int, most: int) -> Sequence[Row[Any]]:
    """Return who plays in a match that starts, of both clubs in turn, and remove all others who have entered.

    Nobody, and nothing is removed, where the challenge was not accepted or there are too few for the least number of boards.
    `seats`: at a table. `most`: how many play at most.
    """
    match = club_match_rows.find(connection, tournament.tournament_id)
    if match is None or match.answer != ACCEPTED:
        return ()
    each = seats // 2
    ours, theirs = (line_up(connection, tournament, club) for club in (CHALLENGER, CHALLENGED))
    count = min(len(ours), len(theirs), most // 2) // each * each
    if count < max(1, match.min_boards) * each:
        return ()
    found = [one for pair in zip(ours[:count], theirs[:count], strict=True) for one in pair]
    club_match_rows.keep(connection, tournament.tournament_id, [one.player_id for one in found])
    return found
