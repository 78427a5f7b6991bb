"""The rules service behind gRPC and its links, answered from one table."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from brettwerk_games.packages.trial import trial
from brettwerk_games.rules import registry
from services.rules import answers
from services.rules.any_codec import POSITIONS, forget_idle_positions
from services.rules.checks import Checks, open_pool
from services.rules.plies import play_on
from services.runtime import left_out_games, metrics
from services.runtime.link import at_once
from services.runtime.logs import logger
from services.runtime.tasks import ended

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
