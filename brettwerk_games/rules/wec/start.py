"""The beginning: the standard set-up from the data files, or an edited one with its checks (WEC-RUL-65, part 4 of the rules)."""

import json
from pathlib import Path
from typing import Any

from brettwerk_games.rules.interface import Step
from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.wec.actions import Event
from brettwerk_games.rules.wec.board import BLACK, SIZE, SQUARES, square_at
from brettwerk_games.rules.wec.edited_start import checked
from brettwerk_games.rules.wec.items import ROOM
from brettwerk_games.rules.wec.kinds import COUNTER, GOVERNMENTS, PAWNS, WEAPONS, Article, Hand, Kind
from brettwerk_games.rules.wec.options import Amount, Options, of_revision, require_sound
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Carried, Piece
from brettwerk_games.rules.wec.position import REVISION, Position, Reserve
from brettwerk_games.rules.wec.visibility import first_locks

_DATA = Path(__file__).parent / "data"
_HANDS = {"<": Hand.LEFT, ">": Hand.RIGHT}


def _read(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((_DATA / f"{name}.json").read_text(encoding="utf-8"))
    return data


_PIECES, _ARTICLES, _RESERVES = _read("start_pieces"), _read("start_articles"), _read("start_reinforcements")


def new(options: Options, seats: int, start: Position | None, seed: bytes) -> Step[Position, Event]:
    """Return the first position; Black is to act, or whom an edited start names. Raises Malformed or Illegal.

    >>> new(Options(), 2, None, SEED).position.ply
    1
    """
    return _new(options, seats, start, REVISION)


def new_by(rules_version: str, options: Options, seats: int, start: Position | None, seed: bytes) -> Step[Position, Event]:
    """Return the same as a revision of the rules has it. Raises Malformed for one that there is not, too.

    >>> new_by("1", Options(), 2, None, SEED).position.revision
    1
    >>> new_by("0", Options(), 2, None, SEED)
    Traceback (most recent call last):
        ...
    brettwerk_games.rules.refusals.Malformed: there is no such revision of the rules
    """
    if rules_version not in map(str, range(1, REVISION + 1)):
        raise Malformed("there is no such revision of the rules", field="rules_version")
    return _new(of_revision(options, int(rules_version)), seats, start, int(rules_version))


def _new(options: Options, seats: int, start: Position | None, revision: int) -> Step[Position, Event]:
    if seats != 2:
        raise Malformed("two play this game", field="seats")
    require_sound(options)
    if start is not None:
        return Step(checked(start, options, revision))
    pieces = standard_pieces(options)
    return Step(
        Position(
            options,
            tuple(first_locks(pieces, options, 1, revision)),
            standard_articles(options),
            reserves=standard_reserves(options, pieces),
            revision=revision,
        )
    )


def _kind(name: str, options: Options, seat: int) -> tuple[Kind, Hand]:
    hand = _HANDS.get(name[-1], Hand.NONE)
    plain = name.rstrip("<>")
    if plain in ("primary", "secondary"):
        return GOVERNMENTS[options.government(seat) - 1][plain == "secondary"], hand
    return Kind[plain.upper()], hand


def standard_pieces(options: Options) -> list[Piece]:
    """Return the 56 pieces of the standard start (WEC-PIECE-1), with their ids (WEC-RUL-54).

    >>> len(standard_pieces(Options())), standard_pieces(Options())[0].kind.name
    (56, 'PANZER')
    """
    found = []
    counts = [0, WHITE_IDS]
    for square in _PIECES["squares"]:
        seat = BLACK if square["color"] == "black" else 1
        for name in square["pieces"]:
            counts[seat] += 1
            kind, hand = _kind(name, options, seat)
            place = square_at(square["row"], square["col"])
            found.append(Piece(counts[seat], seat, kind, place, hand, origin=kind in PAWNS))
    return found


def standard_articles(options: Options) -> tuple[tuple[Carried, ...], ...]:
    """Return the articles on the Ground of each square (WEC-OPT-29, WEC-RUL-51).

    >>> [sum(map(len, standard_articles(Options(weapons=amount)))) for amount in (Amount.NONE, Amount.NORMAL)]
    [28, 68]
    """
    ground: list[list[Article]] = [[] for _ in range(SQUARES)]
    for row, squares in _ARTICLES["rows"].items():
        for column, names in enumerate(squares, 1):
            ground[square_at(int(row), column)] = [Article[name.removesuffix("_launcher").upper()] for name in names]
    _set_amount(ground, Article.XXX, options.xxx_boxes)
    for weapon in WEAPONS:
        _set_amount(ground, weapon, options.weapons)
        _set_amount(ground, Article(weapon + COUNTER), options.weapons)
    return tuple(tuple(Carried(kind) for kind in kinds) for kinds in ground)


def _set_amount(ground: list[list[Article]], kind: Article, amount: Amount) -> None:
    """Leave as many articles of a kind on the squares as an amount means, the same for both sides (WEC-RUL-51)."""
    found = [square for square, kinds in enumerate(ground) if kind in kinds]
    mine = found[: len(found) // 2]
    if amount == Amount.MANY:
        for near in mine:
            # The other half is the same after half a turn.
            square = next(square for square in range(near, -1, -SIZE) if len(ground[square]) < ROOM)
            ground[square].append(kind)
            ground[SQUARES - 1 - square].append(kind)
    elif amount != Amount.NORMAL:
        fewer = mine if amount == Amount.NONE else mine[1::2]
        for square in fewer:
            ground[square].remove(kind)
            ground[SQUARES - 1 - square].remove(kind)


def standard_reserves(options: Options, pieces: list[Piece]) -> tuple[Reserve, ...]:
    """Return the reinforcements of both sides (WEC-RUL-18), in order of id.

    >>> pieces = standard_pieces(Options())
    >>> len(standard_reserves(Options(), pieces)), standard_reserves(Options(reinforcements=Amount.NONE), pieces)
    (20, ())
    """
    if options.reinforcements == Amount.NONE:
        return ()
    last = [max(piece.id for piece in pieces if piece.seat == seat) for seat in (0, 1)]
    found = []
    for entry in _RESERVES["squares"]:
        seat = BLACK if entry["owner"] == "black" else 1
        from_left = entry["col"] if seat == BLACK else SIZE + 1 - entry["col"]
        if options.reinforcements == Amount.FEW and from_left % 2 == 0:
            continue
        kind, hand = _kind(entry["piece"], options, seat)
        # One with a hand has its square to itself (WEC-REINF-6).
        for _ in range(2 if options.reinforcements == Amount.MANY and hand == Hand.NONE else 1):
            last[seat] += 1
            found.append(Reserve(last[seat], seat, square_at(entry["row"], entry["col"]), kind, hand))
    return tuple(found)
