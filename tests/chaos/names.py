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
import threading
from types import TracebackType
from typing import Self

_A, _IN, _TTL_S = 1, 1, 0
SERVER = "TEST_NAMES_PORT"


class Names:
    """Answers questions for A records on a free UDP port of this machine. The first label of a name is the service."""

    def __init__(self) -> None:
        self.addresses: dict[str, tuple[str, ...]] = {}
        """The addresses behind each service; may change at any time."""
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._socket.sendto(b"", self._socket.getsockname())
        self._thread.join(10)
        self._socket.close()

    def target(self, service: str, port: int) -> str:
        """Return a gRPC target that this server resolves."""
        return f"dns://127.0.0.1:{self._socket.getsockname()[1]}/{service}:{port}"

    @property
    def environment(self) -> dict[str, str]:
        """What leads processes that are run by this module here."""
        return {SERVER: str(self._socket.getsockname()[1])}

    def _serve(self) -> None:
        while True:
            asked, caller = self._socket.recvfrom(2048)
            if not asked:
                return
            self._socket.sendto(self._answer(asked), caller)

    def _answer(self, asked: bytes) -> bytes:
        end = asked.index(0, 12)
        service = asked[13 : 13 + asked[12]].decode()
        (kind,) = struct.unpack(">H", asked[end + 1 : end + 3])
        found = self.addresses.get(service, ()) if kind == _A else ()
        head = asked[:2] + struct.pack(">HHHHH", 0x8580, 1, len(found), 0, 0)
        record = struct.pack(">HHHIH", 0xC00C, _A, _IN, _TTL_S, 4)
        return head + asked[12 : end + 5] + b"".join(record + socket.inet_aton(address) for address in found)


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
