"""A part of the service answers the calls whose names its methods have, with as much of a call as each takes."""

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import play_pb2
from services.session.app.calls.calls import handlers_of
from services.session.domain.ids import Request

ADA = session_pb2.Caller(player_id="p-ada")
ONCE = Request(b"field", b"digest")
ASKED = play_pb2.ActRequest(session_id="a session")


class Part:
    rematch_id = "no call"

    async def list_games(self, request: play_pb2.ActRequest) -> play_pb2.ActResponse:
        return play_pb2.ActResponse(notation_played=request.session_id)

    async def list_saves(self, request: play_pb2.ActRequest, caller: session_pb2.Caller) -> play_pb2.ActResponse:
        return play_pb2.ActResponse(notation_played=f"{request.session_id} {caller.player_id}")

    async def act(self, request: play_pb2.ActRequest, caller: session_pb2.Caller, once: Request) -> play_pb2.ActResponse:
        return play_pb2.ActResponse(notation_played=f"{request.session_id} {caller.player_id} {once.field.decode()}")

    async def look(self, request: play_pb2.ActRequest) -> play_pb2.ActResponse:
        raise AssertionError(request)


async def test_methods_that_are_named_like_calls_are_their_handlers() -> None:
    said = {name: await handler(ASKED, ADA, ONCE) for name, handler in handlers_of(Part()).items()}
    wanted = {"act": "a session p-ada field", "list_games": "a session", "list_saves": "a session p-ada"}
    assert said == {name: play_pb2.ActResponse(notation_played=text) for name, text in wanted.items()}
