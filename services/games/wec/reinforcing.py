"""Calling reinforcements (WEC-REINF, WEC-RUL-19)."""

from collections.abc import Iterator

from services.games.refusals import Illegal
from services.games.wec import counting, describing
from services.games.wec.actions import Reinforce
from services.games.wec.draft import Draft
from services.games.wec.kinds import PAWNS
from services.games.wec.pieces import Piece
from services.games.wec.position import Reserve
from services.games.wec.sight import Sight


def _ready(sight: Sight) -> Iterator[Reserve]:
    """Yield the reinforcements that can come now; of two that are alike on a square, the first."""
    seen = set()
    for reserve in sight.view.reserves:
        if reserve.seat != sight.seat or reserve.square not in sight.turn.vacated or reserve.square in sight.field.at:
            continue
        if (reserve.square, reserve.kind, reserve.hand) not in seen:
            seen.add((reserve.square, reserve.kind, reserve.hand))
            yield reserve


def reinforcements(sight: Sight) -> Iterator[Reinforce]:
    """Yield all Reinforces."""
    if not sight.turn.reinforced:
        for reserve in _ready(sight):
            yield Reinforce(reserve.id)


def require_legal(sight: Sight, action: Reinforce) -> None:
    """Raise Illegal with the rule that forbids it."""
    sight.require_all_actions()
    if sight.turn.reinforced:
        raise Illegal("one reinforcement was called in this Turn", rule="WEC-REINF-4")
    if all(reserve.id != action.piece for reserve in _ready(sight)):
        raise Illegal("no such reinforcement can be called now", rule="WEC-RUL-19")


def carry_out(draft: Draft, action: Reinforce) -> None:
    """Put the reinforcement at Ground; where a hidden enemy stands, nobody comes and it is revealed (as WEC-RUL-27)."""
    reserve = next(reserve for reserve in draft.reserves if reserve.id == action.piece)
    assert reserve.kind is not None
    draft.turn = draft.turn._replace(reinforced=True)
    secret = draft.field.on(reserve.square)
    if secret:
        for piece in secret:
            draft.reveal(piece, draft.ply)
            describing.report(draft, describing.BUMPED, piece, counting.own_turns(draft.ply, piece.stunned, piece.seat))
        return
    draft.reserves.remove(reserve)
    origin = reserve.kind in PAWNS
    draft.field.put(Piece(reserve.id, reserve.seat, reserve.kind, reserve.square, reserve.hand, origin=origin))
    draft.turn = draft.turn._replace(arrived=(*draft.turn.arrived, reserve.id))
