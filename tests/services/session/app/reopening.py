"""Steps of tests of saved games: players leave a game with hidden things, and come back to it."""

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from tests.services.session.player import Player, request_id, wish
from tests.services.session.table import Table


async def reopen(who: Player, record: record_pb2.Record, *seats: str) -> play_pb2.ImportSessionResponse:
    request = play_pb2.ImportSessionRequest(record=record, seats=[wish(seat) for seat in seats], request_id=request_id())
    response: play_pb2.ImportSessionResponse = await who.ask(import_session=request)
    return response


async def leave(who: Player, session: str, seat: int) -> sessions_pb2.Session:
    request = play_pb2.LeaveSessionRequest(session_id=session, seat_token=who.token(session, seat), request_id=request_id())
    left: sessions_pb2.Session = (await who.ask(leave_session=request)).session
    return left


async def play(session: str, players: tuple[Player, ...], actions: int) -> None:
    """Let whoever is to act do what comes first, so many times."""
    for number in range(actions):
        update = await players[0].see(session)
        if not update.to_act:
            break
        await players[update.to_act[0]].act(session, update.to_act[0], pick=3 * number)


async def saved(table: Table, game: str = "wec", **fields: object) -> tuple[Player, Player, record_pb2.Record]:
    """Return two players who have left a game, and its save."""
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game=game, competitive=fields.pop("competitive", True), **fields)).id
    await ben.join(session)
    await play(session, (anna, ben), 6)
    record = await anna.export(session)
    await leave(anna, session, 0)
    assert (await leave(ben, session, 1)).state == sessions_pb2.Session.STATE_CLOSED
    return anna, ben, record
