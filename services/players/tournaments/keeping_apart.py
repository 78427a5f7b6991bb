"""Players who are kept apart in a tournament: pairs that its owner has forbidden, and those of whom one has blocked the other.

Nobody is told who is kept apart because of a block. So that a block is no way to choose one's opponents, a player's own blocks
count against at most a quarter of the field, the oldest first, but against one player in any field.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select

from services.archive.upsert import insert_into
from services.players.opponents.tables import BLOCKS
from services.players.tournaments.tables import FORBIDDEN_PAIRS

MAX_FORBIDDEN = 512
"""Pairs that the owner of a tournament can forbid."""
_SHARE = 4
"""Of so many in the field, a player's own blocks keep one away."""

Pairs = frozenset[frozenset[int]]


def forbid(connection: Connection, tournament_id: str, players: Collection[str]) -> None:
    """Forbid all pairs among some players."""
    for one, other in combinations(sorted(players), 2):
        for player_id, other_id in ((one, other), (other, one)):
            row = {"tournament_id": tournament_id, "player_id": player_id, "other_id": other_id}
            connection.execute(insert_into(connection, FORBIDDEN_PAIRS).values(**row).on_conflict_do_nothing())


def allow(connection: Connection, tournament_id: str, players: Collection[str]) -> None:
    """Allow all pairs among some players again."""
    mine = FORBIDDEN_PAIRS.c.tournament_id == tournament_id
    among = FORBIDDEN_PAIRS.c.player_id.in_(players) & FORBIDDEN_PAIRS.c.other_id.in_(players)
    connection.execute(delete(FORBIDDEN_PAIRS).where(mine & among))


def count_forbidden(connection: Connection, tournament_id: str) -> int:
    """Return how many pairs are forbidden."""
    mine = FORBIDDEN_PAIRS.c.tournament_id == tournament_id
    count: int = connection.execute(select(func.count()).select_from(FORBIDDEN_PAIRS).where(mine)).scalar_one()
    return count // 2


def forbidden(connection: Connection, tournament_id: str) -> Sequence[tuple[str, str]]:
    """Return the pairs that are forbidden, by the ids of players."""
    mine = (FORBIDDEN_PAIRS.c.tournament_id == tournament_id) & (FORBIDDEN_PAIRS.c.player_id < FORBIDDEN_PAIRS.c.other_id)
    query = select(FORBIDDEN_PAIRS.c.player_id, FORBIDDEN_PAIRS.c.other_id).where(mine)
    return [(row.player_id, row.other_id) for row in connection.execute(query.order_by(*query.selected_columns))]


def forbidden_numbers(connection: Connection, tournament_id: str, players: Sequence[Row[Any]]) -> Pairs:
    """Return the pairs that are forbidden, by the numbers of players of a running tournament."""
    return _numbers(forbidden(connection, tournament_id), {one.player_id: one.number for one in players})


def apart(connection: Connection, tournament_id: str, players: Sequence[Row[Any]]) -> Pairs:
    """Return all who are kept apart, by the numbers of players of a running tournament."""
    here = {one.player_id: one.number for one in players if one.left_after is None and one.number is not None}
    return _apart(connection, tournament_id, here)


def _apart(connection: Connection, tournament_id: str, numbers: Mapping[str, int]) -> Pairs:
    ids = [*numbers]
    query = select(BLOCKS.c.player_id, BLOCKS.c.blocked_id).where(BLOCKS.c.player_id.in_(ids), BLOCKS.c.blocked_id.in_(ids))
    found = connection.execute(query.order_by(BLOCKS.c.created_at_ms, BLOCKS.c.blocked_id)).all()
    blocks = heeded([(row.player_id, row.blocked_id) for row in found], len(ids))
    return _numbers([*forbidden(connection, tournament_id), *blocks], numbers)


def apart_by_place(connection: Connection, tournament_id: str, players: Sequence[Row[Any]]) -> Pairs:
    """Return all who are kept apart, by their places among some players."""
    return _apart(connection, tournament_id, {one.player_id: place for place, one in enumerate(players)})


def heeded(blocks: Iterable[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """Return those blocks that count in a field of so many, of blockers and blocked, the oldest first.

    >>> heeded([("a", "b"), ("a", "c"), ("b", "a"), ("b", "c")], 5)
    [('a', 'b'), ('b', 'a')]
    """
    most = max(1, count // _SHARE)
    own: dict[str, int] = {}
    found = []
    for one, other in blocks:
        own[one] = own.get(one, 0) + 1
        if own[one] <= most:
            found.append((one, other))
    return found


def in_order(
    count: int, apart: Collection[frozenset[int]], rows: Sequence[range], together: Callable[[int, int], bool]
) -> list[int]:
    """Return an order of so many entrants in which no exchange lets fewer who are kept apart come together at once.

    `rows` are the places among which entrants may be exchanged, `together` says whether two places come together. Each exchange
    is between the nearest two that let fewer come together, so that the order stays as close to the given one as can be.
    """
    order, places = list(range(count)), list(range(count))
    away: dict[int, list[int]] = {}
    for pair in apart:
        one, other = sorted(pair)
        away.setdefault(one, []).append(other)
        away.setdefault(other, []).append(one)

    def meeting(place: int) -> int:
        return sum(together(place, places[other]) for other in away.get(order[place], ()))

    def exchange(one: int, other: int) -> None:
        order[one], order[other] = order[other], order[one]
        places[order[one]], places[order[other]] = one, other

    def gain(one: int, other: int) -> int:
        before = meeting(one) + meeting(other)
        exchange(one, other)
        after = meeting(one) + meeting(other)
        exchange(one, other)
        return before - after

    exchanges = sorted((pair for row in rows for pair in combinations(row, 2)), key=lambda pair: (pair[1] - pair[0], -pair[1]))
    while wrong := {place for place in range(count) if meeting(place)}:
        better = next((pair for pair in exchanges if not wrong.isdisjoint(pair) and gain(*pair) > 0), None)
        if better is None:
            break
        exchange(*better)
    return order


def _numbers(pairs: Iterable[tuple[str, str]], numbers: Mapping[str, int]) -> Pairs:
    return frozenset(frozenset((numbers[one], numbers[other])) for one, other in pairs if one in numbers and other in numbers)
