"""How far a player has come with the achievements. It follows from stored games, so it is the same after a rebuild."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from sqlalchemy import Connection, func, select

from brettwerk.v1 import profiles_pb2 as pb
from brettwerk_games.languages.folders import BASE
from services.players.achievements.catalogue import ROW, TIMES, Achievement
from services.players.ratings.pools import DAY_MS
from services.players.results.summary import UNFINISHED
from services.players.results.tables import RESULTS

Ended = Sequence[int]
"""When games ended, in order, in milliseconds since 1970."""


def progress_of(
    connection: Connection, player_id: str, achievements: Iterable[Achievement], language: str
) -> list[pb.Achievement]:
    """Return achievements with a player's progress, none for nobody (""), in words of a language, or else in English."""
    query = (
        select(RESULTS.c.game, RESULTS.c.finished_at_ms, RESULTS.c.result, RESULTS.c.feats)
        .where(RESULTS.c.player_id == player_id, RESULTS.c.result != UNFINISHED)
        .order_by(RESULTS.c.finished_at_ms, RESULTS.c.session_id, RESULTS.c.number)
    )
    played: Sequence[Any] = connection.execute(query).all() if player_id else ()
    counting = _counting(played)
    found = []
    for one in achievements:
        ways = counting.get((one.game, one.stored_as), [])
        if one.counts == ROW:
            far, at_ms = _in_a_row(played, one)
        elif one.counts == TIMES:
            far, at_ms = _nth(_merged(ways), one.goal)
        elif one.counts == "days":
            # from the last to the first, so that the first game of a day is what stays of it
            far, at_ms = _nth(sorted({at // DAY_MS: at for at in reversed(_merged(ways))}.values()), one.goal)
        elif one.counts == "games":
            far, at_ms = _nth(_firsts_of_games(ways), one.goal)
        else:
            far, at_ms = _nth(_opponents(connection, player_id, one) if ways else [], one.goal)
        words = one.words.get(language) or one.words[BASE]
        found.append(
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
    return found


def _counting(played: Iterable[Any]) -> dict[tuple[str, str], list[tuple[str, Ended]]]:
    """Return the games that count for each achievement, by its game and by what is stored of it.

    Many achievements count the same games. So they are not gone through for every achievement, but told in parts, each of a game
    and in order: those that count for the same.
    """
    alike: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for game, finished_at_ms, _, feats in played:
        alike[game, feats].append(finished_at_ms)
    counting: dict[tuple[str, str], list[tuple[str, Ended]]] = {}
    for (game, feats), ended in alike.items():
        for name in feats.split():
            counting.setdefault(("" if "/" in name else game, name), []).append((game, ended))
    return counting


def _merged(ways: Sequence[tuple[str, Ended]]) -> Ended:
    """Return when games ended, in order; what is in order in parts is quickly put in order."""
    return sorted(chain.from_iterable(ended for _, ended in ways)) if len(ways) > 1 else next((ended for _, ended in ways), ())


def _firsts_of_games(ways: Sequence[tuple[str, Ended]]) -> Ended:
    """Return when the first one of each game ended, in order."""
    firsts: dict[str, int] = {}
    for game, ended in ways:
        firsts[game] = min(firsts.get(game, ended[0]), ended[0])
    return sorted(firsts.values())


def _in_a_row(played: Sequence[Any], one: Achievement) -> tuple[int, int]:
    """Return the longest row of games, and when it was long enough for the first time."""
    longest, length, at_ms = 0, 0, 0
    good = one.condition.results
    for game, finished_at_ms, result, _ in played:
        if one.game and game != one.game:
            continue
        if result not in good:
            length = 0
            continue
        length += 1
        if length > longest:
            longest = length
            at_ms = finished_at_ms if length == one.goal else at_ms
    return longest, at_ms


def _nth(ended: Ended, goal: int) -> tuple[int, int]:
    return len(ended), ended[goal - 1] if len(ended) >= goal else 0


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
