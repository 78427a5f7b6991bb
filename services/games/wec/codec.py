"""The game's values as messages of wec.proto and back: the only module of the game that knows generated code."""

from typing import Any

from google.protobuf.message import DecodeError, Message

from brettwerk.v1 import wec_pb2 as pb
from services.games.interface import Kind as Carry
from services.games.refusals import Malformed
from services.games.wec import actions as act
from services.games.wec import decoding
from services.games.wec.kinds import Article
from services.games.wec.options import Options
from services.games.wec.pieces import Carried, Piece
from services.games.wec.position import (
    Memory,
    Position,
    Turn,
    View,
)

_MESSAGES: dict[Carry, type[Message]] = {
    Carry.OPTIONS: pb.WecOptions,
    Carry.POSITION: pb.WecPosition,
    Carry.VIEW: pb.WecView,
    Carry.ACTION: pb.WecAction,
    Carry.EVENT: pb.WecEvent,
}
_NAMES = {kind: message.DESCRIPTOR.full_name for kind, message in _MESSAGES.items()}


class WecCodec:
    """Carries the game's values."""

    def type_name(self, kind: Carry) -> str:
        """Return the full name of a kind's message."""
        return _NAMES[kind]

    def encode(self, kind: Carry, value: Any) -> bytes:
        """Return the canonical bytes of a value."""
        message: Message
        match kind:
            case Carry.OPTIONS:
                message = _options(value)
            case Carry.POSITION:
                message = _position(value)
            case Carry.VIEW:
                message = _view(value)
            case Carry.ACTION:
                message = _action(value)
            case Carry.EVENT:
                message = _event(value)
        return message.SerializeToString(deterministic=True)

    def decode(self, kind: Carry, data: bytes) -> Any:
        """Return the value of bytes. Raises Malformed with the field for what contradicts the contract or itself."""
        message: Any = _MESSAGES[kind]()
        try:
            message.ParseFromString(data)
        except DecodeError as error:
            raise Malformed(f"not a {_NAMES[kind]}") from error
        match kind:
            case Carry.OPTIONS:
                return decoding.to_options(message)
            case Carry.POSITION:
                return decoding.to_position(message)
            case Carry.VIEW:
                return decoding.to_view(message)
            case Carry.ACTION:
                return decoding.to_action(message)
            case Carry.EVENT:
                return decoding.to_event(message)


def _options(options: Options) -> pb.WecOptions:
    return pb.WecOptions(**options._asdict())


def _carried(article: Carried) -> pb.WecCarried:
    return pb.WecCarried(kind=_article(article.kind), ready=article.ready, lock=article.lock)


def _article(kind: Article | None) -> pb.WecArticle.ValueType:
    return pb.WecArticle.ValueType(kind or 0)


def _piece(piece: Piece) -> pb.WecPiece:
    transit = piece.transit
    return pb.WecPiece(
        id=piece.id,
        seat=piece.seat,
        kind=pb.WecKind.ValueType(piece.kind),
        place=piece.place,
        hand=pb.WecHand.ValueType(piece.hand),
        articles=map(_carried, piece.articles),
        ready_first=piece.ready[0],
        ready_second=piece.ready[1],
        stunned=piece.stunned,
        origin=piece.origin,
        transit=None if transit is None else pb.WecTransit(**{**transit._asdict(), "transport": int(transit.transport)}),
        lock=piece.lock,
        revealed=piece.revealed,
    )


def _texts(texts: tuple[str, str, str]) -> pb.WecTexts:
    return pb.WecTexts(black=texts[0], white=texts[1], spectator=texts[2])


def _turn(turn: Turn) -> pb.WecTurn:
    return pb.WecTurn(
        **{name: getattr(turn, name) for name in decoding.TURN_SAME},
        hits=[pb.WecHit(**hit._asdict()) for hit in turn.hits],
        believed=[pb.WecHit(**hit._asdict()) for hit in turn.believed],
        lost_black=pb.WecEnd.ValueType(turn.lost[0]),
        lost_white=pb.WecEnd.ValueType(turn.lost[1]),
        items=[pb.WecItem(**item._asdict()) for item in turn.items],
        results=[pb.WecResult(full=result.full, texts=_texts(result.texts)) for result in turn.results],
    )


def _memory(memory: Memory) -> pb.WecMemory:
    return pb.WecMemory(marks=[pb.WecMark(**mark._asdict()) for mark in memory.marks], gone=memory.gone)


def _shared(value: Position | View) -> dict[str, Any]:
    """Return the fields that a position and a view have in common."""
    return {
        "options": _options(value.options),
        "pieces": map(_piece, value.pieces),
        "ground": [pb.WecGround(square=n, articles=map(_carried, lying)) for n, lying in enumerate(value.ground) if lying],
        "ply": value.ply,
        "projectiles": [pb.WecProjectile(**projectile._asdict()) for projectile in value.projectiles],
        "reserves": [pb.WecReserve(**{**r._asdict(), "kind": int(r.kind or 0)}) for r in value.reserves],
        "turn": _turn(value.turn),
        "first_line": value.first_line,
        "idle": value.idle,
        "edited": value.edited,
        "end": int(value.end),
        "winner": 0 if value.winner is None else value.winner + 1,
    }


def _position(position: Position) -> pb.WecPosition:
    return pb.WecPosition(
        **_shared(position),
        memory_black=_memory(position.memory[0]),
        memory_white=_memory(position.memory[1]),
        history=[pb.WecLine(full=line.full, texts=_texts(line.texts)) for line in position.history],
    )


def _view(view: View) -> pb.WecView:
    return pb.WecView(eye=view.eye, **_shared(view), memory=_memory(view.memory), history=view.history)


def _action(action: act.Action) -> pb.WecAction:
    fields = {name: getattr(action, name) for name in action.__slots__}
    message = pb.WecAction()
    inner: Any = getattr(message, decoding.ACTIONS[type(action)])
    inner.SetInParent()
    for name, value in fields.items():
        if isinstance(value, tuple):
            getattr(inner, name).extend(value)
        elif value is not None:
            setattr(inner, name, value)
    return message


def _event(event: act.Event) -> pb.WecEvent:
    match event:
        case act.Acted(seat=seat, texts=texts):
            return pb.WecEvent(acted=pb.WecActed(seat=seat, texts=_texts(texts)))
        case act.Happened(texts=texts):
            return pb.WecEvent(happened=_texts(texts))
        case act.Written(ply=ply, texts=texts):
            return pb.WecEvent(written=pb.WecWritten(ply=ply, texts=_texts(texts)))
        case act.Ended(winner=winner, end=end):
            number = 0 if winner is None else winner + 1
            return pb.WecEvent(ended=pb.WecEnded(winner=number, end=pb.WecEnd.ValueType(end)))
