"""Games of EMPERADO's computer players among themselves, in processes of their own: what the statistics are counted from."""

import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from brettwerk_games.players.emperado.contest import Contest, Result
from brettwerk_games.players.emperado.measure.kept_games import Kept
from brettwerk_games.players.emperado.style import EASY, EXPERT, NORMAL, STRONG, Style
from brettwerk_games.rules.emperado.options import Options

STYLES = {"easy": EASY, "normal": NORMAL, "strong": STRONG, "expert": EXPERT}
ALL_COMPUTERS = (True,) * 6
MAX_ROUNDS = 100
"""A game without a winner by the end of this round counts as one without a winner (EMP-END-5)."""


_SIDE_BY_SIDE = 12
"""Games of a series before it is another one's turn."""


@dataclass(frozen=True, slots=True)
class Series:
    """Games that are counted together: `levels` by seat, which move on by one seat from game to game where `turning`."""

    name: str
    levels: tuple[str, ...]
    coalition: int
    games: int
    turning: bool = False
    start_armies: int = 3

    def styles(self, number: int) -> Sequence[Style]:
        """Return the styles by seat of game `number`."""
        shift = number % len(self.levels) if self.turning else 0
        return [STYLES[level] for level in (*self.levels[shift:], *self.levels[:shift])]

    def seat_of_first(self, number: int) -> int:
        """Return where the first of the levels sits in game `number`."""
        return -number % len(self.levels) if self.turning else 0


def play(series: Series, number: int, seed: int) -> Result:
    """Play one game of a series and return its result; equal seeds and numbers give equal games."""
    options = Options(coalition=series.coalition, start_armies=series.start_armies, computers=ALL_COMPUTERS)
    return Contest(series.styles(number), seed + number, options).play(MAX_ROUNDS)


def _some(task: tuple[Series, int, int, int]) -> tuple[int, list[Result]]:
    series, begin, end, seed = task
    return begin, [play(series, number, seed) for number in range(begin, end)]


class Players:
    """Plays series in so many processes, with a line that tells how far they are. Games that were played are not played again."""

    def __init__(self, processes: int, seed: int, kept: Kept | None = None) -> None:
        """Begin with a first game's seed; games of a run before are in `kept`, which gets every new one when it is over."""
        self._processes = processes
        self._seed = seed
        self._kept = kept
        self._played: dict[Series, list[Result]] = {}

    def play(self, series: Series) -> list[Result]:
        """Return the results of all games, in order."""
        kind = replace(series, name="", games=0)
        known = self._played.setdefault(kind, [])
        name = f"{'-'.join(kind.levels)} {kind.coalition} {kind.turning} {kind.start_armies} {self._seed}"
        while len(known) < series.games and self._kept and (result := self._kept.result(name, len(known))):
            known.append(result)
        if len(known) < series.games:
            known += self._play(series, len(known), name)
        return known[: series.games]

    def play_together(self, some: Sequence[Series]) -> list[list[Result]]:
        """Return the results of series that are played side by side: a run that is stopped has as many games of each."""
        for count in range(_SIDE_BY_SIDE, max(series.games for series in some), _SIDE_BY_SIDE):
            for series in some:
                self.play(replace(series, games=min(count, series.games)))
        return [self.play(series) for series in some]

    def _play(self, series: Series, first: int, name: str) -> list[Result]:
        size = 1 if self._kept else max(1, min(25, (series.games - first) // (4 * self._processes)))
        tasks = [(series, n, min(n + size, series.games), self._seed) for n in range(first, series.games, size)]
        found: dict[int, list[Result]] = {}
        began = time.monotonic()
        for begin, results in self._run(tasks):
            found[begin] = results
            if self._kept:
                self._kept.keep(name, begin, results)
            _tell(series.name, sum(map(len, found.values())), series.games - first, time.monotonic() - began)
        print(file=sys.stderr)
        return [result for begin in sorted(found) for result in found[begin]]

    def _run(self, tasks: list[tuple[Series, int, int, int]]) -> Iterator[tuple[int, list[Result]]]:
        if self._processes == 1:
            yield from map(_some, tasks)
            return
        with multiprocessing.get_context("spawn").Pool(self._processes) as pool:
            yield from pool.imap_unordered(_some, tasks)


def _tell(name: str, done: int, games: int, seconds: float) -> None:
    bar = "#" * round(30 * done / games)
    left = seconds * games / done - seconds
    text = f"\r{name:<34} [{bar:<30}] {done}/{games}  {seconds:4.0f} s, {left:4.0f} s left "
    print(text, end="", file=sys.stderr, flush=True)
