"""How far a player is with the achievements. It follows from what is stored of games, so it is the same after a rebuild."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from brettwerk.v1 import profiles_pb2 as pb
from services.players.achievements.catalogue import ROW, TIMES, Achievement
from services.players.ratings.pools import DAY_MS
from services.players.results.reading import UNFINISHED
from services.players.tables import RESULTS

_OF: dict[str, Callable[[Any], Hashable]] = {
    "days": lambda row: row.finished_at_ms // DAY_MS,
    "games": lambda row: row.game,
}


def progress_of(
    connection: Connection, player_id: str, achievements: Iterable[Achievement], language: str
) -> list[pb.Achievement]:
    """Return achievements with a player's progress, in words of a language (en or de)."""
    query = (
        select(RESULTS.c.game, RESULTS.c.finished_at_ms, RESULTS.c.result, RESULTS.c.feats)
        .where(RESULTS.c.player_id == player_id, RESULTS.c.result != UNFINISHED)
        .order_by(RESULTS.c.finished_at_ms, RESULTS.c.session_id, RESULTS.c.number)
    )
    played: Sequence[Any] = connection.execute(query).all()
    counted = _counted(played)
    told = []
    for one in achievements:
        rows = counted.get((one.game, one.stored_as), [])
        if one.counts == ROW:
            far, at_ms = _in_a_row(played, one)
        elif one.counts == TIMES:
            far, at_ms = len(rows), rows[one.goal - 1].finished_at_ms if len(rows) >= one.goal else 0
        else:
            far, at_ms = _nth(_firsts(connection, player_id, one, rows), one.goal)
        words = one.words[language]
        told.append(
            pb.Achievement(
                id=one.id,
                game=one.game,
                name=words["name"],
                text=words["text"],
                goal=one.goal,
                progress=min(far, one.goal),
                reached_at_ms=at_ms,
            )
        )
    return told


def _counted(played: Iterable[Any]) -> dict[tuple[str, str], list[Any]]:
    """Return the games that count for each achievement, by its game and by what is stored of it."""
    counted: dict[tuple[str, str], list[Any]] = {}
    # what games count for is the same again and again: each way is taken apart once
    ways: dict[tuple[str, str], list[list[Any]]] = {}
    for row in played:
        game, _, _, feats = row
        lists = ways.get((game, feats))
        if lists is None:
            names = [("" if "/" in name else game, name) for name in feats.split()]
            lists = ways[game, feats] = [counted.setdefault(name, []) for name in names]
        for one in lists:
            one.append(row)
    return counted


def _in_a_row(played: Sequence[Any], one: Achievement) -> tuple[int, int]:
    """Return the longest row of games, and when it was long enough for the first time."""
    longest, length, at_ms = 0, 0, 0
    for game, finished_at_ms, result, _ in played:
        if one.game and game != one.game:
            continue
        if result not in one.condition.results:
            length = 0
            continue
        length += 1
        if length > longest:
            longest = length
            at_ms = finished_at_ms if length == one.goal else at_ms
    return longest, at_ms


def _nth(firsts: Sequence[int], goal: int) -> tuple[int, int]:
    return len(firsts), firsts[goal - 1] if len(firsts) >= goal else 0


def _firsts(connection: Connection, player_id: str, one: Achievement, rows: Sequence[Any]) -> list[int]:
    """Return when each of the different ones was first among the games that count, in order."""
    if one.counts == "opponents":
        return _opponents(connection, player_id, one) if rows else []
    firsts: dict[Hashable, int] = {}
    for row in rows:
        firsts.setdefault(_OF[one.counts](row), row.finished_at_ms)
    return list(firsts.values())


def _opponents(connection: Connection, player_id: str, one: Achievement) -> list[int]:
    mine, other = RESULTS.alias("mine"), RESULTS.alias("other")
    first = func.min(mine.c.finished_at_ms)
    query = (
        select(first)
        .select_from(mine.join(other, other.c.session_id == mine.c.session_id))
        .where(
            mine.c.player_id == player_id,
            (" " + mine.c.feats + " ").contains(f" {one.stored_as} ", autoescape=True),
            other.c.player_id.not_in((player_id, "")),
        )
        .group_by(other.c.player_id)
        .order_by(first)
    )
    if one.game:
        query = query.where(mine.c.game == one.game)
    return list(connection.execute(query).scalars())
