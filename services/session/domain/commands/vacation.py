"""Going on vacation, and coming back early (vacation.py says how it is counted)."""

from brettwerk.v1 import play_pb2, record_pb2
from services.session.domain import clocks
from services.session.domain.commands import access
from services.session.domain.commands.decision import Command, Decision, Done
from services.session.domain.state import State


def take(request: play_pb2.TakeVacationRequest) -> Command:
    """Return the command by which a seat's player goes on vacation for some days, or comes back."""

    def decide(state: State, now_ms: int) -> Decision:
        seat = access.holder(state, request.seat_token)
        access.running(state)

        def answer(done: Done) -> play_pb2.Answer:
            known, on = done.known_to(seat), done.state.seats[seat].vacation_until_ms
            left_ms = clocks.vacation_left_ms(done.state, seat)
            taken = play_pb2.TakeVacationResponse(version=known.version, until_ms=on if request.days else 0, left_ms=left_ms)
            return play_pb2.Answer(take_vacation=taken)

        if not request.days and not clocks.vacation_rest_ms(state.seats[seat], now_ms):
            return Decision(answer)
        until_ms = clocks.vacation_until_ms(state, seat, request.days, now_ms) if request.days else 0
        entry = record_pb2.Entry(vacation_taken=record_pb2.VacationTaken(seat=seat, until_ms=until_ms))
        return Decision(answer, (entry,))

    return decide
