"""The rules service behind gRPC and its links, answered from one table."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, TypeAlias

import grpc

from brettwerk.v1 import rules_pb2, rules_pb2_grpc
from services.games import registry
from services.rules import answers
from services.rules.checks import Checks, open_pool
from services.rules.plies import play_on
from services.runtime.link import at_once
from services.runtime.logs import logger

log = logger(__name__)

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

NAME = "rules"
_AT_ONCE = 8
"""Plies that are played before others are answered."""


class RulesServicer(rules_pb2_grpc.RulesServiceServicer):
    """Answers RulesService."""

    def __init__(self, checks: Checks) -> None:
        """Take what runs the checks of records."""
        self._checks = checks

    @at_once
    async def FindGames(self, request: rules_pb2.FindGamesRequest, context: Context) -> Any:
        """List the games."""
        return answers.answer("find_games", request)

    @at_once
    async def FindGame(self, request: rules_pb2.FindGameRequest, context: Context) -> Any:
        """Return one game."""
        return answers.answer("find_game", request)

    @at_once
    async def FindOdds(self, request: rules_pb2.FindOddsRequest, context: Context) -> Any:
        """Return a game's tables of odds."""
        return answers.answer("find_odds", request)

    @at_once
    async def TryStart(self, request: rules_pb2.TryStartRequest, context: Context) -> Any:
        """Check a start position."""
        return answers.answer("try_start", request)

    @at_once
    async def NewPosition(self, request: rules_pb2.NewPositionRequest, context: Context) -> Any:
        """Begin a game."""
        return answers.answer("new_position", request)

    @at_once
    async def ApplyAction(self, request: rules_pb2.ApplyActionRequest, context: Context) -> Any:
        """Apply an action or a system action."""
        return answers.answer("apply_action", request)

    @at_once
    async def LegalActions(self, request: rules_pb2.LegalActionsRequest, context: Context) -> Any:
        """List what a seat may do."""
        return answers.answer("legal_actions", request)

    @at_once
    async def ViewPosition(self, request: rules_pb2.ViewPositionRequest, context: Context) -> Any:
        """Show a position to every seat and to spectators."""
        return answers.answer("view_position", request)

    @at_once
    async def DrawScene(self, request: rules_pb2.DrawSceneRequest, context: Context) -> Any:
        """Describe a view."""
        return answers.answer("draw_scene", request)

    @at_once
    async def ParseNotation(self, request: rules_pb2.ParseNotationRequest, context: Context) -> Any:
        """Read an action."""
        return answers.answer("parse_notation", request)

    @at_once
    async def FormatNotation(self, request: rules_pb2.FormatNotationRequest, context: Context) -> Any:
        """Write an action."""
        return answers.answer("format_notation", request)

    @at_once
    async def NameExpiry(self, request: rules_pb2.NameExpiryRequest, context: Context) -> Any:
        """Name the action that is played when time is over."""
        return answers.answer("name_expiry", request)

    @at_once
    async def NameRematch(self, request: rules_pb2.NameRematchRequest, context: Context) -> Any:
        """Name the options of a rematch."""
        return answers.answer("name_rematch", request)

    @at_once
    async def SplitOptions(self, request: rules_pb2.SplitOptionsRequest, context: Context) -> Any:
        """Tell what of a change of options belongs to whom."""
        return answers.answer("split_options", request)

    @at_once
    async def DealOptions(self, request: rules_pb2.DealOptionsRequest, context: Context) -> Any:
        """Let the options that belong to a seat go along with its person."""
        return answers.answer("deal_options", request)

    async def VerifyRecord(self, request: rules_pb2.VerifyRecordRequest, context: Context) -> Any:
        """Replay a record."""
        return await self._checks.run(request)

    async def SurveyRecord(self, request: rules_pb2.SurveyRecordRequest, context: Context) -> Any:
        """Replay a record for statistics."""
        return await self._checks.survey(request)

    async def PlayOn(self, request: rules_pb2.PlayOnRequest, context: Context) -> Any:
        """Play on. Others are answered in between."""
        response = rules_pb2.PlayOnResponse()
        for number, _ in enumerate(play_on(request, response), 1):
            if not number % _AT_ONCE:
                await asyncio.sleep(0)
        return response

    async def PlayLine(self, request: rules_pb2.PlayLineRequest, context: Context) -> Any:
        """Play a line."""
        return await self._checks.play(request)

    async def FormatText(self, request: rules_pb2.FormatTextRequest, context: Context) -> Any:
        """Write a line as a text."""
        return await self._checks.write(request)

    async def ParseText(self, request: rules_pb2.ParseTextRequest, context: Context) -> Any:
        """Read a text as a line."""
        return await self._checks.read(request)


class RulesProcess:
    """The rules service as a process (services/runtime/server.py)."""

    name = NAME
    full_names: Sequence[str] = ("brettwerk.v1.RulesService",)

    def __init__(self, processes: int = 1) -> None:
        """Take how many processes check records."""
        self._checks = Checks(partial(open_pool, processes))
        self._has_games = False

    async def start(self, server: grpc.aio.Server) -> None:
        """Load the games and register the servicer. A game that cannot be loaded leaves the service not ready, and is logged."""
        rules_pb2_grpc.add_RulesServiceServicer_to_server(RulesServicer(self._checks), server)
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
        """Nothing to do: it has no long streams."""

    async def stop(self) -> None:
        """End the checks that still run."""
        await self._checks.close()
