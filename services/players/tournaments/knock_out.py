"""Knock-out: a loser is out, until one is left; the losers of the semi-finals play for the third place. Pure.

The bracket is the usual one by seeding: with eight places the first of the list at the start meets the eighth, the fourth the
fifth, the second the seventh and the third the sixth, so that the first two can meet in the final only. Where the number is no
power of two, the best of the list have a bye in the first round.

A drawn game is played again with the seats exchanged. The third game between two is the last: if it is drawn, too, whoever has
its second seat goes on (the draw odds of the sudden death game in FIDE's regulations for its World Cup), and that is the better
of the two in the list. Where neither comes, neither goes on, and their next opponent has a bye.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from services.players.tournaments.results import LOSS, WIN, Entrant, Game, games_of, score
from services.players.tournaments.standings import Standing

MAX_GAMES = 3
"""Games of two who draw."""


@dataclass(frozen=True, slots=True)
class Tie:
    """Two of whom one goes on; an entrant who has nobody to play goes on at once."""

    round_number: int
    better: int | None
    """The better of the two in the list at the start; None for nobody."""
    other: int | None
    games: tuple[Game, ...] = ()
    """Between the two, in their order."""

    @property
    def entrants(self) -> tuple[int, ...]:
        """Those of the two that there are."""
        return tuple(number for number in (self.better, self.other) if number is not None)

    @property
    def is_decided(self) -> bool:
        """Whether it is known who goes on, or that nobody does."""
        if len(self.entrants) < 2:
            return True
        return bool(self.games) and (not _is_drawn(self.games[-1]) or len(self.games) >= MAX_GAMES)

    @property
    def winner(self) -> int | None:
        """The one who goes on; None where nobody does, or it is not decided."""
        if len(self.entrants) < 2:
            return next(iter(self.entrants), None)
        if not self.is_decided:
            return None
        last = self.games[-1]
        first, second = last.points or (LOSS, LOSS)
        if first == second:
            return last.second if _is_drawn(last) else None
        return last.first if first > second else last.second

    @property
    def loser(self) -> int | None:
        """The one who lost against the winner; None where there is no such entrant, or it is not decided."""
        won = self.winner
        return next((number for number in self.entrants if won is not None and number != won), None)


@dataclass(frozen=True, slots=True)
class Bracket:
    """The meetings that a knock-out can have."""

    seeds: Sequence[int | None]
    """The entrants, the best first; None where a place stays empty."""
    before: int = 0
    """How many rounds were played before it begins."""

    @property
    def last_round(self) -> int:
        """The round of the final."""
        return self.before + rounds(len(self.seeds))

    def pairings(self, games: Sequence[Game]) -> list[Game]:
        """Return the games to begin when all those before are decided: those of drawn ties again, or those of the next round.

        There are none when it is over. In the last round the game for the third place comes after the final.
        """
        current = self.ties(games)[-1]
        drawn = [tie for tie in current if tie.games and not tie.is_decided]
        if drawn:
            return [_again(tie) for tie in drawn]
        if any(not tie.is_decided for tie in current):
            return [_first_game(tie) for tie in current if tie.entrants]
        return []

    def ties(self, games: Sequence[Game]) -> list[list[Tie]]:
        """Return the ties by round, up to the first round that is not decided."""
        count = len(self.seeds)
        slots = [self.seeds[seed] if seed < count else None for seed in seeding(1 << rounds(count))]
        found: list[list[Tie]] = []
        for number in range(self.before + 1, self.last_round + 1):
            ties = [_tie(number, slots[place], slots[place + 1], games) for place in range(0, len(slots), 2)]
            slots = [tie.winner for tie in ties]
            if number == self.last_round and found:
                one, other = (tie.loser for tie in found[-1])
                if one is not None and other is not None:
                    ties.append(_tie(number, one, other, games))
            found.append(ties)
            if not all(tie.is_decided for tie in ties):
                break
        return found

    def reached(self, games: Sequence[Game]) -> dict[int, tuple[int, int]]:
        """Return how far each entrant has come: the greater the better.

        That is the round in which they went out, one more for those who did not, and after the semi-finals the last game.
        """
        found = {number: (self.last_round + 1, 0) for number in self.seeds if number is not None}
        for number, ties in enumerate(self.ties(games), self.before + 1):
            for tie in ties:
                is_for_third = number == self.last_round and tie is not ties[0]
                for one in tie.entrants if tie.is_decided else ():
                    if is_for_third:
                        found[one] = (number - 1, int(one == tie.winner))
                    elif one != tie.winner:
                        found[one] = (number, 0)
        return found

    def is_for_third_place(self, game: Game, games: Sequence[Game]) -> bool:
        """Return whether a game is for the third place and not for the first one."""
        if game.round_number != self.last_round or game.second is None:
            return False
        return any({game.first, game.second} == {*tie.entrants} for tie in self.ties(games)[-1][1:])


def bracket(entrants: Sequence[Entrant]) -> Bracket:
    """Return the bracket of a tournament that is nothing but a knock-out: by the list at the start."""
    return Bracket([one.number for one in entrants])


def first_free(count: int) -> tuple[list[range], Callable[[int, int], bool]]:
    """Return the rows of a bracket that count as equally strong (3 and 4, 5 to 8), and whether two meet in its first round."""
    size = 1 << rounds(count)
    rows = [range(first, min(2 * first, count)) for first in (1 << power for power in range(1, size.bit_length() - 1))]
    return rows, lambda one, other: one + other == size - 1


def rounds(count: int) -> int:
    """Return how many rounds leave one of so many entrants."""
    return max(1, (count - 1).bit_length())


def seeding(size: int) -> list[int]:
    """Return the entrants of a bracket's places, from 0, for a power of two of them.

    >>> seeding(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    order = [0]
    while len(order) < size:
        order = [number for seed in order for number in (seed, 2 * len(order) - 1 - seed)]
    return order


def standings(entrants: Sequence[Entrant], games: Sequence[Game]) -> list[Standing]:
    """Return all entrants, the best first: by the round in which they went out, and after the semi-finals by the last game."""
    reached = bracket(entrants).reached(games)
    rows = [
        Standing(
            place=1 + sum(other > mine for other in reached.values()),
            number=number,
            points=score(number, games),
            wins=sum(1 for each in games_of(number, games) if each.played and each.points == WIN),
        )
        for number, mine in reached.items()
    ]
    return sorted(rows, key=lambda row: (row.place, row.number))


def _tie(number: int, one: int | None, other: int | None, games: Sequence[Game]) -> Tie:
    if one is not None and other is not None:
        one, other = min(one, other), max(one, other)
    met = (game for game in games if game.round_number == number and {game.first, game.second} == {one, other})
    return Tie(number, one, other, tuple(met) if None not in (one, other) else ())


def _first_game(tie: Tie) -> Game:
    """Return the first game of a tie, in which the better one has the second seat, and so in the third game."""
    if len(tie.entrants) < 2:
        return Game(tie.round_number, tie.entrants[0], None)
    assert tie.other is not None
    return Game(tie.round_number, tie.other, tie.better)


def _again(tie: Tie) -> Game:
    last = tie.games[-1]
    assert last.second is not None
    return replace(last, first=last.second, second=last.first, points=None, played=True)


def _is_drawn(game: Game) -> bool:
    """Return whether a game is decided and nobody won it, though somebody was there."""
    return game.points is not None and game.points[0] == game.points[1] != LOSS
