"""How links break, close, are left by their servers, and go to whichever servers there are."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest

from brettwerk.v1 import errors_pb2
from grpc_http2.connection import Connection
from services.runtime.link import LinkServer, addresses, bounds
from services.runtime.link.addresses import Address, Place
from services.runtime.link.link import Link
from services.runtime.link.servers import Servers
from services.runtime.refusal import Refused, newer
from services.runtime.settings import Settings
from tests.services.runtime.link.ends import (
    AtOnce,
    Awaited,
    Handle,
    Request,
    Response,
    both_ways,
    channel_to,
    echo,
    linked,
    methods_of,
    never,
    reason_of,
    said,
    say,
    served,
    servicer_of,
    slow_echo,
    socket_in,
    until,
)


def named(name: str) -> AtOnce:
    return AtOnce(lambda _: said(name))  # type: ignore[abstract]


async def test_open_calls_are_refused_when_the_server_goes_and_the_next_finds_it_again(short_path: Path) -> None:
    where = socket_in(short_path)
    async with channel_to(where) as stub:
        async with served(Awaited(never), where):  # type: ignore[abstract]
            hanging = [stub.FindGames(say("hang"), timeout=60) for _ in range(3)]
            await until(lambda: all(call.is_sent for call in hanging))
        for call in hanging:
            refusal = await reason_of(call)
            assert refusal.reason == errors_pb2.REASON_UNAVAILABLE
            assert refusal.retry_after_ms
        assert (await reason_of(stub.FindGames(say("nobody there"), timeout=20))).reason == errors_pb2.REASON_UNAVAILABLE
        async with served(named("again"), where):
            while True:
                try:
                    answer = await stub.FindGames(say("again"), timeout=20)
                    break
                except Refused as refused:
                    assert refused.reason == errors_pb2.REASON_UNAVAILABLE  # noqa: PT017 - until it is back
            assert answer.next_page_token == "again"
        assert not os.listdir(short_path)


async def test_a_call_waits_for_a_server_that_is_just_being_started(short_path: Path) -> None:
    where = socket_in(short_path)
    async with channel_to(where) as stub:
        call = stub.FindGames(say("x"), timeout=20)
        await asyncio.sleep(0)
        async with served(named("there"), where):
            assert (await call).next_page_token == "there"


async def test_the_first_call_after_a_long_absence_finds_a_server_that_has_just_come(
    short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, tried = socket_in(short_path), 0
    connect = Servers._connect

    async def counted(self: Servers, link: Link, place: Place) -> None:
        nonlocal tried
        tried += 1
        await connect(self, link, place)

    monkeypatch.setattr(Servers, "_connect", counted)
    monkeypatch.setattr(bounds, "MAX_PAUSE_S", 60.0)
    async with channel_to(where) as stub:
        stub.channel.get_state(try_to_connect=True)
        await until(lambda: tried >= 5)  # the next pause is ten times as long as a call waits
        async with served(named("there"), where):
            assert (await stub.FindGames(say("x"), timeout=20)).next_page_token == "there"


async def test_a_closed_channel_refuses_open_and_later_calls() -> None:
    servicer = Awaited(never)  # type: ignore[abstract]
    async with linked(servicer) as (stub, server):
        hanging = stub.FindGames(say("hang"), timeout=60)
        await until(lambda: servicer.handled)
        await stub.channel.close()
        assert (await reason_of(hanging)).reason == errors_pb2.REASON_UNAVAILABLE
        assert (await reason_of(stub.FindGames(say("late"), timeout=60))).reason == errors_pb2.REASON_UNAVAILABLE
        assert stub.channel.get_state() is grpc.ChannelConnectivity.SHUTDOWN
        await until(server._is_idle)  # what it worked at was cancelled


async def test_a_channel_tells_whether_there_is_a_server(short_path: Path) -> None:
    where = socket_in(short_path)
    async with channel_to(where) as stub:
        assert stub.channel.get_state(try_to_connect=True) is grpc.ChannelConnectivity.CONNECTING
        async with served(named("x"), where):
            await asyncio.wait_for(stub.channel.channel_ready(), 20)
            assert stub.channel.get_state() is grpc.ChannelConnectivity.READY
        await asyncio.wait_for(stub.channel.wait_for_state_change(grpc.ChannelConnectivity.READY), 20)


class Names:
    """A name whose servers the test decides about."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *ports: int) -> None:
        self.ports = list(ports)
        self.looked = 0
        """How often somebody has looked it up."""
        monkeypatch.setattr(bounds, "RESOLVE_S", 0.05)
        monkeypatch.setattr(Address, "places", self._places)

    async def _places(self) -> list[Place]:
        self.looked += 1
        if not self.ports:
            raise OSError("no such name")
        return [Place(host="127.0.0.1", port=port) for port in self.ports]


def port_of(where: str) -> int:
    return int(where.rpartition(":")[2])


async def test_calls_go_to_every_server_of_a_name_and_follow_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(named("a")) as (_, a), served(named("b")) as (_, b), served(named("c")) as (_, c):
        names = Names(monkeypatch, port_of(a))

        async def answers(stub: Any) -> set[str]:
            calls = [stub.FindGames(say("x"), timeout=20) for _ in range(30)]
            return {answer.next_page_token for answer in await asyncio.gather(*calls)}

        async with channel_to("servers:1") as stub:
            assert await answers(stub) == {"a"}
            names.ports = [port_of(a), port_of(b)]
            while await answers(stub) != {"a", "b"}:  # noqa: ASYNC110 - the name is looked up in between
                await asyncio.sleep(0.01)
            names.ports = [port_of(c)]
            while await answers(stub) != {"c"}:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
            names.ports = []  # a name that is not known for a moment takes no server away
            looked = names.looked
            await until(lambda: names.looked >= looked + 3)
            assert await answers(stub) == {"c"}


async def test_calls_go_to_the_server_with_the_fewest_open_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    stuck, free = Awaited(never), Awaited(slow_echo)  # type: ignore[abstract]
    async with served(stuck) as (_, a), served(free) as (_, b):
        Names(monkeypatch, port_of(a), port_of(b))
        async with channel_to("servers:1") as stub:
            stub.channel.get_state(try_to_connect=True)
            await until(lambda: len(stub.channel._routing.links) == 2)
            hanging = []
            for _ in range(20):
                call = stub.FindGames(say("x"), timeout=60)
                done, _ = await asyncio.wait([call], timeout=0.05)
                hanging += [] if done else [call]
            assert len(hanging) <= 2
            for call in hanging:
                call.cancel()


async def test_calls_that_come_one_by_one_go_to_all_servers_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    servers = [Awaited(slow_echo) for _ in range(3)]  # type: ignore[abstract]
    async with served(servers[0]) as (_, a), served(servers[1]) as (_, b), served(servers[2]) as (_, c):
        Names(monkeypatch, port_of(a), port_of(b), port_of(c))
        async with channel_to("servers:1") as stub:
            stub.channel.get_state(try_to_connect=True)
            await until(lambda: len(stub.channel._routing.links) == 3)
            for _ in range(30):
                await stub.FindGames(say("x"), timeout=60)
            assert [one.handled for one in servers] == [10, 10, 10]


@both_ways
async def test_a_server_that_leaves_answers_what_is_open_and_sends_the_rest_elsewhere(
    handle: Handle, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = asyncio.Event()

    async def held(request: Request) -> Response:
        await gate.wait()
        return echo(request)

    old, other = Awaited(held), servicer_of(handle)  # type: ignore[abstract]
    async with served(old) as (leaving, a), served(other) as (_, b):
        names = Names(monkeypatch, port_of(a))
        async with channel_to("servers:1") as stub:
            calls = [stub.FindGames(say("open"), timeout=60) for _ in range(5)]
            await until(lambda: old.handled == 5)
            names.ports.append(port_of(b))
            leaving.drain()
            await until(lambda: [link.place.port for link in stub.channel._routing.links] == [port_of(b)])
            assert (await stub.FindGames(say("new"), timeout=60)).next_page_token == "new"
            gate.set()
            assert [answer.next_page_token for answer in await asyncio.gather(*calls)] == ["open"] * 5
            assert (old.handled, other.handled) == (5, 1)
            await until(lambda: not leaving._connections)  # the caller closed it when it had its answers


async def test_a_server_that_stops_lets_open_calls_end() -> None:
    gate = asyncio.Event()

    async def held(request: Request) -> Response:
        await gate.wait()
        return echo(request)

    servicer = Awaited(held)  # type: ignore[abstract]
    async with linked(servicer) as (stub, server):
        call = stub.FindGames(say("open"), timeout=60)
        await until(lambda: servicer.handled)
        stopping = asyncio.create_task(server.stop(30))
        await asyncio.sleep(0)
        gate.set()
        assert (await call).next_page_token == "open"
        await stopping


async def test_a_call_that_one_server_is_too_old_for_is_asked_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_old(_: Request) -> Response:
        raise newer("entry")

    old = [AtOnce(too_old), AtOnce(too_old)]  # type: ignore[abstract]
    async with served(old[0]) as (_, a), served(old[1]) as (_, b), served(named("new")) as (_, c):
        names = Names(monkeypatch, port_of(a), port_of(b), port_of(c))
        async with channel_to("servers:1") as stub:
            stub.channel.get_state(try_to_connect=True)
            await until(lambda: len(stub.channel._routing.links) == 3)
            for _ in range(10):
                assert (await stub.FindGames(say("x"), timeout=20)).next_page_token == "new"
            assert old[0].handled <= 10
            names.ports = [port_of(a), port_of(b)]
            await until(lambda: len(stub.channel._routing.links) == 2)
            asked = [one.handled for one in old]
            refusal = await reason_of(stub.FindGames(say("x"), timeout=20))
            assert (refusal.reason, refusal.details["newer"]) == (errors_pb2.REASON_UNAVAILABLE, "entry")
            assert [one.handled for one in old] == [before + 1 for before in asked], "each is asked once"


@contextlib.contextmanager
def process(where: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run this module as a server, in a process of its own."""
    with subprocess.Popen([sys.executable, "-m", "tests.services.runtime.link.test_servers", where]) as running:
        try:
            yield running
        finally:
            running.kill()


async def test_a_server_that_hangs_is_found_out(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "HTTP2", replace(bounds.HTTP2, keepalive_s=0.2))
    monkeypatch.setattr(bounds, "HOMELESS_S", 60.0)
    looks, look = 0, Connection._look

    def counted(connection: Connection) -> None:
        nonlocal looks
        looks += 1
        look(connection)

    monkeypatch.setattr(Connection, "_look", counted)
    where = socket_in(short_path)
    with process(where) as running:
        async with channel_to(where) as stub:
            assert (await stub.FindGames(say("on"), timeout=60)).next_page_token == "on"
            link = stub.channel._routing.links[0]
            await until(lambda: looks > 4 * bounds.HTTP2.silent_looks)  # silent, and alive: nobody gives it up
            assert link.is_usable
            os.kill(running.pid, signal.SIGSTOP)
            call = stub.FindGames(say("hang"), timeout=60)
            assert (await reason_of(call)).reason == errors_pb2.REASON_UNAVAILABLE
            assert not link.is_usable
            os.kill(running.pid, signal.SIGCONT)
            assert (await stub.FindGames(say("back"), timeout=60)).next_page_token == "back"


def test_a_hanging_server_is_given_up_before_the_usual_time_of_a_call_is_over() -> None:
    """So a call that is open there can be made again elsewhere."""
    assert Settings.model_fields["call_timeout_s"].default > bounds.HTTP2.silent_looks * bounds.HTTP2.keepalive_s


def test_addresses_are_read() -> None:
    assert addresses.parse("unix:/a/b") == Address((Place(path="/a/b"),))
    assert addresses.parse("unix:///a/b, a:1") == Address((Place(path="/a/b"), Place(host="a", port=1)))
    assert addresses.parse("dns:///rules:7811") == Address((Place(host="rules", port=7811),))
    assert addresses.parse("[::1]:7") == Address((Place(host="::1", port=7),))
    assert addresses.parse("[::1]:7").authority == "[::1]:7"
    for wrong in ("", "rules", "rules:x", "unix:relative", "unix:/" + "x" * 107, ":7", "a:70000"):
        with pytest.raises(ValueError, match=r"address|path"):
            addresses.parse(wrong)


async def test_a_name_leads_to_every_address_of_it() -> None:
    assert await addresses.parse("127.0.0.1:7").places() == [Place(host="127.0.0.1", port=7, name="127.0.0.1")]
    assert Place(host="127.0.0.1", port=7, name="localhost") in await addresses.parse("localhost:7").places()


async def test_a_socket_left_behind_is_taken_over_and_that_of_another_is_left_alone(short_path: Path) -> None:
    where = socket_in(short_path)
    async with served(named("first"), where) as (first, _), served(named("second"), where):
        await first.stop(0)
        async with channel_to(where) as stub:
            assert (await stub.FindGames(say("x"), timeout=20)).next_page_token == "second"


async def main(where: str) -> None:
    await LinkServer(methods_of(AtOnce(echo))).listen(where)  # type: ignore[abstract]
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
