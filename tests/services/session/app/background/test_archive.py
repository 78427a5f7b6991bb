"""Games that are over: archived, removed from the store, and read as if nothing had happened."""

import asyncio

import pytest

from brettwerk.v1 import play_pb2, sessions_pb2
from services.archive.entry import Kept
from services.runtime.refusal import unavailable
from services.session.app.background.sweeper import LEASE_MS
from tests.services.session.app.saving import fork
from tests.services.session.domain.commands.test_seats_endings import rematch
from tests.services.session.player import Player
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import play_out, two
from tests.services.session.watch.test_tail import updates
from tests.services.session.watcher import watching


async def archived(table: Table) -> tuple[Player, Player, str]:
    anna, ben, game = await two(table, public=True, title="Friday")
    await play_out((anna, ben), game)
    for _ in range(40):
        await table.pass_s(4)
    table.clock.pass_s(3600)
    for _ in range(3):
        await table.pass_s(1)
    assert await table.wiring.store.read(game) is None
    return anna, ben, game


async def test_a_finished_game_goes_to_the_archive_and_later_leaves_the_store(table: Table) -> None:
    _, ben, game = await two(table)
    await ben.resign(game, 1)
    assert await table.wiring.archive.find(game) is None
    await table.sweep()
    assert await table.wiring.archive.find(game) is not None
    assert await table.wiring.store.read(game) is not None
    table.clock.pass_s(3601)
    await table.sweep()
    client = table.wiring.store._client
    left = [key async for key in client.scan_iter("*") if game.encode() in key]
    assert left == []
    for shard in range(16):
        assert await client.zscore(f"bw:{{s{shard:02x}}}:due", game) is None
        assert await client.zscore(f"bw:{{s{shard:02x}}}:player:p-anna", game) is None


async def test_an_archival_interrupted_by_death_is_done_at_once_by_the_next_process(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, ben, game = await two(table)
    await ben.resign(game, 1)
    begun = asyncio.Event()

    async def hang(_kept: Kept) -> bool:
        begun.set()
        await asyncio.Event().wait()
        return False

    monkeypatch.setattr(table.wiring.archive, "keep", hang)
    await table.wiring.sweeper.sweep()
    await begun.wait()
    await table.kill(0)
    table.clock.pass_s(LEASE_MS / 1000)
    await table.sweep()
    assert await table.wiring.archive.find(game) is not None


async def test_an_archive_that_is_away_is_asked_again_after_a_while(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    _, ben, game = await two(table)
    await ben.resign(game, 1)
    asked = []

    async def refuse(kept: Kept) -> bool:
        asked.append(kept.session_id)
        raise unavailable("archive")

    with monkeypatch.context() as patched:
        patched.setattr(table.wiring.archive, "keep", refuse)
        for _ in range(10):
            await table.pass_s(2)
        assert len(asked) == 1
    await table.pass_s(30)
    assert await table.wiring.archive.find(game) is not None


async def test_an_archived_game_reads_as_before(table: Table) -> None:
    anna, ben, game = await two(table)
    await play_out((anna, ben), game)
    seen, listed, exported = await anna.see(game), await updates(anna, game), await anna.export(game)
    table.clock.pass_s(200)
    await table.sweep()
    table.clock.pass_s(3601)
    await table.sweep()
    assert await table.wiring.store.read(game) is None
    assert await anna.see(game) == seen
    assert await anna.see(game, 0) == seen
    assert await updates(anna, game) == listed
    assert await anna.export(game) == exported
    verified = await anna.ask(verify_session=play_pb2.VerifySessionRequest(session_id=game))
    assert verified.verification.good
    with refused("GAME_OVER"):
        await anna.act(game, 0, notation="3D4-C3")
    forked = await fork(anna, game, 6, "me", "me")
    assert forked.plies == 2
    hint = await anna.ask(get_hint=play_pb2.GetHintRequest(session_id=game, at_version=5))
    assert hint.for_version == 5
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, "", seen.version - 2)
        await watcher.until(1, seen.version)
        assert watcher.kinds(1)[1:] == [str(seen.version - 1), str(seen.version)]
        await watcher.follow(2, game, anna.token(game, 0))  # nobody has lost a seat, though tokens are forgotten
        await watcher.until(2, seen.version)
        assert watcher.kinds(2) == [f"h{seen.version}", f"UNSPECIFIED{seen.version}"]


async def test_an_archived_game_has_its_rematch_still(table: Table) -> None:
    anna, ben, game = await archived(table)
    first = await anna.ask(rematch=rematch(anna, game))
    assert [grant.seat for grant in first.grants] == [1]
    assert first.session.title == "Friday"
    second = await ben.ask(rematch=rematch(ben, game))
    assert second.session.id == first.session.id
    with refused("NOT_YOUR_SEAT"):
        await table.player("Carl").ask(rematch=rematch(anna, game))


async def test_an_archived_end_is_not_taken_back(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    await play_out((anna, anna), session.id)
    update = await anna.see(session.id)
    (winner,) = update.session.outcome.winners
    assert (await anna.see(session.id, winner)).free_undo_plies
    table.clock.pass_s(200)
    await table.sweep()
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session.id, winner, update.session.plies - 1)


async def test_closed_sessions_are_kept_too(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "open")
    table.clock.pass_s(86400 * 15)
    await table.sweep()
    await table.sweep()
    assert await table.wiring.archive.find(session.id) is not None
    assert (await anna.see(session.id)).session.state == sessions_pb2.Session.STATE_CLOSED


async def test_own_and_finished_games_are_listed_on_into_the_archive(table: Table) -> None:
    anna, _, old = await archived(table)
    new = (await anna.create("me", "easy", public=True)).id

    async def listed(which: play_pb2.ListFilter.ValueType) -> list[str]:
        found, token = [], ""
        while True:
            page = await anna.ask(list_sessions=play_pb2.ListSessionsRequest(filter=which, page_size=1, page_token=token))
            found += [session.id for session in page.sessions]
            token = page.next_page_token
            if not token:
                return found

    assert await listed(play_pb2.LIST_FILTER_MINE) == [new, old]
    assert await listed(play_pb2.LIST_FILTER_FINISHED) == [old]
    assert await listed(play_pb2.LIST_FILTER_RUNNING) == [new]
