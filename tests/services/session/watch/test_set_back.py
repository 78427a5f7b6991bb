"""A store that lost its newest versions: watchers end with what is in the log, and are told no more."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from services.runtime.refusal import unavailable
from tests.services.session.refusing import refused
from tests.services.session.setting_back import KeptGame, until_received
from tests.services.session.table import Table
from tests.services.session.watcher import watching


class Held:
    """A method of histories that waits until the test lets it go on; what it returns was read before."""

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.reached, self.released = asyncio.Event(), asyncio.Event()
        real = getattr(table.wiring.rebuilds, name)

        async def held(*arguments: Any) -> Any:
            found = await real(*arguments)
            if not self.reached.is_set():
                self.reached.set()
                await self.released.wait()
            return found

        monkeypatch.setattr(table.wiring.rebuilds, name, held)


async def miss_an_event(table: Table, act: Awaitable[Any]) -> None:
    """Let something happen that watchers are not told."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table.wiring.tails, "deliver", lambda *_: None)
        await act


async def test_a_loss_while_a_watch_catches_up_is_noticed_all_the_same(
    table: Table, kept_game: KeptGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was not: who caught up just then was not told to look, and kept a version that the log did not have."""
    anna, ben, game, setback = kept_game
    async with watching(table.wiring) as watcher:
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
        await until_received(watcher, 1, table, game, None)
        await anna.act(game, 0)
        await until_received(watcher, 1, table, game, None)


async def test_an_update_while_a_watch_begins_anew_is_sent_at_once(
    table: Table, kept_game: KeptGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was not: it went by while the newest picture was read, and the next heartbeat, or event, told of it."""
    anna, ben, game, setback = kept_game
    async with watching(table.wiring) as watcher:
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
        held.released.set()
        await until_received(watcher, 1, table, game, None)
        assert [kind for kind in watcher.kinds(1) if kind.startswith("AHEAD")] == ["AHEAD4"]
        assert watcher.kinds(1)[-1] == "5"


async def test_a_watch_that_could_not_look_at_once_is_given_no_version_on_top_of_a_lost_one(
    table: Table, kept_game: KeptGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben, game, setback = kept_game
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, "", 4)
        await anna.act(game, 0)
        await watcher.until(1, 5)
        await setback.happen()
        tried = asyncio.Event()

        async def away(_session_id: str) -> Any:
            tried.set()
            raise unavailable("store")

        with monkeypatch.context() as patch:
            patch.setattr(table.wiring.rebuilds, "state", away)
            await setback.be_noticed()
            await asyncio.wait_for(tried.wait(), 10)
            await watcher.until_live(game)
        await miss_an_event(table, anna.act(game, 0, pick=1))
        await ben.act(game, 1)  # version 6, and the watch was given another 5
        await until_received(watcher, 1, table, game, None)
        assert [kind for kind in watcher.kinds(1) if kind.startswith("AHEAD")]


async def test_a_loss_that_nobody_noticed_is_found_by_the_next_write(table: Table, kept_game: KeptGame) -> None:
    anna, ben, game, setback = kept_game
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, "", 4)
        await anna.act(game, 0)
        await watcher.until(1, 5)
        request = await ben.act_request(game, 1)
        await setback.happen(unseen=True)
        with refused("STALE_VERSION"):
            await ben.ask(act=request)
        await anna.act(game, 0, pick=1)
        await until_received(watcher, 1, table, game, None)
        assert [kind for kind in watcher.kinds(1) if kind in ("AHEAD4", "AHEAD5")]


async def test_a_watch_that_comes_back_says_which_version_it_has(table: Table, kept_game: KeptGame) -> None:
    anna, ben, game, setback = kept_game
    await anna.act(game, 0)
    lost = await anna.see(game)
    await setback.happen()
    await anna.act(game, 0, pick=1)
    there = await anna.see(game)
    await ben.act(game, 1)
    assert (lost.version, there.version) == (5, 5)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, "", 5, lost.at_ms)
        await watcher.follow(2, game, "", 5, there.at_ms)
        await watcher.follow(3, game, "", 5)
        for number in (1, 2, 3):
            await watcher.until(number, 6)
        assert watcher.kinds(1) == ["h6", "AHEAD6"]
        assert watcher.kinds(2) == ["h6", "6"]
        assert watcher.kinds(3) == ["h6", "6"], "a client that does not say"
