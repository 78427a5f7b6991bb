"""Watches of a session are at the owner of its shard, and go along when that changes."""

import asyncio
import random

import pytest

from brettwerk.v1 import errors_pb2, play_pb2
from gateway.watches import session_watches
from services.runtime import metrics
from services.runtime.refusal import is_newer, newer
from tests.gateway.conftest import OpenEndpoint, OpenGateway, OpenTalk
from tests.gateway.owners import Owner, give, session_in
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway, Talk, call_of
from tests.gateway.watches.test_session_watches import KINDS, versions, watch


@KINDS
async def test_each_owner_feeds_the_watches_of_its_shards_by_one_stream(
    kind: str, owners: list[Owner], between: RunningGateway, talk_to: OpenTalk
) -> None:
    talks = [await talk_to(kind, between) for _ in range(3)]
    for shard in range(16):
        owners[0].publish(session_in(shard))
    for talk in talks:
        for shard in range(16):
            await talk.send(watch(shard + 1, session_in(shard)))
            assert await versions(talk, 1) == [-1]
    for number, one in enumerate(owners):
        (tailing,) = one.tailings
        assert sorted(tailing.follows.values()) == sorted(3 * [session_in(shard) for shard in range(number, 16, 2)])
        assert one.refused == 0
        for shard in one.owned:
            one.publish(session_in(shard))
    for talk in talks:
        assert dict([await received(talk) for _ in range(16)]) == dict.fromkeys(range(1, 17), 2)
    for talk in talks:
        await talk.close()
    await owners[0].until(lambda: not any(tailing.follows for one in owners for tailing in one.tailings))


async def watch_new(talk: Talk, peer: Peer, *sessions: str) -> None:
    """Watch sessions that begin at a peer, numbered from 1."""
    for number, session in enumerate(sessions, 1):
        peer.publish(session)
        await talk.send(watch(number, session))
        assert await versions(talk, 1) == [-1]


async def received(talk: Talk) -> tuple[int, int]:
    number, message = await talk.watched()
    assert isinstance(message, play_pb2.WatchResponse), message
    return number, message.update.version


@KINDS
async def test_watches_go_on_at_the_new_owner_with_every_version_once_in_order_and_byte_for_byte(
    kind: str, owners: list[Owner], between: RunningGateway, talk_to: OpenTalk
) -> None:
    chance = random.Random(5)
    shards = [0, 1, 6, 7]
    sessions = {number: session_in(shard) for number, shard in enumerate(shards, 1)}
    for session in sessions.values():
        owners[0].publish(session, padding=chance.randrange(200))
    talks = [await talk_to(kind, between) for _ in range(2)]
    for talk in talks:
        for number, session in sessions.items():
            await talk.send(watch(number, session))
            await talk.watched()
    moves = metrics.WATCH_RESUMES.labels("moved")._value.get()
    for turn in range(60):
        for shard in shards:
            owner = next(one for one in owners if shard in one.owned)
            for _ in range(chance.randrange(3)):
                owner.publish(session_in(shard), padding=chance.randrange(200))
        shard = chance.choice(shards)
        one, to = owners if shard in owners[0].owned else owners[::-1]
        give(shard, one, to)
        if turn % 2:
            await asyncio.sleep(0.01 * chance.random())  # what has been sent arrives between changes, or not yet
    expected: dict[int, list[bytes]] = {}
    for number, session in sessions.items():
        next(one for one in owners if int(session[:2], 16) in one.owned).publish(session, padding=999)
        log = owners[0].sessions[session][1:]
        expected[number] = [play_pb2.WatchResponse(update=update).SerializeToString() for update in log]
    for talk in talks:
        found: dict[int, list[bytes]] = {number: [] for number in sessions}
        while any(len(found[number]) < len(expected[number]) for number in sessions):
            response = await talk.receive()
            if response.watch.WhichOneof("kind") != "heartbeat":
                assert response.WhichOneof("kind") == "watch", response
                found[response.id].append(response.watch.SerializeToString())
        assert found == expected
    assert metrics.WATCH_RESUMES.labels("moved")._value.get() > moves


@KINDS
async def test_the_stream_to_a_former_owner_is_closed(
    kind: str, owners: list[Owner], between: RunningGateway, talk_to: OpenTalk
) -> None:
    talk = await talk_to(kind, between)
    await watch_new(talk, owners[0], session_in(0))
    (tailing,) = owners[0].tailings
    for one in owners:
        one.own({})
    await owners[0].until(lambda: not owners[0].tailings or tailing not in owners[0].tailings)


@KINDS
async def test_updates_of_a_replaced_owner_reach_nobody(
    kind: str, owners: list[Owner], between: RunningGateway, talk_to: OpenTalk
) -> None:
    hung, other = owners
    session = session_in(4)
    talk = await talk_to(kind, between)
    await watch_new(talk, hung, session)
    (tailing,) = hung.tailings
    numbers = list(tailing.follows)
    other.own({**other.owned, 4: 2})
    await other.until(lambda: any(tailing.follows for tailing in other.tailings))
    wrong = play_pb2.WatchResponse()
    wrong.update.version = 2
    wrong.update.session.title = "it never was"
    hung.tell(tailing, numbers, wrong)
    other.publish(session)
    other.publish(session)
    for version in (2, 3):
        _, message = await talk.watched()
        assert isinstance(message, play_pb2.WatchResponse)
        assert (message.update.version, message.update.session.title) == (version, "")
    await hung.until(lambda: not tailing.follows)  # it is told that nobody wants them
    hung.own({**hung.owned, 4: 3})
    await hung.until(lambda: bool(tailing.follows))
    wrong.update.version = 4
    hung.tell(tailing, numbers, wrong)  # that was on its way when the watch had gone
    hung.publish(session)
    _, message = await talk.watched()
    assert isinstance(message, play_pb2.WatchResponse)
    assert (message.update.version, message.update.session.title) == (4, "")


@KINDS
async def test_watches_wait_for_an_owner_and_go_on_where_they_were(
    kind: str, owners: list[Owner], between: RunningGateway, talk_to: OpenTalk
) -> None:
    gone, other = owners
    session = session_in(4)
    talk = await talk_to(kind, between)
    await watch_new(talk, gone, session)
    await gone.stop()
    await other.until(lambda: between.gateway._channel.owner(4) is None)
    await talk.send(watch(2, session, after=1))
    other.publish(session)
    await other.until(lambda: len(between.gateway.watches._ownerless) == 2)
    other.own({**other.owned, 4: 2})
    assert sorted([await received(talk) for _ in range(2)]) == [(1, 2), (2, 2)]
    assert len(between.gateway.watches._feeds) == 1


async def test_a_watch_that_no_owner_comes_for_ends(
    owners: list[Owner], between: RunningGateway, talk_to: OpenTalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_watches, "OWNERLESS_S", 0.2)
    monkeypatch.setattr(session_watches, "_LOOK_S", 0.05)
    session = session_in(4)
    talk = await talk_to("connect", between)
    await watch_new(talk, owners[0], session)
    owners[0].own({})
    number, refusal = await talk.watched()
    assert isinstance(refusal, errors_pb2.Refusal)
    assert (number, refusal.reason, refusal.head_version) == (1, errors_pb2.REASON_UNAVAILABLE, 1)
    assert len(between.gateway.watches) == 0


@KINDS
async def test_one_owner_feeds_all_by_one_stream_also_when_it_comes_back(
    kind: str, owners: list[Owner], open_gateway: OpenGateway, talk_to: OpenTalk
) -> None:
    """Nothing is felt of shards when there is one process: no watch is asked for twice."""
    only = owners[0]
    only.own(dict.fromkeys(range(16), 1))
    running = await open_gateway(session_link_address=f"127.0.0.1:{only.port}")
    talk = await talk_to(kind, running)
    await watch_new(talk, only, *map(session_in, range(16)))
    assert (len(only.tailings), len(only.follows)) == (1, 16)
    for turn in (1, 2):
        await only.stop()
        for shard in range(16):
            only.publish(session_in(shard))
        only.owned = dict.fromkeys(range(16), turn + 1)
        await only.start()
        assert sorted([await received(talk) for _ in range(16)]) == [(n, turn + 1) for n in range(1, 17)]
        assert len(only.tailings) == 1
        assert len(only.follows) == 16 * (turn + 1)
        assert only.refused == 0
    assert list(running.gateway.watches._feeds) == [running.gateway._channel.owner(0)]


@KINDS
async def test_a_stream_goes_on_when_its_session_process_tells_that_it_owns_everything(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    talk = await talk_to(kind, running)
    await watch_new(talk, peer, *map(session_in, range(16)))
    assert peer._server is not None
    peer._server.announce(dict.fromkeys(range(16), 1))
    await peer.until(lambda: all(running.gateway._channel.owner(shard) is not None for shard in range(16)))
    for shard in range(16):
        peer.publish(session_in(shard))
    assert sorted([await received(talk) for _ in range(16)]) == [(n, 2) for n in range(1, 17)]
    assert (len(peer.tailings), len(peer.follows), len(peer.unfollowed)) == (1, 16, 0)
    await peer.stop()
    await peer.start()  # now it tells nothing again
    for shard in range(16):
        peer.publish(session_in(shard))
    assert sorted([await received(talk) for _ in range(16)]) == [(n, 3) for n in range(1, 17)]
    assert len(peer.tailings) == 1


@KINDS
async def test_a_watch_of_an_impossible_session_id_is_refused_by_any_process(
    kind: str, owners: list[Owner], between: RunningGateway, talk_to: OpenTalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = await talk_to(kind, between)
    await talk.send(watch(1, "0" * 23))
    number, refusal = await talk.watched()
    assert isinstance(refusal, errors_pb2.Refusal)
    assert (number, refusal.reason) == (1, errors_pb2.REASON_UNKNOWN)


async def test_an_owner_that_changes_its_mind_all_the_time_stops_nobody(
    owners: list[Owner], between: RunningGateway, through: OpenEndpoint, talk_to: OpenTalk
) -> None:
    liar, other = owners
    talk, entered = await talk_to("websocket", between), await through("connect", between)
    sessions = [session_in(shard) for shard in range(16)]
    for number, session in enumerate(sessions, 1):
        other.publish(session)
        await talk.send(watch(number, session))
        await talk.watched()
    for n in range(500):
        liar.server.announce({shard: (n * 7 + shard) % 5 for shard in range(n % 200)})
        if n % 10 == 0:
            await asyncio.sleep(0.001)  # announcements come in many parcels
    liar.own({})
    other.own(dict.fromkeys(range(16), 9))
    for session in sessions:
        other.publish(session)
        answer = await entered.call(call_of("GetSession", session_id=session))
        assert answer.WhichOneof("response") == "get_session", answer
    assert sorted([await received(talk) for _ in range(16)]) == [(n, 2) for n in range(1, 17)]


# --- while releases change: what a process is too old for goes to one of a newer release, with its shard


@KINDS
async def test_a_watch_goes_over_to_a_newer_release_in_mid_game_and_misses_nothing(
    kind: str, owners: list[Owner], between: RunningGateway, talk_to: OpenTalk
) -> None:
    older, newest = owners
    session = session_in(4)
    talk = await talk_to(kind, between)
    await watch_new(talk, older, session)
    older.is_too_old = True
    older.refuse(older.tailings[0], list(older.tailings[0].follows), newer("format 9"))
    newest.publish(session)
    await older.until(lambda: len(older.follows) > 1)
    newest.publish(session)
    give(4, older, newest)
    assert await versions(talk, 2) == [2, 3]


@KINDS
async def test_a_watch_that_nobody_is_new_enough_for_ends(
    kind: str, owners: list[Owner], between: RunningGateway, talk_to: OpenTalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_watches, "MAX_ATTEMPTS", 2)
    owners[0].is_too_old = True
    talk = await talk_to(kind, between)
    await talk.send(watch(1, session_in(4)))
    _, refusal = await talk.watched()
    assert isinstance(refusal, errors_pb2.Refusal)
    assert is_newer(refusal), refusal
    assert len(between.gateway.watches) == 0
