"""The notation read: single actions, and whole Turns as lists of actions in the order of play (WEC-RUL-52).

The words of a text make an action, and the text means it if that is how the action is written in the position. So what fits
together (the group of a Dozer, the place of a passenger, the number of a Fire) is stated where it is written, and nowhere else.

One table of forms for both directions would have eleven forms and fifteen kinds of tokens, for 17 lines of patterns here; and
half of the tokens are no fields of an action: a Fire's square is a direction, a Dozer's pieces are squares.
"""

import re

from brettwerk_games.rules.refusals import Illegal, Malformed
from brettwerk_games.rules.wec.actions import (
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
from brettwerk_games.rules.wec.board import GROUND, NEXT, SQUARES, place_of, square_at
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, NATURES, TRANSPORTS, WEAPONS, Article
from brettwerk_games.rules.wec.notation_signs import HAND_SIGNS, LEVEL_SIGNS, piece_text
from brettwerk_games.rules.wec.notation_writer import END, NO_MOVE, ORDER, ROUTE_SIGNS, action_text
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import View
from brettwerk_games.rules.wec.rules import TURNS, require_legal

RULE = "WEC-RUL-52"
LENGTH = 4000
"""Longest text that is read, in characters."""

_OLD_CODES = {"SP": "STP", "JU": "JP"}
"""Codes that are read as well, and what is written for them; no other code contains them, and no two in a row."""
_KINDS = {nature.code: kind for kind, nature in NATURES.items()}
_ARTICLES = {code: kind for kind, code in ARTICLE_CODES.items()}
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


def _found_place(text: str) -> int:
    """Return the place of a piece that is described."""
    found = _PARTS.search(text)
    assert found is not None
    return _place(found[0])


def _piece(perspective: Perspective, text: str, seat: int) -> Piece:
    described, _, twin = text.partition("#")
    alike = [o for o in perspective.field.on(_found_place(text)) if o.seat == seat and piece_text(o) == described]
    number = int(twin) if twin else 1
    if len(alike) < number:
        raise _misfit(text)
    return alike[number - 1]


def _written(text: str) -> str:
    """Return a text with the codes that are written. Raises Malformed if it is too long."""
    if len(text) > LENGTH:
        raise _malformed(text)
    for old, code in _OLD_CODES.items():
        text = text.replace(old, code)
    return text


def read(view: View, text: str) -> Action:
    """Return the action that a text means to the view's seat. Raises Malformed, or Illegal with the rule."""
    text = _written(text).strip()
    TURNS.require_turn(view, view.eye)
    perspective = Perspective(view)
    action = turned(_action(perspective, text))
    require_legal(perspective, action)
    return action


def _action(perspective: Perspective, text: str) -> Action:
    if text == END:
        return EndTurn()
    for kind, pattern in _PATTERNS.items():
        match = pattern.fullmatch(text)
        if match is not None:
            action = _of(perspective, kind, match)
            if (
                action is None
                or action_text(perspective.field, perspective.view.reserves, action, perspective.turn.fires) != text
            ):
                raise _misfit(text)
            return action
    raise _malformed(text)


def _of(perspective: Perspective, kind: str, match: re.Match[str]) -> Action | None:
    """Return the action that the parts of a text make; None if they make none."""
    if kind == "R":
        wanted = (_place(match["square"]), _KINDS[match["kind"]], match["hand"])
        reserves = (each for each in perspective.view.reserves if each.seat == perspective.seat)
        return next((Reinforce(o.id) for o in reserves if (o.square, o.kind, HAND_SIGNS[o.hand]) == wanted), None)
    piece = _piece(perspective, match["piece"], perspective.seat)
    if kind == "M":
        return _moved(piece, match)
    if kind == "F":
        return _fired(perspective, piece, match)
    article = _ARTICLES[match["article"]]
    if kind == "P":
        return PickUp(piece.id, article)
    if kind == "D":
        return Drop(piece.id, article)
    other = _piece(perspective, match["other"], perspective.seat)
    return Exchange(piece.id, article, other.id, _ARTICLES[match["back"]] if match["back"] else None)


def _moved(piece: Piece, match: re.Match[str]) -> Move | Doze | None:
    place = _place(match["place"])
    if not match["group"]:
        return Move(piece.id, place, bool(match["other"]))
    if place not in NEXT[piece.square]:
        return None
    squares = {_place(found) for found in _PARTS.findall(match["group"])} - {piece.square}
    return Doze(piece.id, NEXT[piece.square].index(place), tuple(sorted(squares)))


def _fired(perspective: Perspective, piece: Piece, match: re.Match[str]) -> Fire | Home | Strike | Travel | None:
    weapon = _ARTICLES[match["weapon"]]
    if weapon not in (*WEAPONS, *TRANSPORTS):
        return None
    if match["target"]:
        if weapon != Article.ROCKET:
            return Home(piece.id, weapon, _piece(perspective, match["target"], 1 - perspective.seat).id)
        place = _found_place(match["target"])
        return Strike(piece.id, place) if place < SQUARES and perspective.field.on(place) else None
    square = _place(match["square"])
    if weapon in TRANSPORTS:
        return Travel(piece.id, weapon, square, _ROUTES[match["route"]])
    return Fire(piece.id, weapon, NEXT[piece.square].index(square)) if square in NEXT[piece.square] else None


def turn_texts(text: str) -> list[str]:
    """Return the actions of a whole Turn's string in the order of play, without End Turn. Raises Malformed.

    The results are not read: they follow from the actions.
    """
    rest = _written(text)
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
    if not letters:
        return [item for _, item in items]
    if sorted(letters) != sorted(kind for kind, _ in items) or any(sign not in ORDER for sign in letters):
        raise _malformed(text)
    return [items.pop(next(i for i, (kind, _) in enumerate(items) if kind == sign))[1] for sign in letters]
