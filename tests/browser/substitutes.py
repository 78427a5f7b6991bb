"""Tables whose player is gone, as programs leave them, for pages that show them."""

import contextlib
from collections.abc import Iterator

from brettwerk.v1 import record_pb2, substitutes_pb2
from brettwerk_client import Client, Seat, me, nobody

SLOW = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=3 * 86_400_000)


@contextlib.contextmanager
def left(ada: Client, address: str, title: str = "") -> Iterator[tuple[Seat, Seat]]:
    """Yield the seats of Ada and Grace at a public table of three that Linus has left."""
    with Client(address, name="Grace") as grace, Client(address, name="Linus") as linus:
        table = ada.create_session("emperado", [me(), nobody(), nobody()], public=True, clock=SLOW, title=title)
        other = grace.join_session(table.session.id, 1)
        linus.join_session(table.session.id, 2).leave()
        yield table.seat, other


def answer(seat: Seat, asked: int, *, accept: bool) -> None:
    """Agree to a substitute in another seat, or decline."""
    request = substitutes_pb2.AnswerSubstituteRequest(
        session_id=seat.session_id, seat_token=seat.token, seat=asked, accept=accept
    )
    seat.client.call(seat.client.service.AnswerSubstitute, request)
