"""Games of EMPERADO at a real session service: how they are begun, read, played and closed."""

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import emperado_pb2, play_pb2, sessions_pb2
from brettwerk_games.players.emperado import EmperadoPlayer
from brettwerk_games.rules.emperado import GAME
from brettwerk_games.rules.emperado.position import Position
from brettwerk_games.rules.interface import Kind
from tests.services.session.player import Player, request_id
from tests.services.session.table import Table

_STRONG = EmperadoPlayer(GAME, 3)


def options(**fields) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(emperado_pb2.EmperadoOptions(**fields))
    return packed


def position_of(update: sessions_pb2.Update) -> Position:
    view = GAME.codec.decode(Kind.VIEW, update.view.value)
    position: Position = view.position
    return position


def computers(update: sessions_pb2.Update) -> tuple[bool, ...]:
    return position_of(update).options.computers


async def game(table: Table, *seats: str, **fields) -> tuple[Player, str]:
    anna = table.player("Anna")
    session = await anna.create(*seats, game="emperado", **fields)
    return anna, session.id


async def choose(who: Player, session_id: str, seat: int) -> play_pb2.ActResponse:
    """Play what the strong player would."""
    update = await who.see(session_id, seat)
    thought = _STRONG.think(GAME.codec.decode(Kind.VIEW, update.view.value), float("inf"), 0)
    action = AnyMessage(type_url=update.actions[0].action.type_url, value=GAME.codec.encode(Kind.ACTION, thought.action))
    return await who.act(session_id, seat, action=action)


async def close(who: Player, session_id: str) -> None:
    request = play_pb2.CloseSessionRequest(session_id=session_id, seat_token=who.token(session_id, 0), request_id=request_id())
    await who.ask(close_session=request)
