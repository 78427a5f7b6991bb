"""The one query that tells whether there is anything to do sees whoever waits, and whatever goes on."""

from collections.abc import Mapping

import pytest
from sqlalchemy import Table

from services.players.arena.tables import ARENA_ENTRIES, ARENA_GAMES
from services.players.matchmaker import is_anything_pending
from services.players.opponents.session_orders import FAILED, MADE, OVER, WANTED
from services.players.opponents.tables import ARRANGEMENTS, SEEKS
from services.players.store import open_store
from services.players.tournaments.tables import TOURNAMENTS
from services.players.tournaments.tournament_rows import CANCELLED, FINISHED, OPEN, RUNNING


def row_of(table: Table, given: Mapping[str, object]) -> dict[str, object]:
    """Return a row with something in each column."""
    empty = {column.name: column.type.python_type() for column in table.columns if not column.nullable}
    return {**empty, **given}


@pytest.mark.parametrize(
    ("table", "given", "is_pending"),
    [
        (SEEKS, {}, True),
        (ARRANGEMENTS, {"state": WANTED}, True),
        (ARRANGEMENTS, {"state": MADE}, True),
        (ARRANGEMENTS, {"state": FAILED}, False),
        (ARRANGEMENTS, {"state": OVER}, False),
        (TOURNAMENTS, {"state": OPEN}, True),
        (TOURNAMENTS, {"state": RUNNING}, True),
        (TOURNAMENTS, {"state": FINISHED}, False),
        (TOURNAMENTS, {"state": CANCELLED}, False),
        (ARENA_ENTRIES, {"player_id": "a", "game": "einstein", "at_once": 1}, True),
        (ARENA_GAMES, {"ended_at_ms": 0}, True),
        (ARENA_GAMES, {"ended_at_ms": 1}, False),
    ],
    ids=lambda value: value.name if isinstance(value, Table) else None,
)
def test_there_is_something_to_do_exactly_while_somebody_waits_or_something_goes_on(
    players_url: str, table: Table, given: dict[str, object], is_pending: bool
) -> None:
    store = open_store(players_url)
    try:
        assert not store.run_here(is_anything_pending)
        store.run_here(lambda connection: connection.execute(table.insert().values(**row_of(table, given))))
        assert store.run_here(is_anything_pending) is is_pending
    finally:
        store.close()
