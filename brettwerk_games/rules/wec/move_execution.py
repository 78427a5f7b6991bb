"""Carrying out a Move: what is in the way, what is taken, what is carried along (WEC-MOVE-3, WEC-RUL-26, WEC-RUL-27)."""

from collections.abc import Iterator

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import countdowns, notation_signs
from brettwerk_games.rules.wec.actions import Move
from brettwerk_games.rules.wec.board import GROUND
from brettwerk_games.rules.wec.kinds import NATURES, PAWNS, SECONDARIES, Kind
from brettwerk_games.rules.wec.movement import Ways, fights, must_carry, passenger, ways
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Piece, has_own_drive
from brettwerk_games.rules.wec.position import End
from brettwerk_games.rules.wec.working_copy import WorkingCopy

RULES = {
    Kind.PANZER: "WEC-MOVE-PANZER-1",
    Kind.CLERIC: "WEC-MOVE-CLERIC-1",
    Kind.CHOPPER: "WEC-MOVE-CHOPPER-1",
    Kind.SUB: "WEC-MOVE-SUB-1",
    Kind.JET: "WEC-MOVE-JET-1",
    Kind.DOZER: "WEC-MOVE-STEP-1",
    Kind.DESTROYER: "WEC-MOVE-STEP-1",
    Kind.AAA: "WEC-MOVE-STEP-1",
}
"""The rule that says how a kind moves; for the others see `rule_of`."""


def rule_of(kind: Kind) -> str:
    """Return the rule that says how a kind of piece Moves."""
    if kind in PAWNS:
        return "WEC-MOVE-PAWN-1"
    return RULES.get(kind, "WEC-MOVE-QUEEN-1" if kind in SECONDARIES else "WEC-MOVE-KING-1")


def unable(perspective: Perspective, piece: Piece) -> str:
    """Return the rule by which a piece cannot Move in this Turn, or an empty string."""
    if perspective.turn.mover:
        return "WEC-TURN-1"
    if piece.stunned >= perspective.ply:
        return "WEC-MOVE-9"
    if piece.transit is not None:
        return "WEC-RUL-35"
    return perspective.idle_reason(piece)


def options_of(perspective: Perspective, piece: Piece) -> Iterator[tuple[bool, Ways]]:
    """Yield the Moves of a piece without a passenger and with one, as far as it has them."""
    yield False, ways(perspective.field, perspective.options, piece)
    if piece.kind in (Kind.CHOPPER, Kind.SUB) and passenger(perspective.field, piece) is not None:
        yield True, ways(perspective.field, perspective.options, piece, carry=True)


def moves(perspective: Perspective) -> Iterator[Move]:
    """Yield all Moves, by piece, then by target."""
    for piece in perspective.own():
        if not unable(perspective, piece):
            for carry, found in options_of(perspective, piece):
                for place in found:
                    yield Move(piece.id, place, carry)


def require_legal(perspective: Perspective, action: Move) -> tuple[int, ...]:
    """Return the way of a legal Move. Raises Illegal with the rule that forbids it."""
    piece = perspective.require_own(action.piece)
    rule = unable(perspective, piece)
    if rule:
        raise Illegal("this piece cannot Move now", rule=rule)
    if not has_own_drive(piece):
        raise Illegal("off the Ground, only Choppers, Jets and Subs Move by themselves", rule="WEC-MOVE-7")
    if action.carry and passenger(perspective.field, piece) is None:
        raise Illegal("there is no passenger", rule="WEC-CARRY-1")
    if not action.carry and must_carry(perspective.field, piece):
        raise Illegal("the passenger cannot be left behind", rule="WEC-CARRY-3")
    way = ways(perspective.field, perspective.options, piece, carry=action.carry).get(action.place)
    if way is None:
        if action.carry and action.place in ways(
            perspective.field, perspective.options._replace(king_may_leave_ground=True), piece, carry=True
        ):
            raise Illegal("the primary stays on the Ground", rule="WEC-OPT-23")
        raise Illegal("the piece cannot go there", rule=rule_of(piece.kind))
    return way


def carry_out(work: WorkingCopy, action: Move, way: tuple[int, ...]) -> None:
    """Move along the way until it ends, something hidden is taken, or something hidden stops the mover."""
    mover = work.field.pieces[action.piece]
    other = passenger(work.field, mover) if action.carry else None
    end, taken, bumped = _go(work, mover, way)
    for piece in taken:
        work.destroy(piece, End.TAKEN)
    vacated = work.turn.vacated
    if end != mover.place:
        if mover.level == GROUND:
            vacated = (*vacated, mover.square)
        work.shift(mover, end)
        if other is not None:
            work.shift(other._replace(transit=None), end)
    if taken and work.options.reveal_on_take:
        work.expose(mover)
    for piece in bumped:
        work.reveal(piece, work.ply)
    work.turn = work.turn._replace(mover=mover.id, vacated=vacated, acted=(*work.turn.acted, mover.id))
    code = NATURES[mover.kind].code
    for piece in taken:
        stun = countdowns.own_turns(work.ply, piece.stunned, piece.seat)
        notation_signs.report(work, code, piece, stun, work.field.pieces[mover.id])
    for piece in bumped:
        stun = countdowns.own_turns(work.ply, piece.stunned, piece.seat)
        notation_signs.report(work, notation_signs.BUMPED, piece, stun, work.field.pieces[mover.id])


def _go(work: WorkingCopy, mover: Piece, way: tuple[int, ...]) -> tuple[int, list[Piece], list[Piece]]:
    """Return where the mover ends, what it takes there, and what hidden pieces stopped it."""
    end = mover.place
    for step, place in enumerate(way):
        there = work.field.on(place)
        enemies = [piece for piece in there if piece.seat != mover.seat]
        secret = [piece for piece in enemies if piece.id in work.hidden]
        if secret and (len(enemies) < len(there) or not fights(mover, work.options, step)):
            return end, [], secret
        if enemies:
            return place, enemies, []
        end = place
    return end, [], []
