"""Who sits where when a saved game with hidden things is opened: everybody in their own seat, and nobody in anyone else's.

The others' seats are kept for them, or computers take their places. Players who open a game that is nobody else's may sit
anywhere, as at the table itself, unless it is competitive (WEC-ONLINE-3, WEC-MODE-2).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from services.runtime.refusal import Refused, malformed
from services.session.domain.holders import REPLACED


@dataclass(frozen=True, slots=True)
class Seating:
    """Who will sit where."""

    wishes: tuple[play_pb2.SeatWish, ...]
    kept_for: tuple[str, ...]
    """For each seat, the player it is kept for; empty for none."""
    held_by: tuple[str, ...]
    """Whose the seats are from now on."""
    is_without: bool
    """Whether a computer plays in somebody else's seat."""
    is_with_others: bool
    """Whether a seat is kept for somebody else."""


def seating(
    asked: Sequence[play_pb2.SeatWish],
    player: str,
    held_by: Sequence[str],
    occupants: Sequence[record_pb2.Occupant | None],
    *,
    competitive: bool,
) -> Seating:
    """Return who will sit where if a player opens a saved game; `held_by` says whose its seats are.

    Without wishes, the player takes their own seats, the others' are kept for them, and the same computers play. Raises Refused:
    NOT_YOUR_SEAT for a wish to sit in another player's seat, or to open it to anybody; MALFORMED.
    """
    if asked and len(asked) != len(held_by):
        raise malformed("seats", f"this game is played by {len(held_by)}")
    defaults = (_default_wish(holder, occupant, player) for holder, occupant in zip(held_by, occupants, strict=True))
    wishes = tuple(asked) or tuple(defaults)
    is_own = not {*held_by} - {"", player}
    kept, replaced = [], []
    for number, (wish, holder) in enumerate(zip(wishes, held_by, strict=True)):
        kind = wish.WhichOneof("kind")
        is_free = is_own and not competitive
        if (kind == "me" and holder != player and not is_free) or (kind == "open" and holder in ("", REPLACED) and not is_free):
            message = "whoever opens a saved game with hidden things takes the own seat in it, and no other"
            raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, message, field=f"seats[{number}]")
        kept.append(holder if kind == "open" else "")
        replaced.append(kind == "computer" and holder not in ("", REPLACED, player))
    return Seating(
        wishes,
        tuple(kept),
        tuple(REPLACED if is_replaced else holder for holder, is_replaced in zip(held_by, replaced, strict=True)),
        is_without=any(replaced),
        is_with_others=bool({*kept} - {"", player}),
    )


def _default_wish(holder: str, occupant: record_pb2.Occupant | None, player: str) -> play_pb2.SeatWish:
    if holder == player:
        return play_pb2.SeatWish(me=True)
    if occupant is None or holder not in ("", REPLACED):
        return play_pb2.SeatWish(open=True)
    return play_pb2.SeatWish(computer=occupant.computer)
