"""Players who may lose on purpose, to be paired with weaker ones: measures, and no judgement. Pure.

A player is listed by their games of a pool within the window, for one or both of these signs:

- `sandbagging`: 5 lost games or more, and a quarter of all lost ones, were given up soon (duels.py) against opponents rated at
  least 100 points below the player's own highest rating so far in the window; that cost 60 points or more, and the player has
  since gained back at least a fifth of them. The own highest rating is what is compared: a player who throws games falls, and
  meets others who are as low as the new rating says.
- `soon`: 8 lost games or more, and half of all, were given up soon, whoever the opponents were.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.players.conduct.duels import SHOWN_GAMES, Duel, Seat, soon_given_up
from services.players.ratings.pools import Pool

FEWEST_THROWN, THROWN_SHARE, BELOW, LEAST_COST, GAINED_BACK = 5, 0.25, 100.0, 60.0, 0.2
FEWEST_SOON, SOON_SHARE = 8, 0.5


@dataclass(frozen=True, slots=True)
class ThrownGames:
    """A player, with the figures."""

    pool: Pool
    player_id: str
    signs: tuple[str, ...]
    """Of `sandbagging` and `soon`."""
    games: int
    lost: int
    soon: int
    """Lost games that were given up soon."""
    thrown: int
    """Those of them against much weaker opponents."""
    highest: float
    """The highest rating before a game of the window."""
    cost: float
    """Points that the thrown games took."""
    gained_back: float
    """How far the rating has risen at most since it was lowest after a thrown game."""
    sessions: tuple[str, ...]
    """Evidence: thrown games, or else those given up soon, the newest first."""


def thrown_games(duels: Iterable[Duel]) -> list[ThrownGames]:
    """Return the players with such a sign, those with the most games given up soon first."""
    played: dict[tuple[Pool, str], list[tuple[Duel, bool]]] = defaultdict(list)
    for duel, soon in soon_given_up(duels):
        for seat in (duel.first, duel.second):
            played[duel.pool, seat.player_id].append((duel, soon))
    found = (_player(pool, player, own) for (pool, player), own in played.items())
    return sorted((one for one in found if one.signs), key=lambda one: (-one.soon, one.pool, one.player_id))


def _player(pool: Pool, player: str, played: Sequence[tuple[Duel, bool]]) -> ThrownGames:
    highest, lowest, cost, gained_back = 0.0, 0.0, 0.0, 0.0
    lost = 0
    soon_lost: list[Duel] = []
    thrown: list[Duel] = []
    for duel, soon in played:
        own, other = _seats(duel, player)
        highest = max(highest, own.before)
        if thrown:
            lowest = min(lowest, own.before)
            gained_back = max(gained_back, own.before + own.gain - lowest)
        if duel.drawn or duel.second.player_id != player:
            continue
        lost += 1
        if soon:
            soon_lost.append(duel)
        if soon and other.before <= highest - BELOW:
            lowest = min(lowest, own.before + own.gain) if thrown else own.before + own.gain
            thrown.append(duel)
            cost -= own.gain
    signs = []
    enough = len(thrown) >= max(FEWEST_THROWN, THROWN_SHARE * lost)
    if enough and cost >= LEAST_COST and gained_back >= GAINED_BACK * cost:
        signs.append("sandbagging")
    if len(soon_lost) >= max(FEWEST_SOON, SOON_SHARE * lost):
        signs.append("soon")
    shown = (thrown if "sandbagging" in signs else soon_lost)[::-1][:SHOWN_GAMES]
    sessions = tuple(duel.session_id for duel in shown)
    return ThrownGames(
        pool, player, tuple(signs), len(played), lost, len(soon_lost), len(thrown), highest, cost, gained_back, sessions
    )


def _seats(duel: Duel, player: str) -> tuple[Seat, Seat]:
    return (duel.first, duel.second) if duel.first.player_id == player else (duel.second, duel.first)
