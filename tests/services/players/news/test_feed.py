"""News on a real database: their numbers, what is kept of them, and who gets to know."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import accounts_pb2, news_pb2
from services.players.accounts.accounts import Accounts
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.calls import Caller
from services.players.news import feed
from services.players.news.followers import Following
from services.players.store import open_store
from services.players.whole_account import WholeAccount
from services.runtime.refusal import Refused

ADA, BOB = "a" * 26, "b" * 26
NOON = 1_800_000_000_000
TURN = news_pb2.News.KIND_YOUR_TURN


def noted(player: str, version: int, session: str = "07abc", at_ms: int = NOON) -> players_pb2.NotedNews:
    news = news_pb2.News(kind=TURN, session_id=session, game="einstein", at_ms=at_ms)
    return players_pb2.NotedNews(player_id=player, session_version=version, news=news)


class Place:
    """Followers of a test's own."""

    def __init__(self, file: Path) -> None:
        self.store = open_store(f"sqlite:///{file}")
        self.following = Following(self.store, lambda: NOON, heartbeat_s=0.05)

    async def note(self, *notes: players_pb2.NotedNews) -> None:
        await self.following.note(players_pb2.NoteNewsRequest(notes=notes))

    async def page(self, player: str, after: int) -> feed.Page:
        return await self.store.run(lambda connection: feed.page(connection, player, after))


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    made = Place(tmp_path / "players.sqlite3")
    yield made
    made.store.close()


async def received(stream: AsyncIterator[players_pb2.FollowNewsResponse]) -> tuple[str, int, list[int]]:
    """Return the next message that is no heartbeat: its kind, the version it brings, and the versions of its news."""
    async for response in stream:
        message = news_pb2.WatchPlayerResponse.FromString(response.message)
        kind = message.WhichOneof("kind") or ""
        if kind != "heartbeat":
            found = list(message.resync.news) if kind == "resync" else [message.news]
            return kind, response.version, [one.version for one in found]
    raise AssertionError("the stream has ended")


async def test_every_player_has_numbers_of_their_own_without_holes(place: Place) -> None:
    await place.note(noted(ADA, 3), noted(BOB, 3), noted(ADA, 5))
    await place.note(noted(ADA, 7))
    assert [one.version for one in (await place.page(ADA, 1)).news] == [2, 3]
    assert (await place.page(BOB, 0)).head == 1


async def test_news_that_are_sent_again_are_noted_once(place: Place) -> None:
    await place.note(noted(ADA, 3))
    await place.note(noted(ADA, 3), noted(ADA, 4), noted(ADA, 4))
    assert (await place.page(ADA, 0)).head == 2


async def test_the_newest_news_are_kept_and_a_reader_who_lacks_older_ones_begins_anew(place: Place) -> None:
    await place.note(*(noted(ADA, version) for version in range(1, feed.KEPT + 11)))
    assert len((await place.page(ADA, 10)).news) == feed.KEPT
    assert (await place.page(ADA, 10)).cause is None
    assert (await place.page(ADA, 9)).cause == news_pb2.NewsResync.CAUSE_GAP
    assert (await place.page(ADA, 500)).cause == news_pb2.NewsResync.CAUSE_AHEAD


async def test_old_news_go_and_their_numbers_are_not_given_again(place: Place) -> None:
    await place.note(noted(ADA, 1, at_ms=NOON - feed.KEPT_MS - 1), noted(ADA, 2))
    await place.store.run(lambda connection: feed.forget_old(connection, NOON))
    await place.note(noted(ADA, 3))
    assert [one.version for one in (await place.page(ADA, 1)).news] == [2, 3]
    assert (await place.page(ADA, 0)).cause == news_pb2.NewsResync.CAUSE_GAP


async def test_a_deleted_account_has_no_news_and_gets_none(place: Place) -> None:
    await place.note(noted(ADA, 1), noted(BOB, 1))
    accounts = Accounts(place.store, b"k" * 32, OwnOrigins(""), lambda: NOON)
    whole = WholeAccount(place.store, accounts.proofs, lambda: NOON)
    await whole.delete_account(accounts_pb2.DeleteAccountRequest(name="Ada"), Caller(ADA, "Ada", "192.0.2.1"))
    await place.note(noted(ADA, 2), noted(BOB, 2))
    assert ((await place.page(ADA, 0)).head, (await place.page(BOB, 0)).head) == (0, 2)


async def test_a_follower_begins_with_what_there_is_and_is_told_what_comes(place: Place) -> None:
    await place.note(noted(ADA, 1), noted(ADA, 2))
    stream = place.following.follow(ADA, 0)
    assert await received(stream) == ("resync", 2, [1, 2])
    await place.note(noted(ADA, 3), noted(BOB, 3), noted(ADA, 4))
    assert await received(stream) == ("news", 3, [3])
    assert await received(stream) == ("news", 4, [4])
    await stream.aclose()


async def test_a_follower_goes_on_after_a_version(place: Place) -> None:
    await place.note(noted(ADA, 1), noted(ADA, 2))
    stream = place.following.follow(ADA, 1)
    assert await received(stream) == ("news", 2, [2])
    await stream.aclose()


async def test_the_first_news_of_all_come_as_news(place: Place) -> None:
    stream = place.following.follow(ADA, 0)
    assert await received(stream) == ("resync", 0, [])
    await place.note(noted(ADA, 1))
    assert await received(stream) == ("news", 1, [1])
    await stream.aclose()


async def test_news_that_another_process_has_noted_are_found(place: Place) -> None:
    stream = place.following.follow(ADA, 0)
    assert await received(stream) == ("resync", 0, [])
    await Following(place.store, lambda: NOON).note(players_pb2.NoteNewsRequest(notes=[noted(ADA, 1)]))
    await place.following.look()
    assert await received(stream) == ("news", 1, [1])
    await stream.aclose()


async def test_a_follower_hears_that_the_stream_lives(place: Place) -> None:
    stream = place.following.follow(ADA, 0)
    await received(stream)
    beat = news_pb2.WatchPlayerResponse.FromString((await anext(stream)).message)
    assert beat.heartbeat == news_pb2.NewsHeartbeat(head_version=0, at_ms=NOON)
    await stream.aclose()


async def test_a_follower_learns_the_servers_time_at_once(place: Place) -> None:
    rarely = Following(place.store, lambda: NOON, heartbeat_s=600)
    for after in (0, 1):
        stream = rarely.follow(ADA, after)
        first, second = [news_pb2.WatchPlayerResponse.FromString((await anext(stream)).message) for _ in range(2)]
        assert first.WhichOneof("kind") == "resync"
        assert second.heartbeat == news_pb2.NewsHeartbeat(head_version=first.resync.head_version, at_ms=NOON)
        await stream.aclose()
    await rarely.note(players_pb2.NoteNewsRequest(notes=[noted(ADA, 1)]))
    stream = rarely.follow(ADA, 1)
    only = news_pb2.WatchPlayerResponse.FromString((await anext(stream)).message)
    assert only.heartbeat == news_pb2.NewsHeartbeat(head_version=1, at_ms=NOON)
    await stream.aclose()


async def test_streams_end_with_their_process(place: Place) -> None:
    stream = place.following.follow(ADA, 0)
    await received(stream)
    place.following.close()
    with pytest.raises(Refused):
        await received(stream)
