"""Finished games in SQL: what each came to for those who sat there, and for which achievements it counts. In a transaction."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, delete, update

from services.archive.outbox import Finished
from services.archive.upsert import insert_into
from services.players.accounts.deleted_players import gone, mark_of
from services.players.accounts.names import sought
from services.players.achievements.catalogue import feats
from services.players.arena import arena_rows
from services.players.conduct import conduct_rows
from services.players.conduct.conduct_rows import Noted
from services.players.conduct.tables import CONDUCT
from services.players.ratings.pools import Pool
from services.players.ratings.tables import RATING_EVENTS, RATING_POOLS, RATING_WEEKS, RATINGS
from services.players.results.summary import Summary
from services.players.results.tables import GAMES, RESULTS

Row = dict[str, object]


def store(
    connection: Connection, found: Sequence[tuple[Finished, Summary]], behaved: Mapping[str, Noted]
) -> tuple[int, set[Pool]]:
    """Store those games that are new; return how many, and where they count for ratings.

    `behaved`: by session what those who began it did, of those in which that counts.
    """
    fresh = insert_into(connection, GAMES).on_conflict_do_nothing().returning(GAMES.c.session_id)
    ids = set(connection.execute(fresh, [_game(one, summary) for one, summary in found]).scalars()) if found else set()
    new = [(one, summary) for one, summary in found if one.session_id in ids]
    arena = arena_rows.kinds(connection, [one.session_id for one, _ in new])
    for session_id, kind in arena.items():
        connection.execute(update(GAMES).where(GAMES.c.session_id == session_id, GAMES.c.kind != "").values(kind=kind))
    players = {result.player_id for _, summary in new for result in summary.results if result.player_id}
    left = gone(connection, sorted(players)) if players else set()
    if results := [row for one, summary in new for row in _results(one, summary, left)]:
        connection.execute(RESULTS.insert(), results)
    conduct_rows.note(connection, [behaved[one.session_id] for one, _ in new if one.session_id in behaved], left)
    return len(new), {Pool(one.game, arena.get(one.session_id, summary.kind)) for one, summary in new if summary.kind}


def forget_all(connection: Connection) -> None:
    """Forget all that came of finished games."""
    for table in (RATING_WEEKS, RATING_EVENTS, RATINGS, RATING_POOLS, CONDUCT, RESULTS, GAMES):
        connection.execute(delete(table))


def _game(one: Finished, summary: Summary) -> Row:
    return {
        "session_id": one.session_id,
        "game": one.game,
        "finished_at_ms": one.finished_at_ms,
        "seats": summary.seats,
        "plies": summary.plies,
        "rule": summary.rule,
        "public": one.public,
        "competitive": summary.competitive,
        "status": summary.status,
        "reason": summary.reason[:100],
        "kind": summary.kind,
        "rated": None if summary.kind else False,
    }


def _results(one: Finished, summary: Summary, left: set[str]) -> Iterable[Row]:
    counts_for = feats(one.game, summary)
    for number, result in enumerate(summary.results):
        is_gone = result.player_id in left
        yield {
            "session_id": one.session_id,
            "number": number,
            "seat": result.seat,
            "player_id": mark_of(result.player_id) if is_gone else result.player_id,
            "level": result.level,
            "result": result.result,
            "place": result.place,
            "side": result.side,
            "began": result.began,
            "name": "" if is_gone else result.name,
            "sought": "" if is_gone else sought(result.name),
            "depth": result.depth,
            "share": result.share,
            "feats": "" if is_gone else counts_for.get(number, ""),
            "game": one.game,
            "finished_at_ms": one.finished_at_ms,
        }
