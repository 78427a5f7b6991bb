"""A name server as a cluster's: the names of headless services, and behind each the addresses of its ready pods."""

import socket
import struct
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Self

_A, _IN, _TTL_S = 1, 1, 0


class NameServer:
    """Answers questions for A records on a UDP socket. The first label of a name is the service."""

    def __init__(self, on: socket.socket) -> None:
        """The socket is bound; it is closed in the end."""
        self.addresses: dict[str, tuple[str, ...]] = {}
        """The addresses behind each service; may change at any time."""
        self._socket = on
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._socket.sendto(b"", self._socket.getsockname())
        self._thread.join(10)
        self._socket.close()

    def _serve(self) -> None:
        while True:
            asked, caller = self._socket.recvfrom(2048)
            if not asked:
                return
            self._socket.sendto(answer(asked, self.addresses), caller)


def answer(asked: bytes, addresses: Mapping[str, tuple[str, ...]]) -> bytes:
    """Return the answer to a question: all addresses of the service, none of any other kind."""
    end = asked.index(0, 12)
    service = asked[13 : 13 + asked[12]].decode()
    (kind,) = struct.unpack(">H", asked[end + 1 : end + 3])
    found = addresses.get(service, ()) if kind == _A else ()
    head = asked[:2] + struct.pack(">HHHHH", 0x8580, 1, len(found), 0, 0)
    record = struct.pack(">HHHIH", 0xC00C, _A, _IN, _TTL_S, 4)
    return head + asked[12 : end + 5] + b"".join(record + socket.inet_aton(address) for address in found)
