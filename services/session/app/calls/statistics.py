"""Statistics for clients: counts of archived games, tables of odds, runs of games among computers; and endgame tables.

The AI service answers for its workers, who play runs and keep endgame tables. It knows players and addresses only by marks, which
cannot be traced back without the key.
"""

from dataclasses import dataclass

from google.protobuf.message import Message

from brettwerk.internal.v1 import ai_pb2, rules_pb2, session_pb2
from brettwerk.v1 import operation_pb2, statistics_pb2
from services.archive.session_totals import Counting
from services.runtime.refusal import malformed
from services.session.computers.ai_client import AiClient
from services.session.domain.commands import access
from services.session.domain.ids import Request, derived_id, mark
from services.session.live.rules_client import Games, RulesClient


@dataclass(eq=False, repr=False)
class Statistics:
    """Answers. Raises Refused."""

    _counting: Counting
    _rules: RulesClient
    _games: Games
    _ai: AiClient
    _mark_key: bytes
    _id_key: bytes

    async def get_statistics(self, request: statistics_pb2.GetStatisticsRequest, caller: session_pb2.Caller) -> Message:
        """Return the counts of a game, or of the caller's own games, and its odds. Raises Refused: UNKNOWN, NO_TOKEN."""
        scope = access.player(caller) if request.mine else ""
        await self._games.facts(request.game)
        odds = await self._rules.ask.FindOdds(rules_pb2.FindOddsRequest(game=request.game))
        counted = await self._counting.tallies(request.game, scope)
        response = statistics_pb2.GetStatisticsResponse(odds=odds.odds)
        for seats, tallies in sorted(counted.items()):
            sheet = response.sheets.add(seats=seats)
            for key, games, wins in tallies.rows():
                sheet.tallies.add(kind=key.kind, key=key.key, games=games, wins=wins)
        return response

    async def start_run(self, request: statistics_pb2.StartRunRequest, caller: session_pb2.Caller, once: Request) -> Message:
        """Start a run and return it. Raises Refused: NO_TOKEN, and what the AI service refuses."""
        player = access.player(caller)
        if not request.HasField("wish"):
            raise malformed("wish", "a wish must say what to play")
        run_id = derived_id(self._id_key, "run", player, request.request_id)
        asked = ai_pb2.BeginRunRequest(
            run_id=run_id,
            wish=request.wish,
            player=self._mark("player", player),
            address=self._mark("address", caller.address),
            asked=once.digest,
        )
        begun = await self._ai.ask(self._ai.calls.BeginRun, asked)
        return statistics_pb2.StartRunResponse(run=begun.run)

    async def get_run(self, request: statistics_pb2.GetRunRequest, caller: session_pb2.Caller) -> Message:
        """Return a run with its counts. Raises Refused: UNKNOWN, UNAVAILABLE."""
        if not request.run_id:
            raise malformed("run_id", "a run needs an id")
        asked = ai_pb2.FindRunsRequest(run_id=request.run_id, player=self._mark("player", caller.player_id))
        found = await self._ai.ask(self._ai.calls.FindRuns, asked)
        return statistics_pb2.GetRunResponse(run=found.runs[0])

    async def list_runs(self, _request: statistics_pb2.ListRunsRequest, caller: session_pb2.Caller) -> Message:
        """Return the caller's runs. Raises Refused: NO_TOKEN, UNAVAILABLE."""
        asked = ai_pb2.FindRunsRequest(player=self._mark("player", access.player(caller)))
        found = await self._ai.ask(self._ai.calls.FindRuns, asked)
        return statistics_pb2.ListRunsResponse(runs=found.runs)

    async def cancel_run(self, request: statistics_pb2.CancelRunRequest, caller: session_pb2.Caller) -> Message:
        """End one of the caller's runs and return it. Raises Refused: NO_TOKEN, UNKNOWN, NOT_YOUR_SEAT, UNAVAILABLE."""
        asked = ai_pb2.EndRunRequest(run_id=request.run_id, player=self._mark("player", access.player(caller)))
        ended = await self._ai.ask(self._ai.calls.EndRun, asked)
        return statistics_pb2.CancelRunResponse(run=ended.run)

    async def list_endgame_tables(self, _request: operation_pb2.ListEndgameTablesRequest) -> Message:
        """Return how it stands with the endgame tables of each machine. The gateway lets operators alone ask."""
        found = await self._ai.ask(self._ai.calls.FindEndgameTables, ai_pb2.FindEndgameTablesRequest())
        return operation_pb2.ListEndgameTablesResponse(machines=found.machines)

    async def change_endgame_tables(self, request: operation_pb2.ChangeEndgameTablesRequest) -> Message:
        """Have endgame tables built or deleted, and return an empty answer. The gateway lets operators alone ask."""
        await self._ai.ask(self._ai.calls.AskForEndgameTables, ai_pb2.AskForEndgameTablesRequest(stones=request.stones))
        return operation_pb2.ChangeEndgameTablesResponse()

    def _mark(self, what: str, name: str) -> bytes:
        """Return the mark of a player or an address; empty where there is none."""
        return mark(self._mark_key, f"runs {what} {name}") if name else b""
