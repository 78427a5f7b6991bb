"""Counts stored results for ratings: each game once, in order of the games' ends, whenever it comes.

The rule: a pool's ratings are what its games come to when they are counted in order of (finished_at_ms, session_id). A game that
comes late takes the pool back to where it belongs (`_rewind`), and it is counted on from there. So every order of arrival, any
number of workers, and a rebuild end with the same numbers, to the last bit.

Work is done in steps of a bounded number of games, each in one transaction: who dies leaves whole steps, and the games that are
left are marked as such. While a long way back is made up for, boards show how things stood at that point of it.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, bindparam, delete, func, select, tuple_, update

from services.archive.upsert import insert_into
from services.players.ratings.pools import Pool, week_of
from services.players.ratings.rating_update import Event, Game, Sat, reckon
from services.players.ratings.states import event_row, lots, put, state_after, state_row, states_of, week_row, write_states
from services.players.ratings.tables import RATING_EVENTS, RATING_POOLS, RATING_WEEKS, RATINGS
from services.players.ratings.trust import MEMORY_MS, Meetings
from services.players.results.rating_kind import KINDS
from services.players.results.summary import ABANDONED
from services.players.results.tables import GAMES, RESULTS

Place = tuple[int, str]
"""A game's place in the order: when it ended, and its session."""
STEP = 500
"""Games that are counted in one transaction."""

_UNRATED = GAMES.c.rated.is_(None) & GAMES.c.kind.in_(KINDS)
_COUNTED = RESULTS.c.began.is_(True) | (RESULTS.c.share > 0)
"""The results of those who began a game, and of substitutes."""
_MARK = update(GAMES).where(GAMES.c.session_id == bindparam("counted")).values(rated=True)


def waiting(connection: Connection) -> list[Pool]:
    """Return the pools in which games are to be counted."""
    query = select(GAMES.c.game, GAMES.c.kind).where(_UNRATED).distinct()
    return [Pool(*row) for row in connection.execute(query)]


def step(connection: Connection, pools: Iterable[Pool]) -> int:
    """Count the next games of some pools; return how many. Zero: there is none left that could be seen.

    Games of a kind that is not known here wait for a process that knows it, and its levels.
    """
    known = sorted(pool for pool in pools if pool.kind in KINDS)  # in one order: so two workers wait, and none for ever
    return sum(_step(connection, pool) for pool in known)


def _step(connection: Connection, pool: Pool) -> int:
    done = _locked(connection, pool)
    places = _next(connection, pool)
    if not places:
        return 0
    if places[0] < done:
        _rewind(connection, pool, places[0])
        places = _next(connection, pool)
    games = _games(connection, places)
    players = {one.player_id for game in games for one in game.sat if one.player_id}
    states = states_of(connection, pool, players)
    meetings = _meetings(connection, pool, players, places[0])
    events = [event for game in games for event in reckon(pool, states, game, meetings)]
    _write(connection, pool, games, events)
    write_states(connection, pool, events)
    return len(games)


def _next(connection: Connection, pool: Pool) -> list[Place]:
    """Return the places of the first games that are not counted yet."""
    query = (
        select(GAMES.c.finished_at_ms, GAMES.c.session_id)
        .where(GAMES.c.game == pool.game, GAMES.c.kind == pool.kind, GAMES.c.rated.is_(None))
        .order_by(GAMES.c.finished_at_ms, GAMES.c.session_id)
        .limit(STEP)
    )
    return [(at_ms, session_id) for at_ms, session_id in connection.execute(query)]


def _locked(connection: Connection, pool: Pool) -> Place:
    """Return the last game that was counted, once nobody else counts in the pool until this transaction ends."""
    fresh = insert_into(connection, RATING_POOLS).values(game=pool.game, kind=pool.kind, at_ms=0, session_id="")
    # an update that changes nothing: it takes the lock in both databases, and tells what is there
    mine = fresh.on_conflict_do_update(index_elements=["game", "kind"], set_={"at_ms": RATING_POOLS.c.at_ms})
    row = connection.execute(mine.returning(RATING_POOLS.c.at_ms, RATING_POOLS.c.session_id)).one()
    return row.at_ms, row.session_id


def _games(connection: Connection, places: Sequence[Place]) -> list[Game]:
    """Return games with who began them and their substitutes, in order of their ends."""
    rows = connection.execute(
        select(
            RESULTS.c.session_id,
            RESULTS.c.player_id,
            RESULTS.c.level,
            RESULTS.c.depth,
            RESULTS.c.place,
            RESULTS.c.side,
            RESULTS.c.result,
            RESULTS.c.share,
        )
        .where(
            RESULTS.c.session_id.in_([session_id for _, session_id in places]),
            _COUNTED,
        )
        .order_by(RESULTS.c.session_id, RESULTS.c.number)
    )
    sat: dict[str, list[Sat]] = {session_id: [] for _, session_id in places}
    for session_id, player_id, level, depth, place, side, result, share in rows:
        if player_id or not depth:  # a depth of the seat's own choice is another strength
            sat[session_id].append(Sat(player_id, level, place, side, result == ABANDONED, share))
    return [Game(session_id, at_ms, tuple(sat[session_id])) for at_ms, session_id in places]


def _meetings(connection: Connection, pool: Pool, players: Iterable[str], first: Place) -> Meetings:
    """Return who of these players met whom of late, before the first game: all games before it are counted, and none after it."""
    met: dict[Place, list[str]] = {}
    for some in lots(sorted(players)):
        rows = connection.execute(
            select(GAMES.c.finished_at_ms, GAMES.c.session_id, RESULTS.c.player_id)
            .join(RESULTS, RESULTS.c.session_id == GAMES.c.session_id)
            .where(
                GAMES.c.game == pool.game,
                GAMES.c.kind == pool.kind,
                GAMES.c.rated.is_(True),
                GAMES.c.finished_at_ms.between(first[0] - MEMORY_MS, first[0]),
                _COUNTED,
                RESULTS.c.player_id.in_(some),
            )
        )
        for at_ms, session_id, player_id in rows:
            met.setdefault((at_ms, session_id), []).append(player_id)
    meetings = Meetings()
    for at_ms, session_id in sorted(met):
        meetings.note(met[at_ms, session_id], at_ms)
    return meetings


def _write(connection: Connection, pool: Pool, games: Sequence[Game], events: Sequence[Event]) -> None:
    if events:
        connection.execute(RATING_EVENTS.insert(), [event_row(pool, event) for event in events])
    connection.execute(_MARK, [{"counted": game.session_id} for game in games])
    last = max((game.finished_at_ms, game.session_id) for game in games)
    mine = update(RATING_POOLS).where(RATING_POOLS.c.game == pool.game, RATING_POOLS.c.kind == pool.kind)
    connection.execute(mine.values(at_ms=last[0], session_id=last[1]))


def _rewind(connection: Connection, pool: Pool, first: Place) -> None:
    """Leave games from `first` on uncounted, and give their players the ratings that they had before."""
    events = (RATING_EVENTS.c.game == pool.game) & (RATING_EVENTS.c.kind == pool.kind)
    later = events & (tuple_(RATING_EVENTS.c.finished_at_ms, RATING_EVENTS.c.session_id) >= first)
    games = (GAMES.c.game == pool.game) & (GAMES.c.kind == pool.kind) & GAMES.c.rated.is_(True)
    places = tuple_(GAMES.c.finished_at_ms, GAMES.c.session_id)
    players = list(connection.execute(select(RATING_EVENTS.c.player_id).where(later).distinct()).scalars())
    connection.execute(delete(RATING_EVENTS).where(later))
    connection.execute(update(GAMES).where(games, places >= first).values(rated=None))
    for some in lots(players):
        _restore(connection, pool, some, week_of(first[0]))


def _restore(connection: Connection, pool: Pool, players: list[str], week: int) -> None:
    """Give some players the states that their last events led to; none to those who have no event any more."""
    newest = func.row_number().over(
        partition_by=RATING_EVENTS.c.player_id,
        order_by=(RATING_EVENTS.c.finished_at_ms.desc(), RATING_EVENTS.c.session_id.desc()),
    )
    ranked = (
        select(RATING_EVENTS, newest.label("age"))
        .where(RATING_EVENTS.c.player_id.in_(players), RATING_EVENTS.c.game == pool.game, RATING_EVENTS.c.kind == pool.kind)
        .subquery()
    )
    states = {row.player_id: state_after(row) for row in connection.execute(select(ranked).where(ranked.c.age == 1))}
    rating, weeks = RATINGS.c, RATING_WEEKS.c
    connection.execute(delete(RATINGS).where(rating.player_id.in_(players), rating.game == pool.game, rating.kind == pool.kind))
    connection.execute(
        delete(RATING_WEEKS).where(
            weeks.player_id.in_(players), weeks.game == pool.game, weeks.kind == pool.kind, weeks.week >= week
        )
    )
    if states:
        put(connection, RATINGS, [state_row(pool, player_id, state) for player_id, state in states.items()])
    if this_week := [week_row(pool, player_id, state) for player_id, state in states.items() if state.week == week]:
        put(connection, RATING_WEEKS, this_week)
