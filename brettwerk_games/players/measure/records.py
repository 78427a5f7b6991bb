"""The results of games between computer players: points, lengths, times of turns, and chances that were stated.

    python -m brettwerk_games.players.measure.records FILE...

reads what `match --kept FILE` wrote, and tells what all games in it say together.
"""

import argparse
import json
import math
import random
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

PARTS = 10
"""Into so many parts stated chances are sorted."""
_DRAWN = 400
"""How many times games are resampled for an interval."""
_Z = 1.96


@dataclass(frozen=True, slots=True)
class Stated:
    """A chance that a player gave itself at the beginning of a turn, and what the game brought."""

    chance: float
    came: float


@dataclass(frozen=True, slots=True)
class Part:
    """The figures of a player in a game: the CPU seconds of its turns and actions, and the chances that it stated."""

    name: str
    turns_s: list[float] = field(default_factory=list)
    stated: list[Stated] = field(default_factory=list)
    actions_s: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Played:
    """A game: its seats, how it ended and after how many turns, and what it brought the first player."""

    seats: int
    end: str
    turns: int
    points: float
    first: Part
    second: Part

    def line(self) -> str:
        """Return the game as a line of JSON."""
        return json.dumps(asdict(self))


def played(line: str) -> Played:
    """Return the game of a line."""
    raw = json.loads(line)
    for side in ("first", "second"):
        raw[side] = Part(**raw[side] | {"stated": [Stated(**one) for one in raw[side]["stated"]]})
    return Played(**raw)


def kept(paths: Iterable[Path]) -> list[Played]:
    """Return the games of files."""
    return [played(line) for path in paths for line in path.read_text().splitlines()]


def interval(points: float, games: int) -> tuple[float, float]:
    """Return the bounds of Wilson's 95 % interval of a share."""
    share = points / games
    middle = share + _Z * _Z / (2 * games)
    spread = _Z * math.sqrt(share * (1 - share) / games + _Z * _Z / (4 * games * games))
    return (middle - spread) / (1 + _Z * _Z / games), (middle + spread) / (1 + _Z * _Z / games)


def of_deals(games: Sequence[Played]) -> str:
    """Return the first player's share with the 95 % interval of pairs of games that began alike, as trials."""
    pairs = [(one.points + other.points) / 2 for one, other in zip(games[::2], games[1::2], strict=False)]
    if len(pairs) < 2:
        return "too few pairs of games for an interval of pairs"
    half = _Z * statistics.stdev(pairs) / math.sqrt(len(pairs))
    return f"{100 * statistics.fmean(pairs):.1f} % ± {100 * half:.1f} by pairs of games that began alike"


def report(games: Sequence[Played]) -> list[str]:
    """Return lines that say what games of one pair of players come to."""
    points = sum(game.points for game in games)
    low, high = interval(points, len(games))
    lengths = [game.turns for game in games]
    names = f"{games[0].first.name} against {games[0].second.name}, {games[0].seats} seats"
    lines = [
        f"{names}: {points:g} of {len(games)} ({100 * low:.0f} to {100 * high:.0f} %)",
        *([of_deals(games)] if games[0].seats == 2 else []),
        f"turns of a game: median {statistics.median(lengths):g}, {min(lengths)} to {max(lengths)};"
        f" ends: {dict(Counter(game.end for game in games))}",
    ]
    for parts in ([game.first for game in games], [game.second for game in games]):
        lines += [
            _times(parts[0].name, "turns", [second for part in parts for second in part.turns_s]),
            _times(parts[0].name, "actions", [second for part in parts for second in part.actions_s]),
            *(f"{parts[0].name}: {line}" for line in came_true([part.stated for part in parts])),
        ]
    return lines


def _times(name: str, what: str, seconds: Sequence[float]) -> str:
    if not seconds:
        return f"{name}: no {what}"
    ordered = sorted(seconds)
    middle, late = statistics.median(ordered), ordered[int(len(ordered) * 0.95)]
    return (
        f"{name}: {len(ordered)} {what} take {statistics.fmean(ordered):.4f} s of CPU on average, {middle:.4f} s at the median,"
        f" {late:.4f} s at the 95th percentile, {ordered[-1]:.4f} s at most"
    )


def came_true(games: Sequence[Sequence[Stated]]) -> list[str]:
    """Return how stated chances compare with results, in parts of the scale, with an interval for what came.

    Turns of one game are not independent: for the interval whole games are redrawn.
    """
    every = [one for game in games for one in game]
    if not every:
        return []
    brier = statistics.mean((one.chance - one.came) ** 2 for one in every)
    lines = [f"chances: Brier score {brier:.3f}"]
    drawn = [shares_of(random.Random(number).choices(games, k=len(games))) for number in range(_DRAWN)]
    for part, (said, came, count) in sorted(shares_of(games).items()):
        again = sorted(shares[part][1] for shares in drawn if part in shares)
        low, high = again[int(len(again) * 0.025)], again[int(len(again) * 0.975)]
        lines.append(f"{count} turns: {100 * said:.0f} % said, {100 * came:.0f} % came ({100 * low:.0f} to {100 * high:.0f} %)")
    return lines


def shares_of(games: Sequence[Sequence[Stated]]) -> dict[int, tuple[float, float, int]]:
    """Return for each part of the scale that there is: the mean of what was stated, of what came, and of how many turns."""
    sums: dict[int, list[float]] = {}
    for game in games:
        for one in game:
            here = sums.setdefault(min(PARTS - 1, int(one.chance * PARTS)), [0.0, 0.0, 0.0])
            for index, amount in enumerate((one.chance, one.came, 1.0)):
                here[index] += amount
    return {part: (said / count, came / count, int(count)) for part, (said, came, count) in sums.items()}


def main() -> None:
    """Tell what the files of the command line hold, pair by pair."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="+", type=Path)
    pairs: dict[tuple[str, str, int], list[Played]] = {}
    for game in kept(parser.parse_args().files):
        pairs.setdefault((game.first.name, game.second.name, game.seats), []).append(game)
    print("\n".join(line for games in pairs.values() for line in report(games)))


if __name__ == "__main__":
    main()
