"""The numbers that count for each audience: only the versions and plies that an audience has perceived have numbers for it.

The log counts everything. As long as a game is being played in which seats can act unperceived (`Created.counts_perceived`),
those who perceive nothing of an action are not informed of it, and must not find out by counting. So all numbers that an audience
meets are its own: how many versions, and how many plies, it has perceived. They follow from the log and are stored nowhere else;
if everybody has perceived everything, they are the log's. Once the game is finished, everything is shown, and they are the log's
for everybody.

Where a table has a delay, spectators perceive an action once so many others have followed it that they perceive, or the game is
over. Until then the log ends for them before it: in whatever they are told, listed and given as a file.
"""

from collections.abc import Iterator
from copy import deepcopy

from brettwerk.v1 import record_pb2
from services.session.domain.bounds import BACKLOG, REQUESTS_KEPT
from services.session.domain.state import FINISHED, RUNNING, State, Unperceived, replace

SPECTATOR = 6
"""The audience without a seat."""
_SEATS = (1 << SPECTATOR) - 1
LISTS = 8
"""Where the bits begin of the seats that are also told what they may do: lists are made for these only."""
UNLISTED = (1 << LISTS) - 1
"""Of the audiences, as bits, all that are possible, without their lists."""
NOBODY, EVERYBODY = 0, _SEATS | 1 << SPECTATOR | _SEATS << LISTS
"""Of the audiences, as bits: none, and all that are possible, with their lists."""
HIDDEN_IN_A_TURN = 8
"""More actions than a turn can have in addition to the one that ends it, if actions can be hidden (WEC-TURN-2)."""
_RECENT = REQUESTS_KEPT // (HIDDEN_IN_A_TURN + 1)
"""Versions that spectators perceive, and that are among the last REQUESTS_KEPT of the log, whatever is hidden between them."""


def audience(seat: int | None) -> int:
    """Return the audience of a seat, or of a spectator (None)."""
    return SPECTATOR if seat is None else seat


def with_lists(audiences: int) -> int:
    """Return audiences with the lists of what their seats may do."""
    return audiences | (audiences & _SEATS) << LISTS


_EXISTING = [with_lists((1 << seats) - 1 | 1 << SPECTATOR) for seats in range(SPECTATOR + 1)]
"""By the number of seats: all audiences that a table has, with their lists."""


def unlisted(audiences: int) -> int:
    """Return the seats, as bits, that are among the audiences without their lists."""
    return audiences & ~(audiences >> LISTS) & _SEATS


def audiences_of(state: State) -> int:
    """Return all audiences that a session has, as bits, with their lists."""
    return existing(EVERYBODY, len(state.seats))


def existing(audiences: int, seats: int) -> int:
    """Return those of the audiences, and of their lists, that a table with that many seats has."""
    return audiences & _EXISTING[seats]


def unaware(state: State) -> int:
    """Return the audiences that perceive nothing of the newest version of a state, as bits."""
    if not state.unperceived or state.status == FINISHED or state.unperceived[-1].version != state.version:
        return 0
    return state.unperceived[-1].audiences


def opened(state: State) -> State:
    """Return the state in which everybody has perceived everything."""
    return replace(state, unperceived=(), unaware=b"") if state.unperceived or state.unaware else state


def perceived(state: State, number: int) -> State:
    """Return the state with an audience's own numbers; the state itself if those are the log's."""
    if state.status == FINISHED or not (state.unperceived or state.unaware):
        return state
    bit = 1 << number
    # An audience that has missed nothing gets the state itself, and with it the kept parts of its encoding.
    is_missed = [bool(missed & bit) for missed in state.unaware]
    if not any(is_missed) and not any(one.audiences & bit for one in state.unperceived):
        return state
    marks = b"".join(state.plies[2 * ply : 2 * ply + 2] for ply, missed in enumerate(is_missed) if not missed)
    counted = replace(state, unperceived=(), unaware=b"", plies=marks + state.plies[2 * len(is_missed) :])
    return replace(
        counted,
        version=number_of(state, number, state.version),
        position_version=number_of(state, number, _positioned(state, bit)),
        proposals=tuple(_numbered(state, number, proposal, state.ply_count - counted.ply_count) for proposal in state.proposals),
    )


def plies_in_log(state: State, number: int, plies: int) -> int:
    """Return how many plies of the log remain when that many of an audience's do. It has perceived what is taken back."""
    return plies + state.ply_count - perceived(state, number).ply_count


def number_of(state: State, number: int, version: int) -> int:
    """Return the number of a version of the log for an audience: how many versions up to there it has perceived."""
    return version - sum(1 for one in _missed(state, number) if one.version <= version)


def in_log(state: State, number: int, version: int) -> int:
    """Return the version of the log that has this number for an audience, which may be beyond the newest."""
    for one in _missed(state, number):
        if one.version > version:
            break
        version += 1
    return version


def newest(state: State, number: int) -> int:
    """Return the newest version of the log that an audience has perceived."""
    return in_log(state, number, number_of(state, number, last_shown(state, number)))


def last_shown(state: State, number: int) -> int:
    """Return the version of the log up to which an audience may be told: spectators are behind where there is a delay."""
    return state.withheld[0] - 1 if number == SPECTATOR and state.withheld else state.version


def withheld_after(state: State, version: int, unaware: int) -> tuple[int, ...]:
    """Return the versions of the actions that spectators do not see yet, once one more has made a version.

    `unaware` are the audiences that perceive nothing of it: actions that spectators never perceive do not count for them.
    """
    if not state.created.spectator_delay or unaware >> SPECTATOR & 1:
        return state.withheld
    return (*state.withheld, version)[-state.created.spectator_delay :]


def delayed(state: State) -> State:
    """Return the state with spectators' numbers, and nothing of the play that they are to be told later.

    Only who sits where is as of now. What has to be as of then altogether is made from the log (`newest`).
    """
    known = perceived(state, SPECTATOR)
    if not state.withheld:
        return known
    version = number_of(state, SPECTATOR, last_shown(state, SPECTATOR))
    return replace(
        known,
        version=version,
        position_version=min(known.position_version, version),
        plies=known.plies[: len(known.plies) - 2 * len(state.withheld)],
        status=RUNNING,
        to_act=(),
        seats=tuple(replace(seat, nudged=False) for seat in state.seats),
        proposals=(),
        halt=None,
        verdict=None,
        withheld=(),
    )


def has_ended_after(state: State, version: int) -> bool:
    """Return whether a game is finished, and ended after the version that follows the given one."""
    return state.status == FINISHED and version + 1 < state.position_version


def max_public(state: State) -> int:
    """Return a bound of how many entries and plies there are, made from what everybody knows, so that sizes may reveal it."""
    known = perceived(state, SPECTATOR)
    # Everybody perceives the end of every turn. In the log, the current turn would count once something is done in it.
    turns = 2 + sum(1 for one, other in zip(known.plies[1::2], known.plies[3::2], strict=False) if one != other)
    return known.version + known.ply_count + HIDDEN_IN_A_TURN * turns


def remembered_since(state: State) -> int:
    """Return the version of the log from which repeated requests are recognised.

    It is counted in what everybody knows. If it were counted in the log, anyone who repeats an old request could tell from the
    answer when something hidden is done.
    """
    return _recent(state) if state.created.counts_perceived and state.status != FINISHED else 0


def changed_ms(state: State) -> int:
    """Return when a session was last changed in a way that everybody has perceived, in milliseconds since 1970."""
    version, at_ms = state.version, state.at_ms
    for one in reversed(state.unperceived):
        if one.version != version or not one.former_ms:
            break
        version, at_ms = version - 1, one.former_ms
    return at_ms


def is_at_hand(state: State, version: int) -> bool:
    """Return whether those who come back get the updates from a version of the log on, as far as everybody can count.

    The log is short enough to make all of them again, or the version is one of the last.
    """
    return number_of(state, SPECTATOR, state.version) <= BACKLOG or version >= _recent(state)


def _recent(state: State) -> int:
    return in_log(state, SPECTATOR, number_of(state, SPECTATOR, state.version) - _RECENT + 1)


def _missed(state: State, number: int) -> Iterator[Unperceived]:
    """Yield the versions that have no number for an audience, in order."""
    if state.status == FINISHED:
        return
    for one in state.unperceived:
        if one.audiences >> number & 1:
            yield one


def _positioned(state: State, bit: int) -> int:
    """Return the version of the log at which the position last changed in a way that an audience has perceived."""
    version = state.position_version
    for one in reversed(state.unperceived):
        if one.version != version or not one.audiences & bit:
            break
        version = one.position_version
    return version


def _numbered(state: State, number: int, proposal: record_pb2.Proposal, missed_plies: int) -> record_pb2.Proposal:
    """Return a proposal with the numbers of an audience that has missed that many plies."""
    numbered = deepcopy(proposal)
    numbered.version = number_of(state, number, proposal.version)
    if proposal.WhichOneof("kind") == "undo_to_plies":
        numbered.undo_to_plies = max(0, proposal.undo_to_plies - missed_plies)
    return numbered
