"""Ratings of simulated players of known strength, and of farmers.

`python -m loadtests.simulated_players` writes the end of docs/ratings.md.

Everybody plays whoever comes. How a game ends is drawn from the strengths: each seat does as well as its strength and a chance
deviation (Gumbel's distribution) say, so that of any two seats one comes before the other by the logistic curve of Glicko-2.
"""

import math
import random
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from brettwerk_games.players.measure.plot import Point, write_plot
from services.players.ratings.glicko2 import MEAN, SCALE, Rating, expected, rate
from services.players.ratings.seats import Contestant, scores
from services.players.ratings.trust import of_newness, of_repetition

DOCS = Path(__file__).resolve().parents[1] / "docs"
PLAYERS, GAMES, SPREAD = 10_000, 50, 300.0
"""How many play, how many games each, and the standard deviation of their strengths, in rating points."""
WATCHED = 10
"""The last games of everybody, whose ends are compared with what was expected."""
CLASSES = 10


FARMED = 12
"""How many games a farmer wins."""
KNOWN_PLAYERS, NEWCOMERS = 2_000, 500
"""Players who have played GAMES games each, and those who join them."""


@dataclass(frozen=True, slots=True)
class Findings:
    """How good the ratings are in the end."""

    rank_correlation: float
    """Spearman's, of ratings and strengths."""
    within: float
    """Share of players whose strength is within two deviations of the rating; 0.95 if deviations are right."""
    deviation: float
    """The mean deviation."""
    calibration: tuple[tuple[float, float, int], ...]
    """By class: the mean of what was expected, the mean of what came, and of how many comparisons."""


def simulate(seats: int, players: int = PLAYERS, games: int = GAMES, seed: int = 1) -> Findings:
    """Return the findings about games of that many seats."""
    chance = random.Random(seed)
    strengths = [chance.gauss(MEAN, SPREAD) for _ in range(players)]
    ratings = [Rating()] * players
    expectations: list[list[tuple[float, float]]] = [[] for _ in range(CLASSES)]
    for number in range(games):
        order = list(range(players))
        chance.shuffle(order)
        for first in range(0, players - seats + 1, seats):
            table = order[first : first + seats]
            shown = [strengths[player] / SCALE - math.log(-math.log(chance.random())) for player in table]
            contestants = [
                Contestant(ratings[player], 1 + sum(other > own for other in shown), seat)
                for seat, (player, own) in enumerate(zip(table, shown, strict=True))
            ]
            if number >= games - WATCHED:
                _watch(expectations, contestants)
            for seat, player in enumerate(table):
                ratings[player] = rate(contestants[seat].rating, scores(contestants, seat), periods=0.0)
    near = [abs(true - one.rating) <= 2 * one.deviation for true, one in zip(strengths, ratings, strict=True)]
    return Findings(
        statistics.correlation(_ranks([one.rating for one in ratings]), _ranks(strengths)),
        statistics.fmean(near),
        statistics.fmean(one.deviation for one in ratings),
        tuple(
            (statistics.fmean(hoped for hoped, _ in lot), statistics.fmean(got for _, got in lot), len(lot))
            for lot in expectations
            if lot
        ),
    )


def farm(opponents: int, *, trusting: bool) -> float:
    """Return the rating of a new account after FARMED wins against so many new accounts in turn, within a day.

    `trusting` counts each win in full, as it was done before.
    """
    own, others = Rating(), [Rating()] * opponents
    for won in range(FARMED):
        number, met = won % opponents, won // opponents
        both = (Contestant(own, 1, 0), Contestant(others[number], 2, 1))
        trust = [1.0, 1.0] if trusting else [each * of_repetition(met) for each in (of_newness(won, met), of_newness(met, won))]
        own = rate(own, scores(both, 0, trust[:1] * 2), periods=0.0)
        others[number] = rate(others[number], scores(both, 1, trust[1:] * 2), periods=0.0)
    return own.rating


def join(after: Sequence[int], *, trusting: bool, seed: int = 1) -> list[tuple[float, float]]:
    """Return how far off newcomers among known players are after so many games each, and the share within two deviations.

    Everybody plays whoever comes, known players and newcomers alike.
    """
    chance = random.Random(seed)
    everybody = KNOWN_PLAYERS + NEWCOMERS
    strengths = [chance.gauss(MEAN, SPREAD) for _ in range(everybody)]
    ratings, games = [Rating()] * everybody, [0] * everybody
    found = []
    for number in range(GAMES + max(after)):
        present = list(range(KNOWN_PLAYERS if number < GAMES else everybody))
        chance.shuffle(present)
        for one, other in zip(present[::2], present[1::2], strict=False):
            wins = chance.random() < 1 / (1 + math.exp((strengths[other] - strengths[one]) / SCALE))
            both = [Contestant(ratings[player], place, place) for player, place in ((one, 2 - wins), (other, 1 + wins))]
            trust = [1.0 if trusting else of_newness(games[own], games[met]) for own, met in ((one, other), (other, one))]
            for seat, player in enumerate((one, other)):
                ratings[player] = rate(ratings[player], scores(both, seat, [trust[seat]] * 2), periods=0.0)
            games[one] += 1
            games[other] += 1
        if number + 1 - GAMES in after:
            new = [(strengths[player], ratings[player]) for player in range(KNOWN_PLAYERS, everybody)]
            off = statistics.fmean(abs(true - one.rating) for true, one in new)
            found.append((off, statistics.fmean(abs(true - one.rating) <= 2 * one.deviation for true, one in new)))
    return found


def _watch(expectations: list[list[tuple[float, float]]], contestants: Sequence[Contestant]) -> None:
    """Note what is expected of the first seat against the second, whose order is by chance, and what comes."""
    one, other = contestants[:2]
    both = Rating(other.rating.rating, math.hypot(one.rating.deviation, other.rating.deviation))
    hoped = expected(one.rating, both)
    expectations[min(CLASSES - 1, int(hoped * CLASSES))].append((hoped, float(one.place < other.place)))


def _ranks(values: Sequence[float]) -> list[float]:
    ranks = [0.0] * len(values)
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        ranks[place] = float(rank)
    return ranks


def main() -> int:
    """Simulate, and write that part of the page."""
    found = {seats: simulate(seats) for seats in (2, 4, 6)}
    rows = [
        f"| {seats} | {one.rank_correlation:.3f} | {one.within:.1%} | {one.deviation:.0f} | "
        f"{max(abs(hoped - got) for hoped, got, _ in one.calibration):.1%} |"
        for seats, one in found.items()
    ]
    for seats, one in found.items():
        points = [
            Point(hoped * 100, got * 100, 196 * math.sqrt(got * (1 - got) / count), f"{hoped:.0%}")
            for hoped, got, count in one.calibration
        ]
        title = f"{seats} seats: share of wins, over what was expected"
        write_plot(DOCS / f"ratings-{seats}-seats.svg", title, "expected", points, line=True)
    farmed = [
        f"| {name} | {farm(opponents, trusting=True):.0f} | {farm(opponents, trusting=False):.0f} |"
        for name, opponents in (("twelve new accounts, one game each", 12), ("one new account, twelve games", 1))
    ]
    after = (10, 20, 50)
    pairs = zip(join(after, trusting=True), join(after, trusting=False), strict=True)
    joined = [
        f"| {games} | {full[0]:.0f} | {full[1]:.1%} | {now[0]:.0f} | {now[1]:.1%} |"
        for games, (full, now) in zip(after, pairs, strict=True)
    ]
    page = DOCS / "ratings.md"
    before = page.read_text(encoding="utf-8").partition("## Simulated players")[0]
    section = _SECTION.format(players=PLAYERS, games=GAMES, spread=SPREAD, rows="\n".join(rows))
    section += _FARMING.format(
        known=KNOWN_PLAYERS, games=GAMES, newcomers=NEWCOMERS, farmed="\n".join(farmed), joined="\n".join(joined)
    )
    page.write_text(before + section, encoding="utf-8")
    return 0


_SECTION = """## Simulated players

`python -m loadtests.simulated_players` lets {players:,} simulated players play {games} games each against random
opponents, and writes this section. Their strengths have a standard deviation of {spread:.0f} points.

| seats | rank correlation with strengths | strengths within two deviations | mean deviation | farthest off |
| --- | --- | --- | --- | --- |
{rows}

The last column and the plots compare the expected results of one seat against another in the last ten games
with the actual ones, in ten classes. With more than two seats, more than 95 % of the strengths are within two
deviations: the weight of 2 / n is a cautious one.

![2 seats](ratings-2-seats.svg)
![4 seats](ratings-4-seats.svg)
![6 seats](ratings-6-seats.svg)
"""


_FARMING = """
### Farmers and newcomers

A new account that wins twelve games within a day against accounts made for it, each after enough plies to
count, had and has a rating of

| opponents | all counted in full | now |
| --- | --- | --- |
{farmed}

Newcomers get where they belong as before: {newcomers} of them join {known:,} players who have played {games} games
each, everybody plays whoever comes, and the newcomers' ratings are this far from their strengths:

| games each | off, all counted in full | within two deviations | off, now | within two deviations |
| --- | --- | --- | --- | --- |
{joined}
"""

if __name__ == "__main__":
    sys.exit(main())
