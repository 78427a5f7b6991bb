"""A position as the small picture has it: written into the row of integers that the kernel plays on."""

import array

from brettwerk_games.players.wec import layout
from brettwerk_games.players.wec.kernels.skirmish import Skirmish
from brettwerk_games.players.wec.tables import tables
from brettwerk_games.players.wec.values import PIECE
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import Hit, Position
from brettwerk_games.rules.wec.visibility import elusive

_EMPTY = array.array("i", [0] * layout.SIZE)
for _index in range(layout.AT, layout.SHOT):
    _EMPTY[_index] = -1


class Picture:
    """A kernel with a position in it; `ids` are the pieces in its order, `index` says where each is."""

    def __init__(self, position: Position) -> None:
        """Draw a position. Of more pieces than there is room for, the least worthy are left out."""
        self.kernel = Skirmish(_goals(position))
        self.seat = position.active
        pieces = position.pieces
        if len(pieces) > layout.PIECES:
            pieces = tuple(sorted(sorted(pieces, key=lambda piece: -PIECE[piece.kind])[: layout.PIECES]))
        self.ids = [piece.id for piece in pieces]
        self.squares = [piece.square for piece in pieces]
        self.index = {number: index for index, number in enumerate(self.ids)}
        self.kernel.load(_row(position, pieces, self.index))


def _goals(position: Position) -> "array.array[int]":
    """Return the tables with what it is worth to stand where a reinforcement can be called (WEC-REINF-3)."""
    known = [reserve for reserve in position.reserves if reserve.kind is not None]
    if not known:
        return tables(position.options)
    row = array.array("i", tables(position.options))
    for reserve in known:
        if reserve.kind is not None:
            row[layout.GOAL + 100 * reserve.seat + reserve.square] += PIECE[reserve.kind] // 4
    return row


def _row(position: Position, pieces: tuple[Piece, ...], index: dict[int, int]) -> "array.array[int]":
    row = array.array("i", _EMPTY)
    for number, piece in enumerate(pieces):
        row[layout.SEAT + number] = piece.seat
        row[layout.PLACE + number] = piece.place
        row[layout.KIND + number] = piece.kind
        row[layout.HAND + number] = piece.hand
        row[layout.STUN + number] = piece.stunned
        row[layout.FIRST + number], row[layout.SECOND + number] = piece.ready
        for place, article in enumerate(piece.articles[:3]):
            row[layout.CARRIED + place * layout.PIECES + number] = article.kind | article.ready << 5
        row[layout.ORIGIN + number] = piece.origin
        row[layout.TRANSIT + number] = piece.transit.transport if piece.transit is not None else 0
        row[layout.SPENT + number] = piece.id in position.turn.spent
        row[layout.COVER + number] = _cover(position, piece)
        spot = layout.AT + 2 * piece.place
        row[spot if row[spot] < 0 else spot + 1] = number
    _hits(row, position.turn.hits, index)
    for number, shot in enumerate(position.projectiles[: layout.SHOTS]):
        fresh = shot.launched == position.ply
        target = index.get(shot.target, -1) if shot.homing else -1
        start = layout.SHOT + 7 * number
        row[start : start + 7] = array.array(
            "i", (shot.weapon, shot.seat, shot.square, shot.heading, shot.strength, target, fresh)
        )
    row[layout.NUMBER] = len(pieces)
    row[layout.FLYING] = min(len(position.projectiles), layout.SHOTS)
    row[layout.PLY] = position.ply
    row[layout.FIRED] = position.turn.fires
    row[layout.LOST], row[layout.LOST + 1] = (int(bool(end)) for end in position.turn.lost)
    return row


def _cover(position: Position, piece: Piece) -> int:
    """Return the last ply in which its opponent sees a piece that can be hidden; -1 for one that they see anyway (WEC-RUL-46)."""
    if piece.id in position.unseen:
        return 0
    return piece.revealed if piece.revealed >= position.ply and elusive(piece, position.options) else -1


def _hits(row: "array.array[int]", hits: tuple[Hit, ...], index: dict[int, int]) -> None:
    for hit in hits:
        if hit.piece in index:
            row[layout.HITS + index[hit.piece]] += min(hit.times, 15) << 4 * (hit.weapon - 1)
