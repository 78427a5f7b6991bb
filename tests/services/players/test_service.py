"""The players service in a whole deployment: its endpoint, its tables, and that nobody needs it to play."""

from pathlib import Path

import grpc
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import select

from brettwerk.v1 import accounts_pb2, news_pb2, play_pb2, profiles_pb2
from deploy.local.deployment import Deployment
from services.archive.database import open_engine
from services.players.results.tables import RESULTS
from services.players.schema import METADATA
from services.players.store import MIGRATIONS, open_store
from tests.e2e.stranger import Stranger, computer, eventually, me, new_id, nobody, play_plies


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
def test_a_guest_has_an_account_that_holds_nothing(deployment: Deployment):
    ada = Stranger(deployment.grpc_address, "Ada")
    account = ada.stub.GetAccount(accounts_pb2.GetAccountRequest(), metadata=ada.metadata, timeout=20).account
    assert account == accounts_pb2.Account(player_id=ada.player_id, name="Ada")
    ada.close()


@pytest.mark.e2e
def test_play_goes_on_while_the_service_is_down(own_deployment: Deployment):
    ada = Stranger(own_deployment.grpc_address, "Ada")
    played: list[grpc.StatusCode] = []
    own_deployment.restart("players", lambda: played.append(play_without(ada)))
    assert played == [grpc.StatusCode.UNAVAILABLE]
    own_deployment.wait("players")
    eventually(lambda: is_answered(ada), 60)  # a gateway that has lost the service tries again within two seconds
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
def test_another_device_plays_on_at_the_seat_until_its_player_signs_out_everywhere(deployment: Deployment):
    ada, phone = Stranger(deployment.grpc_address, "Ada"), Stranger(deployment.grpc_address, "Phone")
    session, seats = ada.create(me(), computer())
    link = ada.stub.StartLink(accounts_pb2.StartLinkRequest(), metadata=ada.metadata, timeout=20)
    signed_in = phone.stub.SignIn(accounts_pb2.SignInRequest(link=link.code), metadata=phone.metadata, timeout=20)
    assert (signed_in.player_id, signed_in.name) == (ada.player_id, "Ada")
    phone.metadata = (("authorization", f"Bearer {signed_in.player_token}"),)
    grant = phone.join(session.id, next(iter(seats)))
    update = phone.look(session.id, grant.seat_token)
    assert phone.act(update, grant.seat_token).version > update.version

    out = ada.stub.SignOutEverywhere(accounts_pb2.SignOutEverywhereRequest(), metadata=ada.metadata, timeout=20)
    eventually(lambda: is_void(phone), 60)
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
def test_a_finished_game_reaches_the_results_of_its_player(deployment: Deployment):
    ada = Stranger(deployment.grpc_address, "Ada")
    session, seats = ada.create(me(), computer(), competitive=True)
    resign = play_pb2.ResignRequest(session_id=session.id, seat_token=seats[0], request_id=new_id())
    ada.stub.Resign(resign, metadata=ada.metadata, timeout=20)
    store = open_store(deployment.environment["BRETTWERK_PLAYERS_DATABASE_URL"])
    query = select(RESULTS.c.session_id, RESULTS.c.result).where(RESULTS.c.player_id == ada.player_id)

    def results() -> list[tuple[str, str]]:
        return [(row.session_id, row.result) for row in store.run_here(lambda connection: connection.execute(query).all())]

    eventually(lambda: results() == [(session.id, "lost")], 30)
    store.close()
    ada.close()


@pytest.mark.e2e
def test_a_finished_game_shows_in_profile_history_ranking_and_achievements(deployment: Deployment):
    ada, bert = Stranger(deployment.grpc_address, "Ada"), Stranger(deployment.grpc_address, "Bert")
    session, seats = ada.create(me(), nobody(), competitive=True)
    grant = bert.join(session.id, 1)
    play_plies(session.id, ((ada, seats[0]), (bert, grant.seat_token)), 6)  # shorter games are not rated
    resign = play_pb2.ResignRequest(session_id=session.id, seat_token=grant.seat_token, request_id=new_id())
    bert.stub.Resign(resign, metadata=bert.metadata, timeout=20)

    def profile(one: Stranger) -> profiles_pb2.GetProfileResponse:
        return one.stub.GetProfile(profiles_pb2.GetProfileRequest(), metadata=one.metadata, timeout=20)

    eventually(lambda: [rating.games for rating in profile(ada).ratings] == [1], 30)
    won, lost = profile(ada), profile(bert)
    assert (won.games[0].won, lost.games[0].lost, won.longest_streak) == (1, 1, 1)
    assert won.ratings[0].rating > 1500 > lost.ratings[0].rating
    wanted = profiles_pb2.ListResultsRequest(opponent="ada")
    (game,) = bert.stub.ListResults(wanted, metadata=bert.metadata, timeout=20).games
    assert (game.session_id, game.result, game.others[0].name) == (session.id, profiles_pb2.GAME_RESULT_LOST, "Ada")
    board = profiles_pb2.ListLeadersRequest(game="einstein", kind=profiles_pb2.PLAY_KIND_TWO, week_ms=game.finished_at_ms)
    leaders = bert.stub.ListLeaders(board, timeout=20).leaders
    assert {leader.player_id: leader.rank for leader in leaders}.items() >= {ada.player_id: 0, bert.player_id: 0}.items()
    asked = profiles_pb2.ListAchievementsRequest(language="de")
    achievements = ada.stub.ListAchievements(asked, metadata=ada.metadata, timeout=20).achievements
    assert {one.id for one in achievements if one.reached_at_ms} >= {"overall/won", "overall/rated", "einstein/first"}
    ada.close()
    bert.close()


@pytest.mark.e2e
def test_players_are_told_whose_turn_it_is_at_a_table_that_they_do_not_watch(deployment: Deployment):
    ada, ben = Stranger(deployment.grpc_address, "Ada"), Stranger(deployment.grpc_address, "Ben")
    session, seats = ada.create(me(), nobody())
    watch = ben.stub.WatchPlayer(news_pb2.WatchPlayerRequest(), metadata=ben.metadata, timeout=60)
    assert next(watch).resync.head_version == 0
    ben.join(session.id, 1)
    ada.act(ada.look(session.id, seats[0]), seats[0])
    received = next(message.news for message in watch if message.WhichOneof("kind") == "news")
    assert (received.version, received.kind, received.session_id) == (1, news_pb2.News.KIND_YOUR_TURN, session.id)
    watch.cancel()
    ada.close()
    ben.close()
