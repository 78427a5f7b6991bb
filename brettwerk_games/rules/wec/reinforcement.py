"""Calling reinforcements (WEC-REINF, WEC-RUL-19)."""

from collections.abc import Iterator

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import countdowns, notation_signs
from brettwerk_games.rules.wec.actions import Reinforce
from brettwerk_games.rules.wec.kinds import PAWNS
from brettwerk_games.rules.wec.options import Options, ReinforcementTime
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import Reserve
from brettwerk_games.rules.wec.working_copy import WorkingCopy


def _ready(perspective: Perspective) -> Iterator[Reserve]:
    """Yield the reinforcements that can come now; of two that are alike on a square, the first."""
    seen = set()
    for reserve in perspective.view.reserves:
        if (
            reserve.seat != perspective.seat
            or not (reserve.square in perspective.turn.vacated or _is_open(reserve, perspective.options))
            or reserve.square in perspective.field.at
        ):
            continue
        if (reserve.square, reserve.kind, reserve.hand) not in seen:
            seen.add((reserve.square, reserve.kind, reserve.hand))
            yield reserve


def _is_open(reserve: Reserve, options: Options) -> bool:
    return reserve.open and options.reinforcement_time == ReinforcementTime.ALSO_LATER


def reinforcements(perspective: Perspective) -> Iterator[Reinforce]:
    """Yield all Reinforces."""
    if not perspective.turn.reinforced:
        for reserve in _ready(perspective):
            yield Reinforce(reserve.id)


def require_legal(perspective: Perspective, action: Reinforce) -> None:
    """Raise Illegal with the rule that forbids it."""
    perspective.require_all_actions()
    if perspective.turn.reinforced:
        raise Illegal("a reinforcement has already been called in this Turn", rule="WEC-REINF-4")
    if all(reserve.id != action.piece for reserve in _ready(perspective)):
        raise Illegal("no such reinforcement can be called now", rule="WEC-RUL-19")


def carry_out(work: WorkingCopy, action: Reinforce) -> None:
    """Put the reinforcement at Ground; where a hidden enemy stands, nobody comes and it is revealed (as WEC-RUL-27)."""
    reserve = next(reserve for reserve in work.reserves if reserve.id == action.piece)
    assert reserve.kind is not None
    work.turn = work.turn._replace(reinforced=True)
    secret = work.field.on(reserve.square)
    if secret:
        for piece in secret:
            work.reveal(piece, work.ply)
            notation_signs.report(work, notation_signs.BUMPED, piece, countdowns.own_turns(work.ply, piece.stunned, piece.seat))
        return
    work.reserves.remove(reserve)
    if work.options.reinforcement_time == ReinforcementTime.ALSO_LATER:
        # A reinforcement that waits there, too, waits for another to leave.
        work.turn = work.turn._replace(vacated=tuple(square for square in work.turn.vacated if square != reserve.square))
        _set_open(work, reserve.seat, {reserve.square}, is_open=False)
    origin = reserve.kind in PAWNS
    work.field.put(Piece(reserve.id, reserve.seat, reserve.kind, reserve.square, reserve.hand, origin=origin))
    work.turn = work.turn._replace(arrived=(*work.turn.arrived, reserve.id))


def keep_open(work: WorkingCopy) -> None:
    """Note at the end of a Turn which squares were left, so that their reinforcements can be called later (WEC-OPT-34)."""
    if work.turn.vacated and work.options.reinforcement_time == ReinforcementTime.ALSO_LATER:
        _set_open(work, work.active, set(work.turn.vacated), is_open=True)


def _set_open(work: WorkingCopy, seat: int, squares: set[int], *, is_open: bool) -> None:
    for number, reserve in enumerate(work.reserves):
        if reserve.seat == seat and reserve.square in squares:
            work.reserves[number] = reserve._replace(open=is_open)
