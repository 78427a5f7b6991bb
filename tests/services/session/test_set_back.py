"""A store that lost its newest versions, or only was away: watchers end with what is in the log, and are told no more."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import RedisError

from brettwerk.v1 import play_pb2
from services.runtime.refusal import Refused, unavailable
from services.session.updates import message_for
from tests.redis_server import LastingRedis
from tests.services.session.refusing import refused
from tests.services.session.table import Player, Table, running_rules
from tests.services.session.test_acting import play_out, two
from tests.services.session.watching import Watcher, watching


@pytest.fixture
def lasting(tmp_path: Path) -> Any:
    with LastingRedis(tmp_path / "redis") as server:
        yield server


@pytest.fixture
async def lasting_table(lasting: LastingRedis, tmp_path: Path) -> AsyncIterator[Table]:
    """A table whose store can be killed; its heartbeats would come only after the test."""
    async with running_rules() as rules:
        made = Table(lasting.url, rules, f"sqlite:///{tmp_path}/archive.sqlite3", "lasting", heartbeat_s=300)
        await made.open()
        try:
            yield made
        finally:
            await made.close()


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(30):
        while True:
            try:
                if await condition():
                    return
            except (RedisError, OSError, Refused):
                pass  # it is not back yet
            await asyncio.sleep(0.02)


async def until_back(table: Table) -> None:
    """Return when the store of a table can be used again."""

    async def answers() -> bool:
        await table.house.store.is_ready()
        return True

    await until(answers)


async def kill(lasting: LastingRedis, table: Table) -> None:
    """Kill the store of a table, and return when everybody has noticed."""
    events = table.house.tails.events
    look, has_noticed = events._ends, asyncio.Event()

    async def look_again() -> dict[str, bytes]:
        has_noticed.set()
        return await look()

    events._ends = look_again  # type: ignore[method-assign]
    await asyncio.to_thread(lasting.kill)
    await asyncio.wait_for(has_noticed.wait(), 30)
    events._ends = look  # type: ignore[method-assign]


async def until_told(watcher: Watcher, number: int, table: Table, game: str, seat: int | None) -> None:
    """Return when the last thing that a watch was told is the newest version of the log."""

    async def is_told() -> bool:
        newest = (await table.house.histories.updates(game, 1, 10_000))[-1]
        last = watcher.responses(number)[-1]
        told = last.resync.update if last.HasField("resync") else last.update
        return told == play_pb2.WatchResponse.FromString(message_for(newest, seat)).update

    await until(is_told)


class Setback:
    """What a power cut does to one session: the store has what it had when this was made."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._client = table.house.store._client
        self._kept: dict[bytes, bytes] = {}

    async def keep(self) -> None:
        self._kept = {key: await self._client.dump(key) or b"" async for key in self._client.scan_iter("*")}

    async def happen(self) -> None:
        """Set the store back. Nobody has noticed yet."""
        for key, data in self._kept.items():
            await self._client.restore(key, 0, data, replace=True)
        self._table.clock.pass_s(1)

    async def be_noticed(self) -> None:
        """Break the connection of the reader of events, as the end of a server does."""
        events = self._table.house.tails.events
        events._ready.clear()
        await self._client.client_kill_filter(_type="normal", skipme=True)
        await events.ready()


class Held:
    """A method of histories that waits until the test lets it go on; what it returns was read before."""

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.reached, self.released = asyncio.Event(), asyncio.Event()
        real = getattr(table.house.histories, name)

        async def held(*arguments: Any) -> Any:
            found = await real(*arguments)
            if not self.reached.is_set():
                self.reached.set()
                await self.released.wait()
            return found

        monkeypatch.setattr(table.house.histories, name, held)


async def miss_an_event(table: Table, act: Awaitable[Any]) -> None:
    """Let something happen whose event is lost on the way."""
    events = table.house.tails.events
    deliver = events._deliver
    seen = asyncio.Event()
    events._deliver = lambda *_: seen.set()
    await act
    await asyncio.wait_for(seen.wait(), 10)
    events._deliver = deliver


async def test_a_store_that_only_was_away_makes_nobody_begin_anew(lasting: LastingRedis, lasting_table: Table) -> None:
    table = lasting_table
    anna, ben, game = await two(table)
    async with watching(table.house) as watcher:
        await watcher.follow(1, game, anna.token(game, 0))
        await watcher.follow(2, game, "", 2)
        await play_out((anna, ben), game, 2)
        for number in (1, 2):
            await watcher.until(number, 6)
        for version in (7, 8, 9):
            await kill(lasting, table)
            await asyncio.to_thread(lasting.start)
            await until_back(table)
            await play_out((anna, ben), game, 1)
            for number in (1, 2):
                await watcher.until(number, version)
        assert watcher.kinds(1) == ["h4", "UNSPECIFIED4", "5", "6", "7", "8", "9"]
        assert watcher.kinds(2) == ["h4", "3", "4", "5", "6", "7", "8", "9"]


async def test_after_a_power_cut_everybody_ends_with_what_is_in_the_log(lasting: LastingRedis, lasting_table: Table) -> None:
    table = lasting_table
    anna, ben, game = await two(table)
    async with watching(table.house) as watcher:
        await watcher.follow(1, game, anna.token(game, 0))
        await watcher.follow(2, game, ben.token(game, 1))
        await watcher.follow(3, game, "")
        for cut, further in ((0, 1), (1, 1), (2, 2), (3, 5)):
            sizes = [lasting.written]
            for _ in range(cut):
                await play_out((anna, ben), game, 1)
                sizes.append(lasting.written)
            head = (await anna.see(game)).version
            for number in (1, 2, 3):
                await watcher.until(number, head)
            await kill(lasting, table)
            lasting.cut(sizes[0] + (60 if cut else 0))  # in the midst of a write
            table.clock.pass_s(1)
            await asyncio.to_thread(lasting.start)
            await until_back(table)
            assert (await anna.see(game)).version == head - cut
            await play_out((anna, ben), game, further)
            for number, seat in ((1, 0), (2, 1), (3, None)):
                await until_told(watcher, number, table, game, seat)
                aheads = [kind for kind in watcher.kinds(number) if kind.startswith("AHEAD")]
                assert bool(aheads) == (cut > 0)


async def test_what_is_lost_while_a_watch_catches_up_is_noticed_all_the_same(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was not: who caught up just then was not told to look, and kept a version that the log did not have."""
    anna, ben, game = await two(table)
    setback = Setback(table)
    await setback.keep()
    async with watching(table.house) as watcher:
        await watcher.follow(1, game, "", 4)
        await miss_an_event(table, anna.act(game, 0))
        request = await ben.act_request(game, 1)
        held = Held(table, monkeypatch, "updates")
        await ben.ask(act=request)
        await asyncio.wait_for(held.reached.wait(), 10)
        await setback.happen()
        await anna.act(game, 0, pick=1)
        await ben.act(game, 1, pick=1)
        await setback.be_noticed()
        held.released.set()
        await until_told(watcher, 1, table, game, None)
        await anna.act(game, 0)
        await until_told(watcher, 1, table, game, None)


async def test_what_happens_while_a_watch_begins_anew_is_told_at_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was not: it went by while the newest picture was read, and the next heartbeat, or event, told of it."""
    anna, ben, game = await two(table)
    setback = Setback(table)
    await setback.keep()
    async with watching(table.house) as watcher:
        await watcher.follow(1, game, "", 4)
        await anna.act(game, 0)
        await ben.act(game, 1)
        await watcher.until(1, 6)
        await setback.happen()
        held = Held(table, monkeypatch, "updates")
        noticed = asyncio.create_task(setback.be_noticed())
        await asyncio.wait_for(held.reached.wait(), 10)
        await noticed
        await anna.act(game, 0, pick=1)
        await asyncio.sleep(0.1)  # the event goes by
        held.released.set()
        await until_told(watcher, 1, table, game, None)
        assert [kind for kind in watcher.kinds(1) if kind.startswith("AHEAD")] == ["AHEAD4"]
        assert watcher.kinds(1)[-1] == "5"


async def test_who_could_not_look_at_once_is_given_no_version_on_top_of_a_lost_one(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben, game = await two(table)
    setback = Setback(table)
    await setback.keep()
    async with watching(table.house) as watcher:
        await watcher.follow(1, game, "", 4)
        await anna.act(game, 0)
        await watcher.until(1, 5)
        await setback.happen()
        tried = asyncio.Event()

        async def away(_session_id: str) -> Any:
            tried.set()
            raise unavailable("store")

        with monkeypatch.context() as patch:
            patch.setattr(table.house.histories, "state", away)
            await setback.be_noticed()
            await asyncio.wait_for(tried.wait(), 10)
            await asyncio.sleep(0.05)
        await miss_an_event(table, anna.act(game, 0, pick=1))
        await ben.act(game, 1)  # version 6, and the watch was given another 5
        await until_told(watcher, 1, table, game, None)
        assert "AHEAD6" in watcher.kinds(1)


async def test_a_version_made_anew_is_told_apart_even_if_nobody_noticed_the_loss(table: Table) -> None:
    anna, _, game = await two(table)
    setback = Setback(table)
    await setback.keep()
    async with watching(table.house) as watcher:
        await watcher.follow(1, game, "", 4)
        await anna.act(game, 0)
        await watcher.until(1, 5)
        await setback.happen()
        await anna.act(game, 0, pick=1)
        await until_told(watcher, 1, table, game, None)
        assert watcher.kinds(1)[-1] == "AHEAD5"


async def test_a_watch_that_comes_back_says_which_version_it_has(table: Table) -> None:
    anna, ben, game = await two(table)
    setback = Setback(table)
    await setback.keep()
    await anna.act(game, 0)
    lost = await anna.see(game)
    await setback.happen()
    await anna.act(game, 0, pick=1)
    there = await anna.see(game)
    await ben.act(game, 1)
    assert (lost.version, there.version) == (5, 5)
    async with watching(table.house) as watcher:
        await watcher.follow(1, game, "", 5, lost.at_ms)
        await watcher.follow(2, game, "", 5, there.at_ms)
        await watcher.follow(3, game, "", 5)
        for number in (1, 2, 3):
            await watcher.until(number, 6)
        assert watcher.kinds(1) == ["h6", "AHEAD6"]
        assert watcher.kinds(2) == ["h6", "6"]
        assert watcher.kinds(3) == ["h6", "6"], "a client that does not say"


async def taken_by_another(table: Table, setback: Setback) -> tuple[str, Player, Player]:
    """Return a table that waits, Carl, whose joining is lost, and Dora, who may join."""
    anna = table.player("Anna")
    session = await anna.create("me", "open", "open", game="emperado")
    await setback.keep()
    return session.id, table.player("Carl"), table.player("Dora")


async def test_who_sat_down_in_vain_is_told_so_and_sees_nothing_of_who_sits_there_instead(table: Table) -> None:
    setback = Setback(table)
    game, carl, dora = await taken_by_another(table, setback)
    assert await carl.join(game, 1) == 1
    async with watching(table.house) as watcher:
        await watcher.follow(1, game, carl.token(game, 1))
        await watcher.follow(2, game)
        await setback.happen()
        await setback.be_noticed()
        await until_told(watcher, 1, table, game, None)
        assert watcher.kinds(1)[-1] == "SEAT2"
        await dora.join(game, 1)
        await until_told(watcher, 1, table, game, None)
        await until_told(watcher, 2, table, game, None)
        with refused("NOT_YOUR_SEAT"):
            await carl.see(game, 1)
        assert await carl.join(game) == 2, "and can sit down again"


async def test_who_lost_a_seat_in_a_version_that_is_lost_has_it_again(table: Table) -> None:
    anna, ben, game = await two(table)
    setback = Setback(table)
    await setback.keep()
    async with watching(table.house) as watcher:
        await watcher.follow(1, game, ben.token(game, 1), 4)
        await ben.set_seat(game, 1, "easy", by=1)
        await watcher.until(1, 5)
        assert watcher.kinds(1)[-1] == "SEAT5"
        await setback.happen()
        await setback.be_noticed()
        await until_told(watcher, 1, table, game, 1)
        await anna.act(game, 0)
        await until_told(watcher, 1, table, game, 1)


async def test_a_seat_that_went_back_to_a_token_that_nobody_has_is_given_to_who_sits_there(table: Table) -> None:
    anna, ben, game = await two(table)
    setback = Setback(table)
    await setback.keep()
    await ben.set_seat(game, 1, "easy", by=1)
    await ben.set_seat(game, 1, "me")  # the first token is forgotten from here on
    await setback.happen()
    with refused("NOT_YOUR_SEAT"):
        await ben.see(game, 1)
    with refused("SEAT_TAKEN"):
        await table.player("Carl").join(game, 1)
    assert await ben.join(game, 1) == 1
    await anna.act(game, 0)
    await ben.act(game, 1)


async def test_a_joining_whose_answer_was_lost_with_it_can_be_repeated(table: Table) -> None:
    setback = Setback(table)
    game, carl, _ = await taken_by_another(table, setback)
    request = play_pb2.JoinSessionRequest(session_id=game, seat=1, request_id="the same request")
    first = await carl.ask(join_session=request)
    await setback.happen()
    second = await carl.ask(join_session=request)
    assert first.grant.seat_token != second.grant.seat_token
    assert (await carl.see(game, 1)).version == 3
