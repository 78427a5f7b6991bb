"""Steps of tests with saved games: import them, fork them, and have them verified."""

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from tests.services.session.player import Player, request_id, wish
from tests.services.session.table import Table


async def import_(who: Player, record: record_pb2.Record, *seats: str) -> sessions_pb2.Session:
    request = play_pb2.ImportSessionRequest(record=record, seats=[wish(seat) for seat in seats], request_id=request_id())
    session: sessions_pb2.Session = (await who.ask(import_session=request)).session
    return session


async def fork(who: Player, session_id: str, version: int, *seats: str) -> sessions_pb2.Session:
    request = play_pb2.ForkSessionRequest(
        session_id=session_id, at_version=version, seats=[wish(seat) for seat in seats], request_id=request_id()
    )
    session: sessions_pb2.Session = (await who.ask(fork_session=request)).session
    return session


async def check(who: Player, record: record_pb2.Record) -> record_pb2.Verification:
    response = await who.ask(check_record=play_pb2.CheckRecordRequest(record=record))
    verification: record_pb2.Verification = response.verification
    return verification


async def make_hidden(table: Table) -> None:
    """Let the platform believe that EinStein hides something, which is all that it knows of such games."""
    (await table.wiring.games.facts("einstein")).hidden = True
