"""Where pieces may Move, and on which way, judged on what is seen: one function a kind (WEC-MOVE, WEC-RUL-22 to 29)."""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from brettwerk_games.rules.wec import paths
from brettwerk_games.rules.wec.board import AIR, SQUARES, SUB
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import CARRIES_IN, NATURES, PAWNS, PRIMARIES, SECONDARIES, Hand, Kind
from brettwerk_games.rules.wec.options import Movement, Options
from brettwerk_games.rules.wec.pieces import Piece, has_own_drive, may_share, self_supporting

Ways: TypeAlias = dict[int, tuple[int, ...]]
"""By target place: the places passed, the target last."""
_Plan: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""A way, and the places on it that have to be empty."""


def passenger(field: Field, piece: Piece) -> Piece | None:
    """Return what a Chopper or Sub can take along (WEC-CARRY-1, WEC-RUL-29)."""
    return field.companion(piece) if piece.kind in CARRIES_IN else None


def must_carry(field: Field, piece: Piece) -> bool:
    """Tell whether the passenger cannot be left behind (WEC-CARRY-3)."""
    other = passenger(field, piece)
    return other is not None and not self_supporting(other)


def fights(piece: Piece, options: Options, step: int) -> bool:
    """Tell whether a piece can take on the place that is that many steps along its way (WEC-MOVE-4, WEC-MOVE-SUBJET-1)."""
    if NATURES[piece.kind].combat:
        return True
    if not options.sub_jet_combat or piece.kind not in (Kind.JET, Kind.SUB):
        return False
    return step == 0


def may_end(field: Field, piece: Piece, place: int, *, combat: bool, carry: bool = False) -> bool:
    """Tell whether a Move may end on a place as it is seen: empty, holding what can be taken, or to be shared."""
    ids = field.at.get(place)
    if not ids:
        return True
    there = [field.pieces[number] for number in ids]
    enemies = sum(other.seat != piece.seat for other in there)
    if enemies:
        return combat and enemies == len(there)
    return not carry and len(there) == 1 and may_share(there[0], piece)


def ways(field: Field, options: Options, piece: Piece, *, carry: bool = False) -> Ways:
    """Return the targets of a piece with the way to each; empty for one that has no drive on its level."""
    if not has_own_drive(piece):
        return {}
    kind = piece.kind
    if kind == Kind.CHOPPER:
        found = _hops(field, options, piece, carry=carry)
    elif kind == Kind.SUB:
        found = _sub(field, options, piece, carry=carry)
    elif carry:
        return {}
    elif kind in PAWNS:
        return _pawn(field, options, piece)
    elif kind == Kind.JET:
        return _jet(field, options, piece)
    else:
        return _over_ground(field, options, piece)
    if carry:
        other = passenger(field, piece)
        if other is None:
            return {}
        if other.kind in PRIMARIES and not options.king_may_leave_ground:
            found = {place: way for place, way in found.items() if place < SQUARES}
    elif must_carry(field, piece):
        return {}
    return found


class Surroundings(NamedTuple):
    """The places that are not empty, as bits, as a piece finds them that Moves without a passenger (`may_end`)."""

    taken: int
    enemies: int
    """Those with enemies, and with nobody else."""
    sharing: int
    """Those with one friendly piece that shares its place with any other."""
    single: int
    """Those with one friendly piece that shares its place with those only that share theirs."""

    def near(self, reach: int, kind: Kind) -> "tuple[int, int, int]":
        """Return what of it matters to a piece of a kind, within reach: taken places, enemies, and friends to come to."""
        friends = self.sharing | self.single if NATURES[kind].shares else self.sharing
        return self.taken & reach, self.enemies & reach, friends & reach


def surroundings(field: Field, seat: int) -> Surroundings:
    """Return what a seat's pieces find on a field."""
    pieces = field.pieces
    enemies = sharing = single = others = 0
    for place, ids in field.at.items():
        first = pieces[ids[0]]
        if first.seat != seat and (len(ids) == 1 or all(pieces[number].seat != seat for number in ids)):
            enemies |= 1 << place
        elif len(ids) > 1:
            others |= 1 << place
        elif NATURES[first.kind].shares:
            sharing |= 1 << place
        else:
            single |= 1 << place
    return Surroundings(enemies | sharing | single | others, enemies, sharing, single)


@lru_cache(maxsize=16384)
def reach(options: Options, kind: Kind, hand: Hand, place: int, seat: int) -> int:
    """Return the places, as bits, of which `ways` looks at some: as long as nothing changes there, its answer stays the same.

    That of a carrier depends on its passenger, too.
    """
    piece = Piece(1, seat, kind, place, hand)
    square, base = piece.square, piece.place - piece.square
    found: set[int] = set()
    if not has_own_drive(piece):
        return 0
    if kind == Kind.CHOPPER:
        for target, plans in _hops_from(options.movement, hand, place, seat):
            found.update((target,), *(way for way, _ in plans))
    elif kind == Kind.SUB:
        found.update([base + near for near in paths.steps(square, seat)], (square, square + SUB * SQUARES))
    elif kind in PAWNS:
        moves, attacks, double = paths.pawn(options.movement, options.pawn_variant, square, seat)
        found.update(moves, attacks, *double)
    elif kind == Kind.JET:
        found.update(target for line in _flights(place, seat) for target, _ in line)
    elif kind in (Kind.PANZER, Kind.CLERIC) or kind in SECONDARIES:
        found.update(target for line in _lines(options, piece) for target, _ in line)
    else:
        found.update(paths.steps(square, seat))
    return sum(1 << near for near in found)


def _lines(options: Options, piece: Piece) -> Iterable[paths.Line]:
    """Return the paths of a piece that slides."""
    if piece.kind == Kind.PANZER:
        return paths.panzer(options, piece.hand, piece.square, piece.seat)
    if piece.kind == Kind.CLERIC:
        return paths.cleric(options, piece.hand, piece.square, piece.seat)
    return paths.secondary(options, piece.square, piece.seat)


def _over_ground(field: Field, options: Options, piece: Piece) -> Ways:
    if piece.kind in (Kind.PANZER, Kind.CLERIC) or piece.kind in SECONDARIES:
        return _slide(field, piece, _lines(options, piece))
    combat, at = NATURES[piece.kind].combat, field.at
    return {
        place: (place,)
        for place in paths.steps(piece.square, piece.seat)
        if place not in at or may_end(field, piece, place, combat=combat)
    }


def _slide(field: Field, piece: Piece, lines: Iterable[paths.Line]) -> Ways:
    found: Ways = {}
    at = field.at
    for line in lines:
        for place, way in line:
            if place in at:
                if place not in found and may_end(field, piece, place, combat=True):
                    found[place] = way
                break
            if place not in found:
                found[place] = way
    return found


def _pawn(field: Field, options: Options, piece: Piece) -> Ways:
    moves, attacks, double = paths.pawn(options.movement, options.pawn_variant, piece.square, piece.seat)
    at = field.at
    found: Ways = {place: (place,) for place in moves if place not in at or may_end(field, piece, place, combat=False)}
    for place in attacks:
        if place in at and place not in found:
            there = field.on(place)
            if all(other.seat != piece.seat for other in there):
                found[place] = (place,)
    if piece.origin:
        for passed, place in double:
            if passed not in at and may_end(field, piece, place, combat=False):
                found[place] = (passed, place)
    return found


def _jet(field: Field, options: Options, piece: Piece) -> Ways:
    found: Ways = {}
    at = field.at
    for line in _flights(piece.place, piece.seat):
        for step, (place, way) in enumerate(line):
            if place in at:
                if may_end(field, piece, place, combat=fights(piece, options, step)):
                    found[place] = way
                break
            found[place] = way
    return found


@cache
def _flights(place: int, seat: int) -> tuple[paths.Line, ...]:
    """Return the paths of a Jet on a place."""
    square, air = place % SQUARES, AIR * SQUARES
    if place < SQUARES:
        return (paths.with_ways((air + square,)),)
    lines = [tuple(air + near for near in line) for line in paths.jet(square, seat)]
    return tuple(paths.with_ways(line) for line in (*lines, (square,)))


def _sub(field: Field, options: Options, piece: Piece, *, carry: bool) -> Ways:
    square, base = piece.square, piece.place - piece.square
    reach = [base + near for near in paths.steps(square, piece.seat)]
    reach.append(square + SUB * SQUARES if base == 0 else square)
    combat = options.sub_jet_combat
    return {place: (place,) for place in reach if may_end(field, piece, place, combat=combat, carry=carry)}


def _hops(field: Field, options: Options, piece: Piece, *, carry: bool) -> Ways:
    found: Ways = {}
    at = field.at
    occupied = at.keys()
    for place, plans in _hops_from(options.movement, piece.hand, piece.place, piece.seat):
        if place not in at or may_end(field, piece, place, combat=True, carry=carry):
            for way, passed in plans:
                if occupied.isdisjoint(passed):
                    found[place] = way
                    break
    return found


@cache
def _hops_from(movement: Movement, hand: Hand, start: int, seat: int) -> tuple[tuple[int, tuple[_Plan, ...]], ...]:
    """Return the targets of a Chopper on a place, each with its plans in the order in which they are tried."""
    square, air, grounded = start % SQUARES, AIR * SQUARES, start < SQUARES
    found = []
    for chains in paths.hops(movement, hand, square, seat):
        target = chains[0][-1]
        for place in (target, air + target) if grounded else (target,):
            plans = _plans(square, chains, place, grounded=grounded)
            found.append((place, tuple((way, way[:-1]) for way in plans)))
    return tuple(found)


def _plans(square: int, chains: tuple[paths.Chain, ...], place: int, *, grounded: bool) -> Iterable[tuple[int, ...]]:
    air = AIR * SQUARES
    for chain in chains:
        over = tuple(air + near for near in chain)
        up = (air + square, *over) if grounded else over
        yield (*up, place) if place < SQUARES else up
    if grounded:
        for chain in chains:
            yield chain if place < SQUARES else (*chain, place)
