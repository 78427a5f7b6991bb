"""One against many: the owner of a tournament plays everybody else at the same time, a game each. Pure.

The one has the first seat at every other table.
"""

from collections.abc import Sequence

from services.players.tournaments.results import Entrant, Game


def pairings(entrants: Sequence[Entrant], games: Sequence[Game], host: int | None) -> list[Game]:
    """Return all games before the first one, none afterwards. `host`: the number of the one; None if they are not there."""
    if games or host is None:
        return []
    others = [one.number for one in entrants if one.number != host and one.plays_in(1)]
    return [Game(1, *((other, host) if table % 2 else (host, other))) for table, other in enumerate(others)]
