"""Redis' disk is full while people play: they are told to come again, and when there is room the game goes on by itself."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from brettwerk.v1 import errors_pb2
from services.archive.entry import Kept
from services.runtime.refusal import Refused
from services.session.app.background import archivist
from tests.ports import free_port
from tests.redis_server import server, wait_for
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import Player
from tests.services.session.refusing import refused
from tests.services.session.running import running_rules
from tests.services.session.table import Table
from tests.services.session.two_players import play_out
from tests.services.session.watcher import watching
from tests.small_disk import fill, small_disk


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", 8) as folder:
        yield folder


@pytest.fixture
async def table(disk: Path, tmp_path: Path) -> AsyncIterator[Table]:
    """A table whose Redis writes its append-only file to the small disk."""
    port = free_port()
    with server(disk, port, "--save", "", "--appendonly", "yes", "--appendfsync", "everysec") as process:
        url = f"redis://127.0.0.1:{port}/0"
        wait_for(url, process)
        async with running_rules() as rules:
            table = Table(url, rules, f"sqlite:///{tmp_path}/archive.sqlite3", "disk", heartbeat_s=1)
            await table.open()
            try:
                yield table
            finally:
                await table.close()


async def until_refused(player: Player, session: str) -> Refused:
    """Play until Redis takes nothing any more; its file has some room in its last block."""
    for _ in range(500):
        try:
            await play_out((player, player), session, 1)
            await player.undo(session, (await player.see(session)).to_act[0], to_plies=0)
        except Refused as caught:
            if caught.reason != errors_pb2.REASON_NOTHING_TO_UNDO:
                return caught
    raise AssertionError("Redis still writes")


async def until_ready(table: Table, ready: bool) -> None:
    async with asyncio.timeout(30):
        while await is_ready(table) != ready:  # noqa: ASYNC110 - nothing tells when Redis tries again
            await asyncio.sleep(0.05)


async def is_ready(table: Table) -> bool:
    try:
        return await table.wiring.store.is_ready()
    except Refused:
        return False


async def test_moves_are_refused_until_there_is_room_and_then_the_game_goes_on(table: Table, disk: Path) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "me")).id
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, session, anna.token(session, 0), 0)
        filling = fill(disk)
        first = await until_refused(anna, session)
        assert first.reason == errors_pb2.REASON_UNAVAILABLE
        assert first.refusal.retry_after_ms > 0
        await until_ready(table, False)
        head = (await anna.see(session)).version
        with refused("UNAVAILABLE") as caught:
            await anna.act(session, (await anna.see(session)).to_act[0])
        assert caught.value.refusal.retry_after_ms > 0
        with refused("UNAVAILABLE"):
            await anna.create("me", "me")
        with refused("UNAVAILABLE"):
            await table.wiring.sweeper.sweep()
        assert (await anna.see(session)).version == head
        filling.unlink()
        await until_ready(table, True)
        await play_out((anna, anna), session, 1)
        await watcher.until(1, head + 1)
    await check_rebuilt(table, session)
    assert [entry.version for entry in await table.wiring.rebuilds.entries(session)] == list(range(1, head + 2))


async def test_a_full_disk_of_the_archive_holds_nobody_up_and_is_tried_again(redis_url: str, disk: Path) -> None:
    async with running_rules() as rules:
        table = Table(redis_url, rules, f"sqlite:///{disk}/archive.sqlite3", "disk")
        await table.open()
        try:
            anna = table.player("Anna")
            first, second = [(await anna.create("me", "me")).id for _ in range(2)]
            await anna.resign(first, 0)
            await table.pass_s(1)
            assert await table.wiring.archive.find(first) is not None
            filling = fill(disk)
            await anna.resign(second, 0)
            await table.pass_s(1)
            wanted = await kept(table, second)
            with refused("UNAVAILABLE"):
                await table.wiring.archive.keep(wanted)
            assert (await table.wiring.store.read(second)) is not None
            third = (await anna.create("me", "me")).id
            await play_out((anna, anna), third, 3)
            filling.unlink()
            await table.pass_s(60)
            assert await table.wiring.archive.find(second) is not None
        finally:
            await table.close()


async def kept(table: Table, session: str) -> Kept:
    """The parts of a session that the archive is asked to keep."""
    state = (await table.wiring.session_cache.newest(session)).state
    return archivist._kept(state, await table.wiring.rebuilds.entries(session))
