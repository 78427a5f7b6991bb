"""The mix of games: kinds of tables, how often each occurs, and how many of them want how much thinking."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from brettwerk_games.players.registry import level_of
from brettwerk_games.rules.registry import games

Level = tuple[str, str]
"""A game and one of its levels."""

END_OF_TURN = ("fertig", "end")
"""How the notations of games say that a turn is over."""


class Company(Enum):
    """The computers' company at a table."""

    PERSON = "person"
    WATCHER = "watcher"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of table: a person with computers, or computers alone. `weight` says how often it occurs."""

    game: str
    level: str
    computers: int
    company: Company
    weight: int

    @property
    def at(self) -> Level:
        """The game and the level."""
        return self.game, self.level

    def wants(self, cost_s: Mapping[Level, float], pause_s: float) -> float:
        """Return how many places of workers such a table keeps busy if none of its moves ever waits.

        `cost_s` is what a move takes, `pause_s` how long a person takes for theirs.
        """
        if self.company is not Company.PERSON:
            return 1.0
        return cost_s[self.at] / (cost_s[self.at] + pause_s)


_P, _W, _N = Company.PERSON, Company.WATCHER, Company.NOBODY
MIX = (
    Kind("einstein", "easy", 1, _P, 5),
    Kind("plateau", "strong", 2, _N, 2),
    Kind("emperado", "easy", 1, _P, 2),
    Kind("wec", "normal", 2, _W, 1),
    Kind("wec", "strong", 1, _P, 1),
    Kind("plateau", "easy", 1, _P, 2),
    Kind("emperado", "strong", 6, _N, 2),
    Kind("wec", "easy", 1, _P, 2),
    Kind("einstein", "best", 2, _W, 1),
    Kind("emperado", "strong", 3, _P, 1),
    Kind("wec", "strong", 2, _N, 2),
    Kind("plateau", "normal", 2, _W, 1),
    Kind("einstein", "best", 1, _P, 2),
    Kind("einstein", "best", 2, _N, 1),
    Kind("plateau", "strong", 1, _P, 1),
    Kind("emperado", "strong", 4, _W, 1),
)
"""Half of the tables have a person, and most persons play at the easy level; what computers want for themselves is more."""


def alone(mix: tuple[Kind, ...] = MIX) -> tuple[Kind, ...]:
    """Return a kind for each level of a mix at which two computers play and nobody looks: by these, capacity is measured."""
    levels = sorted({kind.at for kind in mix})
    return tuple(Kind(game, level, 2, Company.NOBODY, 1) for game, level in levels)


def named_s(kind: Kind) -> float:
    """Return how long the level says that it thinks, in seconds."""
    level = level_of(games()[kind.game], kind.level)
    assert level is not None
    return level.think_ms / 1000


def tables(mix: tuple[Kind, ...], demand: float, cost_s: Mapping[Level, float], pause_s: float) -> list[Kind]:
    """Return a kind for each table, so many that all together they want so many places of workers; at least one.

    Those for less demand are the beginning of those for more.
    """
    made: list[Kind] = []
    counts = dict.fromkeys(mix, 0)
    wanted = 0.0
    while wanted < demand or not made:
        next_one = min(mix, key=lambda kind: (counts[kind] + 0.5) / kind.weight)
        counts[next_one] += 1
        wanted += next_one.wants(cost_s, pause_s)
        made.append(next_one)
    return made
