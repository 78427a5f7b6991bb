"""Watching: every version once and in order, or an explicit new beginning."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, sessions_pb2
from services.runtime.refusal import Refused, moved_shard
from services.session.domain import updates as updates_module
from services.session.domain.bounds import STATE_EVERY
from services.session.domain.perception import with_lists
from services.session.domain.updates import message_for
from services.session.store.store import Store
from services.session.watch.followers import Stream
from services.sharding.shards import SHARDS, shard_of
from tests.services.session.player import Player
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import play_out, two
from tests.services.session.watcher import watching


def raise_refusal(refusal: errors_pb2.Refusal) -> None:
    raise Refused.of(refusal)


def raise_error(error: BaseException) -> None:
    raise error


async def updates(player: Player, session_id: str, seat: int | None = None) -> list[sessions_pb2.Update]:
    """All updates of a session as ListUpdates gives them."""
    found: list[sessions_pb2.Update] = []
    token = ""
    while True:
        page = await player.ask(
            list_updates=play_pb2.ListUpdatesRequest(
                session_id=session_id,
                seat_token="" if seat is None else player.token(session_id, seat),
                page_size=7,
                page_token=token,
            )
        )
        found += page.updates
        token = page.next_page_token
        if not token:
            return found


async def test_a_new_watch_is_told_the_head_and_the_whole_picture_and_then_every_version(table: Table) -> None:
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, anna.token(game, 0))
        await watcher.until(1, 4)
        assert watcher.kinds(1) == ["h4", "UNSPECIFIED4"]
        await anna.act(game, 0)
        await ben.act(game, 1)
        await watcher.until(1, 6)
        assert watcher.kinds(1) == ["h4", "UNSPECIFIED4", "5", "6"]


async def test_a_watch_goes_on_after_any_version_with_the_bytes_that_all_others_had(table: Table) -> None:
    anna, ben, game = await two(table)
    await play_out((anna, ben), game, 6)
    async with watching(table.wiring) as watcher:
        head = (await anna.see(game)).version
        for after in range(1, head + 1):
            await watcher.follow(after, game, ben.token(game, 1), after)
        await watcher.follow(0, game, "", 1)
        await play_out((anna, ben), game, 3)
        for after in range(1, head + 1):
            await watcher.until(after, head + 3)
            assert watcher.kinds(after)[1:] == [str(version) for version in range(after + 1, head + 4)]
            assert watcher.messages[after][1:] == watcher.messages[1][after:]
        listed = await updates(ben, game, 1)
        assert [response.update for response in watcher.responses(1)[1:]] == listed[1:]
        await watcher.until(0, head + 3)
        assert [response.update for response in watcher.responses(0)[1:]] == (await updates(anna, game))[1:]


async def test_updates_older_than_those_in_memory_come_from_the_log_with_the_same_bytes(table: Table, monkeypatch) -> None:
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, anna.token(game, 0), 1)
        monkeypatch.setattr("services.session.live.memory.UPDATES_KEPT", 3)
        await play_out((anna, ben), game, 8)
        await watcher.until(1, 12)
        await watcher.follow(2, game, anna.token(game, 0), 1)
        await watcher.until(2, 12)
        assert len((await table.wiring.session_cache.newest(game)).memory._updates) == 3
        assert watcher.messages[2][1:] == watcher.messages[1][1:]


async def test_a_watch_ends_when_its_shard_goes_and_goes_on_at_the_new_owner(table: Table) -> None:
    anna, ben, game = await two(table)
    other = await table.another_process()
    async with watching(table.wiring) as watcher, watching(other) as there:
        await there.follow(1, game, "", 4)
        assert moved_shard(there.refusals[1]) == shard_of(game)
        await watcher.follow(1, game, "", 4)
        await anna.act(game, 0)
        await watcher.until(1, 5)
        await table.hand_over(game, other)
        assert moved_shard(await watcher.until_refused(1)) == shard_of(game)
        await there.follow(2, game, "", 5)
        await ben.act(game, 1)
        await there.until(2, 6)
        assert (watcher.kinds(1), there.kinds(2)) == (["h4", "5"], ["h5", "6"])


async def test_a_watch_that_knows_more_than_the_store_begins_anew(table: Table) -> None:
    anna, _, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, anna.token(game, 0), 99)
        await watcher.until(1, 4)
        assert watcher.kinds(1) == ["h4", "AHEAD4"]


async def test_in_a_very_long_session_old_versions_are_a_gap(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.live.memory.UPDATES_KEPT", 2)
    monkeypatch.setattr("services.session.live.rebuilds.BACKLOG", 5)
    anna, ben, game = await two(table)
    await play_out((anna, ben), game, STATE_EVERY + 4)
    head = STATE_EVERY + 8
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, "", 3)
        await watcher.until(1, head)
        assert watcher.kinds(1) == [f"h{head}", f"GAP{head}"]


async def test_a_player_who_loses_the_seat_watches_on_as_a_spectator(table: Table) -> None:
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, ben.token(game, 1), 4)
        await watcher.follow(2, game, anna.token(game, 0), 4)
        await watcher.follow(3, game, "", 4)
        await ben.set_seat(game, 1, "easy", by=1)
        await anna.act(game, 0)
        for number in (1, 2, 3):
            await watcher.until(number, 6)
        assert watcher.kinds(1)[1:] == ["SEAT5", "6"]
        assert watcher.kinds(2)[1:] == ["5", "6"]
        assert watcher.messages[1][-1] == watcher.messages[3][-1]
        assert watcher.messages[2][-1] != watcher.messages[3][-1]


async def test_a_token_that_is_void_shows_what_spectators_see(table: Table) -> None:
    _, ben, game = await two(table)
    old = ben.token(game, 1)
    await ben.set_seat(game, 1, "easy", by=1)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, old, 4)
        await watcher.until(1, 5)
        assert watcher.kinds(1) == ["h5", "SEAT5"]
        assert not watcher.responses(1)[1].resync.update.actions


async def test_a_new_holder_is_not_put_out_by_the_change_that_seated_them(table: Table) -> None:
    _, ben, game = await two(table)
    await ben.set_seat(game, 1, "easy", by=1)
    await ben.set_seat(game, 1, "me")
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, ben.token(game, 1), 1)
        await watcher.until(1, 6)
        assert watcher.kinds(1) == ["h6", "2", "3", "4", "5", "6"]


async def test_heartbeats_tell_the_head_and_wake_a_watch_that_missed_something(table: Table, monkeypatch) -> None:
    anna, _, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, "", 4)
        await watcher.until_live(game)
        await table.wiring.tails.beat()
        await watcher.until_received(1, "h4", "h4")
        deliver = table.wiring.tails.deliver
        monkeypatch.setattr(table.wiring.tails, "deliver", lambda *_: None)
        await anna.act(game, 0)
        monkeypatch.setattr(table.wiring.tails, "deliver", deliver)
        await table.wiring.tails.beat()
        await watcher.until(1, 5)
        assert watcher.kinds(1) == ["h4", "h4", "5"]


async def test_a_watch_that_missed_an_event_is_given_it_before_the_next(table: Table, monkeypatch) -> None:
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, "", 4)
        await watcher.until_live(game)
        deliver = table.wiring.tails.deliver
        monkeypatch.setattr(table.wiring.tails, "deliver", lambda *_: None)
        await anna.act(game, 0)
        monkeypatch.setattr(table.wiring.tails, "deliver", deliver)
        await ben.act(game, 1)
        await watcher.until(1, 6)
        assert watcher.kinds(1) == ["h4", "5", "6"]


async def test_a_stream_that_does_not_keep_up_begins_anew_and_nothing_is_silent(table: Table, monkeypatch) -> None:
    anna, ben, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, "", 4)
        await anna.act(game, 0)
        await watcher.until(1, 5)
        await watcher.until_live(game)
        monkeypatch.setattr("services.session.watch.followers.STREAM_MESSAGES", 2)
        watcher.stop_reading()
        await ben.act(game, 1)
        await watcher.until_held()
        await play_out((anna, ben), game, 6)
        head = (await anna.see(game)).version
        assert any(stream.has_lagging for stream in table.wiring.tails._streams)
        watcher.read_on()
        await watcher.until(1, head)
        kinds = watcher.kinds(1)
        assert f"GAP{head}" in kinds
        await play_out((anna, ben), game, 1)
        await watcher.until(1, head + 1)
        assert watcher.kinds(1)[-1] == str(head + 1)


async def test_unknown_sessions_are_refused_and_unfollowed_ones_silent(table: Table) -> None:
    anna, _, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, "00" + "a" * 22)
        with refused("UNKNOWN"):
            raise_refusal(await watcher.until_refused(1))
        await watcher.follow(2, "nonsense")
        with refused("MALFORMED"):
            raise_refusal(await watcher.until_refused(2))
        await watcher.follow(3, game, "", 4)
        await watcher.follow(4, game, "", 4)
        await watcher.unfollow(3)
        await watcher.follow(5, game, "", 4)  # what is asked is done in turn
        await anna.act(game, 0)
        await watcher.until(4, 5)
        assert "5" not in watcher.kinds(3)


async def test_a_process_that_ends_sends_its_watchers_elsewhere(table: Table) -> None:
    _, _, game = await two(table)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game)
        await watcher.until(1, 4)
        table.wiring.tails.drain()
        with refused("UNAVAILABLE"):
            raise_error(await watcher.until_ended())
        with refused("UNAVAILABLE"):
            async for _ in table.wiring.tails.serve(watcher._asked()):
                pass


async def test_too_many_follows_in_one_message_break_the_contract(table: Table) -> None:
    async with watching(table.wiring) as watcher:
        await watcher._requests.put(session_pb2.TailSessionsRequest(unfollow=[1] * 1025))
        with refused("MALFORMED"):
            raise_error(await watcher.until_ended())


@pytest.mark.parametrize("after_head", [True, False], ids=["those who have seen all", "new ones"])
async def test_watches_that_come_together_read_a_session_once(table: Table, monkeypatch, after_head: bool) -> None:
    anna, ben, game = await two(table)
    await play_out((anna, ben), game, 2 * STATE_EVERY)
    head = await anna.see(game)
    version, at_ms = (head.version, head.at_ms) if after_head else (0, 0)
    table.wiring.session_cache.forget(game)
    asked, packed = list[str](), list[int]()
    for name in ("read", "head", "entry", "version", "log"):
        monkeypatch.setattr(Store, name, noted(getattr(Store, name), name, asked))
    made = updates_module.messages

    def messages(*args: Any) -> Any:
        packed.append(args[-1])
        return made(*args)

    monkeypatch.setattr(updates_module, "messages", messages)
    async with watching(table.wiring) as watcher:
        for seat, player in enumerate((anna, ben)):
            watch = play_pb2.WatchRequest(
                session_id=game, seat_token=player.token(game, seat), after_version=version, after_at_ms=at_ms
            )
            await watcher._requests.put(session_pb2.TailSessionsRequest(follow=[session_pb2.Follow(id=seat, watch=watch)]))
        for seat in range(2):
            await watcher.until_received(seat, f"{'h' if after_head else 'UNSPECIFIED'}{head.version}")
        await watcher.until_live(game)
    assert asked == ["read"]
    assert [audiences for audiences in packed if audiences] == ([] if after_head else [with_lists(0b11)])


def noted(ask: Callable[..., Awaitable[object]], name: str, asked: list[str]) -> Callable[..., Awaitable[object]]:
    """Return what asks, and notes that first."""

    async def ask_and_note(*args: object, **fields: object) -> object:
        asked.append(name)
        return await ask(*args, **fields)

    return ask_and_note


async def test_a_store_that_was_set_back_makes_watches_begin_anew(table: Table) -> None:
    anna, ben, game = await two(table)
    await anna.act(game, 0)
    client = table.wiring.store._client
    kept = {key: await client.dump(key) or b"" async for key in client.scan_iter("*")}
    request = await ben.act_request(game, 1)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, game, "", 5)
        await ben.ask(act=request)
        await watcher.until(1, 6)
        for key, data in kept.items():
            await client.restore(key, 0, data, replace=True)
        table.wiring.session_cache.validity.doubt(range(SHARDS))
        await table.wiring.tails.beat()
        await watcher.until_received(1, "AHEAD5")
        await watcher.until_live(game)
        await ben.act(game, 1, pick=1)
        await watcher.until_received(1, "AHEAD5", "6")
        state = (await table.wiring.session_cache.newest(game)).state
        rebuilt = await table.rebuilt(game)
        assert rebuilt.state.position == state.position
        assert message_for(rebuilt.packed[-1], None) == watcher.messages[1][-1]


async def test_a_watch_of_an_invalid_session_id_does_not_break_a_heartbeat(table: Table) -> None:
    table.wiring.tails._enter(Stream(), session_pb2.Follow(id=1, watch=play_pb2.WatchRequest(session_id="nonsense")))
    await table.wiring.tails.beat()
