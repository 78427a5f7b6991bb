"""A name server as a cluster's: the names of headless services, and behind each the addresses of its ready pods.

gRPC is told which server to ask (`target`). Links ask the system: `python -m tests.chaos.names MODULE` runs a program whose links
ask this server instead.
"""

import asyncio
import os
import runpy
import socket
import struct
import sys

from loadtests.machines.names import NameServer

_A, _IN = 1, 1
SERVER = "TEST_NAMES_PORT"


class Names(NameServer):
    """A name server on a free UDP port of this machine."""

    def __init__(self) -> None:
        found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        found.bind(("127.0.0.1", 0))
        self._port = found.getsockname()[1]
        super().__init__(found)

    def target(self, service: str, port: int) -> str:
        """Return a gRPC target that this server resolves."""
        return f"dns://127.0.0.1:{self._port}/{service}:{port}"

    @property
    def environment(self) -> dict[str, str]:
        """The environment that leads processes run by this module to this server."""
        return {SERVER: str(self._port)}


def look_up(name: str, port: int) -> list[str]:
    """Return the addresses that the server at a port of this machine knows for a name. Raises OSError."""
    question = (
        struct.pack(">HHHHHH", 7, 0x0100, 1, 0, 0, 0) + bytes([len(name)]) + name.encode() + b"\0" + struct.pack(">HH", _A, _IN)
    )
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(2)
        asking.sendto(question, ("127.0.0.1", port))
        answer = asking.recv(2048)
    (count,) = struct.unpack(">H", answer[6:8])
    records = answer[len(question) :]
    return [socket.inet_ntoa(records[16 * n + 12 : 16 * n + 16]) for n in range(count)]


def lead_links_here() -> None:
    """Have the links of this process ask the server."""
    from services.runtime.link import addresses
    from services.runtime.link.addresses import Place

    async def behind(given: Place) -> list[Place]:
        found = await asyncio.to_thread(look_up, given.host, int(os.environ[SERVER]))
        return [Place(host=address, port=given.port, name=given.host) for address in found]

    addresses._behind = behind


if __name__ == "__main__":
    lead_links_here()
    runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
