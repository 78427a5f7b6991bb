"""How reliably a player finishes games with people. Pure.

Of the last N = 40 games of a pace that count (departures.py), none older than a year, it is the share that the player finished;
the k-th newest has the weight

    w(k) = 2 ** (-k / 20),   k = 0, 1, 2, ...

so that twenty finished games halve what an old departure costs, and forty make it forgotten. With fewer than 5 games there is
none yet: a new account starts neither with a bad name nor with a good one.

A player who is away for a weekend can lose ten slow games at once. So a slow game whose time ran out within three days after
another one that counts as such says nothing new, and is left out.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from services.players.conduct.departures import Mark, Pace
from services.players.ratings.pools import DAY_MS

KEPT = 40
HALVED = 20
FEWEST = 5
YEAR_MS = 365 * DAY_MS
SAME_ABSENCE_MS = 3 * DAY_MS


class Counted(NamedTuple):
    """A game that counts for a player; in order of its end."""

    at_ms: int
    """When it ended."""
    mark: Mark


Game = TypeVar("Game", Counted, str)
"""A game that counts, or a text that stands for it and is in the same order (conduct_rows.py)."""


def newest(games: Iterable[Game]) -> list[Game]:
    """Return the games that are kept, in order of their ends, whatever order they came in."""
    return sorted(games)[-KEPT:]


def telling(games: Sequence[Counted], pace: Pace, now_ms: int) -> list[Counted]:
    """Return the games of the last year, in order of their ends, without those that say nothing new of the same absence."""
    games = [game for game in games if game.at_ms > now_ms - YEAR_MS]
    if pace is Pace.LIVE:
        return games
    found: list[Counted] = []
    since_ms = None
    for game in games:
        if game.mark is Mark.SILENT:
            if since_ms is not None and game.at_ms - since_ms < SAME_ABSENCE_MS:
                continue
            since_ms = game.at_ms
        found.append(game)
    return found


def percent(games: Sequence[Counted], pace: Pace, now_ms: int) -> int | None:
    """Return the reliability by the games that are kept, in percent, rounded down; None where there are too few."""
    recent = telling(games, pace, now_ms)
    if len(recent) < FEWEST:
        return None
    weights = [2.0 ** (-number / HALVED) for number in range(len(recent))]
    finished = sum(weight for weight, game in zip(weights, reversed(recent), strict=True) if game.mark is Mark.FINISHED)
    return 100 if all(game.mark is Mark.FINISHED for game in recent) else int(100 * finished / sum(weights))
