"""The players service in a whole house: its endpoint, its tables, and that nobody needs it to play."""

from pathlib import Path

import grpc
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import select

from brettwerk.v1 import accounts_pb2, play_pb2
from deploy.local.house import House
from services.archive.database import open_engine
from services.players.store import MIGRATIONS, open_store
from services.players.tables import METADATA, RESULTS
from tests.e2e.stranger import Stranger, computer, eventually, me, new_id


async def test_the_migrations_make_exactly_the_tables_of_the_queries(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/players.sqlite3"
    store = open_store(url)
    await store.run(lambda connection: None)
    store.close()
    engine = open_engine(url)
    with engine.connect() as connection:
        options = {"version_table": MIGRATIONS.version_table, "compare_type": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), METADATA) == []
    engine.dispose()


@pytest.mark.e2e
def test_a_guest_has_an_account_that_holds_nothing(house: House):
    ada = Stranger(house.grpc_address, "Ada")
    account = ada.stub.GetAccount(accounts_pb2.GetAccountRequest(), metadata=ada.metadata, timeout=20).account
    assert account == accounts_pb2.Account(player_id=ada.player_id, name="Ada")
    ada.close()


@pytest.mark.e2e
def test_play_goes_on_while_the_service_is_down(own_house: House):
    ada = Stranger(own_house.grpc_address, "Ada")
    played: list[grpc.StatusCode] = []
    own_house.restart("players", lambda: played.append(play_without(ada)))
    assert played == [grpc.StatusCode.UNAVAILABLE]
    own_house.wait("players")
    eventually(lambda: is_answered(ada), 20)  # a gateway that has lost the service tries again within two seconds
    assert own_account(ada) == "Ada"
    ada.close()


def play_without(ada: Stranger) -> grpc.StatusCode:
    """Found a table and move at it while there is no players service; returns with what a question to that ends."""
    session, seats = ada.create(me(), computer())
    before = ada.look(session.id, seats[0])
    assert ada.act(before, seats[0]).version > before.version
    with pytest.raises(grpc.RpcError) as caught:
        own_account(ada)
    return caught.value.code()


def own_account(ada: Stranger) -> str:
    return ada.stub.GetAccount(accounts_pb2.GetAccountRequest(), metadata=ada.metadata, timeout=20).account.name


def is_answered(ada: Stranger) -> bool:
    try:
        own_account(ada)
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.UNAVAILABLE:
            raise
        return False
    return True


@pytest.mark.e2e
def test_another_device_plays_on_at_the_seat_until_its_player_signs_out_everywhere(house: House):
    ada, phone = Stranger(house.grpc_address, "Ada"), Stranger(house.grpc_address, "Phone")
    session, seats = ada.create(me(), computer())
    link = ada.stub.StartLink(accounts_pb2.StartLinkRequest(), metadata=ada.metadata, timeout=20)
    signed_in = phone.stub.SignIn(accounts_pb2.SignInRequest(link=link.code), metadata=phone.metadata, timeout=20)
    assert (signed_in.player_id, signed_in.name) == (ada.player_id, "Ada")
    phone.metadata = (("authorization", f"Bearer {signed_in.player_token}"),)
    grant = phone.join(session.id, next(iter(seats)))
    update = phone.look(session.id, grant.seat_token)
    assert phone.act(update, grant.seat_token).version > update.version

    out = ada.stub.SignOutEverywhere(accounts_pb2.SignOutEverywhereRequest(), metadata=ada.metadata, timeout=20)
    eventually(lambda: is_void(phone), 20)
    assert is_void(ada)
    ada.metadata = (("authorization", f"Bearer {out.player_token}"),)
    assert own_account(ada) == "Ada"
    ada.close()
    phone.close()


def is_void(one: Stranger) -> bool:
    try:
        one.stub.ListGames(play_pb2.ListGamesRequest(), metadata=one.metadata, timeout=20)
    except grpc.RpcError as error:
        return error.code() is grpc.StatusCode.UNAUTHENTICATED
    return False


@pytest.mark.e2e
def test_a_finished_game_reaches_the_results_of_its_player(house: House):
    ada = Stranger(house.grpc_address, "Ada")
    session, seats = ada.create(me(), computer(), competitive=True)
    resign = play_pb2.ResignRequest(session_id=session.id, seat_token=seats[0], request_id=new_id())
    ada.stub.Resign(resign, metadata=ada.metadata, timeout=20)
    store = open_store(house.environment["BRETTWERK_PLAYERS_DATABASE_URL"])
    query = select(RESULTS.c.session_id, RESULTS.c.result).where(RESULTS.c.player_id == ada.player_id)

    def results() -> list[tuple[str, str]]:
        return [(row.session_id, row.result) for row in store.run_here(lambda connection: connection.execute(query).all())]

    eventually(lambda: results() == [(session.id, "lost")], 30)
    store.close()
    ada.close()
