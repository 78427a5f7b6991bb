"""Substitutes: the seat of a player who is gone is offered, and somebody else plays on in it. Pure.

A computer plays for an offered seat until then. The people at the table may refuse whoever asks for it; silence agrees, and once
the seat has been offered for long, nobody has to. Everybody asks for an offer once, and those who have played here, or do, take
no other seat: they know what it must not. The seat's next person is its substitute, who gets its token, and with it what it
hides, only from then on (JoinSession).

`State.offers` is empty at nearly all tables, and all that is asked of it on the way of an action.
"""

from collections.abc import Callable
from copy import deepcopy

from brettwerk.v1 import record_pb2, sessions_pb2
from services.session.domain.bounds import GONE, SUBSTITUTES_ASKING
from services.session.domain.ids import is_arranged
from services.session.domain.state import Offer, Seat, State, replace

DAY_MS = 86_400_000
SLOW_MS = (DAY_MS, 3 * DAY_MS)
"""At slow tables and those without a clock: how long the others may refuse, and after how long nobody has to agree."""
FAST_MS = (60_000, 300_000)
"""The same in fast games."""
CLOCK_SHARE = 2
"""A substitute has at least this fraction of the time that a seat begins with."""


def are_possible(created: record_pb2.Created) -> bool:
    """Return whether a table can have substitutes: people play there with others, and have set it up themselves."""
    return created.seats > 1 and not created.practice and not is_arranged(created.creator.player_id)


def are_usual(created: record_pb2.Created) -> bool:
    """Return whether a table has substitutes unless its creator wants none.

    Of two, the one who stays has won; of more, the others want to play on. A table that is not public is for people who know each
    other.
    """
    return are_possible(created) and created.public and created.seats > 2


def offer_of(state: State, seat: int) -> Offer | None:
    """Return the offer of a seat that can be taken now; None for any other.

    That is also one that is out of the game, and one for which so many have asked that nobody else may.
    """
    if not state.offers or state.is_over or state.is_out(seat):
        return None
    offer = next((offer for offer in state.offers if offer.seat == seat), None)
    is_exhausted = offer is not None and offer.asker is None and len(offer.asked) >= SUBSTITUTES_ASKING
    return None if is_exhausted else offer


def can_be_offered(state: State, seat: int) -> bool:
    """Return whether a seat is offered when its player is gone: others play on, it is in the game, and the table wants that."""
    others = any((other.player_id or other.kept_for) not in ("", state.seats[seat].player_id) for other in state.seats)
    may = state.created.substitutes and state.has_begun and not state.is_over and len(state.gone) < GONE
    return bool(may and others and not state.is_out(seat))


def offered(state: State, seat: int, now_ms: int, *, claimed: bool = False) -> record_pb2.Entry:
    """Return the entry that offers a seat whose player goes."""
    at_once_ms = now_ms + _times_ms(state)[1]
    player = state.seats[seat].player_id
    return record_pb2.Entry(
        seat_offered=record_pb2.SeatOffered(seat=seat, player_id=player, claimed=claimed, at_once_ms=at_once_ms)
    )


def asked(state: State, offer: Offer, person: record_pb2.Person, now_ms: int) -> record_pb2.Entry:
    """Return the entry by which somebody asks for a seat: everybody else there may refuse, unless it has waited for long."""
    is_free = now_ms >= offer.at_once_ms
    return record_pb2.Entry(
        substitute_asked=record_pb2.SubstituteAsked(
            seat=offer.seat,
            person=person,
            waiting=() if is_free else state.persons(but=offer.seat),
            until_ms=min(now_ms + _times_ms(state)[0], max(now_ms, offer.at_once_ms)),
        )
    )


def _times_ms(state: State) -> tuple[int, int]:
    clock = state.created.clock
    return SLOW_MS if not clock.kind or clock.time_ms >= DAY_MS else FAST_MS


def agreed(state: State) -> record_pb2.Entry | None:
    """Return the entry by which a substitute sits down to whom nobody has to agree any more; None for none."""
    for offer in state.offers:
        if offer.asker is not None and not offer.waiting and offer_of(state, offer.seat) is not None:
            return _seated(offer)
    return None


def overdue(state: State, now_ms: int) -> record_pb2.Entry | None:
    """Return the entry by which a substitute sits down to whom silence has agreed by now; None for none.

    One who has asked for a seat that is out of the game by now does not: it is as if they had taken it back.
    """
    for offer in state.offers:
        if offer.asker is not None and offer.until_ms <= now_ms:
            return declined(offer.seat) if offer_of(state, offer.seat) is None else _seated(offer)
    return None


def declined(seat: int) -> record_pb2.Entry:
    """Return the entry by which who has asked for a seat takes it back."""
    return record_pb2.Entry(substitute_answered=record_pb2.SubstituteAnswered(seat=seat))


def _seated(offer: Offer) -> record_pb2.Entry:
    return record_pb2.Entry(
        seat_changed=record_pb2.SeatChanged(seat=offer.seat, occupant=record_pb2.Occupant(person=offer.asker))
    )


def due_ms(state: State) -> int | None:
    """Return when silence agrees next, in milliseconds since 1970; None if nobody asks for a seat."""
    return min((offer.until_ms for offer in state.offers if offer.asker is not None), default=None)


def after_offered(state: State, entry: record_pb2.Entry) -> State:
    """Return the state in which a seat is offered."""
    new = entry.seat_offered
    offer = Offer(new.seat, new.player_id, new.claimed, entry.at_ms, new.at_once_ms)
    return replace(state, offers=(*without(state, new.seat), offer), gone=(*state.gone, new.player_id))


def after_asked(state: State, entry: record_pb2.Entry) -> State:
    """Return the state in which somebody asks for a seat."""
    ask = entry.substitute_asked

    def asked_for(offer: Offer) -> Offer:
        person, waiting = deepcopy(ask.person), tuple(ask.waiting)
        everybody = (*offer.asked, ask.person.player_id)
        return replace(offer, asker=person, waiting=waiting, until_ms=ask.until_ms, refused=False, asked=everybody)

    return _changed(state, ask.seat, asked_for)


def after_answered(state: State, entry: record_pb2.Entry) -> State:
    """Return the state after a seat has answered, or who asked has taken it back: a refusal leaves the seat to others."""
    answer = entry.substitute_answered
    if not answer.accepted:
        is_refused = answer.HasField("answerer_seat")
        return _changed(state, answer.seat, lambda offer: replace(offer, asker=None, waiting=(), until_ms=0, refused=is_refused))
    own = state.seats[answer.answerer_seat].player_id

    def agreed_to(offer: Offer) -> Offer:
        return replace(offer, waiting=tuple(seat for seat in offer.waiting if state.seats[seat].player_id != own))

    return _changed(state, answer.seat, agreed_to)


def after_seat_changed(state: State, number: int, seat: Seat) -> tuple[State, Seat]:
    """Return the state and the seat after a seat has changed hands: a person who comes to an offered one is its substitute.

    They take back nothing that was played before them, and have some time. Proposals lapse: nobody has asked them. A person who
    goes elsewhere, and one who has a computer play, answers nothing any more.
    """
    if not seat.is_person:
        offers = tuple(replace(offer, waiting=tuple(n for n in offer.waiting if n != number)) for offer in state.offers)
        return replace(state, offers=offers), seat
    if all(offer.seat != number for offer in state.offers):
        return state, seat
    clock = state.created.clock
    least_ms = clock.time_ms if clock.kind == record_pb2.ClockSpec.KIND_PER_TURN else clock.time_ms // CLOCK_SHARE
    left_ms = max(seat.left_ms, least_ms)
    return replace(state, offers=without(state, number), proposals=()), replace(
        seat, left_ms=left_ms, since_plies=state.ply_count
    )


def without(state: State, seat: int) -> tuple[Offer, ...]:
    """Return the offers of all seats but one."""
    return tuple(offer for offer in state.offers if offer.seat != seat)


def described(state: State, seat: int) -> sessions_pb2.SeatOffer | None:
    """Return what everybody may know of the offer of a seat; None where it is not offered."""
    offer = offer_of(state, seat)
    if offer is None:
        return None
    return sessions_pb2.SeatOffer(
        since_ms=offer.since_ms,
        at_once_ms=offer.at_once_ms,
        asker=offer.asker,
        waiting=offer.waiting,
        until_ms=offer.until_ms,
    )


def _changed(state: State, seat: int, change: Callable[[Offer], Offer]) -> State:
    return replace(state, offers=tuple(change(offer) if offer.seat == seat else offer for offer in state.offers))
