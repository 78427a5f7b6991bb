"""A proxy before a server that has faults as proxies have them: it refuses, answers 502, is silent, or cuts messages in two."""

import contextlib
import itertools
import random
import socket
import threading
from collections.abc import Callable, Iterator

import h2.config
import h2.connection
import h2.events

from tests.clients.cable import Cable

PREFACE = b"PRI * HTTP/2.0"
BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
MAX_BYTES = 400
"""After how many bytes of answers a message is cut at the latest: most updates are longer."""


class FaultyProxy(Cable):
    """Passes bytes on until it is told to have a fault."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self._fault: Callable[[socket.socket], None] | None = None
        self._chance = random.Random(42)
        self.met = itertools.count()
        """Counts the connections that met the fault."""

    @contextlib.contextmanager
    def having(self, fault: "Callable[[FaultyProxy, socket.socket], None]") -> Iterator[None]:
        """Have a fault within the block: all connections end, and those that come meet the fault."""
        self._fault = lambda here: fault(self, here)
        self.cut()
        try:
            yield
        finally:
            self._fault = None
            if fault is not FaultyProxy.be_silent:
                self.cut()

    def refuse(self, here: socket.socket) -> None:
        """Close the connection."""
        here.close()

    def be_silent(self, here: socket.socket) -> None:
        """Take everything and say nothing, to this connection for ever."""
        threading.Thread(target=_swallow, args=(here,), daemon=True).start()

    def answer_502(self, here: socket.socket) -> None:
        """Answer each request with 502, in the protocol that the client speaks."""
        threading.Thread(target=_answer_502, args=(here,), daemon=True).start()

    def cut_messages(self, here: socket.socket) -> None:
        """Pass on a little of what the server answers, and reset the connection in the middle."""
        with contextlib.suppress(OSError):
            there = socket.create_connection(self._there)
            with self._lock:
                self._open.append(there)
            threading.Thread(target=self._copy, args=(here, there, False), daemon=True).start()
            length = self._chance.randrange(1, MAX_BYTES)
            threading.Thread(target=_copy_some, args=(there, here, length), daemon=True).start()

    def _connect(self, here: socket.socket) -> None:
        fault = self._fault
        if fault is None:
            super()._connect(here)
        else:
            next(self.met)
            fault(here)


def _swallow(here: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while here.recv(65_536):
            pass


def _answer_502(here: socket.socket) -> None:
    with contextlib.suppress(OSError), here:
        data = here.recv(65_536)
        if not data.startswith(PREFACE):
            here.sendall(BAD_GATEWAY)
            return
        connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        connection.initiate_connection()
        while data:
            for event in connection.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    connection.send_headers(event.stream_id, [(":status", "502")], end_stream=True)
            here.sendall(connection.data_to_send())
            data = here.recv(65_536)


def _copy_some(source: socket.socket, target: socket.socket, length: int) -> None:
    with contextlib.suppress(OSError):
        while length > 0 and (data := source.recv(min(length, 65_536))):
            target.sendall(data)
            length -= len(data)
    for each in (source, target):
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
        each.close()
