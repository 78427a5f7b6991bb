"""Pairings that the organiser sets by hand: which there can be, and the rules around them. Pure.

A pairing is the numbers of its players in turn order; a single one has the bye of an odd number. Those who are in none are paired
by the rules, as if the others did not play in this round.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from services.players.tournaments import seatings
from services.players.tournaments.results import Entrant, Game, had_bye, score

Pairing = tuple[int, ...]
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why pairings cannot be set."""

    why: str
    """The rule: away, twice, seats, forbidden, met, second_bye, even or rest."""
    place: int | None = None
    """The place of the pairing in their list; None where it is about all of them."""


@dataclass(frozen=True, slots=True)
class Next:
    """The round that pairings are set for."""

    number: int
    entrants: Sequence[Entrant]
    games: Sequence[Game]
    """Those before."""
    seats: int
    """At a table."""
    forbidden: Collection[frozenset[int]]

    def playing(self) -> set[int]:
        """Return who is paired in it."""
        return {one.number for one in self.entrants if one.plays_in(self.number)}


def problem(following: Next, pairings: Sequence[Pairing]) -> Problem | None:
    """Return why some pairings cannot be set for a round, None if they can."""
    playing = following.playing()
    met = {frozenset(pair) for game in following.games for pair in combinations(game.numbers, 2)}
    seated: set[int] = set()
    for place, players in enumerate(pairings):
        why = _wrong(following, players, playing, seated, met)
        if why:
            return Problem(why, place)
        seated.update(players)
    left = len(playing) - len(seated)
    if following.seats > _PAIR and left and not _are_possible(seatings.sizes(left, following.seats), following.seats):
        return Problem("rest")
    return None


def possible(following: Next, pairings: Sequence[Pairing]) -> tuple[Pairing, ...]:
    """Return those of some pairings that were set which still can be, after players have left or sit out."""
    kept: list[Pairing] = []
    for players in pairings:
        found = problem(following, [*kept, players])
        if found is None or found.place is None:
            kept.append(players)
    while kept and problem(following, kept) is not None:
        kept.pop()
    return tuple(kept)


def others(entrants: Sequence[Entrant], pairings: Sequence[Pairing]) -> Sequence[Entrant]:
    """Return the entrants whom the rules pair."""
    seated = {number for players in pairings for number in players}
    return [one for one in entrants if one.number not in seated]


def with_others(number: int, pairings: Sequence[Pairing], paired: Sequence[Game], games: Sequence[Game]) -> list[Game]:
    """Return a round with its pairings set by hand among those of the rules, the best tables first, and a bye last."""
    if not pairings:
        return list(paired)
    made = [*paired, *(_game(number, players) for players in pairings)]
    points = {one: score(one, games) for game in made for one in game.numbers}
    return sorted(made, key=lambda game: (game.is_bye, min((-points[one], one) for one in game.numbers)))


def _wrong(following: Next, players: Pairing, playing: set[int], seated: set[int], met: Collection[frozenset[int]]) -> str:
    """Return what is wrong with a pairing, beside those whose players are seated already; empty for nothing."""
    pairs = [frozenset(pair) for pair in combinations(players, 2)]
    if not playing.issuperset(players):
        return "away"
    if len({*players}) < len(players) or not seated.isdisjoint(players):
        return "twice"
    if not _has_size(players, following.seats):
        return "seats"
    if any(pair in following.forbidden for pair in pairs):
        return "forbidden"
    if following.seats == _PAIR and any(pair in met for pair in pairs):
        return "met"
    if len(players) == 1:
        byes = had_bye(game for game in following.games if not game.is_on_request)
        return "even" if (len(playing) - len(seated)) % 2 == 0 else "second_bye" if players[0] in byes else ""
    return ""


def _has_size(players: Pairing, seats: int) -> bool:
    return len(players) in (1, _PAIR) if seats == _PAIR else _are_possible([len(players)], seats)


def _are_possible(sizes: Collection[int], seats: int) -> bool:
    return all(size in seatings.possible_sizes(seats) for size in sizes)


def _game(number: int, players: Pairing) -> Game:
    first, second, *more = [*players, None] if len(players) == 1 else [*players]
    assert first is not None
    return Game(number, first, second, others=tuple(one for one in more if one is not None))
