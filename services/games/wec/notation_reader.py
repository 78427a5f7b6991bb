"""The notation read: single actions, and whole Turns as lists of actions in the order of play (WEC-RUL-52)."""

import re

from services.games.refusals import Illegal, Malformed
from services.games.wec.actions import (
    Action,
    Doze,
    Drop,
    EndTurn,
    Exchange,
    Fire,
    Home,
    Move,
    PickUp,
    Reinforce,
    Strike,
    Travel,
    turned,
)
from services.games.wec.board import GROUND, NEXT, place_of, square_at
from services.games.wec.kinds import ARTICLE_CODES, NATURES, TRANSPORTS, WEAPONS, Article, Hand, Kind
from services.games.wec.notation_signs import HAND_SIGNS, LEVEL_SIGNS, piece_text
from services.games.wec.notation_writer import END, NO_MOVE, ORDER, ROUTE_SIGNS
from services.games.wec.perspective import Perspective
from services.games.wec.pieces import Piece
from services.games.wec.position import View
from services.games.wec.rules import TURNS, require_legal

RULE = "WEC-RUL-52"
LENGTH = 4000
"""Longest text that is read, in characters."""

_KINDS = {nature.code: kind for kind, nature in NATURES.items()} | {"SP": Kind.STUN_PAWN}
_ARTICLES = {code: kind for kind, code in ARTICLE_CODES.items()} | {"JU": Article.JUMP_PACK}
_HANDS = {sign: Hand(number) for number, sign in enumerate(HAND_SIGNS)}
_ROUTES = {sign: route for route, sign in ROUTE_SIGNS.items()}
_LEVELS = {sign: level for level, sign in enumerate(LEVEL_SIGNS)}

_KIND = "|".join(sorted(_KINDS, key=len, reverse=True))
_ARTICLE = "|".join(sorted(_ARTICLES, key=len, reverse=True))
_SQUARE = r"\((?:10|[1-9]),(?:10|[1-9])\)"
_PLACE = rf"[\^v]?{_SQUARE}"
_PIECE = rf"(?:{_KIND}){_PLACE}(?:[123](?:{_ARTICLE}){{1,3}})?[<>]?(?:#[2-9])?"
_MOVE = re.compile(
    rf"MV:(?P<piece>{_PIECE})->(?P<place>{_PLACE})(?:-TRA->(?P<other>{_PIECE})(?P<with>{_PLACE}))?"
    rf"(?:,DO>(?P<target>{_SQUARE})(?P<group>(?:{_KIND}){_SQUARE}(?:,(?:{_KIND}){_SQUARE}){{0,4}}))?",
    re.ASCII,
)
_FIRE = re.compile(
    rf"FI(?P<number>[12]):(?P<weapon>{_ARTICLE})/(?P<piece>{_PIECE})"
    rf"(?:->(?P<square>{_SQUARE})(?P<route>[<>]?)|=>(?P<target>{_PIECE}))",
    re.ASCII,
)
_PICK_UP = re.compile(rf"PU:(?P<piece>{_PIECE})\^(?P<article>{_ARTICLE})", re.ASCII)
_DROP = re.compile(rf"DR:(?P<piece>{_PIECE})v(?P<article>{_ARTICLE})", re.ASCII)
_EXCHANGE = re.compile(
    rf"EX:(?P<piece>{_PIECE})->(?P<article>{_ARTICLE})(?:<=>(?P<back>{_ARTICLE})<-|->)(?P<other>{_PIECE})", re.ASCII
)
_REINFORCE = re.compile(rf"RE:(?P<square>{_SQUARE})(?P<kind>{_KIND})(?P<hand>[<>]?)", re.ASCII)
_PATTERNS = {"M": _MOVE, "F": _FIRE, "P": _PICK_UP, "X": _EXCHANGE, "R": _REINFORCE, "D": _DROP}
_PARTS = re.compile(_PLACE)
_NUMBERS = re.compile(r"\d+")


def _malformed(text: str) -> Malformed:
    return Malformed("this is no notation", rule=RULE, details={"text": text[:60]})


def _misfit(text: str) -> Illegal:
    return Illegal("the notation does not fit the position", rule=RULE, details={"text": text[:60]})


def _place(text: str) -> int:
    row, column = map(int, _NUMBERS.findall(text))
    return place_of(square_at(row, column), _LEVELS.get(text[0], GROUND))


def _piece(perspective: Perspective, text: str, seat: int) -> Piece:
    described, _, twin = text.partition("#")
    if described.startswith("SP"):
        described = "STP" + described[2:]
    found = _PARTS.search(described)
    assert found is not None
    alike = [
        o for o in perspective.field.on(_place(found[0])) if o.seat == seat and piece_text(o) == described.replace("JU", "JP")
    ]
    number = int(twin) if twin else 1
    if len(alike) < number:
        raise _misfit(text)
    return alike[number - 1]


def read(view: View, text: str) -> Action:
    """Return the action that a text means to the view's seat. Raises Malformed, or Illegal with the rule."""
    if len(text) > LENGTH:
        raise _malformed(text)
    TURNS.require_turn(view, view.eye)
    perspective = Perspective(view)
    action = turned(_action(perspective, text.strip()))
    require_legal(perspective, action)
    return action


def _action(perspective: Perspective, text: str) -> Action:
    if text == END:
        return EndTurn()
    for kind, pattern in _PATTERNS.items():
        match = pattern.fullmatch(text)
        if match is not None:
            return _of(perspective, kind, match)
    raise _malformed(text)


def _of(perspective: Perspective, kind: str, match: re.Match[str]) -> Action:
    if kind == "M":
        return _moved(perspective, match)
    if kind == "F":
        return _fired(perspective, match)
    if kind == "R":
        return _reinforced(perspective, match)
    piece = _piece(perspective, match["piece"], perspective.seat)
    article = _ARTICLES[match["article"]]
    if kind == "P":
        return PickUp(piece.id, article)
    if kind == "D":
        return Drop(piece.id, article)
    other = _piece(perspective, match["other"], perspective.seat)
    return Exchange(piece.id, article, other.id, _ARTICLES[match["back"]] if match["back"] else None)


def _moved(perspective: Perspective, match: re.Match[str]) -> Action:
    piece, place = _piece(perspective, match["piece"], perspective.seat), _place(match["place"])
    if not match["group"]:
        if match["other"]:
            other = _piece(perspective, match["other"], perspective.seat)
            if other.place != piece.place or other.id == piece.id or _place(match["with"]) != place:
                raise _misfit(match[0])
        return Move(piece.id, place, bool(match["other"]))
    if match["other"] or _place(match["target"]) != place or place not in NEXT[piece.square]:
        raise _misfit(match[0])
    direction = NEXT[piece.square].index(place)
    squares = {_place(found) for found in _PARTS.findall(match["group"])} - {piece.square}
    action = Doze(piece.id, direction, tuple(sorted(squares)))
    group = [o for square in action.squares for o in perspective.field.on(square)]
    pushed = [o for o in perspective.field.on(piece.place) if o.id != piece.id] + sorted(group)
    spelt = ",".join(piece_text(o._replace(articles=(), hand=Hand.NONE)) for o in pushed)
    if spelt != match["group"]:
        raise _misfit(match[0])
    return action


def _fired(perspective: Perspective, match: re.Match[str]) -> Action:
    piece, weapon = _piece(perspective, match["piece"], perspective.seat), _ARTICLES[match["weapon"]]
    if int(match["number"]) != perspective.turn.fires + 1 or weapon not in (*WEAPONS, *TRANSPORTS):
        raise _misfit(match[0])
    if match["target"]:
        if weapon == Article.ROCKET:
            return _strike(perspective, piece, match)
        return Home(piece.id, weapon, _piece(perspective, match["target"], 1 - perspective.seat).id)
    square = _place(match["square"])
    if weapon in TRANSPORTS:
        return Travel(piece.id, weapon, square, _ROUTES[match["route"]])
    if match["route"] or square not in NEXT[piece.square]:
        raise _misfit(match[0])
    return Fire(piece.id, weapon, NEXT[piece.square].index(square))


def _strike(perspective: Perspective, piece: Piece, match: re.Match[str]) -> Strike:
    found = _PARTS.search(match["target"])
    assert found is not None
    place = _place(found[0])
    there = perspective.field.on(place)
    if place >= len(NEXT) or not there or match["target"] != piece_text(there[0]):
        raise _misfit(match[0])
    return Strike(piece.id, place)


def _reinforced(perspective: Perspective, match: re.Match[str]) -> Reinforce:
    wanted = (_place(match["square"]), _KINDS[match["kind"]], _HANDS[match["hand"]])
    for reserve in perspective.view.reserves:
        if reserve.seat == perspective.seat and (reserve.square, reserve.kind, reserve.hand) == wanted:
            return Reinforce(reserve.id)
    raise _misfit(match[0])


def turn_texts(text: str) -> list[str]:
    """Return the actions of a whole Turn's string in the order of play, without End Turn. Raises Malformed.

    The results are not read: they follow from the actions.
    """
    if len(text) > LENGTH:
        raise _malformed(text)
    rest = text
    items: list[tuple[str, str]] = []
    rest = rest[len(NO_MOVE) :] if rest.startswith(NO_MOVE) else "," + rest
    for kind in "MFFPXRD":
        match = _PATTERNS[kind].match(rest, 1) if rest.startswith(",") else None
        if match is not None and (kind != "M" or not items):
            items.append((kind, match[0]))
            rest = rest[match.end() :]
    played, letters = rest.partition(",OR:")[::2]
    if played and not played.startswith(",RS:"):
        raise _malformed(text)
    return _ordered(text, items, letters)


def _ordered(text: str, items: list[tuple[str, str]], letters: str) -> list[str]:
    if not letters:
        return [item for _, item in items]
    if sorted(letters) != sorted(kind for kind, _ in items) or any(sign not in ORDER for sign in letters):
        raise _malformed(text)
    waiting = list(items)
    found = []
    for sign in letters:
        index = next(i for i, (kind, _) in enumerate(waiting) if kind == sign)
        found.append(waiting.pop(index)[1])
    return found
