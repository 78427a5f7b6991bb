"""Where connections come in: each is counted by its address before anything is done for it, and then encrypted if so wanted.

asyncio's own servers encrypt first: thousands of handshakes that nobody ends would be counted nowhere.
"""

import asyncio
import socket
import ssl
from collections.abc import Callable

from grpc_http2.visitors import UNIX, Visit, Visitors

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

    def add(self, bound: socket.socket, context: ssl.SSLContext | None = None) -> None:
        """Take a socket that listens, whose connections are encrypted with a context. They wait until `open`."""
        bound.setblocking(False)
        self._bound.append((bound, context))

    def open(self) -> None:
        """Accept connections from now on."""
        for bound, context in self._bound:
            self._open(bound, context)

    def close(self) -> None:
        """Accept no more."""
        for task in self._tasks:
            task.cancel()
        for bound, _ in self._bound:
            asyncio.get_running_loop().remove_reader(bound)
            bound.close()
        self._bound.clear()

    def _open(self, bound: socket.socket, context: ssl.SSLContext | None) -> None:
        if bound.fileno() >= 0:  # it may have been closed in a pause
            asyncio.get_running_loop().add_reader(bound, self._accept, bound, context)

    def _accept(self, bound: socket.socket, context: ssl.SSLContext | None) -> None:
        loop = asyncio.get_running_loop()
        try:
            accepted, place = bound.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return  # it has gone again
        except OSError:
            loop.remove_reader(bound)
            loop.call_later(_PAUSE_S, self._open, bound, context)
            return
        accepted.setblocking(False)
        visit = self._visitors.enter(place[0] if isinstance(place, tuple) else UNIX)
        if visit is None:
            accepted.close()
            return
        letting_in = loop.create_task(self._let_in(accepted, context, visit))
        self._tasks.add(letting_in)
        letting_in.add_done_callback(self._tasks.discard)
        # A task that is cancelled before its first step does nothing, so it cannot tidy up itself.
        letting_in.add_done_callback(lambda done: _turn_away(accepted, visit) if done.cancelled() else None)
        visit.cut_off = _cancelling(letting_in)

    async def _let_in(self, accepted: socket.socket, context: ssl.SSLContext | None, visit: Visit) -> None:
        timeout = None if context is None else self._visitors.bounds.handshake_s
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: self._protocol(visit), accepted, ssl=context, ssl_handshake_timeout=timeout
            )
        except Exception as error:
            _turn_away(accepted, visit)
            if not isinstance(error, OSError):  # a fault of TLS, or of time, is one
                raise


def _turn_away(accepted: socket.socket, visit: Visit) -> None:
    visit.leave()
    accepted.close()


def _cancelling(task: "asyncio.Task[None]") -> Callable[[str], None]:
    def cut_off(why: str) -> None:
        task.cancel()

    return cut_off
