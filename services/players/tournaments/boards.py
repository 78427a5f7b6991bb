"""Matches of two clubs, board by board: the strongest players meet at the first one, and so on down both line-ups. Pure.

Entrants are numbered down the boards, of both clubs in turn: even numbers play for the club that has challenged the other, odd
ones for the other. Their seats alternate from board to board, so that both clubs have the first seat as often, but for once. At
a larger table, which is a board of its own, half of the seats are either club's, in turn.
"""

from collections.abc import Callable, Sequence

from services.players.tournaments.results import Game, last_round

MAX_ENTERED = 64
"""Members of a club who can enter for a match."""
CHALLENGER, CHALLENGED = 1, 2
"""The clubs of a match."""


def club_of(number: int) -> int:
    """Return for which club an entrant plays."""
    return CHALLENGED if number % 2 else CHALLENGER


def most_boards(seats: int) -> int:
    """Return how many boards there can be."""
    return 2 * MAX_ENTERED // seats


def rounds(games: int, *, at_once: bool) -> int:
    """Return in how many rounds so many games at each board are played."""
    return 1 if at_once else games


def pairings(count: int, games: Sequence[Game], seats: int, rounds_wanted: int, *, at_once: bool) -> list[Game]:
    """Return the games of the round that follows, by board; of two at the same time the second ones come after all first ones.

    There are none when the match is over.
    """
    number = last_round(games) + 1
    if number > rounds_wanted:
        return []
    turns = (0, 1) if at_once else (number - 1,)
    return [_game(number, board, seats, turn) for turn in turns for board in range(count // seats)]


def first_free(count: int, seats: int) -> tuple[list[range], Callable[[int, int], bool]]:
    """Return the line-ups of both clubs by their numbers, and whether two numbers come to one board."""
    return [range(0, count, 2), range(1, count, 2)], lambda one, other: one // seats == other // seats


def _game(number: int, board: int, seats: int, turn: int) -> Game:
    """Return the game of a board. `turn`: 1 for the second one there, with seats exchanged."""
    seated = list(range(board * seats, (board + 1) * seats))
    if (board + turn) % 2:
        seated = [seated[place ^ 1] for place in range(seats)]
    first, second, *others = seated
    return Game(number, first, second, others=tuple(others))
