"""Points in an arena, after lichess's arenas (translation/source/arena.xml of lichess-org/lila), which count in halves. Pure.

A win is one point and a draw half of one. After two wins in a row all games count twice, until one is not won. Of draws with no
win between them only the first one counts, so that two who agree on draws gain nothing. A win over somebody who did not come is
a win like others; where a game is lost to the server, both have half a point, whatever came before.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from services.players.tournaments.results import DRAW, WIN, Game

HOT = 2
"""Wins in a row after which a game counts twice."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The games of one player so far."""

    points: int = 0
    """In halves."""
    games: int = 0
    wins: int = 0
    """Games won by playing."""
    streak: int = 0
    """Wins in a row until now."""
    has_drawn: bool = False
    """Whether there was a draw since the last win, so that another one counts for nothing."""

    def after(self, result: int, *, played: bool) -> "Tally":
        """Return the tally after one more game. `result`: WIN, DRAW or LOSS; `played`: whether playing decided it."""
        times = 2 if self.streak >= HOT else 1
        if result == DRAW and not played:
            return Tally(self.points + DRAW, self.games + 1, self.wins, self.streak, self.has_drawn)
        if result == WIN:
            return Tally(self.points + WIN * times, self.games + 1, self.wins + played, self.streak + 1)
        if result == DRAW:
            gained = 0 if self.has_drawn else DRAW * times
            return Tally(self.points + gained, self.games + 1, self.wins, 0, has_drawn=True)
        return Tally(self.points, self.games + 1, self.wins, 0, self.has_drawn)


def tally(number: int, games: Iterable[Game]) -> Tally:
    """Return the tally of a player. `games`: in their order; those of others and those that are not over are passed over."""
    found = Tally()
    for game in games:
        if game.points is not None and number in game.numbers:
            found = found.after(game.points[game.numbers.index(number)], played=game.played)
    return found
