"""The game's values as messages of wec.proto and back: the only module of the game that knows generated code."""

from enum import IntEnum
from itertools import pairwise
from typing import Any, TypeVar

from google.protobuf.message import DecodeError, Message

from brettwerk.v1 import wec_pb2 as pb
from services.games.interface import Kind as Carry
from services.games.refusals import Malformed
from services.games.wec import actions as act
from services.games.wec.board import PLACES, SQUARES
from services.games.wec.kinds import Article, Hand, Kind
from services.games.wec.options import Options
from services.games.wec.pieces import Carried, Piece, Transit
from services.games.wec.position import (
    End,
    Hit,
    Item,
    Line,
    Mark,
    Memory,
    Position,
    Projectile,
    Reserve,
    Result,
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
_PLY, _ID = 100_000, 1999
_PRESETS = Options()
_ACTIONS: dict[type, str] = {
    act.Move: "move",
    act.Doze: "doze",
    act.Fire: "fire",
    act.Home: "home",
    act.Strike: "strike",
    act.Travel: "travel",
    act.PickUp: "pick_up",
    act.Drop: "drop",
    act.Exchange: "exchange",
    act.Reinforce: "reinforce",
    act.EndTurn: "end_turn",
}
_TURN_SAME = ("mover", "fires", "picked", "exchanged", "reinforced", "dropped", "acted", "spent", "vacated", "arrived")

N = TypeVar("N", bound=IntEnum)


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
                return _to_options(message)
            case Carry.POSITION:
                return _to_position(message)
            case Carry.VIEW:
                return _to_view(message)
            case Carry.ACTION:
                return _to_action(message)
            case Carry.EVENT:
                return _to_event(message)


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
        **{name: getattr(turn, name) for name in _TURN_SAME},
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
    inner: Any = getattr(message, _ACTIONS[type(action)])
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


def _number(value: int, least: int, most: int, field: str) -> int:
    if not least <= value <= most:
        raise Malformed(f"{field} is {value}, not from {least} to {most}", field=field)
    return value


def _one_of(values: type[N], number: int, field: str) -> N:
    try:
        return values(number)
    except ValueError as error:
        raise Malformed(f"{field} has no value {number}", field=field) from error


def _most(items: Any, most: int, field: str) -> Any:
    if len(items) > most:
        raise Malformed(f"{field} holds more than {most}", field=field)
    return items


def _to_options(message: pb.WecOptions) -> Options:
    found: dict[str, Any] = {}
    for name, preset in _PRESETS._asdict().items():
        value = getattr(message, name)
        if isinstance(preset, IntEnum):
            found[name] = _one_of(type(preset), value or preset, name)
        else:
            found[name] = value if message.HasField(name) else preset  # type: ignore[arg-type]
    return Options(**found)


def _to_carried(message: pb.WecCarried, path: str) -> Carried:
    ready = _number(message.ready, 0, _PLY, f"{path}.ready")
    return Carried(_one_of(Article, message.kind, f"{path}.kind"), ready, _number(message.lock, 0, _ID, f"{path}.lock"))


def _to_transit(message: pb.WecTransit, path: str) -> Transit:
    transport = _one_of(Article, message.transport, f"{path}.transport")
    if transport not in (Article.BIKE, Article.JUMP_PACK, Article.SCUBA):
        raise Malformed(f"{path} has no transport", field=f"{path}.transport")
    left = tuple(_number(n, 0, SQUARES - 1, f"{path}.left") for n in _most(message.left, 9, f"{path}.left"))
    return Transit(transport, left, _number(message.started, 0, _PLY, f"{path}.started"))


def _to_piece(message: pb.WecPiece, path: str) -> Piece:
    def number(name: str, least: int, most: int) -> int:
        return _number(getattr(message, name), least, most, f"{path}.{name}")

    return Piece(
        number("id", 1, _ID),
        number("seat", 0, 1),
        _one_of(Kind, message.kind, f"{path}.kind"),
        number("place", 0, PLACES - 1),
        _one_of(Hand, message.hand, f"{path}.hand"),
        tuple(_to_carried(article, f"{path}.articles") for article in _most(message.articles, 3, f"{path}.articles")),
        (number("ready_first", 0, _PLY), number("ready_second", 0, _PLY)),
        number("stunned", 0, _PLY),
        message.origin,
        _to_transit(message.transit, f"{path}.transit") if message.HasField("transit") else None,
        number("lock", 0, _ID),
        number("revealed", 0, _PLY),
    )


def _to_pieces(messages: Any) -> tuple[Piece, ...]:
    pieces = tuple(_to_piece(message, f"pieces[{n}]") for n, message in enumerate(_most(messages, 600, "pieces")))
    if any(a.id >= b.id for a, b in pairwise(pieces)):
        raise Malformed("pieces are in order of id, each once", field="pieces")
    places = [piece.place for piece in pieces]
    if any(places.count(place) > 2 for place in set(places)):
        raise Malformed("there are more than two pieces on a place", field="pieces")
    return pieces


def _to_ground(messages: Any) -> tuple[tuple[Carried, ...], ...]:
    ground: list[tuple[Carried, ...]] = [()] * SQUARES
    for message in _most(messages, SQUARES, "ground"):
        square = _number(message.square, 0, SQUARES - 1, "ground.square")
        if ground[square] or not 1 <= len(message.articles) <= 2:
            raise Malformed("a square is named once, with one or two articles", field="ground.square")
        ground[square] = tuple(_to_carried(article, "ground.articles") for article in message.articles)
    return tuple(ground)


def _to_projectile(message: pb.WecProjectile) -> Projectile:
    weapon = _one_of(Article, message.weapon, "projectiles.weapon")
    if weapon not in (Article.ROCKET, Article.SAM, Article.TORPEDO):
        raise Malformed("a projectile is a Rocket, SAM or Torpedo", field="projectiles.weapon")
    return Projectile(
        _number(message.number, 0, _PLY, "projectiles.number"),
        weapon,
        _number(message.seat, 0, 1, "projectiles.seat"),
        _number(message.square, 0, SQUARES - 1, "projectiles.square"),
        _number(message.heading, 0, 7, "projectiles.heading"),
        _number(message.strength, 1, 3, "projectiles.strength"),
        _number(message.launched, 0, _PLY, "projectiles.launched"),
        message.homing,
        _number(message.target, 0, _ID, "projectiles.target"),
    )


def _to_reserve(message: pb.WecReserve, eye: int | None) -> Reserve:
    kind = _one_of(Kind, message.kind, "reserves.kind") if message.kind else None
    if kind is None and message.seat == (message.seat if eye is None else eye):
        raise Malformed("this reinforcement has a kind", field="reserves.kind")
    return Reserve(
        _number(message.id, 0, _ID, "reserves.id"),
        _number(message.seat, 0, 1, "reserves.seat"),
        _number(message.square, 0, SQUARES - 1, "reserves.square"),
        kind,
        _one_of(Hand, message.hand, "reserves.hand"),
    )


def _text(text: str, most: int, field: str) -> str:
    if len(text.encode()) > most:
        raise Malformed(f"{field} is longer than {most} bytes", field=field)
    return text


def _to_texts(message: pb.WecTexts) -> tuple[str, str, str]:
    return _text(message.black, 4000, "texts"), _text(message.white, 4000, "texts"), _text(message.spectator, 4000, "texts")


def _to_hits(messages: Any) -> tuple[Hit, ...]:
    found = []
    for hit in _most(messages, 200, "turn.hits"):
        piece, times = _number(hit.piece, 1, _ID, "turn.hits.piece"), _number(hit.times, 1, 1000, "turn.hits.times")
        found.append(Hit(piece, _one_of(Article, hit.weapon, "turn.hits.weapon"), times))
    if found != sorted(found) or len({hit[:2] for hit in found}) < len(found):
        raise Malformed("hits are in order, each once", field="turn.hits")
    return tuple(found)


def _to_item(item: pb.WecItem) -> Item:
    if item.letter not in tuple("MFPXRD"):
        raise Malformed("an item has a letter", field="turn.items.letter")
    texts = [_text(text, 1000, "turn.items") for text in (item.text, item.other, item.public)]
    return Item(item.letter, texts[0], texts[1], texts[2])


def _to_turn(message: pb.WecTurn) -> Turn:
    bounds = {"mover": _ID, "fires": 2, "acted": _ID, "spent": _ID, "arrived": _ID, "vacated": SQUARES - 1}
    found: dict[str, Any] = {}
    for name in _TURN_SAME:
        value = getattr(message, name)
        if isinstance(value, (bool, int)):
            found[name] = value if isinstance(value, bool) else _number(value, 0, bounds[name], f"turn.{name}")
        else:
            found[name] = tuple(_number(n, 0, bounds[name], f"turn.{name}") for n in _most(value, 16, f"turn.{name}"))
    return Turn(
        **found,
        hits=_to_hits(message.hits),
        believed=_to_hits(message.believed),
        lost=(_one_of(End, message.lost_black, "turn.lost_black"), _one_of(End, message.lost_white, "turn.lost_white")),
        items=tuple(map(_to_item, _most(message.items, 8, "turn.items"))),
        results=tuple(
            Result(_text(result.full, 1000, "turn.results"), _to_texts(result.texts))
            for result in _most(message.results, 64, "turn.results")
        ),
    )


def _to_memory(message: pb.WecMemory) -> Memory:
    marks = tuple(
        Mark(
            _number(mark.piece, 1, _ID, "memory.marks.piece"),
            _one_of(Kind, mark.kind, "memory.marks.kind"),
            _number(mark.place, 0, PLACES - 1, "memory.marks.place"),
        )
        for mark in _most(message.marks, 600, "memory.marks")
    )
    gone = tuple(_number(number, 1, _ID, "memory.gone") for number in _most(message.gone, 1200, "memory.gone"))
    return Memory(marks, gone)


def _to_shared(message: Any, eye: int | None) -> dict[str, Any]:
    end, winner = _one_of(End, message.end, "end"), _number(message.winner, 0, 2, "winner")
    if winner and end == End.ON:
        raise Malformed("a game that is on has no winner", field="winner")
    return {
        "options": _to_options(message.options),
        "pieces": _to_pieces(message.pieces),
        "ground": _to_ground(message.ground),
        "ply": _number(message.ply, 1, _PLY, "ply"),
        "projectiles": tuple(map(_to_projectile, _most(message.projectiles, 200, "projectiles"))),
        "reserves": tuple(_to_reserve(reserve, eye) for reserve in _most(message.reserves, 400, "reserves")),
        "turn": _to_turn(message.turn),
        "first_line": _number(message.first_line, 1, _PLY, "first_line"),
        "idle": message.idle,
        "edited": message.edited,
        "end": end,
        "winner": winner - 1 if winner else None,
    }


def _to_position(message: pb.WecPosition) -> Position:
    lines = _most(message.history, 2000, "history")
    history = tuple(Line(_text(line.full, 4000, "history"), _to_texts(line.texts)) for line in lines)
    memory = (_to_memory(message.memory_black), _to_memory(message.memory_white))
    return Position(**_to_shared(message, None), memory=memory, history=history)


def _to_view(message: pb.WecView) -> View:
    eye = _number(message.eye, 0, 2, "eye")
    history = tuple(_text(text, 4000, "history") for text in _most(message.history, 2000, "history"))
    return View(eye=eye, **_to_shared(message, eye), memory=_to_memory(message.memory), history=history)


def _to_action(message: pb.WecAction) -> act.Action:
    which = message.WhichOneof("kind")
    if which is None:
        raise Malformed("an action is one of eleven", rule="WEC-TURN-2", field="kind")
    kind = next(kind for kind, name in _ACTIONS.items() if name == which)
    inner: Any = getattr(message, which)
    bounds = {"piece": (1, _ID), "other": (1, _ID), "target": (1, _ID), "place": (0, PLACES - 1)}
    bounds |= {"square": (0, SQUARES - 1), "direction": (0, 7)}
    fields: dict[str, Any] = {}
    for name in kind.__slots__:  # type: ignore[attr-defined]
        value = getattr(inner, name)
        path = f"{which}.{name}"
        if name in ("weapon", "transport", "article"):
            fields[name] = _one_of(Article, value, path)
        elif name == "back":
            fields[name] = _one_of(Article, value, path) if value else None
        elif name == "route":
            fields[name] = _one_of(act.Route, value or act.Route.BEELINE, path)
        elif name == "squares":
            fields[name] = tuple(_number(n, 0, SQUARES - 1, path) for n in _most(value, 4, path))
        elif name == "carry":
            fields[name] = value
        else:
            fields[name] = _number(value, *bounds[name], path)
    action: act.Action = kind(**fields)
    return action


def _to_event(message: pb.WecEvent) -> act.Event:
    match message.WhichOneof("kind"):
        case "acted":
            return act.Acted(_number(message.acted.seat, 0, 1, "acted.seat"), _to_texts(message.acted.texts))
        case "happened":
            return act.Happened(_to_texts(message.happened))
        case "written":
            return act.Written(_number(message.written.ply, 1, _PLY, "written.ply"), _to_texts(message.written.texts))
        case "ended":
            winner = _number(message.ended.winner, 0, 2, "ended.winner")
            return act.Ended(winner - 1 if winner else None, _one_of(End, message.ended.end, "ended.end"))
    raise Malformed("an event says what happened", field="kind")
