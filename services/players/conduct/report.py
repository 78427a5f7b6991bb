"""The lists that a moderator is shown: leavers, pairs that may trade wins, players who may lose on purpose. Nobody is punished.

`report` is a function of the stored figures; `python -m services.players conduct` prints what it returns, and the page of the
moderators shows it (moderation/conduct_lists.py).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sqlalchemy import Connection

from services.players.conduct import conduct_rows, duel_rows
from services.players.conduct.departures import Mark, Pace
from services.players.conduct.pauses import pauses
from services.players.conduct.reliability import telling
from services.players.conduct.thrown_games import ThrownGames, thrown_games
from services.players.conduct.traded_wins import TradedWins, traded_wins

SHOWN = 50
"""Findings of each kind."""
MAX_READ = 10_000
"""Players with departures who are looked at, those who played last."""
READ_AT_ONCE = 500
"""How many of them are in memory at a time, with all games that are kept of each."""


class Leaver(NamedTuple):
    """A player who has paused for leaving games."""

    player_id: str
    left: int
    """Of the games that are kept, of both paces."""
    games: int
    pauses: int
    until_ms: int
    """When the last pause ends or has ended."""
    live: int | None
    """How reliable the player is in live games, in percent; None where that is not known."""
    slow: int | None
    """The same in slow games."""


class LeftOut(NamedTuple):
    """How many more there are than the lists have."""

    pausing: int
    """Of players who pause now."""
    traded_wins: int
    thrown_games: int


class Report(NamedTuple):
    """The lists, each with those first who stand out most."""

    leavers: list[Leaver]
    """Those who pause now come first."""
    traded_wins: list[TradedWins]
    thrown_games: list[ThrownGames]
    games: int
    """How many duels these two are made of."""
    left_out: LeftOut

    def players(self) -> list[str]:
        """Return the ids of all players in the lists."""
        alone = {*(one.player_id for one in self.leavers), *(one.player_id for one in self.thrown_games)}
        return sorted(alone.union(*(pair.players for pair in self.traded_wins)))


def report(connection: Connection, now_ms: int) -> Report:
    """Return what stands out now, SHOWN of each kind at most."""
    duels = duel_rows.read(connection, now_ms)
    found, traded, thrown = leavers(connection, now_ms), traded_wins(duels), thrown_games(duels)
    pausing = sum(one.until_ms > now_ms for one in found)
    left_out = LeftOut(*(max(0, count - SHOWN) for count in (pausing, len(traded), len(thrown))))
    return Report(found[:SHOWN], traded[:SHOWN], thrown[:SHOWN], len(duels), left_out)


def leavers(connection: Connection, now_ms: int) -> list[Leaver]:
    """Return the players who have paused for leaving games: those who pause now first, then those with the most pauses."""
    players = conduct_rows.departed(connection, MAX_READ)
    found = []
    for first in range(0, len(players), READ_AT_ONCE):
        for player, conduct in conduct_rows.find(connection, players[first : first + READ_AT_ONCE]).items():
            if paused := pauses(conduct.live, conduct.slow, now_ms):
                games = [game for pace in Pace for game in telling(conduct.of(pace), pace, now_ms)]
                left = sum(game.mark is not Mark.FINISHED for game in games)
                live, slow = (conduct.percent(pace, now_ms) for pace in (Pace.LIVE, Pace.SLOW))
                found.append(Leaver(player, left, len(games), len(paused), paused[-1].until_ms, live, slow))
    return sorted(found, key=lambda one: (one.until_ms <= now_ms, -one.pauses, -one.left, one.player_id))


def lines(found: Report, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the report as text, a line each. `names`: those of its players, as far as they are known."""

    def name(player: str) -> str:
        return f"{names[player]} ({player})" if names.get(player) else player

    yield f"players who have paused for leaving games: {len(found.leavers)}"
    for leaver in found.leavers:
        yield f"  {name(leaver.player_id)}: {leaver.left} of {leaver.games} games left, {leaver.pauses} pauses"
    yield f"pairs who may trade wins: {len(found.traded_wins)}"
    for pair in found.traded_wins:
        yield (
            f"  {name(pair.players[0])} and {name(pair.players[1])}, {'/'.join(pair.pool)} [{', '.join(pair.signs)}]: "
            f"{pair.games} games, {pair.wins[0]} and {pair.wins[1]} won, {pair.soon} given up soon, {pair.changes} changes, "
            f"{pair.gain_shares[0]:.0%} and {pair.gain_shares[1]:.0%} of their gains"
        )
        yield _evidence(pair.sessions)
    yield f"players who may lose on purpose: {len(found.thrown_games)}"
    for one in found.thrown_games:
        yield (
            f"  {name(one.player_id)}, {'/'.join(one.pool)} [{', '.join(one.signs)}]: {one.lost} of {one.games} games lost, "
            f"{one.soon} given up soon, {one.thrown} of them to much weaker players for {one.cost:.0f} points, "
            f"highest rating {one.highest:.0f}, {one.gained_back:.0f} gained back"
        )
        yield _evidence(one.sessions)


def _evidence(sessions: Iterable[str]) -> str:
    return f"    games: {' '.join(sessions)}"
