"""The wire between hosts: a relay (relay.py) between a TUN device of each host.

Every host is a network 198.18.HOST.0/24 of the range that is set aside for measurements (RFC 2544). No host has a way to anywhere
else.
"""

import fcntl
import os
import struct
import subprocess
import sys
from collections.abc import Sequence

from loadtests.machines.line import Line
from loadtests.machines.namespaces import TUN, Namespace

NETWORK = "198.18"
DEVICE = "net0"
_TUN_SET_INTERFACE, _TUN, _NO_INFORMATION = 0x400454CA, 0x0001, 0x1000
"""TUNSETIFF, IFF_TUN and IFF_NO_PI of linux/if_tun.h."""
_QUEUE = "4000"
"""Packets that a device keeps for the relay."""


def address(host: int, number: int) -> str:
    """Return an address of a host."""
    return f"{NETWORK}.{host}.{number}"


class Wire:
    """Connects hosts, and gives each its first address."""

    def __init__(self, hosts: Sequence[Namespace], line: Line) -> None:
        devices = [host.do(_open_tun) for host in hosts]
        for number, host in enumerate(hosts):
            host.ip("address", "add", f"{address(number, 1)}/16", "dev", DEVICE)
            host.ip("link", "set", DEVICE, "up")
            host.ip("link", "set", DEVICE, "txqueuelen", _QUEUE)
        command = [sys.executable, "-m", "loadtests.machines.relay", *map(str, devices)]
        self.process = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, pass_fds=devices
        )
        for device in devices:
            os.close(device)
        self.set(line)

    def set(self, line: Line) -> None:
        """Delay and lose as this says from now on, in each direction between any two hosts."""
        self._tell(f"line {line.text()}")

    def cut(self, host: int) -> None:
        """Cut a host off: nothing reaches it any more, nor anybody from there."""
        self._tell(f"cut {host}")

    def join(self, host: int) -> None:
        """Connect a host again."""
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


def _open_tun() -> int:
    device = os.open(TUN, os.O_RDWR)
    fcntl.ioctl(device, _TUN_SET_INTERFACE, struct.pack("16sH22x", DEVICE.encode(), _TUN | _NO_INFORMATION))
    return device
