"""The rights of callers, and when they have them: checks that commands share. Each returns or raises Refused."""

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused, unknown
from services.session.domain.perception import perceived
from services.session.domain.state import RUNNING, SETTLING, State


def player(caller: session_pb2.Caller) -> str:
    """Return the caller's id. Raises Refused (NO_TOKEN) without one."""
    if not caller.player_id:
        raise Refused(errors_pb2.REASON_NO_TOKEN, "a player token is needed")
    return caller.player_id


def because(reason: errors_pb2.Reason.ValueType, message: str, why: str, **facts: int) -> Refused:
    """Return the refusal of a reason that has kinds: the detail with the reason's name says which."""
    details = {errors_pb2.Reason.Name(reason).removeprefix("REASON_").lower(): why}
    return Refused(reason, message, details=details | {name: str(fact) for name, fact in facts.items()})


def no_arbiter(state: State, player: str) -> None:
    """Return if a player is none of the table's arbiters. Raises Refused (ARBITER)."""
    if state.arbiter(player) is not None:
        raise because(errors_pb2.REASON_ARBITER, "an arbiter of the table does not play there", "seat")


def holder(state: State, seat_token: str) -> int:
    """Return the seat that the caller holds. Raises Refused (NO_TOKEN, NOT_YOUR_SEAT)."""
    if not seat_token:
        raise Refused(errors_pb2.REASON_NO_TOKEN, "a seat token is needed")
    seat = state.seat_of_token(seat_token)
    if seat is None:
        raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, "the seat token is not valid for this session, or no longer valid")
    return seat


def viewer(state: State, seat_token: str) -> int | None:
    """Return the seat whose view the caller may have; None, a spectator's, without a token."""
    return holder(state, seat_token) if seat_token else None


def timely_viewer(state: State, seat_token: str) -> int | None:
    """Return the seat whose view of the newest position the caller may have; None for a spectator's.

    Raises Refused (NO_TOKEN, too, where spectators see the game with a delay).
    """
    seat = viewer(state, seat_token)
    if seat is None and state.created.spectator_delay and not state.is_over:
        raise Refused(errors_pb2.REASON_NO_TOKEN, "spectators see this game with a delay: a seat token is needed")
    return seat


def is_creator(state: State, caller: session_pb2.Caller, seat_token: str) -> bool:
    """Return whether the caller created the session: by player id, or by the token of a seat that the creator holds."""
    creator = state.created.creator.player_id
    if caller.player_id:
        return caller.player_id == creator
    seat = state.seat_of_token(seat_token)
    return seat is not None and state.seats[seat].player_id == creator


def seat_exists(state: State, seat: int) -> None:
    """Return if there is such a seat. Raises Refused (UNKNOWN)."""
    if seat >= len(state.seats):
        raise unknown("seat", "seat", seat, range(len(state.seats)))


def not_over(state: State) -> None:
    """Return if the game is being played or has yet to begin. Raises Refused (GAME_OVER)."""
    if state.is_over:
        raise Refused(errors_pb2.REASON_GAME_OVER, "the game is over")


def over(state: State) -> None:
    """Return if the game is over. Raises Refused (STILL_RUNNING)."""
    if not state.is_over:
        raise Refused(errors_pb2.REASON_STILL_RUNNING, "that is available once the game is over")


def settling(state: State) -> None:
    """Return if the players at the table are settling how the game begins. Raises Refused (GAME_OVER, NOT_SETTLING)."""
    not_over(state)
    if state.status != SETTLING:
        raise Refused(errors_pb2.REASON_NOT_SETTLING, "this table is not settling its settings now")


def running(state: State) -> None:
    """Return if the game is being played. Raises Refused (GAME_OVER, NOT_RUNNING)."""
    not_over(state)
    if state.status != RUNNING:
        raise Refused(errors_pb2.REASON_NOT_RUNNING, "the session has not started or is paused")


def casual(state: State) -> None:
    """Return if the session is not competitive. Raises Refused (COMPETITIVE)."""
    if state.created.competitive:
        raise Refused(errors_pb2.REASON_COMPETITIVE, "competitive sessions do not allow that")


def turn(state: State, seat: int) -> None:
    """Return if the seat is to act. Raises Refused (NOT_YOUR_TURN)."""
    if seat not in state.to_act:
        raise Refused(errors_pb2.REASON_NOT_YOUR_TURN, "another seat is to act")


def fresh(state: State, seat: int, expected_version: int) -> None:
    """Return if the position is the one that its caller saw, as far as the seat perceives. Raises Refused (STALE_VERSION)."""
    known = perceived(state, seat)
    if not known.position_version <= expected_version <= known.version:
        raise Refused(
            errors_pb2.REASON_STALE_VERSION,
            f"the position is of version {known.position_version}, not {expected_version}",
            head_version=known.version,
        )
