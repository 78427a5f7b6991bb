"""The statistics that the authors of EMPERADO published, measured with this program's rules and computer players.

    python -m brettwerk_games.players.emperado.measure.statistics   all without experts, a quarter of an hour on two free cores
    python -m brettwerk_games.players.emperado.measure.statistics seats continents --games 500
    python -m brettwerk_games.players.emperado.measure.statistics coalition --out results/
    python -m brettwerk_games.players.emperado.measure.statistics expert --games 600 --seats 2 3
    python -m brettwerk_games.players.emperado.measure.statistics experts --games 200 --seats 6 --kept games.jsonl

A run with --kept that was stopped goes on where it was.

Parts: seats (win share by seat for 2 to 6 computers), continents (win chance by first continent), coalition (six-computer games
without a winner at Koalitionsneigung 0 to 99), stability (does the leader win), levels (easy, normal and strong against each
other), calibration (the chance to win that players tell, against what happened), expert (one of them among strong ones, in each
seat in turn), experts (among themselves: win share by seat, games without a winner). Every part prints a table and writes it, and
most a plot, to the folder. Errors are two standard errors (Wilson's interval for shares of one kind of outcome). Games come from
their seeds, so equal calls give equal tables. They are played at full speed by kernels/match.py, which the tests prove equal
to the rules action by action.
"""

import argparse
import math
import os
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from brettwerk_games.players.emperado.chances import FIRMNESS, chance_of
from brettwerk_games.players.emperado.contest import Result
from brettwerk_games.players.emperado.measure.kept_games import Kept
from brettwerk_games.players.emperado.measure.series import MAX_ROUNDS, Players, Series
from brettwerk_games.players.measure.plot import Point, write_plot
from brettwerk_games.rules.emperado.world import CONTINENTS, LETTERS

SEAT_NUMBERS = range(2, 7)
COALITIONS = (0, 10, 20, 30, 40, 50, 60, 80, 99)


def share(count: int, total: int) -> tuple[float, float]:
    """Return a share in percent and its error: the middle and half of Wilson's interval at two standard errors."""
    if not total:
        return 0.0, 0.0
    z2 = 4.0
    p = count / total
    middle = (p + z2 / (2 * total)) / (1 + z2 / total)
    half = 2.0 * math.sqrt(p * (1 - p) / total + z2 / (4 * total * total)) / (1 + z2 / total)
    return 100 * p, 100 * (half + abs(middle - p))


def written(count: int, total: int) -> str:
    """Return a share as text: 31.4 ± 2.1."""
    percent, error = share(count, total)
    return f"{percent:.1f} ± {error:.1f}"


def between(count: int, total: int) -> str:
    """Return a share as text with its interval: 67.5 (64 to 71)."""
    if not total:
        return ""
    z2, p = 4.0, count / total
    middle = (p + z2 / (2 * total)) / (1 + z2 / total)
    half = 2.0 * math.sqrt(p * (1 - p) / total + z2 / (4 * total * total)) / (1 + z2 / total)
    return f"{100 * p:.1f} ({100 * (middle - half):.0f} to {100 * (middle + half):.0f})"


def mean(values: Sequence[float]) -> str:
    """Return the mean of numbers from 0 to 1 as text, in percent, with two standard errors."""
    found = sum(values) / len(values)
    error = 2.0 * math.sqrt(sum((value - found) ** 2 for value in values)) / len(values)
    return f"{100 * found:.1f} ± {100 * error:.1f}"


class Report:
    """Tables and plots in a folder; what is written is printed too."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def table(self, name: str, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Write a Markdown table."""
        lines = [f"## {title}", "", _row(heads), _row(["---"] * len(heads)), *map(_row, rows), ""]
        text = "\n".join(lines)
        print(f"\n{text}", flush=True)
        (self._folder / f"{name}.md").write_text(text, encoding="utf-8")

    def plot(self, name: str, title: str, x_name: str, points: Sequence[Point], level: float | None, *, line: bool) -> None:
        """Write a plot."""
        write_plot(self._folder / f"{name}.svg", title, x_name, points, line=line, level=level)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _decided(results: Sequence[Result]) -> list[Result]:
    return [result for result in results if result.winner >= 0]


def _median(results: Sequence[Result]) -> str:
    rounds = sorted(result.rounds for result in results)
    return str(rounds[len(rounds) // 2]) if rounds else ""


def _chi(wins: Counter[int], number: int) -> float:
    """Return how far wins by seat are from equal ones."""
    expected = wins.total() / number
    return sum((wins[seat] - expected) ** 2 for seat in range(number)) / expected if expected else 0.0


def _strong(name: str, seats: int, coalition: int, games: int) -> Series:
    return Series(name, ("strong",) * seats, coalition, games)


def seats(players: Players, report: Report, games: int) -> None:
    """Win share by seat."""
    rows, points = [], []
    for number in SEAT_NUMBERS:
        count = 4 * games if number == 2 else games
        results = players.play(_strong(f"{number} seats", number, 40, count))
        decided = _decided(results)
        wins = Counter(result.winner for result in decided)
        cells = [written(wins[seat], len(decided)) for seat in range(number)] + [""] * (6 - number)
        none = written(len(results) - len(decided), len(results))
        rows.append([str(number), str(count), *cells, f"{_chi(wins, number):.1f} ({number - 1})", none, _median(decided)])
        for seat in range(number):
            percent, error = share(wins[seat], len(decided))
            points.append(Point(8 * number + seat, percent * number, error * number, LETTERS[seat]))
    heads = ["seats", "games", *LETTERS, "chi² (degrees)", "without winner, %", "median rounds"]
    report.table("seats", "Share of the decided games that each seat won, %", heads, rows)
    report.plot("seats", "Win share by seat, 100 % = equal; 2 to 6 seats", "seat", points, 100, line=False)


def continents(players: Players, report: Report, games: int) -> None:
    """Win chance by the first continent that a seat was paid for."""
    rows: list[list[str]] = [[] for _ in CONTINENTS]
    points = []
    for number in (3, 4, 6):
        started: Counter[int] = Counter()
        won: Counter[int] = Counter()
        for result in _decided(players.play(_strong(f"first continents, {number} seats", number, 40, games))):
            started.update(k for k in result.first_continents if k >= 0)
            won.update(k for seat, k in enumerate(result.first_continents) if k >= 0 and seat == result.winner)
        mean = sum(won.values()) / max(1, sum(started.values()))
        for k, row in enumerate(rows):
            percent, error = share(won[k], started[k])
            row += [f"{percent / 100 / mean:.2f} ± {error / 100 / mean:.2f}", str(started[k])]
            if number == 6 and started[k] >= 100:
                points.append(Point(k, percent / mean, error / mean, CONTINENTS[k].name_en))
    heads = ["first continent", *(text for n in (3, 4, 6) for text in (f"{n} seats", "times"))]
    named = [[continent.name_en, *row] for continent, row in zip(CONTINENTS, rows, strict=True)]
    report.table("continents", "Win chance by first continent, 1 = the mean of all seats that had one", heads, named)
    report.plot(
        "continents", "Win chance by first continent, six seats, 100 % = mean", "first continent", points, 100, line=False
    )


def coalition(players: Players, report: Report, games: int) -> None:
    """Share of six-computer games without a winner by Koalitionsneigung, and who wins of them."""
    rows, points = [], []
    for value in COALITIONS:
        results = players.play(_strong(f"coalition {value}", 6, value, games))
        decided = _decided(results)
        none = len(results) - len(decided)
        later = [result for result in decided if result.leader >= 0]
        leaders = sum(result.leader == result.winner for result in later)
        rows.append(
            [str(value), str(games), written(none, games), _median(decided), written(leaders, len(later)), str(len(later))]
        )
        percent, error = share(none, games)
        points.append(Point(value, percent, error, str(value)))
    heads = ["coalition", "games", "without winner, %", "median rounds of the others", "leader of round 12 wins, %", "of"]
    report.table("coalition", f"Six computers: games without a winner by round {MAX_ROUNDS}", heads, rows)
    report.plot("coalition", "Six computers: games without a winner", "Koalitionsneigung", points, 100 / 3, line=True)


def stability(players: Players, report: Report, games: int) -> None:
    """Whether who is ahead wins, at coalition 0 and 40."""
    rows = []
    for number in (3, 6):
        for value in (0, 40):
            results = players.play(_strong(f"stability, {number} seats, {value}", number, value, games))
            later = [result for result in _decided(results) if result.leader >= 0]
            leaders = sum(result.leader == result.winner for result in later)
            rows.append(
                [str(number), str(value), written(leaders, len(later)), f"{100 / number:.1f}", _median(_decided(results))]
            )
    heads = ["seats", "coalition", "leader of round 12 wins, %", "even, %", "median rounds"]
    report.table("stability", "Does the seat with most countries at the start of round 12 win?", heads, rows)


def levels(players: Players, report: Report, games: int) -> None:
    """How the levels fare against each other, the seats changing from game to game."""
    rows = []
    for number, value in ((2, 40), (4, 0), (4, 40)):
        for better, worse in (("normal", "easy"), ("strong", "normal"), ("strong", "easy")):
            pairs = (better, worse) * (number // 2)
            series = Series(f"{better} against {worse}, {number} seats", pairs, value, games, turning=True)
            won = total = 0
            for game, result in enumerate(players.play(series)):
                if result.winner >= 0:
                    total += 1
                    won += pairs[(result.winner + game) % number] == better
            rows.append([str(number), str(value), f"{better} : {worse}", written(won, total), str(total)])
    heads = ["seats", "coalition", "levels", "won by the first, %", "decided games"]
    report.table("levels", "Levels against each other, half of the seats each", heads, rows)


def expert(players: Players, report: Report, games: int, numbers: Sequence[int] = SEAT_NUMBERS) -> None:
    """How one expert fares among strong players, in each seat in turn."""
    rows = []
    some = [Series(f"one expert, {n} seats", ("expert", *("strong",) * (n - 1)), 40, games, turning=True) for n in numbers]
    for number, series, results in zip(numbers, some, players.play_together(some), strict=True):
        seated = [series.seat_of_first(game) for game in range(games)]
        decided = _decided(results)
        won = sum(result.winner == seat for result, seat in zip(results, seated, strict=True))
        points = [_came_of(result, seat) for result, seat in zip(results, seated, strict=True)]
        cells = [f"{won} of {len(decided)}", between(won, len(decided)), mean(points), f"{100 / number:.1f}"]
        rows.append([str(number), str(games), *cells, between(games - len(decided), games), _median(decided)])
    heads = ["seats", "games", "won of the decided", "in %", "points, %", "even, %", "without winner, %", "median rounds"]
    report.table("expert", "One expert among strong players, Koalitionsneigung 40", heads, rows)


def experts(players: Players, report: Report, games: int, numbers: Sequence[int] = SEAT_NUMBERS) -> None:
    """Win share by seat among experts (docs/emperado-statistics.md)."""
    rows = []
    some = [Series(f"{number} experts", ("expert",) * number, 40, games) for number in numbers]
    for number, results in zip(numbers, players.play_together(some), strict=True):
        decided = _decided(results)
        wins = Counter(result.winner for result in decided)
        cells = [str(wins[seat]) for seat in range(number)] + [""] * (6 - number)
        chi = f"{_chi(wins, number):.1f} ({number - 1})"
        rows.append([str(number), str(games), *cells, chi, between(games - len(decided), games), _median(decided)])
    heads = ["seats", "games", *LETTERS, "chi² (degrees)", "without winner, %", "median rounds"]
    report.table("experts", "Experts among themselves, Koalitionsneigung 40: games won", heads, rows)


def calibration(players: Players, report: Report, games: int) -> None:
    """The chance that players give themselves at the start of a turn, against what came of it.

    A game without a winner counts for the seats that are left in it alike.
    """
    found: list[tuple[float, Sequence[float], float]] = []
    for number in SEAT_NUMBERS:
        for result in players.play(_strong(f"calibration, {number} seats", number, 40, max(1, games // 5))):
            found += [(mine, others, _came_of(result, seat)) for seat, mine, others in result.strengths]
    rows, points = [], []
    chances = [(chance_of(mine, others), came) for mine, others, came in found]
    for tenth in range(10):
        pairs = [(chance, came) for chance, came in chances if tenth <= 10 * chance < tenth + 1]
        if pairs:
            stated, came = (100 * sum(pair[i] for pair in pairs) / len(pairs) for i in (0, 1))
            rows.append([f"{10 * tenth} to {10 * tenth + 10}", str(len(pairs)), f"{stated:.1f}", f"{came:.1f}"])
            points.append(Point(stated, came, 0.0, f"{stated:.0f}"))
    for number in SEAT_NUMBERS:
        here = [one for one in found if len(one[1]) + 1 == number]
        best = min((step / 20 for step in range(5, 101)), key=partial(_error, here))
        rows.append([f"best firmness, {number} seats left", str(len(here)), f"{best:.2f}", f"now {FIRMNESS[number]}"])
    report.table("calibration", "The chance to win that players tell", ["chance, %", "turns", "told, %", "came true, %"], rows)
    report.plot("calibration", "The chance to win that players tell", "told, %", points, None, line=True)


def _came_of(result: Result, seat: int) -> float:
    if result.winner >= 0:
        return float(result.winner == seat)
    return 1 / len(result.alive) if seat in result.alive else 0.0


def _error(found: Sequence[tuple[float, Sequence[float], float]], firmness: float) -> float:
    return sum((chance_of(mine, others, firmness) - came) ** 2 for mine, others, came in found)


PARTS: dict[str, Callable[[Players, Report, int], None]] = {
    "seats": seats,
    "continents": continents,
    "coalition": coalition,
    "stability": stability,
    "levels": levels,
    "calibration": calibration,
}
SLOW: dict[str, Callable[[Players, Report, int, Sequence[int]], None]] = {"expert": expert, "experts": experts}
"""Parts that are played when they are named: a game of experts takes seconds."""


def main() -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, *SLOW, []], help="which parts; by default, all but the last two")
    parser.add_argument("--games", type=int, default=1000, help="games per series (four times as many for two seats)")
    parser.add_argument(
        "--seats", type=int, nargs="+", choices=SEAT_NUMBERS, default=SEAT_NUMBERS, help="numbers of seats for expert and experts"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game; the others follow from it")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--kept", type=Path, help="file of games already played, which count; new ones are appended")
    parser.add_argument("--out", type=Path, default=Path("emperado-statistics"), help="folder for tables and plots")
    asked = parser.parse_args()
    players = Players(asked.processes, asked.seed, Kept(asked.kept) if asked.kept else None)
    report = Report(asked.out)
    for name in asked.parts or PARTS:
        if name in SLOW:
            SLOW[name](players, report, asked.games, asked.seats)
        else:
            PARTS[name](players, report, asked.games)


if __name__ == "__main__":
    main()
