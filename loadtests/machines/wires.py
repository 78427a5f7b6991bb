"""The wire between hosts: a bridge with the kernel's netem where there is one, or else a relay (relay.py).

Every host is a network 198.18.HOST.0/24 of the range that is set aside for measurements (RFC 2544). No host has a way to anywhere
else.
"""

import contextlib
import fcntl
import os
import struct
import subprocess
import sys
from collections.abc import Sequence
from typing import Protocol

from loadtests.machines.line import Line
from loadtests.machines.namespaces import Namespace

NETWORK = "198.18"
DEVICE = "net0"
_TUN_SET_INTERFACE, _TUN, _NO_INFORMATION = 0x400454CA, 0x0001, 0x1000
"""TUNSETIFF, IFF_TUN and IFF_NO_PI of linux/if_tun.h."""
_QUEUE = "4000"
"""Packets that a device keeps for the relay."""


def address(host: int, number: int) -> str:
    """Return an address of a host."""
    return f"{NETWORK}.{host}.{number}"


class Wire(Protocol):
    """Connects hosts."""

    kind: str
    """What it is made of, for people."""

    def set(self, line: Line) -> None:
        """Delay and lose as this says from now on, in each direction between any two hosts."""

    def cut(self, host: int) -> None:
        """Cut a host off: nothing reaches it any more, nor anybody from there."""

    def join(self, host: int) -> None:
        """Connect a host again."""

    def counts(self) -> dict[str, int]:
        """Return what has happened to packets, as far as it is counted."""
        ...

    def close(self) -> None:
        """End it."""


def connect(hosts: Sequence[Namespace], line: Line) -> Wire:
    """Connect hosts, and give each its first address."""
    return Bridge(hosts, line) if has_netem(hosts[0]) else Relayed(hosts, line)


def has_netem(host: Namespace) -> bool:
    """Return whether the kernel can delay what a device sends."""
    try:
        host.run("tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms")
    except (subprocess.CalledProcessError, OSError):
        return False
    host.run("tc", "qdisc", "del", "dev", "lo", "root")
    return True


class Bridge:
    """A bridge at host 0; what a host's device sends is delayed by netem."""

    kind = "bridge and netem"

    def __init__(self, hosts: Sequence[Namespace], line: Line) -> None:
        self._hosts = hosts
        first = hosts[0]
        first.ip("link", "add", DEVICE, "type", "bridge")
        for number, host in enumerate(hosts[1:], 1):
            first.ip("link", "add", f"to{number}", "type", "veth", "peer", "name", DEVICE, "netns", host.path)
            first.ip("link", "set", f"to{number}", "master", DEVICE, "up")
        for number, host in enumerate(hosts):
            _bring_up(host, number)
        self.set(line)

    def set(self, line: Line) -> None:
        """Replace the rule of every device."""
        loss = ("loss", f"{line.loss_percent}%") if line.loss_percent else ()
        for host in self._hosts:
            if line == Line():
                with contextlib.suppress(subprocess.CalledProcessError):  # it has none
                    host.run("tc", "qdisc", "del", "dev", DEVICE, "root")
            else:
                delay = ("delay", f"{line.delay_ms}ms", f"{line.jitter_ms}ms")
                host.run("tc", "qdisc", "replace", "dev", DEVICE, "root", "netem", "limit", "20000", *delay, *loss)

    def cut(self, host: int) -> None:
        """Pull the cable at the bridge."""
        self._hosts[0].ip("link", "set", f"to{host}", "down")

    def join(self, host: int) -> None:
        """Plug it in again."""
        self._hosts[0].ip("link", "set", f"to{host}", "up")

    def counts(self) -> dict[str, int]:
        """Return nothing: netem's own figures are those of single devices."""
        return {}

    def close(self) -> None:
        """Do nothing: it goes with its namespace."""


class Relayed:
    """A relay, and a TUN device in each host."""

    kind = "relay"

    def __init__(self, hosts: Sequence[Namespace], line: Line) -> None:
        devices = [host.do(_open_tun) for host in hosts]
        for number, host in enumerate(hosts):
            _bring_up(host, number)
            host.ip("link", "set", DEVICE, "txqueuelen", _QUEUE)
        command = [sys.executable, "-m", "loadtests.machines.relay", *map(str, devices)]
        self.process = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, pass_fds=devices
        )
        for device in devices:
            os.close(device)
        self.set(line)

    def set(self, line: Line) -> None:
        """Tell the relay."""
        self._tell(f"line {line.text()}")

    def cut(self, host: int) -> None:
        """Tell the relay."""
        self._tell(f"cut {host}")

    def join(self, host: int) -> None:
        """Tell the relay."""
        self._tell(f"join {host}")

    def counts(self) -> dict[str, int]:
        """Return how many packets were carried, lost by chance, dropped because a queue was full, and lost at a cut."""
        pairs = (word.split("=") for word in self._tell("tell").split())
        return {name: int(count) for name, count in pairs}

    def close(self) -> None:
        """End the relay."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(10)

    def _tell(self, command: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()


def _bring_up(host: Namespace, number: int) -> None:
    host.ip("address", "add", f"{address(number, 1)}/16", "dev", DEVICE)
    host.ip("link", "set", DEVICE, "up")


def _open_tun() -> int:
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, _TUN_SET_INTERFACE, struct.pack("16sH22x", DEVICE.encode(), _TUN | _NO_INFORMATION))
    return device
