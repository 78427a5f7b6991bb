"""Messages of wec.proto made values, and checked completely: every bound, every reference that must hold.

The messages are looked at only through their fields, so that codec.py alone knows generated code.
"""

from enum import IntEnum
from itertools import pairwise
from typing import Any

from services.games.bounds import number, one_of
from services.games.refusals import Malformed
from services.games.wec import actions as act
from services.games.wec.board import PLACES, SQUARES
from services.games.wec.counting import stunned_until
from services.games.wec.kinds import Article, Hand, Kind
from services.games.wec.options import Options
from services.games.wec.pieces import WHITE_IDS, Carried, Piece, Transit
from services.games.wec.position import (
    REVISION,
    Called,
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

_PLY, _ID = 100_000, 1999
_MAX_STUN = 9
"""Own Turns for which a piece can be stunned (WEC-OPT-16)."""
_PRESETS = Options()
ACTIONS: dict[type, str] = {
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
"""The field of each kind of action."""
TURN_SAME = ("mover", "fires", "picked", "exchanged", "reinforced", "dropped", "acted", "spent", "vacated", "arrived")
TURN_SHOWN = ("exposed", "emerged")
"""Those that came with the second revision of the rules, and stand last in a message."""
"""The fields of a Turn that are the same in value and message."""


def _most(items: Any, most: int, field: str) -> Any:
    if len(items) > most:
        raise Malformed(f"{field} holds more than {most}", field=field)
    return items


def to_options(message: Any) -> Options:
    """Return the options of a message; what is left out has its preset. Raises Malformed with the field that is wrong."""
    found: dict[str, Any] = {}
    for name, preset in _PRESETS._asdict().items():
        value = getattr(message, name)
        if isinstance(preset, IntEnum):
            found[name] = one_of(type(preset), value or preset, name)
        else:
            found[name] = value if message.HasField(name) else preset
    return Options(**found)


def _to_carried(message: Any, path: str) -> Carried:
    ready = number(message.ready, 0, _PLY, f"{path}.ready")
    return Carried(one_of(Article, message.kind, f"{path}.kind"), ready, number(message.lock, 0, _ID, f"{path}.lock"))


def _to_transit(message: Any, path: str) -> Transit:
    transport = one_of(Article, message.transport, f"{path}.transport")
    if transport not in (Article.BIKE, Article.JUMP_PACK, Article.SCUBA):
        raise Malformed(f"{path} has no transport", field=f"{path}.transport")
    left = tuple(number(n, 0, SQUARES - 1, f"{path}.left") for n in _most(message.left, 9, f"{path}.left"))
    return Transit(transport, left, number(message.started, 0, _PLY, f"{path}.started"))


def _to_piece(message: Any, path: str) -> Piece:
    def own(name: str, least: int, most: int) -> int:
        return number(getattr(message, name), least, most, f"{path}.{name}")

    return Piece(
        own("id", 1, _ID),
        own("seat", 0, 1),
        one_of(Kind, message.kind, f"{path}.kind"),
        own("place", 0, PLACES - 1),
        one_of(Hand, message.hand, f"{path}.hand"),
        tuple(_to_carried(article, f"{path}.articles") for article in _most(message.articles, 3, f"{path}.articles")),
        (own("ready_first", 0, _PLY), own("ready_second", 0, _PLY)),
        own("stunned", 0, _PLY),
        message.origin,
        _to_transit(message.transit, f"{path}.transit") if message.HasField("transit") else None,
        own("lock", 0, _ID),
        own("revealed", 0, _PLY),
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
        square = number(message.square, 0, SQUARES - 1, "ground.square")
        if ground[square] or not 1 <= len(message.articles) <= 2:
            raise Malformed("a square is named once, with one or two articles", field="ground.square")
        ground[square] = tuple(_to_carried(article, "ground.articles") for article in message.articles)
    return tuple(ground)


def _to_projectile(message: Any) -> Projectile:
    weapon = one_of(Article, message.weapon, "projectiles.weapon")
    if weapon not in (Article.ROCKET, Article.SAM, Article.TORPEDO):
        raise Malformed("a projectile is a Rocket, SAM or Torpedo", field="projectiles.weapon")
    return Projectile(
        number(message.number, 0, _PLY, "projectiles.number"),
        weapon,
        number(message.seat, 0, 1, "projectiles.seat"),
        number(message.square, 0, SQUARES - 1, "projectiles.square"),
        number(message.heading, 0, 7, "projectiles.heading"),
        number(message.strength, 1, 3, "projectiles.strength"),
        number(message.launched, 0, _PLY, "projectiles.launched"),
        message.homing,
        number(message.target, 0, _ID, "projectiles.target"),
        number(message.known, 0, _ID, "projectiles.known"),
    )


def _to_reserve(message: Any, eye: int | None) -> Reserve:
    kind = one_of(Kind, message.kind, "reserves.kind") if message.kind else None
    if kind is None and message.seat == (message.seat if eye is None else eye):
        raise Malformed("this reinforcement has a kind", field="reserves.kind")
    return Reserve(
        number(message.id, 0, _ID, "reserves.id"),
        number(message.seat, 0, 1, "reserves.seat"),
        number(message.square, 0, SQUARES - 1, "reserves.square"),
        kind,
        one_of(Hand, message.hand, "reserves.hand"),
    )


def _text(text: str, most: int, field: str) -> str:
    if len(text.encode()) > most:
        raise Malformed(f"{field} is longer than {most} bytes", field=field)
    return text


def _to_texts(message: Any) -> tuple[str, str, str]:
    return _text(message.black, 4000, "texts"), _text(message.white, 4000, "texts"), _text(message.spectator, 4000, "texts")


def _to_hits(messages: Any) -> tuple[Hit, ...]:
    found = []
    for hit in _most(messages, 200, "turn.hits"):
        piece, times = number(hit.piece, 1, _ID, "turn.hits.piece"), number(hit.times, 1, 1000, "turn.hits.times")
        found.append(Hit(piece, one_of(Article, hit.weapon, "turn.hits.weapon"), times))
    if found != sorted(found) or len({hit[:2] for hit in found}) < len(found):
        raise Malformed("hits are in order, each once", field="turn.hits")
    return tuple(found)


def _to_item(item: Any) -> Item:
    if item.letter not in tuple("MFPXRD"):
        raise Malformed("an item has a letter", field="turn.items.letter")
    texts = [_text(text, 1000, "turn.items") for text in (item.text, item.other, item.public)]
    return Item(item.letter, texts[0], texts[1], texts[2])


def _to_turn(message: Any) -> Turn:
    bounds = {"fires": 2, "vacated": SQUARES - 1}
    found: dict[str, Any] = {}
    for name in (*TURN_SAME, *TURN_SHOWN):
        value, most = getattr(message, name), bounds.get(name, _ID)
        if isinstance(value, (bool, int)):
            found[name] = value if isinstance(value, bool) else number(value, 0, most, f"turn.{name}")
        else:
            found[name] = tuple(number(n, 0, most, f"turn.{name}") for n in _most(value, 16, f"turn.{name}"))
    return Turn(
        **found,
        hits=_to_hits(message.hits),
        believed=_to_hits(message.believed),
        lost=(one_of(End, message.lost_black, "turn.lost_black"), one_of(End, message.lost_white, "turn.lost_white")),
        items=tuple(map(_to_item, _most(message.items, 8, "turn.items"))),
        results=tuple(
            Result(_text(result.full, 1000, "turn.results"), _to_texts(result.texts))
            for result in _most(message.results, 64, "turn.results")
        ),
    )


def _to_memory(message: Any) -> Memory:
    marks = tuple(
        Mark(
            number(mark.piece, 1, _ID, "memory.marks.piece"),
            one_of(Kind, mark.kind, "memory.marks.kind"),
            number(mark.place, 0, PLACES - 1, "memory.marks.place"),
            one_of(Hand, mark.hand, "memory.marks.hand"),
        )
        for mark in _most(message.marks, 600, "memory.marks")
    )
    gone = tuple(number(piece, 1, _ID, "memory.gone") for piece in _most(message.gone, 1200, "memory.gone"))
    return Memory(marks, gone)


def _to_shared(message: Any, eye: int | None) -> dict[str, Any]:
    end, winner = one_of(End, message.end, "end"), number(message.winner, 0, 2, "winner")
    if winner and end == End.ON:
        raise Malformed("a game that is on has no winner", field="winner")
    return {
        "options": to_options(message.options),
        "pieces": _to_pieces(message.pieces),
        "ground": _to_ground(message.ground),
        "ply": number(message.ply, 1, _PLY, "ply"),
        "projectiles": tuple(map(_to_projectile, _most(message.projectiles, 200, "projectiles"))),
        "reserves": tuple(_to_reserve(reserve, eye) for reserve in _most(message.reserves, 400, "reserves")),
        "turn": _to_turn(message.turn),
        "first_line": number(message.first_line, 1, _PLY, "first_line"),
        "idle": message.idle,
        "edited": message.edited,
        "end": end,
        "winner": winner - 1 if winner else None,
    }


def to_position(message: Any) -> Position:
    """Return the position of a message. Raises Malformed with the field that is wrong."""
    lines = _most(message.history, 2000, "history")
    history = tuple(Line(_text(line.full, 4000, "history"), _to_texts(line.texts)) for line in lines)
    shared = _to_shared(message, None)
    shared["pieces"] = tuple(
        piece if piece.stunned else piece._replace(stunned=_stunned(given.turns_stunned, shared["ply"], piece.seat))
        for piece, given in zip(shared["pieces"], message.pieces, strict=True)
    )
    memory = (_to_memory(message.memory_black), _to_memory(message.memory_white), _to_memory(message.memory_spectator))
    revision = number(message.revision or 1, 1, REVISION, "revision")
    names = _to_names(message.names, shared["pieces"])
    called = _to_called(message.called)
    return Position(**shared, memory=memory, history=history, names=names, revision=revision, called=called)


def _to_called(messages: Any) -> tuple[Called, Called, Called]:
    if len(messages) not in (0, 3):
        raise Malformed("three lists have what eyes call pieces, or none", field="called")
    found: list[Called] = []
    for message in messages:
        ids, numbers = (
            [number(n, 1, _ID, f"called.{name}") for n in _most(getattr(message, name), 600, f"called.{name}")]
            for name in ("ids", "numbers")
        )
        if len(ids) != len(numbers) or any(a >= b for a, b in pairwise(ids)) or len(set(numbers)) < len(numbers):
            raise Malformed("ids are in order, each with a number of its own", field="called")
        found.append(tuple(zip(ids, numbers, strict=True)))
    return (found[0], found[1], found[2]) if found else ((), (), ())


def _to_names(messages: Any, pieces: tuple[Piece, ...]) -> tuple[tuple[int, ...], ...]:
    if len(messages) not in (0, 4):
        raise Malformed("four lists have the pieces that are known, or none", field="names")
    names = tuple(tuple(number(n, 1, _ID, "names.ids") for n in _most(known.ids, 999, "names.ids")) for known in messages)
    for known, born in zip(names, (1, 0, 0, 1), strict=False):
        if len(set(known)) < len(known) or any((n > WHITE_IDS) != born for n in known):
            raise Malformed("a list has pieces of one side, each once", field="names.ids")
    return names


def _stunned(turns: int, ply: int, seat: int) -> int:
    """Return the last ply of a stun that an editor tells in own Turns."""
    return min(_PLY, stunned_until(ply, number(turns, 0, _MAX_STUN, "pieces.turns_stunned"), seat))


def to_view(message: Any) -> View:
    """Return the view of a message. Raises Malformed with the field that is wrong."""
    eye = number(message.eye, 0, 2, "eye")
    history = tuple(_text(text, 4000, "history") for text in _most(message.history, 2000, "history"))
    return View(eye=eye, **_to_shared(message, eye), memory=_to_memory(message.memory), history=history)


def to_action(message: Any) -> act.Action:
    """Return the action of a message. Raises Malformed with the field that is wrong."""
    which = message.WhichOneof("kind")
    if which is None:
        raise Malformed("an action is one of eleven", rule="WEC-TURN-2", field="kind")
    kind = next(kind for kind, name in ACTIONS.items() if name == which)
    inner: Any = getattr(message, which)
    bounds = {"piece": (1, _ID), "other": (1, _ID), "target": (1, _ID), "place": (0, PLACES - 1)}
    bounds |= {"square": (0, SQUARES - 1), "direction": (0, 7)}
    fields: dict[str, Any] = {}
    for name in kind.__slots__:  # type: ignore[attr-defined]
        value = getattr(inner, name)
        path = f"{which}.{name}"
        if name in ("weapon", "transport", "article"):
            fields[name] = one_of(Article, value, path)
        elif name == "back":
            fields[name] = one_of(Article, value, path) if value else None
        elif name == "route":
            fields[name] = one_of(act.Route, value or act.Route.BEELINE, path)
        elif name == "squares":
            fields[name] = tuple(number(n, 0, SQUARES - 1, path) for n in _most(value, 4, path))
        elif name == "carry":
            fields[name] = value
        else:
            fields[name] = number(value, *bounds[name], path)
    action: act.Action = kind(**fields)
    return action


def to_event(message: Any) -> act.Event:
    """Return the event of a message. Raises Malformed with the field that is wrong."""
    match message.WhichOneof("kind"):
        case "acted":
            return act.Acted(number(message.acted.seat, 0, 1, "acted.seat"), _to_texts(message.acted.texts))
        case "happened":
            return act.Happened(_to_texts(message.happened))
        case "written":
            return act.Written(number(message.written.ply, 1, _PLY, "written.ply"), _to_texts(message.written.texts))
        case "ended":
            winner = number(message.ended.winner, 0, 2, "ended.winner")
            return act.Ended(winner - 1 if winner else None, one_of(End, message.ended.end, "ended.end"))
    raise Malformed("an event says what happened", field="kind")
