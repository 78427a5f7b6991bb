"""A player's news in the Python client: what becomes of messages, and a running deployment over a cable that is cut."""

import asyncio
from collections.abc import Callable

import pytest

from brettwerk.v1 import news_pb2
from brettwerk_client import AsyncClient, Client, Refused, me, nobody
from brettwerk_client.news import NewsProgress
from brettwerk_client.progress import Hole
from deploy.local.deployment import Deployment
from tests.clients.cable import Cable

CAUSES = news_pb2.NewsResync
TAKEN, OVER = news_pb2.News.KIND_SEAT_TAKEN, news_pb2.News.KIND_GAME_OVER


def news(version: int) -> news_pb2.WatchPlayerResponse:
    return news_pb2.WatchPlayerResponse(news=news_pb2.News(version=version))


def resync(
    head: int, *versions: int, cause: news_pb2.NewsResync.Cause.ValueType = CAUSES.CAUSE_GAP
) -> news_pb2.WatchPlayerResponse:
    kept = [news_pb2.News(version=version) for version in versions]
    return news_pb2.WatchPlayerResponse(resync=CAUSES(head_version=head, news=kept, cause=cause))


def versions(progress: NewsProgress, *messages: news_pb2.WatchPlayerResponse) -> list[int]:
    return [one.version for message in messages for one in progress.take(message)]


def test_all_news_come_once_and_in_order() -> None:
    progress = NewsProgress()
    assert versions(progress, resync(2, 1, 2), news(2), news(3), news(3), news(4)) == [1, 2, 3, 4]
    assert progress.request().after_version == 4


def test_news_that_are_missing_are_noticed_and_come_with_a_new_beginning() -> None:
    progress = NewsProgress(after_version=3)
    with pytest.raises(Hole):
        progress.take(news(5))
    assert versions(progress, resync(6, 3, 5, 6)) == [5, 6]


def test_a_server_that_does_not_know_the_last_version_counts_anew() -> None:
    assert versions(NewsProgress(after_version=9), resync(1, 1, cause=CAUSES.CAUSE_AHEAD), news(2)) == [1, 2]


def table_of(ada: Client, bert: Client) -> Callable[[], None]:
    """Make a table of Ada's at which Bert sits down; returns what ends its game."""
    session_id = ada.create_session("einstein", [me(), nobody()]).session.id
    return bert.join_session(session_id).resign


@pytest.mark.e2e
def test_a_bot_is_told_of_tables_that_it_does_not_watch_also_when_the_cable_is_cut(deployment: Deployment) -> None:
    with (
        Cable(deployment.grpc_address) as cable,
        Client(cable.address, name="Ada") as ada,
        Client(deployment.grpc_address, name="Bert") as bert,
    ):
        received = ada.news()
        resign = table_of(ada, bert)
        assert next(received).kind == TAKEN
        cable.cut()
        resign()
        seen: list[news_pb2.News] = []
        while not seen or seen[-1].kind != OVER:
            seen.append(next(received))
        assert [one.version for one in seen] == list(range(2, len(seen) + 2))
        again = ada.news(after_version=seen[-1].version - 1)
        assert next(again) == seen[-1]


@pytest.mark.e2e
def test_news_on_asyncio_go_on_where_they_were_cut(deployment: Deployment) -> None:
    async def follow(ada: Client, bert: Client, cable: Cable) -> list[int]:
        async with AsyncClient(cable.address, token=ada.token) as client:
            received = client.news()
            resign = await asyncio.to_thread(table_of, ada, bert)
            seen = [await anext(received)]
            cable.cut()
            await asyncio.to_thread(resign)
            while seen[-1].kind != OVER:
                seen.append(await anext(received))
            return [one.version for one in seen]

    with (
        Cable(deployment.grpc_address) as cable,
        Client(deployment.grpc_address, name="Ada") as ada,
        Client(deployment.grpc_address, name="Bert") as bert,
    ):
        found = asyncio.run(follow(ada, bert, cable))
        assert found == list(range(1, len(found) + 1))


@pytest.mark.e2e
def test_a_client_without_a_player_has_no_news(deployment: Deployment) -> None:
    with Client(deployment.grpc_address) as client, pytest.raises(Refused):
        next(client.news())
