"""The games of a tournament so far. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WIN, DRAW, LOSS = 2, 1, 0
"""Points in halves: a win is one point, a draw half of one."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """One who plays in a tournament."""

    number: int
    """Their place in the list at the start, from 0: by rating, and among equals by when they joined."""
    left_after: int | None = None
    """The last round that they play in, where they have left before the end."""
    first_round: int = 1
    """The first one that they play in."""
    bye_round: int | None = None
    """The one that they sit out on request."""

    def is_there_in(self, round_number: int) -> bool:
        """Return whether they take part in a round, be it with a bye."""
        return self.first_round <= round_number and (self.left_after is None or round_number <= self.left_after)

    def plays_in(self, round_number: int) -> bool:
        """Return whether they are paired in a round."""
        return self.is_there_in(round_number) and round_number != self.bye_round


@dataclass(frozen=True, slots=True)
class Game:
    """A pairing of a round: two entrants, or one who has nobody to play: a bye."""

    round_number: int
    """From 1 on."""
    first: int
    """The player at the first seat."""
    second: int | None
    """The player at the second one; None for a bye."""
    points: tuple[int, ...] | None = None
    """Of all, in halves; None while it is being played."""
    played: bool = True
    """Whether it was played: one that was decided because somebody did not come was not."""
    others: tuple[int, ...] = ()
    """The players at further seats."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """All players, in turn order."""
        return (self.first, *(() if self.second is None else (self.second,)), *self.others)

    is_on_request: bool = False
    """Whether it is a bye that was asked for."""

    @property
    def is_bye(self) -> bool:
        """Whether there is nobody to play."""
        return self.second is None


@dataclass(frozen=True, slots=True)
class Met:
    """A game as one of the two saw it."""

    opponent: int | None
    """None for a bye."""
    had_first_seat: bool
    points: int
    """In halves."""
    played: bool


def games_of(number: int, games: Iterable[Game]) -> list[Met]:
    """Return the games of an entrant that are over, in their order."""
    found = []
    for game in games:
        if game.points is None:
            continue
        if game.first == number:
            found.append(Met(game.second, True, game.points[0], game.played and not game.is_bye))
        elif game.second == number:
            found.append(Met(game.first, False, game.points[1], game.played))
    return found


def score(number: int, games: Iterable[Game]) -> int:
    """Return what an entrant has come to, in halves of points."""
    return sum(game.points[game.numbers.index(number)] for game in games if game.points is not None and number in game.numbers)


def have_met(games: Iterable[Game]) -> set[frozenset[int]]:
    """Return who has been paired with whom, played or not."""
    return {frozenset((game.first, game.second)) for game in games if game.second is not None}


def had_bye(games: Iterable[Game]) -> set[int]:
    """Return who has had a bye."""
    return {game.first for game in games if game.is_bye}


def last_round(games: Iterable[Game]) -> int:
    """Return the newest round that there are games of; 0 before the first one."""
    return max((game.round_number for game in games), default=0)


def seat_balance(number: int, games: Sequence[Game]) -> int:
    """Return how many more times an entrant had the first seat than the second one."""
    return sum((game.first == number) - (game.second == number) for game in games if not game.is_bye)


def last_seats(number: int, games: Sequence[Game]) -> list[bool]:
    """Return of an entrant's games, in their order, whether they had the first seat."""
    return [game.first == number for game in games if not game.is_bye and number in (game.first, game.second)]
