"""The rules service behind gRPC: every call by itself, and many at a time over a link, answered from one table."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import Message
from prometheus_client import Counter, Histogram

from brettwerk.v1 import errors_pb2, rules_pb2, rules_pb2_grpc
from services.games import registry
from services.rules import answers
from services.rules.checks import Checks, open_pool
from services.runtime import metrics
from services.runtime.link import answer_link
from services.runtime.logs import logger
from services.runtime.refusal import Refused

log = logger(__name__)

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

NAME = "rules"


class RulesServicer(rules_pb2_grpc.RulesServiceServicer):
    """Answers RulesService."""

    def __init__(self, checks: Checks, leaving: asyncio.Event) -> None:
        """Take what runs the checks of records, and what is set when links are to end."""
        self._checks = checks
        self._leaving = leaving

    async def FindGames(self, request: rules_pb2.FindGamesRequest, context: Context) -> Any:
        """List the games."""
        return answers.answer("find_games", request)

    async def FindGame(self, request: rules_pb2.FindGameRequest, context: Context) -> Any:
        """Return one game."""
        return answers.answer("find_game", request)

    async def TryStart(self, request: rules_pb2.TryStartRequest, context: Context) -> Any:
        """Check a start position."""
        return answers.answer("try_start", request)

    async def NewPosition(self, request: rules_pb2.NewPositionRequest, context: Context) -> Any:
        """Begin a game."""
        return answers.answer("new_position", request)

    async def ApplyAction(self, request: rules_pb2.ApplyActionRequest, context: Context) -> Any:
        """Apply an action or a decree."""
        return answers.answer("apply_action", request)

    async def LegalActions(self, request: rules_pb2.LegalActionsRequest, context: Context) -> Any:
        """List what a seat may do."""
        return answers.answer("legal_actions", request)

    async def ViewPosition(self, request: rules_pb2.ViewPositionRequest, context: Context) -> Any:
        """Show a position to every seat and to spectators."""
        return answers.answer("view_position", request)

    async def DrawScene(self, request: rules_pb2.DrawSceneRequest, context: Context) -> Any:
        """Describe a view."""
        return answers.answer("draw_scene", request)

    async def ParseNotation(self, request: rules_pb2.ParseNotationRequest, context: Context) -> Any:
        """Read an action."""
        return answers.answer("parse_notation", request)

    async def FormatNotation(self, request: rules_pb2.FormatNotationRequest, context: Context) -> Any:
        """Write an action."""
        return answers.answer("format_notation", request)

    async def NameExpiry(self, request: rules_pb2.NameExpiryRequest, context: Context) -> Any:
        """Name the action that is played when time is over."""
        return answers.answer("name_expiry", request)

    async def NameRematch(self, request: rules_pb2.NameRematchRequest, context: Context) -> Any:
        """Name the options of a rematch."""
        return answers.answer("name_rematch", request)

    async def SplitOptions(self, request: rules_pb2.SplitOptionsRequest, context: Context) -> Any:
        """Tell what of a change of options belongs to whom."""
        return answers.answer("split_options", request)

    async def DealOptions(self, request: rules_pb2.DealOptionsRequest, context: Context) -> Any:
        """Let the options that belong to a seat go along with its person."""
        return answers.answer("deal_options", request)

    async def VerifyRecord(self, request: rules_pb2.VerifyRecordRequest, context: Context) -> Any:
        """Replay a record."""
        return await self._checks.run(request)

    async def PlayLine(self, request: rules_pb2.PlayLineRequest, context: Context) -> Any:
        """Play a line."""
        return await self._checks.play(request)

    def LinkRules(
        self, request_iterator: AsyncIterator[rules_pb2.LinkRulesRequest], context: Context
    ) -> AsyncIterator[rules_pb2.LinkRulesResponse]:
        """Answer many calls over one stream."""
        return answer_link(request_iterator, _calls, self._handle, _refusal, _batch, self._leaving)

    def _handle(self, call: rules_pb2.RulesCall) -> rules_pb2.RulesAnswer | Awaitable[rules_pb2.RulesAnswer]:
        name = call.WhichOneof("request")
        assert name is not None  # answer_link has looked
        if name == "verify_record":
            return self._verify(call.verify_record)
        began = time.perf_counter()
        code = grpc.StatusCode.INTERNAL
        try:
            response = answers.answer(name, getattr(call, name))
            code = grpc.StatusCode.OK
        except Refused as refused:
            code = refused.code
            raise
        finally:
            _count(name, code, began)
        answer = _answered(name, response)
        answer.cpu_us = int((time.perf_counter() - began) * 1e6)
        return answer

    async def _verify(self, request: rules_pb2.VerifyRecordRequest) -> rules_pb2.RulesAnswer:
        began = time.perf_counter()
        response = await self._checks.run(request)
        _count("verify_record", grpc.StatusCode.OK, began)
        return _answered("verify_record", response)


def _answered(name: str, response: Message) -> rules_pb2.RulesAnswer:
    answer = rules_pb2.RulesAnswer()
    getattr(answer, name).CopyFrom(response)
    return answer


def _calls(request: rules_pb2.LinkRulesRequest) -> Sequence[rules_pb2.RulesCall]:
    return request.calls


def _refusal(refusal: errors_pb2.Refusal) -> rules_pb2.RulesAnswer:
    return rules_pb2.RulesAnswer(refusal=refusal)


def _batch(batch: Sequence[rules_pb2.RulesAnswer]) -> rules_pb2.LinkRulesResponse:
    return rules_pb2.LinkRulesResponse(answers=batch)


def _count(name: str, code: grpc.StatusCode, began: float) -> None:
    """Count a call of a link as the interceptor counts one that comes by itself."""
    calls, duration = _measures(name, code)
    calls.inc()
    duration.observe(time.perf_counter() - began)


@cache
def _measures(name: str, code: grpc.StatusCode) -> tuple[Counter, Histogram]:
    method = "".join(word.capitalize() for word in name.split("_"))
    return metrics.CALLS.labels(NAME, method, code.name), metrics.CALL_DURATION.labels(NAME, method)


class RulesProcess:
    """The rules service as a process (services/runtime/server.py)."""

    name = NAME
    full_names: Sequence[str] = ("brettwerk.v1.RulesService",)

    def __init__(self, processes: int = 1) -> None:
        """Take how many processes check records."""
        self._leaving = asyncio.Event()
        self._checks = Checks(partial(open_pool, processes))
        self._has_games = False

    async def start(self, server: grpc.aio.Server) -> None:
        """Load the games and register the servicer. A game that cannot be loaded leaves the service not ready, and is logged."""
        rules_pb2_grpc.add_RulesServiceServicer_to_server(RulesServicer(self._checks, self._leaving), server)
        try:
            known = registry.games()
        except Exception as error:
            log.error("a game cannot be loaded", exc_info=error)
            return
        self._has_games = bool(known)
        log.info("games loaded", games=list(known))

    async def is_ready(self) -> bool:
        """Return whether the games are loaded."""
        return self._has_games

    async def drain(self) -> None:
        """Send the links elsewhere."""
        self._leaving.set()

    async def stop(self) -> None:
        """End the checks that still run."""
        await self._checks.close()
