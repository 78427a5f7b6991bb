"""The built web client, kept in memory: its files by name, and its first page for every address that the client knows itself.

Those addresses are in a file that the client is built with (clients/web/src/app/routes.json). Any other address is refused.
Browsers get the first page there too, with status 404: the client says that nothing is there. A file is found by its name in a
table, never by a path put together from what a caller sent.

Boards for the pages of others are a page of their own, the only one that those pages may show in a frame.
"""

import gzip
import html
import json
import mimetypes
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self, cast

from starlette.requests import Request
from starlette.responses import Response

from gateway.endpoints.bounded_http import REPLACE
from gateway.http import responses
from gateway.http.responses import ASK_EACH_TIME, FOR_EVER, OF_PAGES, File, web_refusal
from gateway.messages.compression import WORTH_BYTES
from gateway.messages.contract import no_such_method
from services.runtime.logs import logger

ROUTES = "routes.json"
"""Where a built client has them: patterns such as `puzzle/:game/:day?`, each with the name of its page."""


class Routes:
    """Knows which addresses have pages."""

    def __init__(self, patterns: list[list[str]]) -> None:
        """Take the parts of each pattern; those that begin with a colon stand for any, and may be missing if they end in `?`."""
        self._patterns = patterns

    @classmethod
    def of(cls, body: bytes) -> Self:
        """Return those of a file. Raises ValueError if it is not one."""
        given = json.loads(body)
        if not isinstance(given, dict):
            raise ValueError(f"{ROUTES} is not an object")
        return cls([_parts(pattern) for pattern in given])

    def lead_to_a_page(self, path: str) -> bool:
        """Return whether the client has a page for an address."""
        parts = _parts(path)
        return any(_fits(parts, pattern) for pattern in self._patterns)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _fits(parts: list[str], pattern: list[str]) -> bool:
    fewest = sum(not part.endswith("?") for part in pattern)
    if not fewest <= len(parts) <= len(pattern):
        return False
    return all(known.startswith(":") or known == part for part, known in zip(parts, pattern, strict=False))


log = logger(__name__)

FIRST_PAGE = "index.html"
BOARD = "embed.html"
"""The page with nothing but a board."""
HASHED = "assets/"
"""The folder of files whose names change with their content."""
FILE_BYTES = 16 * 1024 * 1024
"""Larger files are not served."""

_BOARDS = Routes([["embed", ":session"]])
"""Its addresses."""
_WORTH = ("text/", "image/svg+xml", "application/json", "application/manifest+json")
_ENCODINGS = {".br": "br", ".gz": "gzip"}
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/vnd.microsoft.icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


class Pages:
    """Serves the client from a folder, and reads that again after a new build."""

    def __init__(self, folder: str, embed_ancestors: str) -> None:
        """Take the folder, empty for none, and the origins whose pages may frame boards.

        Raises ValueError for origins that are none.
        """
        self._board_policy = responses.policy(responses.ancestors(embed_ancestors))
        self._folder = Path(folder) if folder else None
        self._files: Mapping[str, File] = {}
        self._routes = Routes([])
        self._read_at: tuple[int, int] | None = None
        self._refresh()

    async def handle(self, request: Request) -> Response:
        """Return the response to any request outside of /v1/."""
        if request.method not in ("GET", "HEAD"):
            return Response("Pages are read by GET.\n", 405, {"allow": "GET, HEAD"}, "text/plain")
        self._refresh()
        name = request.url.path.lstrip("/")
        found = self._files.get(name)
        if found is None and _BOARDS.lead_to_a_page(name) and BOARD in self._files:
            name, found = BOARD, self._files[BOARD]
            cast(Callable[[str, str], None], getattr(request.state, REPLACE))(responses.POLICY, self._board_policy)
        if found is None and name.startswith((HASHED, ".")):
            return Response("There is no such file.\n", 404, {"cache-control": ASK_EACH_TIME}, "text/plain")
        is_lost = found is None and bool(self._files) and not self._routes.lead_to_a_page(name)
        if found is None and name and not _reads_pages(request, is_lost=is_lost):
            return web_refusal(no_such_method(f"/{name}"[:100]).refusal)
        if found is None:
            name, found = FIRST_PAGE, self._files.get(FIRST_PAGE)
        if found is None:
            return _not_built()
        if is_lost:
            return Response(found.body, 404, {"cache-control": "no-store", **OF_PAGES}, found.media_type)
        response = found.response(request, FOR_EVER if name.startswith(HASHED) else ASK_EACH_TIME)
        if found.media_type.startswith("text/html"):
            response.headers.update(OF_PAGES)
        return response

    def _refresh(self) -> None:
        """Read the folder again if its first page has changed."""
        if self._folder is None:
            return
        try:
            stat = (self._folder / FIRST_PAGE).stat()
        except OSError:
            self._files, self._routes, self._read_at = {}, Routes([]), None
            return
        if self._read_at != (stat.st_mtime_ns, stat.st_size):
            self._read_at = stat.st_mtime_ns, stat.st_size
            self._files = read_folder(self._folder)
            self._routes = _routes(self._files)
            log.info("web client read", files=len(self._files), bytes=sum(len(file.body) for file in self._files.values()))


def read_folder(folder: Path) -> Mapping[str, File]:
    """Return the files of a built client by their paths from its root; links that lead out of it are left out."""
    root = folder.resolve()
    bodies: dict[str, bytes] = {}
    for path in sorted(root.rglob("*")):
        is_hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
        if is_hidden or not path.is_file() or not path.resolve().is_relative_to(root) or path.stat().st_size > FILE_BYTES:
            continue
        bodies[path.relative_to(root).as_posix()] = path.read_bytes()
    return {name: _file(name, bodies) for name in bodies if not _is_compressed_copy(name, bodies)}


def _is_compressed_copy(name: str, bodies: Mapping[str, bytes]) -> bool:
    return any(name.endswith(suffix) and name.removesuffix(suffix) in bodies for suffix in _ENCODINGS)


def _file(name: str, bodies: Mapping[str, bytes]) -> File:
    suffix = Path(name).suffix
    media_type = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    body = bodies[name]
    encoded = {encoding: bodies[name + suffix] for suffix, encoding in _ENCODINGS.items() if name + suffix in bodies}
    if "gzip" not in encoded and len(body) >= WORTH_BYTES and media_type.startswith(_WORTH):
        encoded["gzip"] = gzip.compress(body, mtime=0)
    return File.of(body, media_type, encoded)


def _routes(files: Mapping[str, File]) -> Routes:
    """Return the addresses of the client, of which one without a list of them has the first page only."""
    try:
        return Routes.of(files[ROUTES].body)
    except (KeyError, ValueError):
        log.warning("the web client has no list of its addresses", file=ROUTES)
        return Routes([[]])


def _reads_pages(request: Request, *, is_lost: bool) -> bool:
    """Return whether a client wants a page; programs, which take anything, do not where there is none."""
    accepted = request.headers.get("accept", "") or "*/*"
    return "text/html" in accepted or ("*/*" in accepted and not is_lost)


def _not_built() -> Response:
    text = "This gateway serves no web client: it has not been built, or its folder is not set (BRETTWERK_WEB_FOLDER)."
    other = "The game service itself is at /v1/: see /v1/health."
    page = f"<!doctype html><html lang=en><title>Brettwerk</title><h1>Brettwerk</h1><p>{html.escape(text)}<p>{html.escape(other)}"
    return Response(page + "\n", 503, {"cache-control": "no-store", **OF_PAGES}, "text/html; charset=utf-8")
