"""The lists that a moderator is shown: leavers, pairs that may trade wins, players who may lose on purpose. Nobody is punished.

`report` is a function of the stored figures; `python -m services.players conduct` prints what it returns.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sqlalchemy import Connection, or_, select

from services.players.accounts.names import names_of
from services.players.conduct import conduct_rows, duel_rows
from services.players.conduct.departures import Mark, Pace
from services.players.conduct.pauses import pauses
from services.players.conduct.reliability import telling
from services.players.conduct.tables import CONDUCT
from services.players.conduct.thrown_games import ThrownGames, thrown_games
from services.players.conduct.traded_wins import TradedWins, traded_wins

SHOWN = 50
"""Findings of each kind."""
MAX_READ = 10_000
"""Players with departures who are looked at."""


class Leaver(NamedTuple):
    """A player who has paused for leaving games."""

    player_id: str
    left: int
    """Of the games that are kept, of both paces."""
    games: int
    pauses: int
    until_ms: int
    """When the last pause ends or has ended."""


class Report(NamedTuple):
    """The lists, each with those first who stand out most."""

    leavers: list[Leaver]
    traded_wins: list[TradedWins]
    thrown_games: list[ThrownGames]
    names: dict[str, str]
    """Of the players in them, as far as they are known."""


def report(connection: Connection, now_ms: int) -> Report:
    """Return what stands out now, SHOWN of each kind at most."""
    duels = duel_rows.read(connection, now_ms)
    found = leavers(connection, now_ms)[:SHOWN]
    traded, thrown = traded_wins(duels)[:SHOWN], thrown_games(duels)[:SHOWN]
    players = {*(one.player_id for one in found), *(one.player_id for one in thrown)}.union(*(pair.players for pair in traded))
    return Report(found, traded, thrown, names_of(connection, sorted(players)) if players else {})


def leavers(connection: Connection, now_ms: int) -> list[Leaver]:
    """Return the players who have paused for leaving games, those with the most pauses first."""
    marks = or_(*(CONDUCT.c[pace.value].contains(mark.value) for pace in Pace for mark in (Mark.LEFT, Mark.SILENT)))
    players = connection.execute(select(CONDUCT.c.player_id).where(marks).limit(MAX_READ)).scalars().all()
    found = []
    for player, conduct in conduct_rows.find(connection, players).items():
        if paused := pauses(conduct.live, conduct.slow, now_ms):
            games = [game for pace in Pace for game in telling(conduct.of(pace), pace, now_ms)]
            left = sum(game.mark is not Mark.FINISHED for game in games)
            found.append(Leaver(player, left, len(games), len(paused), paused[-1].until_ms))
    return sorted(found, key=lambda one: (-one.pauses, -one.left, one.player_id))


def lines(found: Report) -> Iterator[str]:
    """Yield the report as text, a line each."""

    def name(player: str) -> str:
        return f"{found.names[player]} ({player})" if found.names.get(player) else player

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
