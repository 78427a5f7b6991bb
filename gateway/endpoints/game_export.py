"""Many finished games over HTTP: GET /v1/games.ndjson, one game a line, as fast as the client reads and its rate allows.

A line is a FoundGame in JSON with the game's record or text. Its cursor goes on after it (`after`), so a download that breaks off
is resumed. At most one game is in memory at a time; every page and every game is a call of its own, as if the client made it.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from google.protobuf import json_format
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from brettwerk.v1 import errors_pb2, play_pb2
from gateway.calls.handler import Handler
from gateway.calls.requests import Incoming
from gateway.endpoints.http_calls import HttpCalls
from gateway.http.responses import NEVER_STORED, Misfit, web_refusal
from gateway.identity.caller import Addresses, Caller
from gateway.limits.concurrency import OpenStreams
from gateway.messages.contract import METHODS
from gateway.messages.offload import spelled_fields
from services.runtime import limits
from services.runtime.refusal import Refused, is_newer, listed, malformed

PATH = "/v1/games.ndjson"
MAX_GAMES = 100_000
"""The most games of one download."""
_PAGE = 20
_SEARCH, _EXPORT = METHODS["SearchGames"], METHODS["ExportSession"]
_NUMBERS, _FLAGS = ("since", "until", "max"), ("rated", "arena")
_OF_ONE_GAME = (errors_pb2.REASON_UNKNOWN, errors_pb2.REASON_RECORD_DAMAGED, errors_pb2.REASON_MALFORMED)
"""Refusals of one game, after which the others follow."""
_KNOWN = frozenset({"player", "game", "after", "format", *_NUMBERS, *_FLAGS})
_ASKED_AS = {"player_id": "player", "page_token": "after"}
"""Parameters by the fields of the search that they become, where these are called otherwise."""


class GameExport:
    """Answers such requests."""

    def __init__(self, handler: Handler, streams: OpenStreams, addresses: Addresses) -> None:
        self._handler = handler
        self._streams = streams
        self._http = HttpCalls(handler, addresses, _refusal)

    async def handle(self, request: Request) -> Response:
        """Return the response to a GET."""
        return await self._http.answer(request, _SEARCH.name, lambda: self._stream(request))

    async def _stream(self, request: Request) -> Response:
        if request.method != "GET":
            raise Misfit(405, "games are downloaded by GET")
        caller = self._http.caller(request)
        search, max_games, as_text = _read(request)
        with contextlib.ExitStack() as held:
            held.enter_context(self._streams.one(caller))
            try:
                first = await self._page(search, caller)  # so that a refusal is the response
            except Refused as refused:
                refused.refusal.field = _ASKED_AS.get(refused.refusal.field, refused.refusal.field)
                raise
            return _Download(self._rows(search, first, caller, max_games, as_text=as_text), held.pop_all())

    async def _rows(
        self,
        search: play_pb2.SearchGamesRequest,
        page: play_pb2.SearchGamesResponse,
        caller: Caller,
        max_games: int,
        *,
        as_text: bool,
    ) -> AsyncIterator[bytes]:
        """Yield the lines; the last one is a refusal if something went wrong on the way."""
        sent = 0
        try:
            while True:
                for found in page.games:
                    yield await self._row(found, caller, as_text=as_text)
                    sent += 1
                    if sent == max_games:
                        return
                if not page.next_page_token:
                    return
                search.page_token = page.next_page_token
                page = await self._page(search, caller)
        except Refused as refused:
            yield _written({"refusal": json_format.MessageToDict(refused.refusal)})

    async def _page(self, search: play_pb2.SearchGamesRequest, caller: Caller) -> play_pb2.SearchGamesResponse:
        answer = await self._call(_SEARCH.name, search, caller)
        return answer.search_games

    async def _row(self, found: play_pb2.FoundGame, caller: Caller, *, as_text: bool) -> bytes:
        row = spelled_fields(found)
        wanted = play_pb2.ExportSessionRequest(session_id=found.session.id, as_text=as_text)
        try:
            exported = (await self._call(_EXPORT.name, wanted, caller)).export_session
        except Refused as refused:
            if refused.reason not in _OF_ONE_GAME and not is_newer(refused.refusal):
                raise
            return _written({**row, "refusal": json_format.MessageToDict(refused.refusal)})
        if as_text:
            return _written({**row, "text": exported.text})
        return _written({**row, "record": await asyncio.to_thread(spelled_fields, exported.record)})

    async def _call(self, name: str, request: Any, caller: Caller) -> play_pb2.Answer:
        """Return the answer to a call, once the caller's rate allows it."""
        method = METHODS[name]
        call = play_pb2.Call()
        getattr(call, method.field).CopyFrom(request)
        while True:
            try:
                self._handler.admit(method, caller, request.ByteSize())
                break
            except Refused as refused:
                if refused.reason != errors_pb2.REASON_TOO_MANY_REQUESTS:
                    raise
                await asyncio.sleep(refused.refusal.retry_after_ms / 1000)
        with self._handler.charged(caller):
            answer = await self._handler.carry_out(Incoming(method, request, call.SerializeToString()), caller)
        return play_pb2.Answer.FromString(answer)


class _Download(StreamingResponse):
    """A stream that releases what it holds however it ends."""

    def __init__(self, rows: AsyncIterator[bytes], held: contextlib.ExitStack) -> None:
        super().__init__(rows, headers=dict(NEVER_STORED), media_type="application/x-ndjson")
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        with self._held:
            await super().__call__(scope, receive, send)


def _read(request: Request) -> tuple[play_pb2.SearchGamesRequest, int, bool]:
    """Return the search, how many games are wanted, and whether as texts. Raises Refused (MALFORMED)."""
    asked = request.query_params
    for name in asked:
        if name not in _KNOWN:
            raise malformed(name[:100], f"there is no parameter {name[:100]}; there are: {listed(sorted(_KNOWN))}")
    numbers = {name: asked.get(name, "0") for name in _NUMBERS}
    flags = {name: asked.get(name, "") for name in _FLAGS}
    for name, text in numbers.items():
        if not (text.isascii() and text.isdigit() and len(text) <= 15):
            raise malformed(name, f"{name} is a number, not {text[:100]}")
    for name, text in flags.items():
        if text not in ("", "0", "1", "true", "false"):
            raise malformed(name, f"{name} is true or false, not {text[:100]}")
    if (form := asked.get("format", "record")) not in ("record", "text"):
        raise malformed("format", f"format is record or text, not {form[:100]}")
    search = play_pb2.SearchGamesRequest(
        player_id=asked.get("player", ""),
        game=asked.get("game", ""),
        since_ms=int(numbers["since"]),
        until_ms=int(numbers["until"]),
        competitive=flags["rated"] in ("1", "true"),
        arena=flags["arena"] in ("1", "true"),
        page_size=_PAGE,
        page_token=asked.get("after", ""),
    )
    limits.check_request(search)
    return search, min(int(numbers["max"]) or MAX_GAMES, MAX_GAMES), form == "text"


def _written(row: dict[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _refusal(refused: Refused) -> Response:
    status = refused.status if isinstance(refused, Misfit) else 0
    return web_refusal(refused.refusal, status, {"allow": "GET"} if status == 405 else None)
