"""The formats of tournaments: pure functions of the entrants and the games so far, by the name of the kind."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from services.players.tournaments import knock_out, round_robin, swiss
from services.players.tournaments.results import LOSS, WIN, Entrant, Game, last_round
from services.players.tournaments.standings import Standing, standings

MIN_PLAYERS = 2


class Format(Protocol):
    """How entrants are paired and placed."""

    @property
    def max_players(self) -> int:
        """How many can take part."""
        ...

    @property
    def bye(self) -> int:
        """The points of a bye, in halves."""
        ...

    def rounds(self, count: int, wanted: int) -> int:
        """Return how many rounds so many entrants play; `wanted`: how many the owner wants, 0 for no matter."""
        ...

    def pairings(self, entrants: Sequence[Entrant], games: Sequence[Game], rounds: int) -> Sequence[Game]:
        """Return the games to begin once all those before are decided; none when the tournament of so many rounds is over.

        Whoever has left may be among them: such a game is decided without being played.
        """
        ...

    def standings(self, entrants: Sequence[Entrant], games: Sequence[Game]) -> list[Standing]:
        """Return all entrants, the best first."""
        ...


class RoundRobin:
    """Everybody plays everybody once; a bye is worth nothing."""

    max_players = 32  # 496 pairings
    bye = LOSS

    def rounds(self, count: int, wanted: int) -> int:
        """Return how many rounds so many entrants play."""
        return round_robin.rounds(count)

    def pairings(self, entrants: Sequence[Entrant], games: Sequence[Game], rounds: int) -> Sequence[Game]:
        """Return the games of the next round."""
        number = last_round(games) + 1
        return round_robin.pairings(len(entrants), number) if _goes_on(entrants, number, rounds) else ()

    def standings(self, entrants: Sequence[Entrant], games: Sequence[Game]) -> list[Standing]:
        """Return all entrants, the best first."""
        return standings(entrants, games, is_swiss=False)


class Swiss:
    """In each round those meet who have similar points; a bye is a win."""

    max_players = 128  # 960 pairings
    bye = WIN

    def rounds(self, count: int, wanted: int) -> int:
        """Return how many rounds so many entrants play: never more than they can without meeting again."""
        return min(wanted or swiss.rounds(count), swiss.most_rounds(count))

    def pairings(self, entrants: Sequence[Entrant], games: Sequence[Game], rounds: int) -> Sequence[Game]:
        """Return the games of the next round."""
        number = last_round(games) + 1
        return swiss.pairings(entrants, games, number) if _goes_on(entrants, number, rounds) else ()

    def standings(self, entrants: Sequence[Entrant], games: Sequence[Game]) -> list[Standing]:
        """Return all entrants, the best first."""
        return standings(entrants, games, is_swiss=True)


class KnockOut:
    """Whoever loses is out; a bye is worth nothing but that one goes on."""

    max_players = 128  # 128 ties of three games at most, and the byes
    bye = LOSS

    def rounds(self, count: int, wanted: int) -> int:
        """Return how many rounds so many entrants play."""
        return knock_out.rounds(count)

    def pairings(self, entrants: Sequence[Entrant], games: Sequence[Game], rounds: int) -> Sequence[Game]:
        """Return the games of the next round, or those of the drawn ones that are played again."""
        return knock_out.pairings(entrants, games)

    def standings(self, entrants: Sequence[Entrant], games: Sequence[Game]) -> list[Standing]:
        """Return all entrants, the best first."""
        return knock_out.standings(entrants, games)


FORMATS: Mapping[str, Format] = {"round_robin": RoundRobin(), "swiss": Swiss(), "knock_out": KnockOut()}
"""By the names that metrics have for the kinds."""


def _goes_on(entrants: Sequence[Entrant], number: int, rounds: int) -> bool:
    return number <= rounds and sum(one.plays_in(number) for one in entrants) >= MIN_PLAYERS
