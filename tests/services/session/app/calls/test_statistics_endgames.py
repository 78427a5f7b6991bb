"""Calls about endgame tables go to the AI service, which knows the workers."""

from brettwerk.v1 import operation_pb2
from services.runtime.refusal import unavailable
from tests.services.session.player import Player
from tests.services.session.refusing import refused
from tests.services.session.table import Table


async def test_endgame_tables_are_listed_and_changed_by_the_ai_service(table: Table) -> None:
    anna = Player(table, "Anna")
    found = await anna.ask(list_endgame_tables=operation_pb2.ListEndgameTablesRequest())
    assert [(one.machine, one.stones) for one in found.machines] == [("one", 4)]
    await anna.ask(change_endgame_tables=operation_pb2.ChangeEndgameTablesRequest(stones=5))
    assert table.ai.tables == [5]
    table.ai.refusal = unavailable("store of the endgame tables")
    with refused("UNAVAILABLE"):
        await anna.ask(change_endgame_tables=operation_pb2.ChangeEndgameTablesRequest(stones=4))
