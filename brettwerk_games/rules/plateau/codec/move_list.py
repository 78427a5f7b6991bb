"""Listed moves as encoded messages of actions with their words, put together from what their ends give.

There are 100,000 moves and more on a board, and a list has up to 256 of them, but each is a few bytes of its source and a few of
its target and steps. Both are made once; only the lengths between them depend on both, by how long the others' bytes are.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import games_pb2
from brettwerk.v1 import plateau_pb2 as pb
from brettwerk_games.protobuf_wire.fields import block, block_tag, number, number_tag, varint
from brettwerk_games.rules.plateau.actions import Action, EndTurn
from brettwerk_games.rules.plateau.board import MARK, Army, Board, bits
from brettwerk_games.rules.plateau.notation import END, behind, between
from brettwerk_games.rules.plateau.position import View, all_of
from brettwerk_games.rules.plateau.scene import CHOICE, END_CHOICE

_KEPT = 4096
"""Armies on nodes, with what their moves take, that are kept: 20 MB at most, and a tenth of it in most games."""
_STRIDE = 16
"""A target and its steps as one key: target * _STRIDE + steps."""

_TYPE_URL = f"type.googleapis.com/{pb.PlateauAction.DESCRIPTOR.full_name}"
_URL = block(block_tag(AnyMessage.TYPE_URL_FIELD_NUMBER), _TYPE_URL.encode())
_VALUE = block_tag(AnyMessage.VALUE_FIELD_NUMBER)
_MOVE = block_tag(pb.PlateauAction.MOVE_FIELD_NUMBER)
_SOURCE = number_tag(pb.PlateauMove.SOURCE_FIELD_NUMBER)
_TARGET = number_tag(pb.PlateauMove.TARGET_FIELD_NUMBER)
_STEPS = number_tag(pb.PlateauMove.STEPS_FIELD_NUMBER)
_ACTION = block_tag(games_pb2.ActionChoice.ACTION_FIELD_NUMBER)
_NOTATION = block_tag(games_pb2.ActionChoice.NOTATION_FIELD_NUMBER)
_PLACES = block_tag(games_pb2.ActionChoice.PLACES_FIELD_NUMBER)
_LABEL = block_tag(games_pb2.ActionChoice.LABEL_FIELD_NUMBER)
_KEY = block_tag(games_pb2.Text.KEY_FIELD_NUMBER)
_ARGS = block_tag(games_pb2.Text.ARGS_FIELD_NUMBER)
_NAME, _WORD = block_tag(1), block_tag(2)  # of an entry of a map


_Lengths: TypeAlias = tuple[int, int, int, int, bool]
"""Of the end of a move: the bytes of its four parts, and whether it is a single step."""


class _End(NamedTuple):
    """The encoded parts of a target and steps."""

    lengths: _Lengths
    move: bytes
    notation: bytes
    place: bytes
    args: bytes


_Begin: TypeAlias = tuple[bytes, bytes, bytes, bytes]
"""The encoded parts of a source: what stands before each part of an end."""


class _Ends(dict[int, _End]):
    """The ends of moves on a board, by target * _STRIDE + steps."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self._names = names

    def __missing__(self, key: int) -> _End:
        target, steps = divmod(key, _STRIDE)
        name = self._names[target]
        move = number(_TARGET, target) + number(_STEPS, steps)
        notation = (name + behind(steps)).encode()
        place = block(_PLACES, name.encode())
        args = _arg("steps", str(steps)) + _arg("target", name)
        end = self[key] = _End((len(move), len(notation), len(place), len(args), steps == 1), move, notation, place, args)
        return end


class _Begins(dict[_Lengths, _Begin]):
    """The beginnings of the moves of an army on a node that take the same, by the lengths of their ends."""

    def __init__(self, tag: bytes, army: Army, source: int, name: str, sign: str) -> None:
        super().__init__()
        self._tag, self._sign, self._mark, self._name = tag, sign, MARK[army], name
        self._source = number(_SOURCE, source)
        self._place = block(_PLACES, name.encode())
        self._label = block(_KEY, CHOICE[sign].encode()) + _arg("army", self._mark) + _arg("source", name)

    def __missing__(self, lengths: _Lengths) -> _Begin:
        move, notation, place, args, is_step = lengths
        action = _long(_MOVE, self._source, move)
        action = _long(_VALUE, action, move)
        action = _long(_ACTION, _URL + action, move)
        written = _long(_NOTATION, f"{self._mark} {self._name}{between(self._sign, is_step)}".encode(), notation)
        label = _long(_LABEL, self._label, args)
        size = len(action) + move + len(written) + notation + len(self._place) + place + len(label) + args
        begin = self[lengths] = self._tag + varint(size) + action, written, self._place, label
        return begin


def _long(tag: bytes, begin: bytes, rest: int) -> bytes:
    """Return the beginning of a field whose data goes on for that many bytes more."""
    return tag + varint(len(begin) + rest) + begin


def _arg(name: str, value: str) -> bytes:
    return block(_ARGS, block(_NAME, name.encode()) + block(_WORD, value.encode()))


@cache
def _ends(board: Board) -> _Ends:
    return _Ends(board.names)


@lru_cache(maxsize=_KEPT)
def _begins(board: Board, army: Army, source: int, sign: str, field: int) -> _Begins:
    return _Begins(block_tag(field), army, source, board.names[source], sign)


def encoded(view: View, actions: Sequence[Action], field: int) -> bytes:
    """Return legal actions without paths as fields of this number, each of which holds an ActionChoice."""
    position, parts = view.position, []
    seat, board = position.to_move, position.board
    armies = {node: army for army, nodes in zip(Army, position.armies[seat], strict=True) for node in bits(nodes)}
    others = [other for other in range(len(position.armies)) if other != seat]
    taken = dict.fromkeys((node for other in others for node in bits(all_of(position.armies[other]))), "x")
    taken |= {position.setup.bases[other]: "#" for other in others if other not in position.fallen}
    ends, standing, quiet = _ends(board), -1, _Begins(b"", Army.TWO, 0, "", "")
    for action in actions:
        if isinstance(action, EndTurn):
            parts.append(_end_turn(field))
            continue
        source, target, steps, _ = action
        if source != standing:
            quiet, standing = _begins(board, armies[source], source, "", field), source
        sign = taken.get(target)
        begins = quiet if sign is None else _begins(board, armies[source], source, sign, field)
        lengths, move, notation, place, args = ends[target * _STRIDE + steps]
        begin = begins[lengths]
        parts += (begin[0], move, begin[1], notation, begin[2], place, begin[3], args)
    return b"".join(parts)


@cache
def _end_turn(field: int) -> bytes:
    action = AnyMessage(type_url=_TYPE_URL, value=pb.PlateauAction(end_turn=pb.PlateauEndTurn()).SerializeToString())
    message = games_pb2.ActionChoice(action=action, notation=END, label=games_pb2.Text(key=END_CHOICE.label.key))
    return block(block_tag(field), message.SerializeToString(deterministic=True))
