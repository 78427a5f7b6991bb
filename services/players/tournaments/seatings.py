"""Tables of several seats: those of equal strength sit together, and everybody meets as many others as possible. Pure.

There are as few tables as there can be, and their sizes differ by one at most. In the first round the strongest are spread over
the tables; later those who have similar points sit together. Before that comes that nobody meets the same opponents again while
there are others, and before that in turn that two who are kept apart do not meet at all: from tables in the order of the
standings, two players of different tables are exchanged as long as that lets fewer meet again, or the points at the tables be
more equal. Whoever has sat late in turn order so far sits early.

Points go by places: one for each player at the table whom one is ahead of, and half of one for each who shares the place. A seat
that is empty because the number of players is no multiple counts as half a point, as if one had drawn with it: so a table of
three is worth as much as one of four.
"""

import random
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations

from services.players.tournaments.results import DRAW, LOSS, WIN, Entrant, Game, score
from services.players.tournaments.standings import Standing

MIN_SEATS, MAX_SEATS = 3, 6
DEFAULT_ROUNDS = 4
"""Where it takes more to meet everybody."""
_PASSES = 30
"""Times that all exchanges are looked at, each of which only ever makes the round better."""
_BEGINNINGS = 12
"""Orders from which exchanges begin while some meet again; the first is that of the standings."""
_AGAIN = 1 << 20
"""More than any difference of points: what it costs that two meet again."""
_APART = 1 << 40
"""More than all meetings again: what it costs that two meet who are kept apart."""

Table = list[int]


def sizes(count: int, seats: int) -> list[int]:
    """Return how many sit at each table, the largest first.

    >>> sizes(9, 4)
    [3, 3, 3]
    """
    tables = max(1, -(-count // seats))
    return [count // tables + (table < count % tables) for table in range(tables)]


def possible_sizes(seats: int) -> range:
    """Return all numbers of players that a table can have when more than that many have joined."""
    return range(2 if seats == MIN_SEATS else -(-seats // 2), seats + 1)


def rounds(count: int, seats: int) -> int:
    """Return how many rounds so many entrants play, if nobody says: until all could have met, but no more than four."""
    return max(1, min(DEFAULT_ROUNDS, (count - 1) // (seats - 1)))


def pairings(
    entrants: Sequence[Entrant],
    games: Sequence[Game],
    round_number: int,
    seats: int,
    apart: Collection[frozenset[int]] = frozenset(),
) -> list[Game]:
    """Return the games of a round, the best tables first; one who is alone has a bye, as if all were drawn.

    `apart`: pairs who are kept apart.
    """
    points = {one.number: score(one.number, games) for one in entrants if one.plays_in(round_number)}
    if len(points) < 2:
        drawn = DRAW * (seats - 1)
        return [Game(round_number, number, None, (drawn, LOSS), played=False) for number in points]
    order = sorted(points, key=lambda number: (-points[number], number))
    met = Counter(frozenset(pair) for game in games for pair in combinations(game.numbers, 2))
    costs = {
        pair: (pair in apart) * _APART + met[pair] ** 2 * _AGAIN + (points[one] - points[other]) ** 2
        for one, other in combinations(order, 2)
        for pair in (frozenset((one, other)),)
    }
    found = _improved(_dealt(order, seats, is_spread=not games), costs)
    dice = random.Random(round_number)  # noqa: S311 - the same tournament is always seated the same
    for _ in range(1, _BEGINNINGS):
        if _cost(found, costs) < _AGAIN:
            break
        shuffled = dice.sample(order, len(order))
        found = min(found, _improved(_dealt(shuffled, seats, is_spread=False), costs), key=lambda tables: _cost(tables, costs))
    found.sort(key=lambda table: sorted((-points[number], number) for number in table))
    late = {number: sum(game.numbers.index(number) for game in games if number in game.numbers) for number in order}
    return [_game(round_number, sorted(table, key=lambda number: (-late[number], number))) for table in found]


def points_by_places(places: Sequence[int], seats: int) -> tuple[int, ...]:
    """Return the points of the players at a table, in halves, by their places.

    >>> points_by_places([2, 1, 2], 4)
    (2, 5, 2)
    """
    empty = DRAW * (seats - len(places))
    return tuple(empty + sum(WIN if own < other else DRAW if own == other else LOSS for other in places) - DRAW for own in places)


def standings(entrants: Sequence[Entrant], games: Sequence[Game]) -> list[Standing]:
    """Return all entrants, the best first: by points, those of their opponents (Buchholz), and tables won alone."""
    points = {one.number: score(one.number, games) for one in entrants}
    buchholz = dict.fromkeys(points, 0)
    wins = dict.fromkeys(points, 0)
    for game in games:
        if game.points is None or game.is_bye:
            continue
        best = max(game.points)
        for number, got in zip(game.numbers, game.points, strict=True):
            buchholz[number] += sum(points[other] for other in game.numbers if other != number)
            wins[number] += game.played and got == best and game.points.count(best) == 1
    keys = {number: (points[number], buchholz[number], wins[number]) for number in points}
    rows = [
        Standing(
            place=1 + sum(other > key for other in keys.values()),
            number=number,
            points=points[number],
            wins=wins[number],
            buchholz=buchholz[number],
        )
        for number, key in keys.items()
    ]
    return sorted(rows, key=lambda row: (row.place, row.number))


def _dealt(order: Sequence[int], seats: int, *, is_spread: bool) -> list[Table]:
    """Return tables of an order: neighbours together, or spread over all of them."""
    counts = sizes(len(order), seats)
    if is_spread:
        return [list(order[table :: len(counts)]) for table in range(len(counts))]
    left = iter(order)
    return [[next(left) for _ in range(count)] for count in counts]


def _improved(tables: list[Table], costs: dict[frozenset[int], int]) -> list[Table]:
    """Exchange players of different tables as long as that costs less."""
    for _ in range(_PASSES):
        is_better = False
        for here, there in combinations(tables, 2):
            for place in range(len(here)):
                for other_place in range(len(there)):
                    if _gain(here, place, there, other_place, costs) > 0:
                        here[place], there[other_place] = there[other_place], here[place]
                        is_better = True
        if not is_better:
            break
    return tables


def _gain(here: Table, place: int, there: Table, other_place: int, costs: dict[frozenset[int], int]) -> int:
    """Return how much less it costs when two are exchanged."""
    one, other = here[place], there[other_place]
    stay = [number for number in here if number != one]
    others = [number for number in there if number != other]
    before = sum(costs[frozenset((one, each))] for each in stay) + sum(costs[frozenset((other, each))] for each in others)
    after = sum(costs[frozenset((other, each))] for each in stay) + sum(costs[frozenset((one, each))] for each in others)
    return before - after


def _cost(tables: Sequence[Table], costs: dict[frozenset[int], int]) -> int:
    return sum(costs[frozenset(pair)] for table in tables for pair in combinations(table, 2))


def _game(round_number: int, table: Sequence[int]) -> Game:
    first, second, *others = table
    return Game(round_number, first, second, others=tuple(others))
