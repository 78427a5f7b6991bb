"""Whose the seats of a game are, once it has begun: what is hidden from the others stays with that player (WEC-ONLINE-3, -4).

A seat belongs to its player even after they have left it or let a computer play; a seat that a computer had from the beginning is
nobody's. In a game that continues a saved one, the seats belong to the same players as there.
"""

from collections.abc import Iterable, Sequence

from brettwerk.v1 import record_pb2
from services.session.domain.state import FINISHED, State

REPLACED = "*"
"""Stands for a player who lost their seat when the others went on without them: nobody takes it, or sees what it sees."""


def holders_of(entries: Iterable[record_pb2.Entry]) -> tuple[str, ...]:
    """Return, for each seat, the player whose it is at the end of a log, given from its first entry on; empty for nobody's."""
    given: tuple[str, ...] = ()
    holders: list[str] = []
    has_begun = False
    for entry in entries:
        match entry.WhichOneof("change"):
            case "created":
                given = tuple(entry.created.saved_from.held_by) or ("",) * entry.created.seats
                holders = list(given)
            case "started":
                has_begun = True
            case "seat_changed":
                change = entry.seat_changed
                left = holders[change.seat] if has_begun else given[change.seat]
                holders[change.seat] = change.occupant.person.player_id or change.kept_for or left
            case "dealt":
                holders = [holders[origin] for origin in entry.dealt.order]
    return tuple(holders)


def game_id(session_id: str, created: record_pb2.Created) -> str:
    """Return the session in which the game began, however often it was saved since.

    Where some go on without another, another game begins.
    """
    return created.saved_from.game_id or session_id


def shows_all(state: State, entries: Sequence[record_pb2.Entry], *, hidden: bool) -> bool:
    """Return whether everybody may know everything that happened in a session.

    For a game with hidden things, that is so once it is finished. One that was closed may continue from a saved game, so it is
    revealed only if it belonged to one person alone and was not competitive.
    """
    if not state.is_over:
        return False
    return state.status == FINISHED or not hidden or not (state.created.competitive or len({*holders_of(entries)} - {""}) > 1)


def absent(state: State) -> bool:
    """Return whether a seat of the saved game that a session continues belongs to somebody who does not play here now."""
    playing = {state.seats[seat].player_id for seat in state.persons()}
    return bool({*state.created.saved_from.held_by} - {""} - playing)
