"""In which lists a session belongs: the lobby's, and those of its players. Pure."""

from collections.abc import Mapping

from services.session.domain.state import FINISHED, SETTLING, WAITING, State


def place(state: State) -> str:
    """Return the list that shows a session to everybody: open, running, finished or none."""
    if not state.created.public:
        return "none"
    if state.status == WAITING:
        return "open" if any(seat.occupant is None and not seat.kept_for for seat in state.seats) else "none"
    if state.status == SETTLING:
        return "none"
    if state.status == FINISHED:
        return "finished"
    return "none" if state.is_over else "running"


def move(before: State | None, after: State) -> str:
    """Return the list that the session has moved to; empty if it has not moved."""
    now = place(after)
    return "" if before is not None and place(before) == now else now


def players(state: State) -> Mapping[str, bool]:
    """Return the players of a session now: whether each still plays, so that it counts as one of their unfinished ones."""
    everybody = {state.created.creator.player_id, *(seat.player_id or seat.kept_for for seat in state.seats)} - {""}
    return dict.fromkeys(sorted(everybody), not state.is_over)


def changed_players(before: State | None, after: State) -> Mapping[str, bool]:
    """Return the players whose lists change: those who came or left, and everybody when the game starts again or ends."""
    if before is not None and before.is_over == after.is_over and _sit_as_before(before, after):
        return {}
    now = players(after)
    if before is None:
        return now
    then = players(before)
    left = {player: False for player in then if player not in now}
    return {player: plays for player, plays in now.items() if then.get(player) != plays} | left


def _sit_as_before(before: State, after: State) -> bool:
    """Return whether nobody came or left, as far as can be told cheaply."""
    seats = zip(before.seats, after.seats, strict=True)
    return all(old.occupant is new.occupant and old.kept_for == new.kept_for for old, new in seats)
