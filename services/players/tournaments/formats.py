"""The formats of tournaments: pure functions of the entrants and the games so far, by the name of the kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from services.players.tournaments import boards, by_hand, groups, knock_out, round_robin, seatings, swiss
from services.players.tournaments.knock_out import Bracket
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
    host: int | None = None
    """The number of the owner among the entrants; None if they do not take part."""
    chosen: tuple[by_hand.Pairing, ...] = ()
    """Pairings of the next round that are set by hand."""
    apart: frozenset[frozenset[int]] = frozenset()
    """Pairs who are kept apart where that is possible."""
    at_once: bool = False
    """Whether two who meet play both of their games at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """How entrants are paired and placed."""

    max_players: int
    """How many can take part."""
    bye: int
    """The points of a bye, in halves."""
    takes_changes: bool
    """Whether players can join late, and sit out a round on request."""
    rounds: Callable[[int, Terms], int]
    """Returns how many rounds so many entrants play."""
    pairings: Callable[[Sequence[Entrant], Sequence[Game], Terms], Sequence[Game]]
    """Returns the games to begin once all those before are decided; none when the tournament is over.

    Whoever has left may be among them: such a game is decided without being played.
    """
    standings: Callable[[Sequence[Entrant], Sequence[Game]], list[Standing]]
    """Returns all entrants, the best first."""
    bracket: Callable[[Sequence[Entrant], Sequence[Game]], Bracket] | None = None
    """Returns who meets whom in its knock-out, where it has one."""
    group_rounds: Callable[[int], int] = lambda _count: 0
    """Returns how many rounds so many entrants play in groups."""
    needs_host: bool = False
    """Whether the owner has to take part."""
    is_paired_anew: bool = False
    """Whether each round is paired by what came before, so that pairings can be set by hand, and players be kept apart."""
    first_free: Callable[[int, int], tuple[Sequence[range], Callable[[int, int], bool]]] | None = None
    """Returns of so many entrants, with so many seats at a table, the rows of the list within which places are free, and whether
    two places meet at first."""


def _everybody_meets(entrants: Sequence[Entrant], games: Sequence[Game], terms: Terms) -> Sequence[Game]:
    number = last_round(games) + 1
    return round_robin.pairings(len(entrants), number) if _goes_on(entrants, number, terms.rounds) else ()


def _equals_meet(entrants: Sequence[Entrant], games: Sequence[Game], terms: Terms) -> Sequence[Game]:
    number = last_round(games) + 1
    if not _goes_on(entrants, number, terms.rounds):
        return ()
    paired = swiss.pairings(by_hand.others(entrants, terms.chosen), games, number, terms.apart)
    return [*by_hand.with_others(number, terms.chosen, paired, games), *_byes_on_request(entrants, number, DRAW)]


def _equals_sit_together(entrants: Sequence[Entrant], games: Sequence[Game], terms: Terms) -> Sequence[Game]:
    number = last_round(games) + 1
    if not _goes_on(entrants, number, terms.rounds):
        return ()
    paired = seatings.pairings(by_hand.others(entrants, terms.chosen), games, number, terms.seats, terms.apart)
    seated = by_hand.with_others(number, terms.chosen, paired, games)
    return [*seated, *_byes_on_request(entrants, number, DRAW * (terms.seats - 1))]


def _groups_meet(entrants: Sequence[Entrant], games: Sequence[Game], terms: Terms) -> Sequence[Game]:
    number = last_round(games) + 1
    if number <= groups.group_rounds(len(entrants)) and not _goes_on(entrants, number, terms.rounds):
        return ()
    return groups.pairings(entrants, games)


def _one_meets_all(entrants: Sequence[Entrant], games: Sequence[Game], terms: Terms) -> Sequence[Game]:
    """Return all games before the first one, none afterwards; the one has the first seat at every other table."""
    if games or terms.host is None:
        return ()
    others = [one.number for one in entrants if one.number != terms.host]
    return [Game(1, *((other, terms.host) if table % 2 else (terms.host, other))) for table, other in enumerate(others)]


def _goes_on(entrants: Sequence[Entrant], number: int, rounds: int) -> bool:
    return number <= rounds and sum(one.is_there_in(number) for one in entrants) >= MIN_PLAYERS


def _byes_on_request(entrants: Sequence[Entrant], number: int, points: int) -> list[Game]:
    wanted = (one.number for one in entrants if one.is_there_in(number) and one.bye_round == number)
    return [Game(number, one, None, (points, LOSS), played=False, is_on_request=True) for one in wanted]


FORMATS: Mapping[str, Format] = {
    "round_robin": Format(
        max_players=32,  # 496 pairings
        bye=LOSS,
        takes_changes=False,
        rounds=lambda count, _terms: round_robin.rounds(count),
        pairings=_everybody_meets,
        standings=partial(standings, is_swiss=False),
    ),
    "swiss": Format(
        max_players=128,  # 960 pairings
        bye=WIN,
        takes_changes=True,
        # Never more than they can play without meeting again.
        rounds=lambda count, terms: min(terms.rounds or swiss.rounds(count), swiss.most_rounds(count)),
        pairings=_equals_meet,
        standings=partial(standings, is_swiss=True),
        is_paired_anew=True,
    ),
    "knock_out": Format(
        max_players=128,  # 128 ties of three games at most, and the byes
        bye=LOSS,
        takes_changes=False,
        rounds=lambda count, _terms: knock_out.rounds(count),
        pairings=lambda entrants, games, _terms: knock_out.bracket(entrants).pairings(games),
        standings=knock_out.standings,
        bracket=lambda entrants, _games: knock_out.bracket(entrants),
        first_free=lambda count, _seats: knock_out.first_free(count),
    ),
    "groups": Format(
        max_players=64,  # 96 pairings in 16 groups of four, 32 ties of three games at most, and the byes
        bye=LOSS,
        takes_changes=False,
        rounds=lambda count, _terms: groups.rounds(count),
        pairings=_groups_meet,
        standings=groups.standings,
        bracket=groups.bracket,
        group_rounds=groups.group_rounds,
        first_free=lambda count, _seats: groups.first_free(count),
    ),
    "one_against_many": Format(
        max_players=33,  # more than 32 games at once nobody follows
        bye=LOSS,
        takes_changes=False,
        rounds=lambda _count, _terms: 1,
        pairings=_one_meets_all,
        standings=partial(standings, is_swiss=False),
        needs_host=True,
    ),
    "arena": Format(
        max_players=2000,  # loadtests/README.md says what so many cost
        bye=LOSS,
        takes_changes=False,
        # There are no rounds: arenas.py pairs, and counts.
        rounds=lambda _count, _terms: 1,
        pairings=lambda _entrants, _games, _terms: (),
        standings=partial(standings, is_swiss=False),
    ),
    "club_match": Format(
        max_players=2 * boards.MAX_ENTERED,  # 128 games, where two play each other twice
        bye=LOSS,
        takes_changes=False,
        rounds=lambda _count, terms: boards.rounds(terms.rounds, at_once=terms.at_once),
        pairings=lambda entrants, games, terms: boards.pairings(
            len(entrants), games, terms.seats, terms.rounds, at_once=terms.at_once
        ),
        standings=seatings.standings,
        first_free=boards.first_free,
    ),
    "tables": Format(
        max_players=128,  # 43 tables of three in each round
        bye=LOSS,
        takes_changes=True,
        rounds=lambda count, terms: terms.rounds or seatings.rounds(count, terms.seats),
        pairings=_equals_sit_together,
        standings=seatings.standings,
        is_paired_anew=True,
    ),
}
"""By the names that metrics have for the kinds."""
