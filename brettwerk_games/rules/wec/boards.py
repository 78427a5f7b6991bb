"""Prepared boards (WEC-SCEN-1): read from `boards/`, where each is written in the signs of the notation.

A piece is its colour and description, `B TA(2,4)1ST>`, with `!` for a Pawn on its origin square and `~2` before the hand for two
more own Turns of stun; a reinforcement is written alike. An article is `XXX(3,3)`, a projectile `B R(5,2)(1,0)` with its step.
With `mirror`, White gets what Black has, turned by half a turn, and so do the articles.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from brettwerk_games.rules.wec.board import DIRECTIONS, SQUARES, square_at
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, NATURES, Hand
from brettwerk_games.rules.wec.notation_signs import HAND_SIGNS, LEVEL_SIGNS, PROJECTILE_CODES
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Carried, Piece
from brettwerk_games.rules.wec.position import Position, Projectile, Reserve

FOLDER = Path(__file__).parent / "boards"

_KINDS = {nature.code: kind for kind, nature in NATURES.items()}
_ARTICLES = {code: kind for kind, code in ARTICLE_CODES.items()}
_SHOTS = {code: weapon for weapon, code in PROJECTILE_CODES.items()}
_ANY_ARTICLE = "|".join(sorted(_ARTICLES, key=len, reverse=True))
_SQUARE = r"\((\d+),(\d+)\)"
_PIECE = re.compile(rf"([BW]) ([A-Z]+)([\^v]?){_SQUARE}(?:[123]((?:{_ANY_ARTICLE})+))?(?:~(\d))?([<>]?)(!?)")
_ARTICLE = re.compile(rf"([A-Z]+){_SQUARE}")
_SHOT = re.compile(rf"([BW]) ([RST]){_SQUARE}\((-?[01]),(-?[01])\)")


def names() -> list[str]:
    """Return the names of all prepared boards."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


@cache
def board(name: str) -> Position:
    """Return a prepared board as a start position. Raises KeyError when there is no such board."""
    if name not in names():
        raise KeyError(name)
    raw: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    mirrored = bool(raw["mirror"])
    pieces = [_piece(text) for text in raw["pieces"]]
    reserves = [_piece(text) for text in raw.get("reserves", ())]
    if mirrored:
        pieces += [_turned(piece) for piece in pieces]
        reserves += [_turned(piece) for piece in reserves]
    return Position(
        Options(),
        tuple(sorted(_numbered(pieces, 0))),
        _ground(raw.get("articles", ()), mirrored=mirrored),
        projectiles=tuple(_shot(text, number) for number, text in enumerate(raw.get("projectiles", ()), 1)),
        reserves=tuple(Reserve(p.id, p.seat, p.square, p.kind, p.hand) for p in sorted(_numbered(reserves, len(pieces)))),
        edited=True,
    )


def _piece(text: str) -> Piece:
    match = _PIECE.fullmatch(text)
    if match is None:
        raise ValueError(f"this is no piece: {text}")
    colour, code, level, row, column, carried, stunned, hand, origin = match.groups()
    return Piece(
        id=0,
        seat="BW".index(colour),
        kind=_KINDS[code],
        place=SQUARES * LEVEL_SIGNS.index(level) + square_at(int(row), int(column)),
        hand=Hand(HAND_SIGNS.index(hand)),
        articles=tuple(Carried(_ARTICLES[name]) for name in re.findall(_ANY_ARTICLE, carried or "")),
        stunned=2 * int(stunned) + (colour == "W") if stunned else 0,
        origin=bool(origin),
    )


def _turned(piece: Piece) -> Piece:
    return piece._replace(seat=1, place=piece.place - piece.square + SQUARES - 1 - piece.square)


def _numbered(pieces: list[Piece], after: int) -> list[Piece]:
    return [piece._replace(id=after + number + WHITE_IDS * piece.seat) for number, piece in enumerate(pieces, 1)]


def _ground(texts: list[str], *, mirrored: bool) -> tuple[tuple[Carried, ...], ...]:
    ground: list[tuple[Carried, ...]] = [()] * SQUARES
    for text in texts:
        match = _ARTICLE.fullmatch(text)
        if match is None:
            raise ValueError(f"this is no article: {text}")
        square = square_at(int(match[2]), int(match[3]))
        for near in (square, SQUARES - 1 - square) if mirrored else (square,):
            ground[near] = (*ground[near], Carried(_ARTICLES[match[1]]))
    return tuple(ground)


def _shot(text: str, number: int) -> Projectile:
    match = _SHOT.fullmatch(text)
    if match is None:
        raise ValueError(f"this is no projectile: {text}")
    colour, code, row, column, rows, columns = match.groups()
    heading = DIRECTIONS.index((int(rows), int(columns)))
    return Projectile(number, _SHOTS[code], "BW".index(colour), square_at(int(row), int(column)), heading, 1, 0)
