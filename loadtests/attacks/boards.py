"""Boards of Weaponized Chess that are as full as they may be: 600 pieces, up to 200 articles, nothing that is refused."""

import random
from collections.abc import Iterator

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import play_pb2, wec_pb2

SQUARES = 100
MAX_ARTICLES = 200
_CARRIERS = (wec_pb2.WEC_KIND_AAA, wec_pb2.WEC_KIND_CHOPPER, wec_pb2.WEC_KIND_SUB)
"""Pieces that may share a place with another one, and carry it, on the Ground, in Air and in Sub."""
_ARTICLES = (wec_pb2.WEC_ARTICLE_COUNTER_STEALTH, wec_pb2.WEC_ARTICLE_STEALTH, wec_pb2.WEC_ARTICLE_ROCKET)
_WHITE_IDS = 1000


def full_board() -> wec_pb2.WecPosition:
    """Return a board with two pieces on every place: all that can be is hidden, and two hundred detectors look for it."""
    board = wec_pb2.WecPosition(ply=1, first_line=1, edited=True)
    ids = [0, _WHITE_IDS]
    for square in range(SQUARES):
        seat = int(square >= SQUARES // 2)
        for level, carrier in enumerate(_CARRIERS):
            is_royal = square in (0, SQUARES - 1) and level == 0
            carried = wec_pb2.WEC_KIND_KING if is_royal else wec_pb2.WEC_KIND_STEALTH_PAWN
            for kind in (carrier, carried):
                ids[seat] += 1
                piece = board.pieces.add(id=ids[seat], seat=seat, kind=kind, place=level * SQUARES + square)
                if kind == wec_pb2.WEC_KIND_CHOPPER:
                    piece.hand = wec_pb2.WEC_HAND_LEFT
                elif kind == carried and len(board.pieces) <= 2 * MAX_ARTICLES:
                    piece.articles.add(kind=wec_pb2.WEC_ARTICLE_COUNTER_STEALTH)
    return board


def royal_board() -> wec_pb2.WecPosition:
    """Return a board on which everybody may exchange with everybody: 75,000 actions are legal."""
    board = full_board()
    for piece in board.pieces:
        del piece.articles[:]
        if piece.kind == wec_pb2.WEC_KIND_STEALTH_PAWN:
            piece.kind = wec_pb2.WEC_KIND_QUEEN
    queens = [piece for piece in board.pieces if piece.kind == wec_pb2.WEC_KIND_QUEEN]
    for number, piece in enumerate(queens[: MAX_ARTICLES // 2]):
        piece.articles.add(kind=wec_pb2.WEC_ARTICLE_XXX)
        piece.articles.add(kind=_ARTICLES[number % len(_ARTICLES)])
    return board


def mutations(board: wec_pb2.WecPosition, dice: random.Random) -> Iterator[wec_pb2.WecPosition]:
    """Yield the board with a few pieces gone and a few articles exchanged, other ones each time; all of them may be played."""
    while True:
        changed = wec_pb2.WecPosition()
        changed.CopyFrom(board)
        for _ in range(dice.randrange(8)):
            piece = dice.choice(changed.pieces)
            if piece.kind in (wec_pb2.WEC_KIND_STEALTH_PAWN, wec_pb2.WEC_KIND_QUEEN):
                changed.pieces.remove(piece)
        for piece in dice.sample([piece for piece in changed.pieces if piece.articles], 8):
            piece.articles[-1].kind = dice.choice(_ARTICLES)
        yield changed


def check_of(board: wec_pb2.WecPosition) -> play_pb2.CheckStartRequest:
    """Return the question whether a game can start from a board."""
    return play_pb2.CheckStartRequest(game="wec", seats=2, start_position=packed(board))


def packed(board: wec_pb2.WecPosition) -> AnyMessage:
    """Return a board as the contract carries it."""
    found = AnyMessage()
    found.Pack(board)
    return found
