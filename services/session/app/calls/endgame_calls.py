"""Calls about the endgame tables of the workers' machines, which the AI service knows. The gateway lets operators alone ask."""

from dataclasses import dataclass

from google.protobuf.message import Message

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import operation_pb2
from services.session.computers.ai_client import AiClient


@dataclass(eq=False, repr=False)
class EndgameCalls:
    """Answers. Raises Refused (UNAVAILABLE)."""

    _ai: AiClient

    async def list_endgame_tables(self, _request: operation_pb2.ListEndgameTablesRequest) -> Message:
        """Return how it stands on each machine."""
        found = await self._ai.ask(self._ai.calls.FindEndgameTables, ai_pb2.FindEndgameTablesRequest())
        return operation_pb2.ListEndgameTablesResponse(machines=found.machines)

    async def change_endgame_tables(self, request: operation_pb2.ChangeEndgameTablesRequest) -> Message:
        """Have them built or deleted, and return an empty answer."""
        await self._ai.ask(self._ai.calls.AskForEndgameTables, ai_pb2.AskForEndgameTablesRequest(stones=request.stones))
        return operation_pb2.ChangeEndgameTablesResponse()
