"""The refusals of tournaments (REASON_TOURNAMENT), which say in `tournament` why."""

from typing import Any

from sqlalchemy import Row

from brettwerk.v1 import errors_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.players.calls import Caller
from services.runtime.refusal import Refused


def refused(why: str, message: str, **details: str) -> Refused:
    """Return a refusal."""
    return Refused(errors_pb2.REASON_TOURNAMENT, message, details={"tournament": why, **details})


def not_now(tournament: Row[Any]) -> Refused:
    """Return the refusal of what a tournament's state does not allow."""
    name = pb.Tournament.State.Name(tournament.state).removeprefix("STATE_").lower()
    return refused(name, f"the tournament is {name}")


def require_owner(tournament: Row[Any], caller: Caller) -> None:
    """Return for the owner of a tournament or series. Raises Refused (TOURNAMENT), also for a match of clubs, which has none."""
    if getattr(tournament, "other_club_id", ""):
        raise refused("club_match", "a match of clubs belongs to both of them")
    if tournament.owner_id != caller.player_id:
        raise refused("not_owner", "only its owner can do that")
