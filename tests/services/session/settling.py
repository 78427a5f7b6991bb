"""Tables that settle before the start."""

from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import wec_pb2
from brettwerk_games import load
from brettwerk_games.rules.presets import preset_options
from services.session.domain.state import State
from tests.services.session.player import Player
from tests.services.session.table import Table

STANDARD = wec_pb2.WecOptions.FromString(preset_options(load("wec"), 2))


async def settling(table: Table, **fields: Any) -> tuple[Player, Player, str]:
    """Return two people at a table that settles, and the table: Anna has the first seat."""
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", settles=True, **fields)).id
    await ben.join(session)
    return anna, ben, session


def wec_options(**fields: Any) -> AnyMessage:
    """Return options of Weaponized Chess: the presets but for `fields`."""
    packed = AnyMessage()
    packed.Pack(STANDARD)
    found = wec_pb2.WecOptions()
    packed.Unpack(found)
    for name, value in fields.items():
        setattr(found, name, value)
    packed.Pack(found)
    return packed


async def now(table: Table, session: str) -> State:
    return (await table.wiring.session_cache.newest(session)).state


async def wec_now(table: Table, session: str) -> wec_pb2.WecOptions:
    found = wec_pb2.WecOptions()
    held = (await now(table, session)).options
    if held is None:
        found.CopyFrom(STANDARD)
    else:
        assert held.Unpack(found)
    return found
