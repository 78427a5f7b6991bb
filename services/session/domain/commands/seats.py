"""The players of the seats: joining, leaving, handing a seat to a computer player and taking it back; and how sessions end.

A seat's token becomes void as soon as the seat changes hands. In a running session, somebody always acts for each seat.
"""

from collections.abc import Callable

from google.protobuf.message import Message

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, games_pb2, play_pb2, record_pb2
from brettwerk_games.rules.chance import commitment
from services.runtime.bots import is_bot
from services.runtime.refusal import Refused, malformed, unknown
from services.session.domain import substitutes
from services.session.domain.commands import access
from services.session.domain.commands.decision import (
    Command,
    Decision,
    Done,
    answer_with_session,
    answer_with_version,
    command,
    system_entry,
)
from services.session.domain.public_session import is_invited
from services.session.domain.state import State


def seat_changed(
    seat: int, occupant: record_pb2.Occupant | None, *, seed_contribution: bytes = b"", kept_for: str = ""
) -> record_pb2.Entry:
    """Return the entry of a seat that changes hands, or becomes open (None)."""
    return record_pb2.Entry(
        seat_changed=record_pb2.SeatChanged(seat=seat, occupant=occupant, seed_contribution=seed_contribution, kept_for=kept_for)
    )


def person(caller: session_pb2.Caller) -> record_pb2.Occupant:
    """Return the caller as an occupant."""
    occupied = record_pb2.Person(player_id=caller.player_id, name=caller.name, bot=is_bot(caller.player_id))
    return record_pb2.Occupant(person=occupied)


def computer(wish: record_pb2.Computer, facts: games_pb2.Game, field: str) -> record_pb2.Occupant:
    """Return a computer player as an occupant. Raises Refused (UNKNOWN) for a level that the game does not have."""
    level = next((level for level in facts.levels if level.id == wish.level), None)
    if level is None:
        raise unknown("level", f"{field}.level", wish.level, (each.id for each in facts.levels))
    if wish.depth > level.max_depth:
        raise malformed(f"{field}.depth", f"the level {level.id} searches at most {level.max_depth} plies deep")
    return record_pb2.Occupant(computer=wish)


def stand_in(facts: games_pb2.Game) -> record_pb2.Occupant:
    """Return the computer player that takes over when a person leaves: the middle level, or the weaker of the two."""
    return record_pb2.Occupant(computer=record_pb2.Computer(level=facts.levels[(len(facts.levels) - 1) // 2].id))


def join(request: play_pb2.JoinSessionRequest, caller: session_pb2.Caller, draw_secret: Callable[[], bytes]) -> Command:
    """Return the command that seats the caller: in an open seat before the start, later in one that is kept for them.

    Callers who name their own seat get another token for it, and the previous one becomes void: it was lost on the way, or by a
    store that went back to a token that nobody has. `draw_secret` supplies a secret if chance must be renewed and none was
    promised for that when the session was created.
    """
    player = access.player(caller)

    def decide(state: State, _now_ms: int) -> Decision:
        if request.seat >= 0:
            access.seat_exists(state, request.seat)
        access.not_over(state)
        free = [n for n in range(len(state.seats)) if _is_free(state, n, player)]
        # A seat kept for this player comes before any other open seat.
        free.sort(key=lambda n: state.seats[n].kept_for != player)
        is_own = request.seat >= 0 and state.seats[request.seat].player_id == player
        if not is_own and (not free or (request.seat >= 0 and request.seat not in free)):
            raise Refused(errors_pb2.REASON_SEAT_TAKEN, "there is no open seat" if not free else "the seat is not open")
        seat = request.seat if request.seat >= 0 else free[0]
        # A new token is not a new seat: chance stays as committed to.
        seed_contribution = request.seed_contribution or (state.seats[seat].seed_contribution if is_own else b"")

        def answer(done: Done) -> play_pb2.Answer:
            grant = play_pb2.SeatGrant(seat=seat, seat_token=done.tokens[seat])
            return play_pb2.Answer(join_session=play_pb2.JoinSessionResponse(grant=grant, session=done.session))

        return _seated(state, seat, caller, seed_contribution, draw_secret, answer)

    return decide


@command
def leave(state: State, now_ms: int, request: play_pb2.LeaveSessionRequest, facts: games_pb2.Game) -> Decision:
    """Return the command that gives up a seat: before the start it becomes open, afterwards a computer plays for it.

    At a table with substitutes, the seat is offered to them then. A waiting session is closed when its last person leaves, and so
    is one with hidden things: if computers played it to the end, it would reveal them all, and nobody could continue from a save
    (WEC-ONLINE-3).
    """
    seat = access.holder(state, request.seat_token)
    access.not_over(state)
    follower = stand_in(facts) if state.has_begun else None
    entries = [seat_changed(seat, follower, seed_contribution=_seed_contribution(state, seat, b""))]
    if substitutes.can_be_offered(state, seat):
        entries.append(substitutes.offered(state, seat, now_ms))
    player = state.seats[seat].player_id
    waits = any(other.kept_for not in ("", player) for other in state.seats)
    if not state.persons(but=seat) and (not state.has_begun or (facts.hidden and not waits)):
        entries.append(closed())
    return Decision(answer_with_session("leave_session"), tuple(entries), is_final=True)


def decline(caller: session_pb2.Caller) -> Command:
    """Return the command that declines an invitation: the seats that were kept for the caller become open.

    Raises Refused (NO_TOKEN) where the caller is not invited: whom the players service has brought to a table comes or stays
    away, and a seat in which a computer plays stays kept.
    """
    player = access.player(caller)

    def decide(state: State, _now_ms: int) -> Decision:
        access.not_over(state)
        if not is_invited(state, player):
            raise Refused(errors_pb2.REASON_NO_TOKEN, "a seat token is needed")
        kept = [number for number, seat in enumerate(state.seats) if seat.kept_for == player]
        entries = tuple(seat_changed(number, None) for number in kept)
        return Decision(answer_with_session("leave_session"), entries, is_final=True)

    return decide


def set_seat(
    request: play_pb2.SetSeatRequest,
    caller: session_pb2.Caller,
    facts: games_pb2.Game,
    draw_secret: Callable[[], bytes],
    check_room: Callable[[], None],
) -> Command:
    """Return the command that hands over a seat; `draw_secret` as with `join`.

    `check_room` raises Refused (FULL) if there is no room for another computer; one that already plays there can be changed.
    Raises Refused (MALFORMED, UNKNOWN) for an impossible wish.
    """
    kind = request.wish.WhichOneof("kind")
    if kind is None or (kind == "me" and not request.wish.me) or (kind == "open" and not request.wish.open):
        raise malformed("wish", "a wish must say who will sit there")
    wished = computer(request.wish.computer, facts, "wish.computer") if kind == "computer" else None

    def answer(done: Done) -> play_pb2.Answer:
        grant = done.grants[0] if done.grants else None
        return play_pb2.Answer(set_seat=play_pb2.SetSeatResponse(session=done.session, grant=grant))

    def decide(state: State, _now_ms: int) -> Decision:
        access.seat_exists(state, request.seat)
        number, seat = request.seat, state.seats[request.seat]
        own = state.seat_of_token(request.seat_token) == number
        owner = seat.player_id or seat.kept_for
        if kind == "me":
            access.player(caller)
            _may_take(state, number, caller, request.seat_token)
            access.not_over(state)
            return _seated(state, number, caller, request.wish.seed_contribution, draw_secret, answer)
        if not own:
            if not request.seat_token and not caller.player_id:
                raise Refused(errors_pb2.REASON_NO_TOKEN, "a seat token is needed")
            if seat.is_person or not access.is_creator(state, caller, request.seat_token):
                raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, "that is not the caller's seat")
        access.not_over(state)
        seed_contribution = _seed_contribution(state, number, b"")
        if wished is None:
            if state.has_begun:
                raise Refused(errors_pb2.REASON_SEAT_TAKEN, "a seat of a running session is never empty; a computer can take it")
            return Decision(
                answer, (seat_changed(number, None, seed_contribution=seed_contribution),) if seat.occupant is not None else ()
            )
        if seat.occupant == wished:
            return Decision(answer)
        if not seat.is_computer:
            check_room()
        if state.has_begun and not own:
            access.casual(state)
        if not own and not state.has_begun and state.created.saved_from.held_by:
            _own_in_save(state, number, caller.player_id)
        # Players who hand a running seat to a computer can come back; before the start, the seat just changes.
        kept_for = owner if state.has_begun else ""
        return Decision(answer, (seat_changed(number, wished, seed_contribution=seed_contribution, kept_for=kept_for),))

    return decide


def _is_free(state: State, number: int, player: str) -> bool:
    seat = state.seats[number]
    if not _is_own_in_save(state, number, player):
        return False
    if seat.kept_for == player:
        return not seat.is_person
    return not state.has_begun and seat.occupant is None and not seat.kept_for


def _may_take(state: State, number: int, caller: session_pb2.Caller, seat_token: str) -> None:
    """Return if the caller may sit down there.

    An open seat that is kept for nobody can be taken by anybody. A computer's seat can be taken by the creator before the start;
    afterwards by the creator or any player, but only if that reveals nothing that another person hides, that is, if nobody else
    plays.
    """
    seat = state.seats[number]
    if _is_free(state, number, caller.player_id):
        return
    _own_in_save(state, number, caller.player_id)
    is_creator = access.is_creator(state, caller, seat_token)
    if state.has_begun:
        others = [other for other in state.seats if (other.player_id or other.kept_for) not in ("", caller.player_id)]
        plays = any(other.player_id == caller.player_id for other in state.seats)
        may = (is_creator or plays) and not others and not state.created.competitive
    else:
        may = is_creator
    if may and seat.is_computer and not seat.kept_for:
        return
    raise Refused(errors_pb2.REASON_SEAT_TAKEN, "the seat is held by, or kept for, somebody else")


def _is_own_in_save(state: State, number: int, player: str) -> bool:
    """Return whether the seat is the player's in the saved game that the session goes on from, or anybody's since there is none.

    A seat that was a computer's there is the player's where nobody else's seats are: then nothing is hidden from them.
    """
    held_by = state.created.saved_from.held_by
    return not held_by or held_by[number] == player or not {*held_by} - {player, ""}


def _own_in_save(state: State, number: int, player: str) -> None:
    """Return if the seat may be the player's. Raises Refused (SEAT_TAKEN)."""
    if not _is_own_in_save(state, number, player):
        raise Refused(errors_pb2.REASON_SEAT_TAKEN, "in the saved game this seat is somebody else's, and it stays so")


def _seed_contribution(state: State, seat: int, seed_contribution: bytes) -> bytes:
    """Return the seed contribution that counts: it is already fixed while the session continues with another session's chance."""
    return state.seats[seat].seed_contribution if state.created.chance_of and not state.is_renewed else seed_contribution


def _seated(
    state: State,
    seat: int,
    caller: session_pb2.Caller,
    seed_contribution: bytes,
    draw_secret: Callable[[], bytes],
    answer: Callable[[Done], Message],
) -> Decision:
    """Return the decision by which the caller sits down.

    A player who brought a saved game may have played it on elsewhere, and know its dice. So chance is renewed before anybody else
    sits down: from a secret that nobody knows, whose hash was published earlier, and with the seed contributions made from then
    on. Raises Refused (ARBITER) for an arbiter of the table.
    """
    access.no_arbiter(state, caller.player_id)
    if not state.created.chance_of or state.is_renewed or caller.player_id == state.created.creator.player_id:
        entry = seat_changed(seat, person(caller), seed_contribution=_seed_contribution(state, seat, seed_contribution))
        return Decision(answer, (entry,), granted=(seat,))
    secret = state.next_secret or draw_secret()
    renewed = record_pb2.ChanceRenewed(commitment=commitment(secret), seat=seat, seed_contribution=seed_contribution)
    entries = (record_pb2.Entry(chance_renewed=renewed), seat_changed(seat, person(caller), seed_contribution=seed_contribution))
    return Decision(answer, entries, granted=(seat,), next_secret=secret)


@command
def take_kept_seats(
    state: State, _now_ms: int, caller: session_pb2.Caller, answer: Callable[[Done], play_pb2.Answer]
) -> Decision:
    """Return the command that seats the caller in all open seats that are kept for them."""
    kept = [n for n, seat in enumerate(state.seats) if seat.kept_for == caller.player_id and seat.occupant is None]
    entries = tuple(seat_changed(n, person(caller)) for n in kept)
    return Decision(answer, () if state.is_over else entries, granted=() if state.is_over else tuple(kept))


@command
def resign(state: State, _now_ms: int, request: play_pb2.ResignRequest) -> Decision:
    """Return the command that gives the game up for a seat."""
    seat = access.holder(state, request.seat_token)
    access.not_over(state)
    if not state.has_begun:
        access.running(state)
    entry = system_entry(state, games_pb2.SystemAction(resign=seat))
    return Decision(answer_with_version("resign", seat), (entry,), is_final=True)


@command
def close(state: State, _now_ms: int, request: play_pb2.CloseSessionRequest, caller: session_pb2.Caller) -> Decision:
    """Return the command that closes a session: its creator may do so before the start, and if no other person sits there.

    It raises Refused: NO_TOKEN, NOT_YOUR_SEAT, GAME_OVER, SEAT_TAKEN.
    """
    if not caller.player_id and not request.seat_token:
        raise Refused(errors_pb2.REASON_NO_TOKEN, "a token is needed")
    if not access.is_creator(state, caller, request.seat_token):
        raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, "only its creator can close a session")
    access.not_over(state)
    creator = state.created.creator.player_id
    if state.has_begun and any(state.seats[n].player_id != creator for n in state.persons()):
        raise Refused(errors_pb2.REASON_SEAT_TAKEN, "others play here; a seat can be left or resigned")
    return Decision(answer_with_session("close_session"), (closed(),), is_final=True)


def closed() -> record_pb2.Entry:
    """Return the entry that closes a session."""
    return record_pb2.Entry(closed=record_pb2.Closed())


def abandon(state: State, _now_ms: int) -> Decision:
    """Return the decision that closes a session that has been idle for too long, or whose log is full."""
    return Decision(entries=() if state.is_over else (closed(),), is_final=True)


@command
def abandon_at(state: State, now_ms: int, version: int) -> Decision:
    """Return the command that closes a session that has been idle for too long, unless it has changed since that version."""
    return abandon(state, now_ms) if state.version == version else Decision(is_final=True)


@command
def rematched(state: State, _now_ms: int, session_id: str) -> Decision:
    """Return the command that notes the rematch in the finished session; a repeat changes nothing."""
    entry = record_pb2.Entry(rematched=record_pb2.Rematched(session_id=session_id))
    return Decision(entries=() if state.rematch_id else (entry,), is_final=True)
