"""Pairs of players who may trade wins: measures, and no judgement. Pure.

A pair is listed by the games of a pool that the two played with each other within the window, for one or both of these signs:

- `soon`: 8 games or more, and half of those that were won, were given up soon (duels.py), and they brought one of the two at
  least a tenth of all points that the player gained in the pool;
- `turns`: in 20 won games or more the winner changed from one to the next in nine of ten. Of two equals that happens once in
  25,000 pairs.

How often each has won is told with it: one-sided games feed one account, games in turns both. That friends of unequal strength
play each other is no sign. Accounts that play nobody else at all are found by ratings/fed_wins.py as well.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from services.players.conduct.duels import SHOWN_GAMES, Duel, soon_given_up
from services.players.ratings.pools import Pool

FEWEST_SOON, SOON_SHARE, GAIN_SHARE = 8, 0.5, 0.1
FEWEST_IN_TURN, TURN_SHARE = 20, 0.9


@dataclass(frozen=True, slots=True)
class TradedWins:
    """A pair, with the figures."""

    pool: Pool
    players: tuple[str, str]
    signs: tuple[str, ...]
    """Of `soon` and `turns`."""
    games: int
    wins: tuple[int, int]
    """Of each of the two against the other."""
    soon: int
    """Games that were given up soon."""
    changes: int
    """How often another one won than in the game before."""
    gain_shares: tuple[float, float]
    """How much of all points that each gained in the pool, 0 to 1, came from the other."""
    sessions: tuple[str, ...]
    """Evidence: games that were given up soon, or else all, the newest first."""


def traded_wins(duels: Iterable[Duel]) -> list[TradedWins]:
    """Return the pairs with such a sign, those with the most games first."""
    pairs: dict[tuple[Pool, str, str], list[tuple[Duel, bool]]] = defaultdict(list)
    gains: dict[tuple[Pool, str], float] = defaultdict(float)
    for duel, soon in soon_given_up(duels):
        one, other = sorted((duel.first.player_id, duel.second.player_id))
        pairs[duel.pool, one, other].append((duel, soon))
        for seat in (duel.first, duel.second):
            gains[duel.pool, seat.player_id] += max(0.0, seat.gain)
    found = (_pair(pool, (one, other), met, gains) for (pool, one, other), met in pairs.items() if len(met) >= FEWEST_SOON)
    return sorted((one for one in found if one.signs), key=lambda one: (-one.games, one.pool, one.players))


def _pair(pool: Pool, players: tuple[str, str], met: list[tuple[Duel, bool]], gains: dict[tuple[Pool, str], float]) -> TradedWins:
    won = [duel.first.player_id for duel, _ in met if not duel.drawn]
    changes = sum(one != other for one, other in pairwise(won))
    short = [duel for duel, soon in met if soon]
    got = dict.fromkeys(players, 0.0)
    for duel, _ in met:
        for seat in (duel.first, duel.second):
            got[seat.player_id] += max(0.0, seat.gain)
    one, other = (got[player] / gains[pool, player] if gains[pool, player] else 0.0 for player in players)
    signs = []
    if len(short) >= max(FEWEST_SOON, SOON_SHARE * len(won)) and max(one, other) >= GAIN_SHARE:
        signs.append("soon")
    if len(won) >= FEWEST_IN_TURN and changes >= TURN_SHARE * (len(won) - 1):
        signs.append("turns")
    shown = (short if "soon" in signs else [duel for duel, _ in met])[::-1][:SHOWN_GAMES]
    wins = won.count(players[0]), won.count(players[1])
    sessions = tuple(duel.session_id for duel in shown)
    return TradedWins(pool, players, tuple(signs), len(met), wins, len(short), changes, (one, other), sessions)
