"""Open seats: who hears of them, how often, and that nobody else does."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import news_pb2
from services.players.news import feed, seat_wishes
from services.players.news.followers import Following
from services.players.opponents import blocks
from services.players.store import open_store
from services.players.whole_account import exported, remove

NOON = 1_800_000_000_000
ADA, BOB, CLEO = "a" * 26, "b" * 26, "c" * 26


class Place:
    """A clock, and those who follow."""

    def __init__(self, file: Path) -> None:
        self.store = open_store(f"sqlite:///{file}")
        self.now_ms = NOON
        self.following = Following(self.store, lambda: self.now_ms, blocks=blocks.among)

    async def wish(self, player: str, *games: str) -> None:
        await self.store.run(lambda connection: seat_wishes.put(connection, player, games))

    async def offer(self, version: int, *players: str, game: str = "emperado") -> None:
        kind = news_pb2.News.KIND_SEAT_OFFERED
        news = news_pb2.News(kind=kind, session_id="07abc", game=game, seat=1, at_ms=self.now_ms)
        offered = players_pb2.OfferedSeat(session_version=version, news=news, players=players)
        await self.following.note(players_pb2.NoteNewsRequest(offered=[offered]))

    async def heard(self, player: str) -> int:
        page = await self.store.run(lambda connection: feed.page(connection, player, 0))
        assert all(one.kind == news_pb2.News.KIND_SEAT_OFFERED for one in page.news)
        return page.head


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    made = Place(tmp_path / "players.sqlite3")
    yield made
    made.store.close()


async def test_players_hear_of_the_games_that_they_named_at_most_once_an_hour(place: Place) -> None:
    await place.wish(ADA, "emperado", "einstein")
    await place.wish(BOB, "plateau")
    await place.offer(3)
    assert (await place.heard(ADA), await place.heard(BOB)) == (1, 0)
    place.now_ms += seat_wishes.PAUSE_MS - 1
    await place.offer(5, game="einstein")
    assert await place.heard(ADA) == 1
    place.now_ms += 1
    await place.offer(7, game="einstein")
    assert await place.heard(ADA) == 2


async def test_a_repeat_tells_nobody_twice(place: Place) -> None:
    await place.wish(ADA, "emperado")
    await place.offer(3)
    await place.offer(3)
    assert await place.heard(ADA) == 1


async def test_players_of_the_table_and_those_they_do_not_meet_hear_nothing(place: Place) -> None:
    for player in (ADA, BOB, CLEO):
        await place.wish(player, "emperado")
    await place.store.run(lambda connection: blocks.block(connection, BOB, ADA, NOON))
    await place.offer(3, ADA)
    assert [await place.heard(player) for player in (ADA, BOB, CLEO)] == [0, 0, 1]


async def test_those_are_told_first_who_were_told_longest_ago(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    players = [f"{number:026}" for number in range(seat_wishes.INFORMED + 20)]
    for player in players:
        await place.wish(player, "emperado")
    await place.offer(3)
    assert sum([await place.heard(player) for player in players]) == seat_wishes.INFORMED
    place.now_ms += seat_wishes.PAUSE_MS
    await place.offer(5)
    heard = [await place.heard(player) for player in players]
    assert min(heard) == 1
    assert sum(heard) == 2 * seat_wishes.INFORMED


async def test_a_wish_that_is_taken_back_is_gone_and_others_stay(place: Place) -> None:
    await place.wish(ADA, "emperado", "plateau")
    await place.wish(ADA, "plateau")
    assert await place.store.run(lambda connection: seat_wishes.of(connection, ADA)) == ["plateau"]
    await place.wish(ADA)
    await place.offer(3)
    assert await place.heard(ADA) == 0


async def test_wishes_are_exported_and_deleted_with_the_account(place: Place) -> None:
    await place.wish(ADA, "emperado")
    assert '"game": "emperado"' in await place.store.run(lambda connection: exported(connection, ADA))
    await place.store.run(lambda connection: remove(connection, ADA, NOON))
    assert await place.store.run(lambda connection: seat_wishes.of(connection, ADA)) == []
