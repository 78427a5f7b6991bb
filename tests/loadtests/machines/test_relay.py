"""The relay delays, loses and cuts off what goes from host to host, keeps its order, and is bounded."""

import os
import random
from collections.abc import Iterator

import pytest

from loadtests.machines import relay as module
from loadtests.machines.line import Line
from loadtests.machines.relay import Relay

Ends = list[tuple[int, int]]


def packet(to: int, what: int = 0) -> bytes:
    """Return what looks like an IP packet, as far as the relay does."""
    return bytes([0x45]) + bytes(15) + bytes([198, 18, to, 1, what])


@pytest.fixture
def ends() -> Iterator[Ends]:
    """Pipes for three devices: an end for the relay, and one for the reader of what came there."""
    made = [os.pipe() for _ in range(3)]
    for reading, _ in made:
        os.set_blocking(reading, False)
    yield [(writing, reading) for reading, writing in made]
    for reading, writing in made:
        os.close(reading)
        os.close(writing)


def came(ends: Ends, host: int) -> bytes:
    """Return the last bytes of the packets that came to a host since it was last asked."""
    size = len(packet(0))
    try:
        data = os.read(ends[host][1], 65_536)
    except BlockingIOError:
        return b""
    return data[size - 1 :: size]


@pytest.fixture
def relay(ends: Ends) -> Relay:
    return Relay([writing for writing, _ in ends], random.Random(1))


def test_a_packet_goes_to_the_host_that_its_address_names(relay: Relay, ends: Ends) -> None:
    for to in (1, 2, 200):
        relay.take(0, packet(to, to), 0.0)
    relay.take(0, b"\x60" + bytes(60), 0.0)
    assert [came(ends, host) for host in range(3)] == [b"", b"\1", b"\2"]


def test_a_packet_comes_when_its_delay_is_over(relay: Relay, ends: Ends) -> None:
    relay.obey("line " + Line(delay_ms=20).text())
    relay.take(0, packet(1, 7), 100.0)
    assert relay.deliver(100.0) == pytest.approx(0.02)
    assert came(ends, 1) == b""
    assert relay.deliver(100.021) is None
    assert came(ends, 1) == b"\7"


def test_packets_of_the_same_way_never_overtake_each_other(relay: Relay, ends: Ends) -> None:
    relay.obey("line " + Line(delay_ms=20, jitter_ms=15).text())
    for number in range(200):
        relay.take(0, packet(1, number), 100 + number / 10_000)
    relay.deliver(101.0)
    assert came(ends, 1) == bytes(range(200))


def test_as_many_packets_are_lost_as_should_be(relay: Relay, ends: Ends) -> None:
    relay.obey("line " + Line(loss_percent=5).text())
    for _ in range(2000):
        relay.take(0, packet(1), 0.0)
        came(ends, 1)
    assert 60 < relay.counts["lost"] < 140
    assert relay.counts["lost"] + relay.counts["carried"] == 2000


def test_a_host_that_is_cut_off_neither_receives_nor_sends(relay: Relay, ends: Ends) -> None:
    relay.obey("line " + Line(delay_ms=20).text())
    relay.take(0, packet(1, 1), 100.0)
    relay.obey("cut 1")
    relay.take(1, packet(2, 2), 100.0)
    relay.take(0, packet(2, 3), 100.0)
    relay.deliver(101.0)
    assert [came(ends, host) for host in range(3)] == [b"", b"", b"\3"]
    assert relay.obey("join 1").split()[-1] == "cut=2"
    relay.take(0, packet(1, 4), 101.0)
    relay.deliver(102.0)
    assert came(ends, 1) == b"\4"


def test_a_full_queue_drops_what_is_too_much(relay: Relay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ON_THE_WAY", 10)
    relay.obey("line " + Line(delay_ms=20).text())
    for _ in range(15):
        relay.take(0, packet(1), 100.0)
    relay.deliver(101.0)
    assert (relay.counts["carried"], relay.counts["dropped"]) == (10, 5)
