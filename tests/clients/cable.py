"""A cable between a client and a server that can be pulled out, also at the worst moment."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


class Cable:
    """Passes bytes on in both directions until it is cut; connections that come later work again."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._there = (host, int(port))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._is_deaf = threading.Event()
        self._dead: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.cuts = 0

    @property
    def address(self) -> str:
        host, port = self._listening.getsockname()
        return f"{host}:{port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
        self.cut()

    def cut(self) -> None:
        """End all connections."""
        with self._lock:
            ended, self._open = self._open, []
        self.cuts += 1
        for each in ended:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def cut_before_the_next_answer(self) -> None:
        """Let the server hear what comes next, and cut when it has begun to answer."""
        self._is_deaf.set()

    def die_before_the_next_answer(self) -> None:
        """Let the server hear what comes next; from its answer on the present connections stay open and carry nothing."""
        with self._lock:
            self._dead.update(self._open)

    @contextlib.contextmanager
    def by_http(self, happens: Callable[[], None]) -> Iterator[str]:
        """Yield an address; something happens to the cable when it is posted to."""

        class Posts(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                happens()
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Posts) as server:
            serving = threading.Thread(target=server.serve_forever, daemon=True)
            serving.start()
            yield f"http://127.0.0.1:{server.server_address[1]}/"
            server.shutdown()
            serving.join()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                with self._lock:
                    self._open.append(here)
                self._connect(here)

    def _connect(self, here: socket.socket) -> None:
        """Connect a client with the server."""
        try:
            there = socket.create_connection(self._there)
        except OSError:
            here.close()
            return
        with self._lock:
            self._open.append(there)
        threading.Thread(target=self._copy, args=(here, there, False), daemon=True).start()
        threading.Thread(target=self._copy, args=(there, here, True), daemon=True).start()

    def _copy(self, source: socket.socket, target: socket.socket, is_answer: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if is_answer and source in self._dead:
                    continue
                if is_answer and self._is_deaf.is_set() and len(data) > 60:  # more than acknowledgements of HTTP/2
                    self._is_deaf.clear()
                    self.cut()
                    return
                target.sendall(data)
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
