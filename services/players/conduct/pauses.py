"""The pauses of players who leave games again and again. Pure: they follow from the games that are kept, and from nothing else.

A game that was left while it is the third or a further one of the last ten that counted (departures.py), within a week, begins a
pause: for its time the player looks for no opponent in pools and enters no running arena. The first takes 5 minutes, and each is
four times as long as the one before while that began within 14 days: 5 minutes, 20, 80, 5 hours, 21 hours, and never more than a
day. A game that is left during a pause begins none of its own: several may end together.
"""

from collections.abc import Sequence
from typing import NamedTuple

from services.players.conduct.departures import Mark, Pace
from services.players.conduct.reliability import Counted, telling
from services.players.ratings.pools import DAY_MS

OF_GAMES = 10
LEFT = 3
WITHIN_MS = 7 * DAY_MS
FIRST_MS, LONGEST_MS = 5 * 60_000, DAY_MS
TIMES = 4
REMEMBERED_MS = 14 * DAY_MS


class Pause(NamedTuple):
    """A pause."""

    from_ms: int
    until_ms: int
    left: int
    """How many of the last games were left, for which it was begun."""


def pauses(live: Sequence[Counted], slow: Sequence[Counted], now_ms: int) -> list[Pause]:
    """Return all pauses that follow from a player's games of either pace, each in order of their ends; the oldest first."""
    games = sorted([*telling(live, Pace.LIVE, now_ms), *telling(slow, Pace.SLOW, now_ms)])
    found: list[Pause] = []
    for number, game in enumerate(games):
        if game.mark is Mark.FINISHED or (found and game.at_ms < found[-1].until_ms):
            continue
        recent = games[max(0, number + 1 - OF_GAMES) : number + 1]
        left = sum(one.mark is not Mark.FINISHED and one.at_ms > game.at_ms - WITHIN_MS for one in recent)
        if left < LEFT:
            continue
        length_ms = FIRST_MS
        if found and game.at_ms - found[-1].from_ms < REMEMBERED_MS:
            length_ms = min(LONGEST_MS, TIMES * (found[-1].until_ms - found[-1].from_ms))
        found.append(Pause(game.at_ms, game.at_ms + length_ms, left))
    return found


def pause_at(live: Sequence[Counted], slow: Sequence[Counted], now_ms: int) -> Pause | None:
    """Return the pause that a player has at a moment, or None."""
    found = pauses(live, slow, now_ms)
    return found[-1] if found and found[-1].until_ms > now_ms else None
