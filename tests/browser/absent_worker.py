"""A worker program for a deployment that stands where a worker would: for the launcher it is there and well, but it never
thinks."""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer


class _Well(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    host, _, port = os.environ["BRETTWERK_METRICS_LISTEN"].rpartition(":")
    HTTPServer((host, int(port)), _Well).serve_forever()
