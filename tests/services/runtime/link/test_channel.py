"""Calls go to the owner of their shard, wait while there is none, and are sent on when they came to the wrong server."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.runtime.link import LinkChannel, bounds
from services.runtime.refusal import moved, newer
from tests.services.runtime.link.ends import (
    Awaited,
    Request,
    Response,
    Tails,
    channel_to,
    echo,
    reason_of,
    said,
    served,
    until,
)
from tests.services.runtime.link.owning import Owning, ask, calling, find, heard, owning
from tests.services.runtime.link.test_servers import Names, port_of


async def test_calls_go_to_the_owner_of_their_shard_and_others_to_anybody() -> None:
    async with owning(3) as servers:
        for number, one in enumerate(servers):
            one.own(dict.fromkeys(range(number, 255, 3), 1))
        async with calling(servers) as stub:
            await heard(stub, servers)
            for shard in (0, 1, 2, 30, 100, 254):
                assert (await ask(stub, shard)).next_page_token == servers[shard % 3].where
            assert sum(one.came for one in servers) == 6
            names = [f"{shard}" for shard in range(255)]
            await asyncio.gather(*(find(stub, shard, name) for shard, name in enumerate(names)))
            assert sorted(name for one in servers for name in one.done if name != "x") == sorted(names), "each once"


async def test_a_call_waits_for_an_owner_and_goes_to_it() -> None:
    async with owning(2) as (one, other), calling((one, other)) as stub:
        other.own({1: 1})
        await heard(stub, (one, other))
        waiting = [ask(stub, 5, str(n)) for n in range(20)]
        assert (await ask(stub, 1)).next_page_token == other.where
        assert not any(call.done() for call in waiting)
        one.own({5: 3})
        assert {answer.next_page_token for answer in await asyncio.gather(*waiting)} == {one.where}
        assert one.done == [str(n) for n in range(20)]
        assert other.came == 1


async def test_a_call_for_a_shard_that_nobody_owns_is_refused_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "OWNERLESS_S", 0.3)
    async with owning(1) as (one,), calling((one,)) as stub:
        await until(lambda: stub.channel.has_owners)
        refusals = [await reason_of(ask(stub, 5)), await reason_of(find(stub, 5)), await reason_of(ask(stub, 5, timeout=0.1))]
        assert {refusal.reason for refusal in refusals} == {errors_pb2.REASON_UNAVAILABLE}
        assert all(refusal.retry_after_ms for refusal in refusals)
        assert one.came == 1, "what has no owner is sent to nobody"
        assert len(stub.channel._calls) == 0


async def test_servers_that_tell_nothing_are_all_alike() -> None:
    async with served(Awaited(echo)) as (_, where), channel_to(where) as stub:  # type: ignore[abstract]
        assert (await ask(stub, 5)).next_page_token == "5 x"
        assert not stub.channel.has_owners
        assert stub.channel.owner(5) is None


async def test_a_call_that_has_moved_is_carried_out_once_by_the_new_owner() -> None:
    """Shards go round while calls come: each is carried out by who owned its shard then, and by nobody else."""
    async with owning(3) as servers, calling(servers) as stub:
        epochs = dict.fromkeys(range(16), 0)

        def give(shard: int, to: Owning) -> None:
            epochs[shard] += 1
            for one in servers:
                if shard in one.owned:
                    one.own({known: epoch for known, epoch in one.owned.items() if known != shard})
            to.own({**to.owned, shard: epochs[shard]})

        for shard in range(16):
            give(shard, servers[shard % 3])
        calls: dict[str, Any] = {}
        for turn in range(150):
            for shard in range(16):
                calls[f"{turn}-{shard}"] = (ask if turn % 2 else find)(stub, shard, f"{turn}-{shard}")
            give(turn % 16, servers[(turn * 7 + turn // 16) % 3])
            await asyncio.sleep(0 if turn % 3 else 0.002)  # some calls are done before owners change, and some are not
        where = {name: (await call).next_page_token for name, call in calls.items()}
        assert sorted(name for one in servers for name in one.done) == sorted(calls), "each once"
        assert all(where[name] == one.where for one in servers for name in one.done)
        assert sum(one.came for one in servers) > len(calls), "nothing had moved"


async def test_an_owner_that_has_moved_is_not_asked_again_before_it_claims_the_shard_anew() -> None:
    async with owning(1) as (one,), calling((one,)) as stub:
        one.own({5: 1})
        await heard(stub, (one,))
        one.own({}, is_known=False)  # it forgets to tell
        call = ask(stub, 5)
        await until(lambda: call.moved is not None)
        assert one.came == 1
        for _ in range(20):
            one.server.announce({5: 1, 6: 1})
            one.server.announce({5: 1})
            await asyncio.sleep(0.002)  # nothing happens, which no condition shows
        assert one.came == 1
        one.own({5: 2})
        assert (await call).next_page_token == one.where
        assert one.came == 2


async def test_a_call_that_finds_no_owner_anywhere_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two servers send everything to each other: both claim, and none does anything."""
    async with owning(2) as (one, other), calling((one, other)) as stub:
        calls = [ask(stub, 5, str(n)) for n in range(10)]
        epoch = 0
        while not all(call.done() for call in calls):
            epoch += 1
            (one, other)[epoch % 2].server.announce({5: epoch})
            await asyncio.sleep(0.002)
        for call in calls:
            assert (await reason_of(call)).reason == errors_pb2.REASON_UNAVAILABLE
        assert one.came + other.came == 10 * (bounds.MOVES + 1)
        assert len(stub.channel._calls) == 0


async def test_a_shard_that_there_cannot_be_is_an_answer_like_others() -> None:
    def handle(_: Request) -> Response:
        raise moved(999)

    async with served(Awaited(handle)) as (_, where), channel_to(where) as stub:  # type: ignore[abstract]
        assert (await reason_of(ask(stub, 5))).details["moved"] == "999"
        for shard in (256, -1):
            with pytest.raises(ValueError, match="is no shard"):
                ask(stub, shard)


async def test_an_owner_of_an_older_release_is_not_passed_over() -> None:
    """Others do not own the shard: they can do nothing either."""

    def too_old(_: Request) -> Response:
        raise newer("entry")

    async with (
        served(Awaited(too_old)) as (old, a),  # type: ignore[abstract]
        owning(1) as (other,),
        channel_to(f"{a},{other.where}") as stub,
    ):
        old.announce({5: 1})
        stub.channel.get_state(try_to_connect=True)
        await until(lambda: len(stub.channel._routing.links) == 2 and stub.channel.owner(5) is not None)
        assert (await reason_of(ask(stub, 5))).details["newer"] == "entry"
        assert other.came == 0


async def test_calls_that_hang_at_an_owner_are_refused_when_another_is_there() -> None:
    async with owning(2) as (hung, other), calling((hung, other)) as stub:
        hung.own({5: 1, 6: 1})
        await heard(stub, (hung, other))
        hanging = [ask(stub, 5, "hang") for _ in range(3)]
        on = ask(stub, 6, "hang")
        await until(lambda: hung.came == 4)
        other.own({5: 2})
        for call in hanging:
            assert (await reason_of(call)).reason == errors_pb2.REASON_UNAVAILABLE
        assert (await ask(stub, 5)).next_page_token == other.where
        assert not on.done()
        await until(lambda: len(hung.server._answering) == 1 and len(stub.channel._calls) == 1)
        on.cancel()
        await until(hung.server._is_idle)  # it was told that nobody waits


async def test_calls_for_no_shard_avoid_a_server_that_was_replaced_and_does_not_know_it() -> None:
    async with owning(3) as (hung, one, other), calling((hung, one, other)) as stub:
        hung.own({5: 1, 6: 1})
        await heard(stub, (hung, one, other))
        at_any = [find(stub, 5, "hang") for _ in range(3)]
        at_owner = ask(stub, 6, "hang")
        await until(lambda: [server.came for server in (hung, one, other)] == [2, 1, 1])
        one.own({5: 2})
        refused = [call for call in at_any if call.link is stub.channel.owner(6)]
        assert len(refused) == 1
        assert (await reason_of(refused[0])).reason == errors_pb2.REASON_UNAVAILABLE
        assert not at_owner.done(), "nobody else has that shard"
        assert (await asyncio.gather(*(find(stub, 5) for _ in range(10))))[0].next_page_token == one.where
        assert hung.came == 2
        hung.own({6: 1})  # it lives
        await until(lambda: not stub.channel._routing._silent)
        answered = [find(stub, 6, "y") for _ in range(10)]
        await asyncio.gather(*answered)
        assert hung.came > 2
        for call in (*at_any, at_owner):
            call.cancel()


async def test_an_owner_that_has_handed_a_shard_over_answers_what_it_was_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """It lives: what it is about to answer is not refused, whoever of the two is heard of first."""
    monkeypatch.setattr(bounds, "HAND_OVER_S", 0.2)
    gate = asyncio.Event()

    async def held(request: Request) -> Response:
        await gate.wait()
        return said("old")

    async with served(Awaited(held)) as (old, a), owning(1) as (new,), channel_to(f"{a},{new.where}") as stub:  # type: ignore[abstract]
        old.announce({5: 1})
        stub.channel.get_state(try_to_connect=True)
        await until(lambda: stub.channel.owner(5) is not None and len(stub.channel._routing.links) == 2)
        open_call = ask(stub, 5)
        await until(lambda: open_call.is_sent)
        before = stub.channel.owner(5)
        new.own({5: 2})
        await until(lambda: stub.channel.owner(5) is not before)
        assert (await ask(stub, 5)).next_page_token == new.where
        old.announce({})
        await until(lambda: stub.channel._routing._looking is None)
        gate.set()
        assert (await open_call).next_page_token == "old"


async def test_servers_that_own_shards_and_then_leave_are_followed() -> None:
    async with owning(2) as (leaving, other), calling((leaving, other)) as stub:
        leaving.own(dict.fromkeys(range(16), 1))
        await heard(stub, (leaving, other))
        calls = [ask(stub, n % 16, f"a{n}") for n in range(100)]
        leaving.own({})
        other.own(dict.fromkeys(range(16), 2))
        calls += [ask(stub, n % 16, f"b{n}") for n in range(100)]
        await heard(stub, (leaving, other))
        await leaving.server.stop(20)
        calls += [ask(stub, n % 16, f"c{n}") for n in range(100)]
        await asyncio.gather(*calls)
        assert sorted(leaving.done + other.done) == sorted(f"{turn}{n}" for turn in "abc" for n in range(100))


async def test_an_owner_that_is_not_named_any_more_is_asked_until_it_has_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a cluster does with a pod that is about to stop: it is not named any more, and then told to."""
    async with owning(2) as (leaving, other):
        names = Names(monkeypatch, port_of(leaving.where), port_of(other.where))
        leaving.own({5: 1, 6: 1})
        other.own({7: 1})
        async with channel_to("servers:1") as stub:
            stub.channel.get_state(try_to_connect=True)
            await heard(stub, (leaving, other))
            names.ports = [port_of(other.where)]
            looked = names.looked
            await until(lambda: names.looked > looked + 2)
            first, second = leaving.where, other.where
            assert [(await ask(stub, shard)).next_page_token for shard in (5, 6, 7)] == [first, first, second]
            leaving.own({})
            other.own({5: 2, 6: 2, 7: 1})
            assert [(await ask(stub, shard)).next_page_token for shard in (5, 6, 7)] == [second] * 3
            await until(lambda: len(stub.channel._routing.links) == 1)
            leaving.own({5: 3})  # it is not listened to any more
            assert (await ask(stub, 5)).next_page_token == second


async def test_the_shards_of_a_server_that_is_gone_have_no_owner() -> None:
    async with owning(2) as (gone, other), calling((gone, other)) as stub:
        gone.own({5: 9})
        await heard(stub, (gone, other))
        await gone.server.stop(0)
        call = ask(stub, 5)
        await until(lambda: call.is_ownerless)
        other.own({5: 2})  # the lease was set back with the store: a lower epoch, and nobody else
        assert (await call).next_page_token == other.where


async def test_followers_of_owners_are_told_of_every_change_once_a_tick() -> None:
    async with owning(2) as (one, other), calling((one, other)) as stub:
        await until(lambda: stub.channel.has_owners)
        received: list[object] = []
        stub.channel.follow_owners(lambda: received.append(stub.channel.owner(5)))
        one.own({5: 1})
        await until(lambda: received)
        first = stub.channel.owner(5)
        assert received[-1] is first is not None
        one.own({5: 1})  # nothing new
        other.own({5: 2})
        await until(lambda: stub.channel.owner(5) is not first)
        assert received[-1] is stub.channel.owner(5)
        await other.server.stop(0)
        await until(lambda: received[-1] is first)
        await one.server.stop(0)
        await until(lambda: received[-1] is None)
        assert len(received) <= 5


async def test_a_long_stream_is_opened_at_the_owner() -> None:
    async def tail(requests: AsyncIterator[session_pb2.TailSessionsRequest], number: int) -> AsyncIterator[Any]:
        async for _ in requests:
            yield session_pb2.TailSessionsResponse(tails=[session_pb2.Tail(ids=[number])])

    async with contextlib.AsyncExitStack() as stack:
        servers = []
        for n in range(3):
            servicer = Tails(lambda requests, n=n: tail(requests, n))  # type: ignore[abstract, misc]
            servers.append(await stack.enter_async_context(served(servicer)))
            servers[n][0].announce({n: 1})
        channel = await stack.enter_async_context(LinkChannel(",".join(where for _, where in servers), "other side"))
        stub: Any = session_pb2_grpc.SessionServiceStub(channel)
        channel.get_state(try_to_connect=True)
        await until(lambda: all(channel.owner(n) is not None for n in range(3)))
        for n in (2, 0, 1, 1, 0):
            stream = stub.TailSessions(owner=channel.owner(n))
            await stream.write(session_pb2.TailSessionsRequest())
            assert (await stream.read()).tails[0].ids == [n]
            assert stream.server is channel.owner(n)
            stream.cancel()
        owner = channel.owner(1)
        await servers[1][0].stop(0)
        await until(lambda: channel.owner(1) is None)
        assert (await reason_of(stub.TailSessions(owner=owner).read())).reason == errors_pb2.REASON_UNAVAILABLE
