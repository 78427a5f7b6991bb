"""Tallies: how often something was so, and how often it went with a win."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from brettwerk_games.statistics.result import PERSON, Result, length_class

ALL, END, LENGTH, SEAT, LEVEL, AGAINST = "all", "end", "length", "seat", "level", "against"
"""The kinds that every game has."""


class Key(NamedTuple):
    """The thing that is counted."""

    kind: str
    key: str


@dataclass(slots=True)
class Tallies:
    """Counts by key. They only grow, and those of two lots of games are added."""

    games: Counter[Key] = field(default_factory=Counter)
    wins: Counter[Key] = field(default_factory=Counter)

    def note(self, kind: str, key: str, *, won: bool) -> None:
        """Count one game."""
        self.games[Key(kind, key)] += 1
        self.wins[Key(kind, key)] += won

    def add(self, others: "Tallies") -> None:
        """Add what was counted elsewhere."""
        self.games.update(others.games)
        self.wins.update(others.wins)

    def rows(self) -> Iterator[tuple[Key, int, int]]:
        """Yield what was counted (key, games, wins), in order of the keys."""
        for key in sorted(self.games):
            yield key, self.games[key], self.wins[key]

    @classmethod
    def of(cls, rows: Iterable[tuple[Key, int, int]]) -> "Tallies":
        """Return the tallies of such rows."""
        made = cls()
        for key, games, wins in rows:
            made.games[key] += games
            made.wins[key] += wins
        return made


def count(result: Result) -> Tallies:
    """Return what one game counts for everybody.

    All games count with their end and length. Seats, levels and marks count in decided games only, so that shares of wins are
    shares of what could be won.
    """
    made = Tallies()
    decided = bool(result.winners)
    made.note(ALL, "", won=decided)
    made.note(END, result.rule, won=decided)
    made.note(LENGTH, str(length_class(result)), won=decided)
    if decided:
        for seat, who in enumerate(result.seats):
            made.note(SEAT, str(seat), won=seat in result.winners)
            made.note(LEVEL, who, won=seat in result.winners)
        for mark in result.marks:
            made.note(mark.kind, mark.key, won=mark.seat in result.winners)
    return made


def count_own(result: Result, own: Iterable[int]) -> Tallies:
    """Return what one game counts for somebody who has seats in it: the wins are this player's own.

    A player of several seats counts each of them, and an opponent once for each; own seats are no opponents.
    """
    mine = tuple(sorted(set(own)))
    made = Tallies()
    decided = bool(result.winners)
    won = any(seat in result.winners for seat in mine)
    made.note(ALL, "", won=decided)
    made.note(END, result.rule, won=won)
    made.note(LENGTH, str(length_class(result)), won=won)
    if decided:
        for seat in mine:
            made.note(SEAT, str(seat), won=seat in result.winners)
        for who in sorted({who for seat, who in enumerate(result.seats) if seat not in mine}):
            made.note(AGAINST, who, won=won)
        for mark in result.marks:
            if mark.seat in mine:
                made.note(mark.kind, mark.key, won=mark.seat in result.winners)
    return made


def by_scope(result: Result, players: Mapping[str, Iterable[int]], *, public: bool) -> Mapping[str, Tallies]:
    """Return what a game counts by scope: a player's id for their own games, "" for everybody's, to which public games count."""
    made = {player: count_own(result, seats) for player, seats in players.items() if player and any(True for _ in seats)}
    if public:
        made[""] = count(result)
    return made


__all__ = ["AGAINST", "ALL", "END", "LENGTH", "LEVEL", "PERSON", "SEAT", "Key", "Tallies", "by_scope", "count", "count_own"]
