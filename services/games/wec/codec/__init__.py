"""The game's values as messages of wec.proto and back: the only module of the game that knows generated code."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

from google.protobuf.message import Message

from brettwerk.v1 import wec_pb2 as pb
from services.games.fields import block, block_tag, number_tag, packed, varint
from services.games.interface import Kind as Carry
from services.games.messages import Form, MessageCodec
from services.games.wec import actions as act
from services.games.wec import decoding
from services.games.wec.board import SQUARES
from services.games.wec.choice_bytes import choice_bytes
from services.games.wec.counting import own_turns, turns_stunned
from services.games.wec.kinds import FLIGHT_LEVEL, Article
from services.games.wec.options import Options
from services.games.wec.pieces import Carried, Piece
from services.games.wec.position import Called, End, Item, Line, Memory, Position, Projectile, Reserve, Result, Turn, View
from services.games.wec.scene import listed_actions

Twice: TypeAlias = tuple[bytes, bytes]
"""A field with the number that it has in a position, and with the one in a view."""


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
    """Return a Turn without its items and results."""
    return pb.WecTurn(
        **{name: getattr(turn, name) for name in decoding.TURN_SAME},
        hits=[pb.WecHit(**hit._asdict()) for hit in turn.hits],
        believed=[pb.WecHit(**hit._asdict()) for hit in turn.believed],
        lost_black=pb.WecEnd.ValueType(turn.lost[0]),
        lost_white=pb.WecEnd.ValueType(turn.lost[1]),
    )


def _item(item: Item) -> pb.WecItem:
    return pb.WecItem(letter=item.letter, text=item.text, other=item.other, public=item.public)


def _result(result: Result) -> pb.WecResult:
    return pb.WecResult(full=result.full, texts=_texts(result.texts))


def _memory(memory: Memory) -> pb.WecMemory:
    return pb.WecMemory(marks=[pb.WecMark(**mark._asdict()) for mark in memory.marks], gone=memory.gone)


_CACHED = 8192
"""Encoded parts that are kept of each kind: mostly pieces that have not moved and lines of histories, some 100 bytes each."""


def _twice(message: Message, in_position: int, in_view: int) -> Twice:
    body = message.SerializeToString(deterministic=True)
    return block(block_tag(in_position), body), block(block_tag(in_view), body)


@lru_cache(maxsize=256)
def _options_bytes(options: Options) -> Twice:
    return _twice(_options(options), 1, 2)


@lru_cache(maxsize=_CACHED)
def _piece_bytes(piece: Piece, ply: int) -> Twice:
    return _twice(_piece(piece, ply), 2, 3)


def _piece_field(piece: Piece, ply: int) -> Twice:
    """Return the field of a piece; what has nothing to count down is the same at every ply, and kept with it."""
    if piece.counts:
        return _piece_bytes(piece, ply)
    piece.encoded = _piece_bytes(piece, 1)
    return piece.encoded


@lru_cache(maxsize=256)
def _ground_bytes(ground: tuple[tuple[Carried, ...], ...]) -> Twice:
    fields = [_square_bytes(square, lying) for square, lying in enumerate(ground) if lying]
    return b"".join([field[0] for field in fields]), b"".join([field[1] for field in fields])


@lru_cache(maxsize=_CACHED)
def _square_bytes(square: int, lying: tuple[Carried, ...]) -> Twice:
    return _twice(pb.WecGround(square=square, articles=map(_lying, lying)), 3, 4)


@lru_cache(maxsize=256)
def _flying_bytes(projectiles: tuple[Projectile, ...]) -> Twice:
    fields = [_twice(_projectile(projectile), 5, 6) for projectile in projectiles]
    return b"".join([field[0] for field in fields]), b"".join([field[1] for field in fields])


@lru_cache(maxsize=256)
def _reserves_bytes(reserves: tuple[Reserve, ...]) -> Twice:
    fields = [_twice(pb.WecReserve(**{**r._asdict(), "kind": int(r.kind or 0)}), 6, 7) for r in reserves]
    return b"".join([field[0] for field in fields]), b"".join([field[1] for field in fields])


def _turn_bytes(turn: Turn) -> Twice:
    body = b"".join([_begun_bytes(turn[:-4]), *map(_item_bytes, turn.items), *map(_result_bytes, turn.results)])
    if turn.exposed or turn.emerged:
        body += _shown_bytes(turn.exposed, turn.emerged)
    return block(_TURN_IN_POSITION, body), block(_TURN_IN_VIEW, body)


_TURN_IN_POSITION, _TURN_IN_VIEW = block_tag(7), block_tag(8)


@lru_cache(maxsize=_CACHED)
def _begun_bytes(about: tuple[Any, ...]) -> bytes:
    return _turn(Turn(*about)).SerializeToString(deterministic=True)


@lru_cache(maxsize=256)
def _shown_bytes(exposed: tuple[int, ...], emerged: tuple[int, ...]) -> bytes:
    return pb.WecTurn(exposed=exposed, emerged=emerged).SerializeToString(deterministic=True)


@lru_cache(maxsize=_CACHED)
def _item_bytes(item: Item) -> bytes:
    return block(block_tag(15), _item(item).SerializeToString(deterministic=True))


@lru_cache(maxsize=_CACHED)
def _result_bytes(result: Result) -> bytes:
    return block(block_tag(16), _result(result).SerializeToString(deterministic=True))


@lru_cache(maxsize=256)
def _memory_bytes(memory: Memory) -> bytes:
    return _memory(memory).SerializeToString(deterministic=True)


def _line_bytes(line: Line) -> bytes:
    message = pb.WecLine(full=line.full, texts=_texts(line.texts))
    line.encoded = block(block_tag(10), message.SerializeToString(deterministic=True))
    return line.encoded


@lru_cache(maxsize=256)
def _history_bytes(history: tuple[str, ...]) -> bytes:
    tag = block_tag(10)
    return b"".join([block(tag, text.encode()) for text in history])


def _rest(value: Position | View) -> bytes:
    """Return the fields 11 to 16, which a position and a view have in common."""
    return _rest_bytes(value.first_line, value.idle, value.edited, value.end, value.winner, value.active)


@lru_cache(maxsize=1024)
def _rest_bytes(first_line: int, idle: bool, edited: bool, end: End, winner: int | None, active: int) -> bytes:
    number, ended = 0 if winner is None else winner + 1, pb.WecEnd.ValueType(end)
    message = pb.WecPosition(first_line=first_line, idle=idle, edited=edited, end=ended, winner=number, active=active)
    return message.SerializeToString(deterministic=True)


@lru_cache(maxsize=256)
def _last_bytes(names: tuple[tuple[int, ...], ...], revision: int, called: tuple[Called, ...], memory: Memory) -> bytes:
    message = pb.WecPosition(
        names=[pb.WecNames(ids=ids) for ids in names],
        revision=revision if revision > 1 else 0,
        called=[pb.WecCalled(ids=[i for i, _ in one], numbers=[n for _, n in one]) for one in called if any(called)],
        memory_spectator=_memory(memory) if any(memory) else None,
    )
    return message.SerializeToString(deterministic=True)


_PLY_IN_POSITION, _PLY_IN_VIEW = number_tag(4), number_tag(5)


def _position(position: Position) -> bytes:
    """Return the bytes field by field in the order of their numbers: most parts are those of the position before."""
    first, second, public = position.memory
    ply = position.ply
    return b"".join(
        [
            _options_bytes(position.options)[0],
            *[(piece.encoded or _piece_field(piece, ply))[0] for piece in position.pieces],
            _ground_bytes(position.ground)[0],
            _PLY_IN_POSITION + varint(ply),
            _flying_bytes(position.projectiles)[0],
            _reserves_bytes(position.reserves)[0],
            _turn_bytes(position.turn)[0],
            block(block_tag(8), _memory_bytes(first)),
            block(block_tag(9), _memory_bytes(second)),
            *[line.encoded or _line_bytes(line) for line in position.history],
            _rest(position),
            _last_bytes(position.names, position.revision, position.called, public),
        ]
    )


def _view(view: View) -> bytes:
    return b"".join(_view_parts(view, {}))


def _view_parts(view: View, known: dict[int, bytes]) -> Sequence[bytes]:
    """Return who looks, what everybody sees alike, and what not: each eye's pieces and the fields from 6 on.

    `known`: by `id`, the field of the Ground of other views of the same position, which has the object in use.
    """
    ply = view.ply
    if id(view.ground) not in known:
        known[id(view.ground)] = _ground_bytes(view.ground)[1]
    return (
        _EYES[view.eye],
        _options_bytes(view.options)[1],
        b"".join([(piece.encoded or _piece_field(piece, ply))[1] for piece in view.pieces]),
        known[id(view.ground)],
        b"".join(
            [
                _PLY_IN_VIEW + varint(ply),
                _flying_bytes(view.projectiles)[1],
                _reserves_bytes(view.reserves)[1],
                _turn_bytes(view.turn)[1],
                block(block_tag(9), _memory_bytes(view.memory)),
                _history_bytes(view.history),
                _rest(view),
            ]
        ),
    )


_EYES = tuple(pb.WecView(eye=eye).SerializeToString() for eye in range(3))


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


def _shape(name: str) -> tuple[bytes, tuple[tuple[str, bytes], ...]]:
    """Return the tag of a kind of action in its message, and the names and tags of its fields in order."""
    field = pb.WecAction.DESCRIPTOR.fields_by_name[name]
    inner = field.message_type
    assert inner is not None
    return block_tag(field.number), tuple(
        (each.name, (block_tag if each.is_repeated else number_tag)(each.number)) for each in inner.fields
    )


_SHAPES = {kind: _shape(name) for kind, name in decoding.ACTIONS.items()}


def _action_bytes(action: act.Action) -> bytes:
    """Return what `_action` encodes to, field by field."""
    tag, fields = _SHAPES[type(action)]
    body = b""
    for name, inner in fields:
        value = getattr(action, name)
        if value:
            body += block(inner, packed(value)) if isinstance(value, tuple) else inner + varint(value)
    return block(tag, body)


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

    def encode_views(self, views: Sequence[View], position: bytes) -> Sequence[Sequence[bytes]]:
        """Return each view in its parts; the options and the Ground are the same for all."""
        known: dict[int, bytes] = {}
        return [_view_parts(view, known) for view in views]

    def encode_choices(self, view: View, actions: Sequence[act.Action], field: int) -> bytes:
        """Return listed actions of a view, each as the field of this number that holds an ActionChoice."""
        tag = block_tag(field)
        listed = zip(actions, listed_actions(view, actions), strict=True)
        return b"".join([block(tag, choice_bytes(_action_bytes(action), *described)) for action, described in listed])
