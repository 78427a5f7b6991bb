"""Sessions as they nearly always are when somebody acts: what an action changes in them, and what everybody learns of it.

`fold` and `updates` handle every session. They keep recomputing what only rare commands change: who sits where, whether a clock
is running, what is proposed, how the session is described. `Ordinary` finds that out once, and makes the same state and the same
bytes from the rest. Anything out of the ordinary (a clock, a computer player, a proposal, something that nobody may perceive, the
end of the game) is left to them. Tests hold the two together.
"""

from brettwerk.internal.v1 import rules_pb2
from services.runtime.encoding import block, number, varint
from services.session.domain import plies, public_session
from services.session.domain.encoded_updates import PackedUpdate
from services.session.domain.fast_replace import replace
from services.session.domain.perception import SPECTATOR
from services.session.domain.state import RUNNING, State
from services.session.domain.updates import (
    CONCERNED,
    FIELDS,
    HAPPENING_FIELDS,
    KIND_ACTED,
    OWN,
    UPDATE,
    existing,
    pieces_for,
    pieces_of,
)


class Ordinary:
    """What an action needs to know about a session, and does not change."""

    __slots__ = (
        "_acts",
        "_agrees",
        "_created",
        "_marks",
        "_options",
        "_own_seats",
        "_players",
        "_seats",
        "_secret",
        "_session",
        "_shown",
    )

    def __init__(self, state: State) -> None:
        """Take an ordinary state (`is_ordinary`)."""
        self._seats, self._created, self._options, self._secret = state.seats, state.created, state.options, state.secret
        self._players = [seat.player_id for seat in state.seats]
        self._marks = [plies.actor_mark(number, person=seat.is_person) for number, seat in enumerate(state.seats)]
        kind = number(HAPPENING_FIELDS["kind"], KIND_ACTED)
        self._acts = [kind + number(HAPPENING_FIELDS["seat"], seat + 1) for seat in range(len(state.seats))]
        self._session = block(FIELDS["session_id"], state.id.encode())
        settles = state.created.settles
        self._own_seats = [OWN[seat] if settles else b"" for seat in range(len(state.seats))]
        self._shown = public_session.parts(state)

    @property
    def size(self) -> int:
        """How many bytes of the description are kept here; the rest is small, or the state's."""
        return self._shown.size

    def fits(self, state: State) -> bool:
        """Return whether a state is one of those that this was made from."""
        return (
            state.seats is self._seats
            and state.created is self._created
            and state.options is self._options
            and state.secret is self._secret
            and _has_nothing_open(state)
        )

    def after(self, state: State, seat: int, step: rules_pb2.Step, at_ms: int) -> State:
        """Return the state after the action of a seat (`fold`)."""
        to_act = 0
        for acting in state.to_act:
            to_act |= 1 << acting
        flags = self._marks[seat] | plies.step_mark(reveals=step.reveals, retractable=step.retractable)
        version = state.version + 1
        return replace(
            state,
            version=version,
            at_ms=at_ms,
            position=step.position,
            position_version=version,
            plies=state.plies + bytes((flags, to_act)),
            to_act=tuple(step.to_act[:]),
            draw_votes=step.draw_votes if step.HasField("draw_votes") else None,
            expiries=0,
        )

    def pack(self, state: State, seat: int, step: rules_pb2.Step, audiences: int) -> PackedUpdate:
        """Return what these audiences learn of the version in which a seat has acted (`updates.pack`)."""
        wanted = existing(audiences, len(self._seats))
        if wanted & ~step.audiences:
            raise ValueError("the rules were not asked what these audiences may see")
        return PackedUpdate(state.version, state.at_ms, wanted, self._messages(state, seat, step, wanted))

    def _messages(self, state: State, seat: int, step: rules_pb2.Step, wanted: int) -> dict[bytes, int]:
        version, played = varint(state.version), state.ply_count
        first = b"".join(
            (self._session, FIELDS["version"], version, FIELDS["position_version"], version, FIELDS["at_ms"], varint(state.at_ms))
        )
        what, how = self._acts[seat], number(HAPPENING_FIELDS["ply"], played) + CONCERNED[seat + 1]
        to_act = block(FIELDS["to_act"], bytes(state.to_act)) if state.to_act else b""
        session = block(FIELDS["session"], public_session.joined(self._shown, state))
        happened, views, actions = (pieces_of(pieces) for pieces in (step.happening, step.view, step.actions))
        found: dict[bytes, int] = {}
        for audience in range(SPECTATOR + 1):
            bit = 1 << audience
            if not wanted & bit:
                continue
            happening = what + pieces_for(happened, bit) + how
            body = b"".join(
                (
                    first,
                    block(FIELDS["happening"], happening),
                    pieces_for(views, bit),
                    to_act,
                    pieces_for(actions, bit),
                    session,
                    b"" if audience == SPECTATOR else self._own(state, audience, seat),
                )
            )
            message = b"".join((UPDATE, varint(len(body)), body))
            found[message] = found.get(message, 0) | bit
        return found

    def _own(self, state: State, audience: int, actor: int) -> bytes:
        """Return the part of an update for its own seat only.

        Nobody can freely take back past what another person has just played.
        """
        if self._players[audience] != self._players[actor]:
            return self._own_seats[audience]
        return number(FIELDS["free_undo_plies"], plies.free_undo(state, audience)) + self._own_seats[audience]


def is_ordinary(state: State) -> bool:
    """Return whether a session is one."""
    created = state.created
    return (
        not created.clock.kind
        and all(seat.is_person and not seat.wanted_version for seat in state.seats)
        and (not created.tells_seats or state.announced_computers == 1)
        and _has_nothing_open(state)
    )


def is_ordinary_step(step: rules_pb2.Step) -> bool:
    """Return whether the game goes on after a step, and none of it is hidden."""
    return not (step.HasField("outcome") or step.unaware)


def _has_nothing_open(state: State) -> bool:
    """Return whether a session has no other business than the seat to act."""
    return (
        state.status == RUNNING
        and not state.proposals
        and state.agreed is None
        and not state.rematch_id
        and not state.unperceived
        and not state.unaware
        and state.position is not None
    )
