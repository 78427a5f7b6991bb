"""Fair play: whose the seats of a game are, so that what is hidden stays so (WEC-ONLINE-3, -4), and help from the computer.

A seat belongs to its player even after they have left it or let a computer play; a seat that a computer had from the beginning is
nobody's. In a game that continues a saved one, the seats belong to the same players as there.

Help is hints, and the chances that come with them. Those who play only computers may have it freely. If people play each other,
it is off until all of them agree, everybody is informed whenever somebody uses it, and each of them may end it. Players who sit
down later have agreed to nothing. Playing on elsewhere from a running game is help, too: a computer would play the others, and
advise.

A game that goes on from a saved one gives no help either while that one may still be running between people without agreed help:
whoever took it home to ask a computer would know what to play there. This is decided when it is opened, and stays so after its
end; once the other game is over, its record opens with help.

Whether several people share the seats of one player, and what they agree on, only their device can know: the web client offers no
help there until they switch it on, where all see it.
"""

from collections.abc import Iterable, Sequence

from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime.refusal import Refused
from services.session.domain.perception import perceived
from services.session.domain.state import FINISHED, State, replace

REPLACED = "*"
"""Stands for a player who lost their seat when the others went on without them: nobody takes it, or sees what it sees."""


def check_help(state: State, seat: int) -> None:
    """Return if the player in a seat may have help now. Raises Refused (NO_HELP)."""
    if state.others(seat):
        if not state.help_agreed:
            raise _refused()
    else:
        check_help_afterwards(state)


def check_help_afterwards(state: State) -> None:
    """Return if a session may be asked about once it is over. Raises Refused (NO_HELP) where another one may still be running."""
    if state.created.without_help and not (state.help_agreed and _meet(state)):
        raise _refused()


def check_fork(state: State) -> None:
    """Return if a session can be played on elsewhere. Raises Refused (NO_HELP) while people play each other without help."""
    check_help_afterwards(state)
    if state.has_begun and not state.is_over and _meet(state) and not state.help_agreed:
        raise _refused()


def is_between_people(entries: Sequence[record_pb2.Entry], player: str) -> bool:
    """Return whether a game, given by its log, belongs to other people, too, who have not agreed to help."""
    agreed = False
    known: set[str] = set()
    for entry in entries:
        if entry.HasField("help_agreed"):
            agreed = entry.help_agreed.agreed
        person = entry.seat_changed.occupant.person.player_id
        agreed = agreed and (not person or person in known)
        known.add(person)
    return not agreed and bool({*holders_of(entries)} - {"", player})


def must_announce(state: State, seat: int) -> bool:
    """Return whether to inform others that the seat is getting a hint: once for each position, as the seat knows it."""
    return bool(state.others(seat)) and state.seats[seat].hinted_version != perceived(state, seat).position_version


def after_help_agreed(state: State, settled: record_pb2.HelpAgreed) -> State:
    """Return the state after the people agreed to help, or one of them ended it; proposals about it are settled."""
    proposals = tuple(proposal for proposal in state.proposals if proposal.WhichOneof("kind") != "help")
    return replace(state, help_agreed=settled.agreed, proposals=proposals, agreed=None)


def after_hint(state: State, seat: int) -> State:
    """Return the state after a seat got a hint about the position."""
    before = state.seats[seat]
    version = perceived(state, seat).position_version
    return state.with_seat(seat, replace(before, hints=before.hints + 1, hinted_version=version))


def is_help_agreed_after(state: State, change: record_pb2.SeatChanged) -> bool:
    """Return whether help is still agreed on when a seat changes hands: not if somebody comes who was not asked."""
    before, person = state.seats[change.seat], change.occupant.person.player_id
    return state.help_agreed and (not change.occupant.HasField("person") or person in (before.player_id, before.kept_for))


def _meet(state: State) -> bool:
    return any(state.others(seat) for seat in state.persons())


def _refused() -> Refused:
    return Refused(errors_pb2.REASON_NO_HELP, "the people who are playing have not agreed to help from the computer")


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
    """Return the session in which the game began, however often it was saved since; it began anew where some left others out."""
    return created.saved_from.game_id or session_id


def shows_all(state: State, entries: Sequence[record_pb2.Entry], *, hidden: bool) -> bool:
    """Return whether everybody may know everything that happened in a session.

    For a game with hidden things, that is so once it is finished. One that was closed may continue from a saved game, so it is
    revealed only if it belonged to one person alone and was not competitive.
    """
    if not state.is_over:
        return False
    return state.status == FINISHED or not hidden or not (state.created.competitive or len({*holders_of(entries)} - {""}) > 1)


def has_absent_holder(state: State) -> bool:
    """Return whether a seat of the saved game that a session continues belongs to somebody who does not play here now."""
    playing = {state.seats[seat].player_id for seat in state.persons()}
    return bool({*state.created.saved_from.held_by} - {""} - playing)
