"""The way of the players' tables through all migrations, back and up again, with rows in all of them."""

import pytest
from sqlalchemy import column, insert, table, update

from services.players.opponents import session_orders
from services.players.opponents.tables import ARRANGEMENTS
from services.players.store import MIGRATIONS
from services.runtime.player_names import skeleton
from tests.services.archive.conftest import database_url
from tests.services.archive.migrating import Migrated, changed, opened, walk_down_and_up

__all__ = ["database_url"]


@pytest.mark.nightly
def test_each_migration_goes_back_and_comes_again_with_its_rows_kept(database_url: str) -> None:
    with opened(database_url) as engine:
        walk_down_and_up(engine, MIGRATIONS)


def test_a_downgrade_removes_orders_that_the_release_before_tournaments_cannot_carry_out(players_url: str) -> None:
    with opened(players_url) as engine:
        database = Migrated(engine, MIGRATIONS)
        database.upgrade("head")
        database.fill()
        with engine.begin() as connection:
            connection.execute(update(ARRANGEMENTS).values(kind=session_orders.TOURNAMENT))
        database.downgrade("0008")
        assert database.rows()["players_arrangements"] == {}


def test_all_migrations_that_go_back_at_once_keep_the_accounts(players_url: str) -> None:
    with opened(players_url) as engine:
        database = Migrated(engine, MIGRATIONS)
        database.upgrade("head")
        database.fill()
        before = database.rows()
        database.downgrade("0001")
        after = database.rows()
        assert {"players_accounts", "players_passkeys", "players_sign_outs"} <= after.keys()
        assert changed(before, after) == set()


def test_accounts_of_earlier_releases_are_found_by_what_their_names_look_like(players_url: str) -> None:
    with opened(players_url) as engine:
        database = Migrated(engine, MIGRATIONS)
        database.upgrade("head")
        database.downgrade("0012")
        old = {"player_id": "anna", "name": "\u0410nna", "created_at_ms": 0, "generation": 0}  # with a Cyrillic capital
        accounts = table("players_accounts", *(column(name) for name in old))
        with engine.begin() as connection:
            connection.execute(insert(accounts).values(old))
        database.upgrade("head")
        assert database.rows()["players_accounts"]["skeleton"] == skeleton("Anna")
