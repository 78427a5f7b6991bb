"""A Prometheus that does not help those who ask it: away, wrong, or slow."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

from deploy.cluster import settings

_PORT = 9190


class FaultyPrometheus:
    """Listens at the first node's address, where pods reach it, until it is closed; one that is away does not even listen."""

    address = f"http://{settings.ADDRESS}:{_PORT}"

    def __init__(self, fault: str) -> None:
        """`fault` is away, wrong (it answers what no Prometheus does) or slow (it never answers)."""
        self._ends = threading.Event()
        self._server: ThreadingHTTPServer | None = None
        if fault != "away":
            self._server = ThreadingHTTPServer((settings.ADDRESS, _PORT), self._answering(is_slow=fault == "slow"))

    def __enter__(self) -> "FaultyPrometheus":
        """Begin to listen."""
        if self._server is not None:
            threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        """End, and let go of those who wait."""
        self._ends.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def _answering(self, *, is_slow: bool) -> type[BaseHTTPRequestHandler]:
        ends = self._ends

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if is_slow:
                    ends.wait()
                    return
                body = b'{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[0,"much"]}]}}'
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler
