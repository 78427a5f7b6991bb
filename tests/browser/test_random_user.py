"""Users who do anything at all: they find what is planted, and nothing in the product."""

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from deploy.local.deployment import Deployment
from loadtests.browser.random_user import Faults, look_of, use

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

PLANTED = {
    "a script that fails": ("<button onclick='missing()'>press</button>", "an error of a script"),
    "a placeholder": ("<button onclick='document.body.append(` ${undefined}`)'>press</button>", "the page says"),
    "a word that is missing": ("<button onclick='document.body.append(` {name} joins`)'>press</button>", "the page says"),
    "a wide page": ("<button onclick='this.style.padding=`999px`'>press</button>", "wider than the screen"),
    "a call that fails": ("<button onclick='fetch(`/fails`)'>press</button>", "the console says"),
}


@contextlib.contextmanager
def served(body: str) -> Iterator[str]:
    """Serve a page at every address but one, which fails; yields where."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(500 if self.path == "/fails" else 200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(f"<!doctype html><link rel=icon href=data:,>{body}".encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        *(pytest.param(*planted, id=name) for name, planted in PLANTED.items()),
        pytest.param("<button onclick='for (;;);'>press</button>", "does not answer", id="a page that hangs"),
    ],
)
def test_a_planted_fault_is_found(chromium: Browser, tmp_path: Path, body: str, expected: str) -> None:
    faults = Faults(1, tmp_path)
    with served(body) as site:
        use(chromium, site, 60, faults, most=1)
    assert [kind for kind in faults.found if expected in kind]


@pytest.mark.nightly
def test_a_page_without_faults_has_none(chromium: Browser, tmp_path: Path) -> None:
    faults = Faults(1, tmp_path)
    with served("<button>press</button><input><a href=/other>other</a>") as site:
        assert use(chromium, site, 2, faults) > 5
    assert not faults.found


@pytest.mark.nightly
@pytest.mark.parametrize(("screen", "locale", "scheme"), [("desktop", "en-GB", "light"), ("phone", "de-DE", "dark")])
def test_random_users_do_not_break_the_page(chromium: Browser, site: Deployment, tmp_path: Path, screen, locale, scheme) -> None:
    faults = Faults(7, tmp_path)
    use(chromium, f"http://{site.web_address}", 60, faults, look=look_of(screen, locale, scheme))
    assert not faults.found
