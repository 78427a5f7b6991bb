"""The game's values as messages of wec.proto and back: the only part of the game that knows generated code.

The codec that pairs.py derives writes the parts; they are put together by hand, since most come again from step to step: each is
made once, and kept with its tag. Countdowns in a piece are added by hand: they are told in own Turns, which follow from the ply.

A position and its three views take 110 µs so. Derived whole, with the same parts kept (`Differences.kept`), they take 260 µs:
parts are found by their values, four lists of pieces, and no countdown is told yet. With no parts kept it is some 750 µs.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

from brettwerk.v1 import wec_pb2 as pb
from brettwerk_games.protobuf_wire.fields import block, block_tag, number_tag, varint
from brettwerk_games.rules.bounds import number
from brettwerk_games.rules.interface import Kind as Carry
from brettwerk_games.rules.messages import Form, MessageCodec
from brettwerk_games.rules.wec import actions as act
from brettwerk_games.rules.wec.choice_bytes import choice_bytes
from brettwerk_games.rules.wec.codec.lines import lines, taken_lines
from brettwerk_games.rules.wec.codec.pairs import PAIRS, Ground
from brettwerk_games.rules.wec.countdowns import own_turns, stunned_until, turns_stunned
from brettwerk_games.rules.wec.options import FORMER, LATER_OPTIONS, Options
from brettwerk_games.rules.wec.pieces import Carried, Piece
from brettwerk_games.rules.wec.position import Called, End, Item, Memory, Position, Projectile, Reserve, Result, Turn, View
from brettwerk_games.rules.wec.scene import listed_actions

Twice: TypeAlias = tuple[bytes, bytes]
"""A field with the number that it has in a position, and with the one in a view."""
_MAX_STUN, _MAX_PLY = 9, 100_000
"""Own Turns for which a piece can be stunned (WEC-OPT-16), and the last ply that the contract can name."""


_WRITE = {cls: PAIRS.pair(cls).write for cls in (Options, Piece, Ground, Projectile, Reserve, Turn, Item, Result, Memory)}
"""By type: what makes the bytes of its message."""


def _turns(piece: Piece, ply: int) -> tuple[int, ...]:
    """Return what of a piece is counted down, in its own Turns: its stun, its inherent weapons, and its articles."""
    seat, (first, second) = piece.seat, piece.ready
    stunned, articles = turns_stunned(ply, piece.stunned, seat), [own_turns(ply, one.ready, seat) for one in piece.articles]
    return stunned, own_turns(ply, first, seat), own_turns(ply, second, seat), *articles


def _piece(piece: Piece, turns: tuple[int, ...]) -> bytes:
    """Return a piece with what is counted down."""
    whole = _WRITE[Piece](piece)
    if not any(turns):
        return whole
    message = pb.WecPiece.FromString(whole)
    message.turns_stunned, message.turns_first, message.turns_second, *articles = turns
    for article, left in zip(message.articles, articles, strict=True):
        article.turns = left
    return message.SerializeToString(deterministic=True)


_CACHED = 8192
"""Encoded parts that are kept of each kind: mostly pieces that have not moved and lines of histories, some 100 bytes each."""


def _twice(body: bytes, in_position: int, in_view: int) -> Twice:
    return block(block_tag(in_position), body), block(block_tag(in_view), body)


def _options(options: Options, meant: Options) -> bytes:
    """Return the message without those later options that are as `meant` where it is silent: what was hashed before stays."""
    message = pb.WecOptions.FromString(_WRITE[Options](options))
    for name in LATER_OPTIONS:
        if getattr(options, name) == getattr(meant, name):
            message.ClearField(name)
    return message.SerializeToString(deterministic=True)


@lru_cache(maxsize=256)
def _options_bytes(options: Options) -> Twice:
    """Return the fields in a position and in a view, which may be older than the later options are."""
    return _twice(_options(options, FORMER), 1, 2)


@lru_cache(maxsize=_CACHED)
def _piece_bytes(piece: Piece, turns: tuple[int, ...]) -> Twice:
    return _twice(_piece(piece, turns), 2, 3)


def _piece_field(piece: Piece, ply: int) -> Twice:
    """Return the field of a piece, which is kept with it; what has nothing to count down is the same at every ply."""
    if not piece.counts:
        piece.encoded = _piece_bytes(piece, ())
        return piece.encoded
    before, turns, field = piece.counted
    if before != ply:
        now = _turns(piece, ply)
        field = field if now == turns else _piece_bytes(piece, now)
        piece.counted = ply, now, field
    return field


@lru_cache(maxsize=256)
def _ground_bytes(ground: tuple[tuple[Carried, ...], ...]) -> Twice:
    fields = [_square_bytes(square, lying) for square, lying in enumerate(ground) if lying]
    return b"".join([field[0] for field in fields]), b"".join([field[1] for field in fields])


@lru_cache(maxsize=_CACHED)
def _square_bytes(square: int, lying: tuple[Carried, ...]) -> Twice:
    return _twice(_WRITE[Ground](Ground(square, lying)), 3, 4)


@lru_cache(maxsize=256)
def _flying_bytes(projectiles: tuple[Projectile, ...]) -> Twice:
    fields = [_twice(_WRITE[Projectile](projectile), 5, 6) for projectile in projectiles]
    return b"".join([field[0] for field in fields]), b"".join([field[1] for field in fields])


@lru_cache(maxsize=256)
def _reserves_bytes(reserves: tuple[Reserve, ...]) -> Twice:
    fields = [_twice(_WRITE[Reserve](reserve), 6, 7) for reserve in reserves]
    return b"".join([field[0] for field in fields]), b"".join([field[1] for field in fields])


def _turn_bytes(turn: Turn) -> Twice:
    body = b"".join([_begun_bytes(turn[:-4]), *map(_item_bytes, turn.items), *map(_result_bytes, turn.results)])
    if turn.exposed or turn.emerged:
        body += _shown_bytes(turn.exposed, turn.emerged)
    return block(_TURN_IN_POSITION, body), block(_TURN_IN_VIEW, body)


_TURN_IN_POSITION, _TURN_IN_VIEW = block_tag(7), block_tag(8)


@lru_cache(maxsize=_CACHED)
def _begun_bytes(about: tuple[Any, ...]) -> bytes:
    return _WRITE[Turn](Turn(*about))


@lru_cache(maxsize=256)
def _shown_bytes(exposed: tuple[int, ...], emerged: tuple[int, ...]) -> bytes:
    return _WRITE[Turn](Turn(exposed=exposed, emerged=emerged))


@lru_cache(maxsize=_CACHED)
def _item_bytes(item: Item) -> bytes:
    return block(block_tag(15), _WRITE[Item](item))


@lru_cache(maxsize=_CACHED)
def _result_bytes(result: Result) -> bytes:
    return block(block_tag(16), _WRITE[Result](result))


@lru_cache(maxsize=256)
def _memory_bytes(memory: Memory) -> bytes:
    return _WRITE[Memory](memory)


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
    )
    body = message.SerializeToString(deterministic=True)
    return body + block(block_tag(20), _memory_bytes(memory)) if any(memory) else body


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
            *lines(position.history, position.revision),
            _rest(position),
            _last_bytes(position.names, position.revision, position.called, public),
        ]
    )


def _view(view: View) -> bytes:
    return b"".join(_view_parts(view, {}))


def _view_parts(view: View, known: dict[int, bytes]) -> Sequence[bytes]:
    """Return who looks, what everybody sees alike, and what not: each eye's pieces and the fields from 5 on.

    The history, most of a view, is a part of its own where all are told the same. `known`: by `id`, the field of the Ground of
    other views of the same position, which has the object in use.
    """
    ply = view.ply
    if id(view.ground) not in known:
        known[id(view.ground)] = _ground_bytes(view.ground)[1]
    begun = b"".join(
        [
            _PLY_IN_VIEW + varint(ply),
            _flying_bytes(view.projectiles)[1],
            _reserves_bytes(view.reserves)[1],
            _turn_bytes(view.turn)[1],
            block(block_tag(9), _memory_bytes(view.memory)),
        ]
    )
    history, rest = _history_bytes(view.history), _rest(view) + _WON[view.winner]
    return (
        _EYES[view.eye],
        _options_bytes(view.options)[1],
        b"".join([(piece.encoded or _piece_field(piece, ply))[1] for piece in view.pieces]),
        known[id(view.ground)],
        *((begun + history + rest,) if view.options.competitive else (begun, history, rest)),
    )


_WON: Mapping[int | None, bytes] = {
    None: b"",
    **{seat: pb.WecView(winner_seat=seat).SerializeToString() for seat in (0, 1)},
}
_EYES = tuple(pb.WecView(eye=eye).SerializeToString() for eye in range(3))


_PRESET = Options()
_FORMS = PAIRS.forms(Options, Position, View, act.Action, act.Event)
_action_bytes: Callable[[act.Action], Any] = _FORMS[Carry.ACTION].write


def _as_meant(options: Options, message: pb.WecOptions) -> Options:
    """Return options that were read from a position or view: what is left out there has its former meaning."""
    return options if message.exchange_levels else options._replace(exchange_levels=FORMER.exchange_levels)


def _to_view(message: Any) -> View:
    view: View = _FORMS[Carry.VIEW].read(message)
    return view._replace(options=_as_meant(view.options, message.options))


def _to_position(message: Any) -> Position:
    """Return a position; an editor tells a stun in own Turns of its piece."""
    history = taken_lines(message)
    position: Position = _FORMS[Carry.POSITION].read(message)
    position = position._replace(options=_as_meant(position.options, message.options), history=history)
    turns = [given.turns_stunned for given in message.pieces]
    if not any(turns):
        return position
    pieces = [_stunned(piece, each, position.ply) for piece, each in zip(position.pieces, turns, strict=True)]
    return position._replace(pieces=tuple(pieces))


def _stunned(piece: Piece, turns: int, ply: int) -> Piece:
    if piece.stunned or not turns:
        return piece
    turns = number(turns, 0, _MAX_STUN, "pieces.turns_stunned")
    return piece._replace(stunned=min(_MAX_PLY, stunned_until(ply, turns, piece.seat)))


class WecCodec(MessageCodec):
    """Carries the game's values."""

    forms: ClassVar[Mapping[Carry, Form]] = {
        **_FORMS,
        Carry.OPTIONS: _FORMS[Carry.OPTIONS]._replace(write=lambda options: _options(options, _PRESET)),
        Carry.POSITION: _FORMS[Carry.POSITION]._replace(write=_position, read=_to_position),
        Carry.VIEW: _FORMS[Carry.VIEW]._replace(write=_view, read=_to_view),
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
