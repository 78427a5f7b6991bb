"""The game's values as messages of wec.proto and back: the only module of the game that knows generated code."""

from collections.abc import Mapping
from typing import Any, ClassVar

from brettwerk.v1 import wec_pb2 as pb
from services.games.interface import Kind as Carry
from services.games.messages import Form, MessageCodec
from services.games.wec import actions as act
from services.games.wec import decoding
from services.games.wec.board import SQUARES
from services.games.wec.counting import own_turns, turns_stunned
from services.games.wec.kinds import FLIGHT_LEVEL, Article
from services.games.wec.options import Options
from services.games.wec.pieces import Carried, Piece
from services.games.wec.position import (
    Memory,
    Position,
    Projectile,
    Turn,
    View,
)


def _options(options: Options) -> pb.WecOptions:
    return pb.WecOptions(**options._asdict())


def _lying(article: Carried) -> pb.WecCarried:
    return pb.WecCarried(kind=_article(article.kind), ready=article.ready, lock=article.lock)


def _carried(article: Carried, ply: int, seat: int) -> pb.WecCarried:
    message = _lying(article)
    message.turns = own_turns(ply, article.ready, seat)
    return message


def _article(kind: Article | None) -> pb.WecArticle.ValueType:
    return pb.WecArticle.ValueType(kind or 0)


def _piece(piece: Piece, ply: int) -> pb.WecPiece:
    transit = piece.transit
    return pb.WecPiece(
        id=piece.id,
        seat=piece.seat,
        kind=pb.WecKind.ValueType(piece.kind),
        place=piece.place,
        hand=pb.WecHand.ValueType(piece.hand),
        articles=[_carried(article, ply, piece.seat) for article in piece.articles],
        ready_first=piece.ready[0],
        ready_second=piece.ready[1],
        stunned=piece.stunned,
        origin=piece.origin,
        transit=None if transit is None else pb.WecTransit(**{**transit._asdict(), "transport": int(transit.transport)}),
        lock=piece.lock,
        revealed=piece.revealed,
        turns_first=own_turns(ply, piece.ready[0], piece.seat),
        turns_second=own_turns(ply, piece.ready[1], piece.seat),
        turns_stunned=turns_stunned(ply, piece.stunned, piece.seat),
    )


def _projectile(projectile: Projectile) -> pb.WecProjectile:
    place = FLIGHT_LEVEL[projectile.weapon] * SQUARES + projectile.square
    return pb.WecProjectile(**projectile._asdict(), place=place)


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
        "pieces": [_piece(piece, value.ply) for piece in value.pieces],
        "ground": [pb.WecGround(square=n, articles=map(_lying, lying)) for n, lying in enumerate(value.ground) if lying],
        "ply": value.ply,
        "projectiles": map(_projectile, value.projectiles),
        "reserves": [pb.WecReserve(**{**r._asdict(), "kind": int(r.kind or 0)}) for r in value.reserves],
        "turn": _turn(value.turn),
        "first_line": value.first_line,
        "idle": value.idle,
        "edited": value.edited,
        "end": int(value.end),
        "winner": 0 if value.winner is None else value.winner + 1,
        "active": value.active,
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


class WecCodec(MessageCodec):
    """Carries the game's values."""

    forms: ClassVar[Mapping[Carry, Form]] = {
        Carry.OPTIONS: Form(pb.WecOptions, _options, decoding.to_options),
        Carry.POSITION: Form(pb.WecPosition, _position, decoding.to_position),
        Carry.VIEW: Form(pb.WecView, _view, decoding.to_view),
        Carry.ACTION: Form(pb.WecAction, _action, decoding.to_action),
        Carry.EVENT: Form(pb.WecEvent, _event, decoding.to_event),
    }
