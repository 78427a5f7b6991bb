"""The rules service behind gRPC and its links: most calls are answered from one table, the rest in separate processes."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

import grpc
from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from brettwerk_games.packages.trial import trial
from brettwerk_games.rules import registry
from services.rules import answers, heavy
from services.rules.any_codec import POSITIONS, forget_idle_positions
from services.rules.plies import play_on
from services.runtime import left_out_games, metrics
from services.runtime.call_scope import Measured, Spent
from services.runtime.link import at_once
from services.runtime.logs import logger
from services.runtime.pool.pool import Pool, Processes
from services.runtime.refusal import Refused, is_newer
from services.runtime.tasks import ended

LIMIT_S = 30.0
"""The maximum CPU time of one check."""
WAITING = 32
"""How many checks may wait; more are refused."""
WAITING_EACH = 8
"""How many checks of one caller of the session service may wait."""
_STATISTICS = "statistics"
"""The caller of surveys: nobody waits for them."""


_Measured = TypeVar(
    "_Measured",
    rules_pb2.VerifyRecordResponse,
    rules_pb2.PlayVariationResponse,
    rules_pb2.FormatTextResponse,
    rules_pb2.ParseTextResponse,
)
_Response: TypeAlias = (
    rules_pb2.VerifyRecordResponse
    | rules_pb2.PlayVariationResponse
    | rules_pb2.SurveyRecordResponse
    | rules_pb2.FormatTextResponse
    | rules_pb2.ParseTextResponse
)


def open_pool(processes: int = 1, waiting: int = WAITING, limit_s: float = LIMIT_S, target: str = heavy.TARGET) -> Pool:
    """Return the pool that the checks run in."""
    return Pool("rules", target, processes=Processes(processes), waiting=waiting, waiting_each=WAITING_EACH, cpu_s=limit_s)


class Checks:
    """Runs checks of whole records, surveys, long variations and texts, outside the event loop.

    They replay thousands of steps, which takes milliseconds to many seconds: in the event loop that would keep every other call
    waiting, and a thread would compete with it. So they run in separate processes, few at once, few waiting, each bounded in CPU
    time and memory, as bytes from end to end: nothing here parses a record.
    """

    def __init__(self, open_one: Callable[[], Pool] = open_pool) -> None:
        """Take what opens the pool."""
        self._pool = open_one()

    @property
    def pids(self) -> frozenset[int]:
        """The processes that check."""
        return self._pool.pids

    async def run(self, request: rules_pb2.VerifyRecordRequest) -> rules_pb2.VerifyRecordResponse:
        """Return the findings of a record's check, or why there are none.

        FULL if too many are waiting, DEADLINE if it takes too long. It ends soon after its caller has gone.

        Raises Refused (NEWER) for a record of a newer release: another process may be of that one.
        """
        packed = request.packed_record or request.record.SerializeToString()
        response = rules_pb2.VerifyRecordResponse()
        await self._measured(response, response.verification, heavy.VERIFY + packed, request.asked_by)
        if is_newer(response.verification.fault):
            refused = Refused.of(response.verification.fault)
            refused.spent_s = response.cpu_us / 1e6
            raise refused
        return response

    async def play(self, request: rules_pb2.PlayVariationRequest) -> rules_pb2.PlayVariationResponse:
        """Return where a variation leads, or why it leads nowhere: what the rules refuse, FULL, DEADLINE.

        Raises Refused (UNAVAILABLE, newer) for one that another process may know.
        """
        response = rules_pb2.PlayVariationResponse()
        return await self._measured(response, response, heavy.PLAY + request.SerializeToString(), request.asked_by)

    async def survey(self, request: rules_pb2.SurveyRecordRequest) -> rules_pb2.SurveyRecordResponse:
        """Return what a game notes about a record, or why it cannot: what the rules refuse, FULL, DEADLINE."""
        response = rules_pb2.SurveyRecordResponse()
        await self._worked(response, response, heavy.SURVEY + request.packed_record, _STATISTICS)
        return response

    async def write(self, request: rules_pb2.FormatTextRequest) -> rules_pb2.FormatTextResponse:
        """Return the text of a variation, or why there is none: what the rules refuse, FULL, DEADLINE."""
        response = rules_pb2.FormatTextResponse()
        return await self._measured(response, response, heavy.WRITE + request.SerializeToString(), request.asked_by)

    async def read(self, request: rules_pb2.ParseTextRequest) -> rules_pb2.ParseTextResponse:
        """Return the content of a text, or what is wrong with it, FULL, DEADLINE."""
        response = rules_pb2.ParseTextResponse()
        return await self._measured(response, response, heavy.READ + request.SerializeToString(), request.asked_by)

    async def _measured(self, response: _Measured, result: Message, work: bytes, caller: str) -> _Measured:
        """Return the response with what the work found as its `result`, or its refusal, and the CPU time that it took."""
        cost = Spent()
        try:
            await Measured(self._worked(response, result, work, caller), cost)
        except Refused as refused:
            refused.spent_s = cost.seconds
            raise
        response.cpu_us = int(cost.seconds * 1e6)
        return response

    async def _worked(self, response: _Response, result: Message, work: bytes, caller: str) -> None:
        """Let the pool do the work, and put what it found into `result`, or its refusal into the response."""
        try:
            result.MergeFromString(await self._pool.run(work, caller))
        except Refused as refused:
            if is_newer(refused.refusal):
                raise
            response.refusal.CopyFrom(refused.refusal)

    async def close(self) -> None:
        """End the processes; running checks are refused."""
        await self._pool.close()


log = logger(__name__)

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

NAME = "rules"
_AT_ONCE = 8
"""How many plies are played before others are answered."""

_CHECKED: Mapping[str, Callable[[Checks, Any], Awaitable[Message]]] = MappingProxyType(
    {
        "VerifyRecord": Checks.run,
        "SurveyRecord": Checks.survey,
        "PlayVariation": Checks.play,
        "FormatText": Checks.write,
        "ParseText": Checks.read,
    }
)
"""The methods that take so long that they are done outside the event loop, by name."""


class RulesServicer:
    """Answers RulesService: what `answers.ANSWERS` names at once, what `_CHECKED` names beside the event loop, and PlayOn.

    The generated base class would answer for what is missing here; without it, a gap is an error at startup.
    """

    def __init__(self, checks: Checks, first_games: Sequence[str] = ()) -> None:
        """Take what runs the checks of records, and the games that are listed first."""
        for name in answers.ANSWERS:
            setattr(self, name.title().replace("_", ""), _answered(partial(answers.answer, name)))
        self.FindGames = _answered(partial(answers.find_games, first=first_games))
        for name, check in _CHECKED.items():
            setattr(self, name, _checked(partial(check, checks)))

    async def PlayOn(self, request: rules_pb2.PlayOnRequest, context: Context) -> Any:
        """Return the steps of what is played on; others are answered in between. Raises Refused: what `play_on` raises."""
        response = rules_pb2.PlayOnResponse()
        for number, _ in enumerate(play_on(request, response), 1):
            if not number % _AT_ONCE:
                await asyncio.sleep(0)
        return response


def _answered(answer: Callable[[Any], Message]) -> Callable[[Message, Context], Awaitable[Message]]:
    """Return the method that answers by what a function returns."""

    @at_once
    async def method(request: Message, context: Context) -> Message:
        return answer(request)

    return method


def _checked(check: Callable[[Any], Awaitable[Message]]) -> Callable[[Message, Context], Awaitable[Message]]:
    """Return the method that answers by what a check returns."""

    async def method(request: Message, context: Context) -> Message:
        return await check(request)

    return method


class RulesProcess:
    """The rules service as a process (services/runtime/server.py)."""

    name = NAME
    full_names: Sequence[str] = ("brettwerk.internal.v1.RulesService",)

    def __init__(self, processes: int = 1, first_games: str = "") -> None:
        """Take how many processes check records, and the games that are listed first, by commas."""
        self._first_games = tuple(name for each in first_games.split(",") if (name := each.strip()))
        self._checks = Checks(partial(open_pool, processes))
        self._has_games = False
        self._forgetting: asyncio.Task[None] | None = None

    async def start(self, server: grpc.aio.Server) -> None:
        """Load the games and register the servicer. One of ours that cannot be loaded leaves it not ready, and is logged."""
        servicer: Any = RulesServicer(self._checks, self._first_games)
        rules_pb2_grpc.add_RulesServiceServicer_to_server(servicer, server)
        metrics.CACHES.show("positions", POSITIONS.use)
        self._forgetting = asyncio.create_task(forget_idle_positions())
        try:
            known = registry.games()
        except Exception as error:
            log.error("a game cannot be loaded", exc_info=error)
            return
        self._has_games = bool(known)
        for game in known:  # what is not counted from 0 on has not grown, as Prometheus sees it, when it comes to 1
            metrics.ORDERS.labels(game, "failed")
        log.info("games loaded", games=list(known))
        left_out_games.report(trial().left_out)
        if missing := [name for name in self._first_games if name not in known]:
            log.warning("BRETTWERK_FIRST_GAMES names games that are not here", games=missing)

    async def is_ready(self) -> bool:
        """Return whether the games are loaded."""
        return self._has_games

    async def drain(self) -> None:
        """Nothing to do: it has no long streams."""

    async def stop(self) -> None:
        """End the checks that are still running."""
        if self._forgetting is not None:
            await ended(self._forgetting)
        await self._checks.close()
