"""The wire between hosts: it brings the IP packets of each host's TUN device to the others.

    python -m loadtests.machines.relay DESCRIPTOR DESCRIPTOR...

The descriptors are the devices of the hosts 0, 1 and so on; the host that a packet goes to is the third number of its address.
On standard input come lines: `line 20 ms ± 2 ms, 1 % lost`, `cut 2`, `join 2`, `tell`; each is answered with a line on standard
output, which says what has happened to packets.
"""

import heapq
import os
import random
import select
import sys
import time
from collections import Counter

from loadtests.machines.line import Line

MAX_ON_THE_WAY = 20_000
"""Packets that are on their way at once; a further one is dropped, as a router does whose queue is full."""
_AT_ONCE = 64
"""Packets that are taken from a device before others have their turn."""
_MTU = 2048


class Relay:
    """Packets on their way. Those from one host to another never overtake each other."""

    def __init__(self, devices: list[int], dice: random.Random) -> None:
        self._devices, self._dice = devices, dice
        self._line = Line()
        self._away: set[int] = set()
        self._way: list[tuple[float, int, int, bytes]] = []
        self._number = 0
        self._latest: dict[tuple[int, int], float] = {}
        self.counts: Counter[str] = Counter(carried=0, lost=0, dropped=0, cut=0)

    def obey(self, command: str) -> str:
        """Do what a line says, and return the answer."""
        verb, _, rest = command.partition(" ")
        match verb:
            case "line":
                self._line = Line.parse(rest)
            case "cut":
                self._away.add(int(rest))
            case "join":
                self._away.discard(int(rest))
        return " ".join(f"{name}={count}" for name, count in self.counts.items())

    def take(self, host: int, packet: bytes, now: float) -> None:
        """Send a packet of a host on its way, unless it gets lost."""
        if packet[0] >> 4 != 4:
            return  # nobody here speaks IPv6
        to = packet[18]
        if to >= len(self._devices):
            return
        line = self._line
        if host in self._away or to in self._away:
            self.counts["cut"] += 1
        elif line.loss_percent and self._dice.random() * 100 < line.loss_percent:
            self.counts["lost"] += 1
        elif not line.delay_ms and not self._way:
            self._arrive(to, packet)
        elif len(self._way) >= MAX_ON_THE_WAY:
            self.counts["dropped"] += 1
        else:
            due = now + (line.delay_ms + line.jitter_ms * self._dice.uniform(-1, 1)) / 1000
            due = self._latest[host, to] = max(due, self._latest.get((host, to), 0.0))
            self._number += 1
            heapq.heappush(self._way, (due, self._number, to, packet))

    def deliver(self, now: float) -> float | None:
        """Bring what is due; return in how many seconds the next packet is."""
        while self._way and self._way[0][0] <= now:
            _, _, to, packet = heapq.heappop(self._way)
            self._arrive(to, packet)
        return self._way[0][0] - now if self._way else None

    def _arrive(self, to: int, packet: bytes) -> None:
        if to in self._away:
            self.counts["cut"] += 1
            return
        try:
            os.write(self._devices[to], packet)
        except BlockingIOError:
            self.counts["dropped"] += 1
        except OSError:
            self.counts["cut"] += 1  # its device is down
        else:
            self.counts["carried"] += 1


def main() -> None:
    """Carry packets until standard input ends."""
    devices = [int(one) for one in sys.argv[1:]]
    relay = Relay(devices, random.Random(1))
    waiting = select.epoll()
    for descriptor in (0, *devices):
        os.set_blocking(descriptor, descriptor == 0)
        waiting.register(descriptor, select.EPOLLIN)
    hosts = {descriptor: host for host, descriptor in enumerate(devices)}
    commands = b""
    wait_s: float | None = None
    while True:
        for descriptor, _ in waiting.poll(-1 if wait_s is None else max(0.0, wait_s)):
            if descriptor == 0:
                said = os.read(0, 4096)
                if not said:
                    return
                *lines, commands = (commands + said).split(b"\n")
                for one in lines:
                    print(relay.obey(one.decode()), flush=True)
                continue
            host, now = hosts[descriptor], time.monotonic()
            for _ in range(_AT_ONCE):
                try:
                    packet = os.read(descriptor, _MTU)
                except OSError:
                    break  # nothing more, or the device is down
                relay.take(host, packet, now)
        wait_s = relay.deliver(time.monotonic())


if __name__ == "__main__":
    main()
