"""Help from the computer: hints, and the chances that come with them.

Those who play only computers may have it freely. If people play each other, it is off until all of them agree, everybody is
informed whenever somebody uses it, and each of them may end it. Players who sit down later have agreed to nothing. Playing on
elsewhere from a running game is help, too: a computer would play the others, and advise.

A game that goes on from a saved one gives no help either while that one may still be running between people without agreed help:
whoever took it home to ask a computer would know what to play there. This is decided when it is opened, and stays so after its
end; once the other game is over, its record opens with help.

Whether several people share the seats of one player, and what they agree on, only their device can know: the web client offers
no help there until they switch it on, where all see it.
"""

from collections.abc import Sequence

from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime.refusal import Refused
from services.session.domain.holders import holders_of
from services.session.domain.perception import perceived
from services.session.domain.state import State, replace


def check(state: State, seat: int) -> None:
    """Return if the player in a seat may have help now. Raises Refused (NO_HELP)."""
    if state.others(seat):
        if not state.help_agreed:
            raise _refused()
    else:
        check_afterwards(state)


def check_afterwards(state: State) -> None:
    """Return if a session may be asked about once it is over. Raises Refused (NO_HELP) where another one may still be running."""
    if state.created.without_help and not (state.help_agreed and _meet(state)):
        raise _refused()


def check_fork(state: State) -> None:
    """Return if a session can be played on elsewhere. Raises Refused (NO_HELP) while people play each other without help."""
    check_afterwards(state)
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


def after_agreement(state: State, settled: record_pb2.HelpAgreed) -> State:
    """Return the state after the people agreed to help, or one of them ended it; proposals about it are settled."""
    proposals = tuple(proposal for proposal in state.proposals if proposal.WhichOneof("kind") != "help")
    return replace(state, help_agreed=settled.agreed, proposals=proposals, agreed=None)


def after_hint(state: State, seat: int) -> State:
    """Return the state after a seat got a hint about the position."""
    before = state.seats[seat]
    version = perceived(state, seat).position_version
    return state.with_seat(seat, replace(before, hints=before.hints + 1, hinted_version=version))


def after_change(state: State, change: record_pb2.SeatChanged) -> bool:
    """Return whether help is still agreed on when a seat changes hands: not if somebody comes who was not asked."""
    before, person = state.seats[change.seat], change.occupant.person.player_id
    return state.help_agreed and (not change.occupant.HasField("person") or person in (before.player_id, before.kept_for))


def _meet(state: State) -> bool:
    return any(state.others(seat) for seat in state.persons())


def _refused() -> Refused:
    return Refused(errors_pb2.REASON_NO_HELP, "the people who are playing have not agreed to help from the computer")
