"""Calls of arbiters, and tables that have one."""

from typing import Any

from brettwerk.v1 import arbiters_pb2, record_pb2, sessions_pb2, talk_pb2
from tests.services.session.player import Player, request_id
from tests.services.session.table import Table

CLOCK = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000)


async def judged(table: Table, seats: int = 2, **fields: Any) -> tuple[Player, list[Player], str]:
    """Return an arbiter who has set up a table for others, these, and the game that they have begun."""
    ruth = table.player("Ruth")
    people = [table.player(name) for name in ("Anna", "Ben", "Cleo")[:seats]]
    session = await ruth.create(*["open"] * seats, **{"clock": CLOCK, "arbiter": True, **fields})
    for seat, player in enumerate(people):
        await player.join(session.id, seat)
    return ruth, people, session.id


async def rule(player: Player, session_id: str, reason: str = "Noise", **ruling: Any) -> int:
    request = arbiters_pb2.RuleAsArbiterRequest(
        session_id=session_id, ruling=record_pb2.Ruling(reason=reason, **ruling), request_id=request_id()
    )
    version: int = (await player.ask(rule_as_arbiter=request)).version
    return version


async def name(player: Player, session_id: str, player_id: str, *, withdraw: bool = False) -> sessions_pb2.Session:
    request = arbiters_pb2.NameArbiterRequest(
        session_id=session_id, player_id=player_id, withdraw=withdraw, request_id=request_id()
    )
    session: sessions_pb2.Session = (await player.ask(name_arbiter=request)).session
    return session


async def table_talk(player: Player, session_id: str) -> list[talk_pb2.TalkLine]:
    return list((await player.ask(get_table_talk=arbiters_pb2.GetTableTalkRequest(session_id=session_id))).lines)


def time(seat: int, time_ms: int) -> record_pb2.GivenTime:
    return record_pb2.GivenTime(seat=seat, time_ms=time_ms)
