"""The measures: how many tables, how they are paced, and how many watch."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from loadtests.actions.pace import Creating, Pace, Rate, Thinking

GAMES = ("einstein", "emperado", "plateau", "wec")
RATES: Mapping[str, float] = {"einstein": 1500, "emperado": 500, "plateau": 300, "wec": 150}
"""Actions a second of the open loop: what a machine with two cores shall do with some room."""
HIDING = ("wec",)
"""Games whose competitive sessions hide actions: what a watcher has seen does not tell there whether all is right."""
_SEED = 1


@dataclass(frozen=True, slots=True)
class Measure:
    """One of them."""

    name: str
    what: str
    tables: int
    pace: Callable[[], Pace]
    watchers: int = 2
    """Of each session, its two players among them."""
    base_watchers: int = 0
    """Where it is about what a watcher costs: how many watch the tables that it is compared with."""
    slices: int = 1
    """Into so many shorter windows, in turns, is each cut: a small difference is lost where what else runs changes meanwhile."""
    rated: bool = False
    """Games are competitive and public, and archived as soon as they are over: all that follows from one counts."""
    idle: bool = False
    """Nobody acts, and it is compared with a system without sessions."""


def measures(game: str, idle_sessions: int, rate: float = 0.0) -> list[Measure]:
    """Return all measures of a game in the order in which they disturb one another least; `rate` 0 for that of the game."""
    rate = rate or RATES[game]

    def thinking() -> Pace:
        return Thinking(1.0, random.Random(_SEED))

    def arriving() -> Pace:
        return Rate(rate, random.Random(_SEED))

    made = [
        Measure("lone", "one session, no thinking", 1, Pace),
        Measure("saturation", "30 sessions, no thinking", 30, Pace),
        Measure("rated", "30 sessions of rated public games, no thinking", 30, Pace, rated=True),
        Measure("rate", f"{rate:,.0f} actions/s, open loop, 100 sessions", 100, arriving),
        Measure("thinking", "200 sessions, thinking 1 s", 200, thinking),
        Measure("watchers", "30 sessions, no thinking, 6 watchers each", 30, Pace, watchers=6, base_watchers=2, slices=4),
        Measure("idle", f"{idle_sessions:,} sessions where nobody acts", idle_sessions, Pace, idle=True),
        Measure("creating", "games instead of actions: 30 tables, created, joined, watched by both", 30, Creating),
    ]
    return [one for one in made if not (one.rated and game in HIDING)]
