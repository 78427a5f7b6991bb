"""Where connections come in: each is counted by its address before anything is done for it, and then encrypted if so wanted.

asyncio's own servers encrypt first: thousands of handshakes that nobody ends would be counted nowhere.
"""

import asyncio
import errno
import os
import socket
import ssl
from collections.abc import Callable, Coroutine
from typing import Any

from services.runtime.link import bounds
from services.runtime.link.visitors import UNIX, Visit, Visitors

_BACKLOG = 1024
"""How many connections the system keeps until they are accepted."""
_NO_SUCH_KIND = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)
"""What the system says of IPv4 or IPv6 where it has none."""
_PAUSE_S = 0.05
"""How long nothing is accepted when the process has no file descriptor left."""


class Listener:
    """Accepts the connections of a server at all sockets that are bound."""

    def __init__(self, visitors: Visitors, protocol: Callable[[Visit], asyncio.Protocol]) -> None:
        """`protocol` makes a connection's protocol, which ends the visit with the connection."""
        self._visitors = visitors
        self._protocol = protocol
        self._bound: list[tuple[socket.socket, ssl.SSLContext | None]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def bind(self, host: str | None, port: int, context: ssl.SSLContext | None = None) -> int:
        """Take a port, of all addresses of the machine without a host, and return it. Connections wait until `open`.

        Raises OSError when it is taken, or no address of ours.
        """
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for number, (family, _, _, _, place) in enumerate(found, 1):
            try:
                listener = socket.create_server((place[0], port), family=family, backlog=_BACKLOG)
            except OSError as error:
                if host is None and error.errno in _NO_SUCH_KIND and (self._bound or number < len(found)):
                    continue
                self.close()
                raise
            port = listener.getsockname()[1]
            self._add(listener, context)
        return port

    def bind_path(self, path: str) -> None:
        """Take the path of a Unix socket, which is for this user only."""
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        os.chmod(path, 0o600)
        listener.listen(_BACKLOG)
        self._add(listener, None)

    def open(self) -> None:
        """Accept connections from now on."""
        for bound, context in self._bound:
            self._begin(self._accept(bound, context))

    def close(self) -> None:
        """Accept no more."""
        for task in self._tasks:
            task.cancel()
        for bound, _ in self._bound:
            bound.close()
        self._bound.clear()

    def _add(self, listener: socket.socket, context: ssl.SSLContext | None) -> None:
        listener.setblocking(False)
        self._bound.append((listener, context))

    def _begin(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _accept(self, listener: socket.socket, context: ssl.SSLContext | None) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, place = await loop.sock_accept(listener)
            except OSError:
                await asyncio.sleep(_PAUSE_S)
                continue
            visit = self._visitors.enter(place[0] if isinstance(place, tuple) else UNIX)
            if visit is None:
                accepted.close()
            else:
                letting_in = self._begin(self._let_in(accepted, context, visit))
                visit.cut_off = _cancelling(letting_in)

    async def _let_in(self, accepted: socket.socket, context: ssl.SSLContext | None, visit: Visit) -> None:
        timeout = None if context is None else bounds.HANDSHAKE_S
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: self._protocol(visit), accepted, ssl=context, ssl_handshake_timeout=timeout
            )
        except BaseException as error:
            visit.leave()
            accepted.close()
            if not isinstance(error, OSError):  # a fault of TLS, or of time, is one
                raise


def _cancelling(task: "asyncio.Task[None]") -> Callable[[str], None]:
    def cut_off(why: str) -> None:
        task.cancel()

    return cut_off
