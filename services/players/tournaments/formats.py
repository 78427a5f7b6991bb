"""The formats of tournaments: pure functions of the entrants and the games so far, by the name of the kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from services.players.tournaments import knock_out, round_robin, seatings, swiss
from services.players.tournaments.results import DRAW, LOSS, WIN, Entrant, Game, last_round
from services.players.tournaments.standings import Standing, standings

MIN_PLAYERS = 2


@dataclass(frozen=True, slots=True)
class Terms:
    """The wishes of a tournament's owner, as far as formats need them."""

    rounds: int
    """How many there are; before the start how many are wanted, 0 for as many as it takes."""
    seats: int = 2
    """At a table."""


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

    @property
    def takes_changes(self) -> bool:
        """Whether players can join late, and sit out a round on request."""
        ...

    def rounds(self, count: int, terms: Terms) -> int:
        """Return how many rounds so many entrants play."""
        ...

    def pairings(self, entrants: Sequence[Entrant], games: Sequence[Game], terms: Terms) -> Sequence[Game]:
        """Return the games to begin once all those before are decided; none when the tournament is over.

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
    takes_changes = False

    def rounds(self, count: int, terms: Terms) -> int:
        """Return how many rounds so many entrants play."""
        return round_robin.rounds(count)

    def pairings(self, entrants: Sequence[Entrant], games: Sequence[Game], terms: Terms) -> Sequence[Game]:
        """Return the games of the next round."""
        number = last_round(games) + 1
        return round_robin.pairings(len(entrants), number) if _goes_on(entrants, number, terms.rounds) else ()

    def standings(self, entrants: Sequence[Entrant], games: Sequence[Game]) -> list[Standing]:
        """Return all entrants, the best first."""
        return standings(entrants, games, is_swiss=False)


class Swiss:
    """In each round those meet who have similar points; a bye is a win."""

    max_players = 128  # 960 pairings
    bye = WIN
    takes_changes = True

    def rounds(self, count: int, terms: Terms) -> int:
        """Return how many rounds so many entrants play: never more than they can without meeting again."""
        return min(terms.rounds or swiss.rounds(count), swiss.most_rounds(count))

    def pairings(self, entrants: Sequence[Entrant], games: Sequence[Game], terms: Terms) -> Sequence[Game]:
        """Return the games of the next round."""
        number = last_round(games) + 1
        if not _goes_on(entrants, number, terms.rounds):
            return ()
        return [*swiss.pairings(entrants, games, number), *_byes_on_request(entrants, number, DRAW)]

    def standings(self, entrants: Sequence[Entrant], games: Sequence[Game]) -> list[Standing]:
        """Return all entrants, the best first."""
        return standings(entrants, games, is_swiss=True)


class KnockOut:
    """A loser is out; a bye is worth nothing but that one goes on."""

    max_players = 128  # 128 ties of three games at most, and the byes
    bye = LOSS
    takes_changes = False

    def rounds(self, count: int, terms: Terms) -> int:
        """Return how many rounds so many entrants play."""
        return knock_out.rounds(count)

    def pairings(self, entrants: Sequence[Entrant], games: Sequence[Game], terms: Terms) -> Sequence[Game]:
        """Return the games of the next round, or those of the drawn ones that are played again."""
        return knock_out.pairings(entrants, games)

    def standings(self, entrants: Sequence[Entrant], games: Sequence[Game]) -> list[Standing]:
        """Return all entrants, the best first."""
        return knock_out.standings(entrants, games)


class Seatings:
    """In each round those sit together at tables of several who have similar points; there are no byes."""

    max_players = 128  # 43 tables of three in each round
    bye = LOSS
    takes_changes = True

    def rounds(self, count: int, terms: Terms) -> int:
        """Return how many rounds so many entrants play."""
        return terms.rounds or seatings.rounds(count, terms.seats)

    def pairings(self, entrants: Sequence[Entrant], games: Sequence[Game], terms: Terms) -> Sequence[Game]:
        """Return the games of the next round."""
        number = last_round(games) + 1
        if not _goes_on(entrants, number, terms.rounds):
            return ()
        seated = seatings.pairings(entrants, games, number, terms.seats)
        return [*seated, *_byes_on_request(entrants, number, DRAW * (terms.seats - 1))]

    def standings(self, entrants: Sequence[Entrant], games: Sequence[Game]) -> list[Standing]:
        """Return all entrants, the best first."""
        return seatings.standings(entrants, games)


FORMATS: Mapping[str, Format] = {
    "round_robin": RoundRobin(),
    "swiss": Swiss(),
    "knock_out": KnockOut(),
    "tables": Seatings(),
}
"""By the names that metrics have for the kinds."""


def _goes_on(entrants: Sequence[Entrant], number: int, rounds: int) -> bool:
    return number <= rounds and sum(one.is_there_in(number) for one in entrants) >= MIN_PLAYERS


def _byes_on_request(entrants: Sequence[Entrant], number: int, points: int) -> list[Game]:
    wanted = (one.number for one in entrants if one.is_there_in(number) and one.bye_round == number)
    return [Game(number, one, None, (points, LOSS), played=False, is_on_request=True) for one in wanted]
