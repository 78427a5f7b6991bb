"""Moves that are wanted: their positions are fetched together, thought about one after the other, and answered together.

An answer is not held back for another thought that takes long. A seat that is to act again is gone on with, by the same player.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from brettwerk.internal.v1 import ai_pb2, session_pb2
from brettwerk.v1 import errors_pb2
from services.ai.board.order import Finished, Order
from services.ai.session_client import SessionClient, may_pass
from services.ai.thought.thinker import Considered, Mind, Thinker
from services.runtime import metrics, trace
from services.runtime.logs import logger

log = logger(__name__)

MAX_ACTIONS = 200
"""How many actions in a row a seat is moved for."""
GO_ON_S = 2.0
"""How long after it was taken an order is gone on with; then its next action is wanted anew."""
HOLD_S = 0.03
"""About how long an answer may wait for others to go with."""
_MISFITS = frozenset(
    {
        errors_pb2.REASON_ILLEGAL,
        errors_pb2.REASON_AMBIGUOUS,
        errors_pb2.REASON_MALFORMED,
        errors_pb2.REASON_INTERNAL,
    }
)
"""Refusals that are the player's fault or a defect; with others the move is just not wanted any more."""


@dataclass(slots=True)
class Mover:
    """A seat that is moved for by one order, action by action."""

    order: Order
    seat: session_pb2.SeatToMove
    position: session_pb2.WantedPosition
    mind: Mind | None = None
    actions: int = 0
    spent_s: float = 0.0
    was_full: bool = True

    @property
    def level(self) -> str:
        """The level, as the board counts them: "<game> <level>"."""
        return f"{self.position.game} {self.position.computer.level}"

    def finished(self, outcome: str) -> Finished:
        """Return what the board is told."""
        version = max(self.order.version, self.position.version)
        spent_ms = int(self.spent_s * 1000)
        return Finished(self.order.key, version, outcome, spent_ms, self.was_full and spent_ms > 0)


def seat_of(order: Order) -> session_pb2.SeatToMove:
    """Return the seat of an order of kind move. Raises DecodeError."""
    want = ai_pb2.Want.FromString(order.payload)
    return session_pb2.SeatToMove(session_id=want.session_id, seat=want.seat, version=want.version, ticket=want.ticket)


class Moves:
    """The moves of one take."""

    def __init__(self, client: SessionClient, thinker: Thinker, is_closing: Callable[[], bool]) -> None:
        """`is_closing` tells whether the worker is to end soon: then no seat is gone on with."""
        self._client = client
        self._thinker = thinker
        self._is_closing = is_closing
        self._thought: list[tuple[Mover, session_pb2.SubmitActionRequest, Considered]] = []
        self._held_since = 0.0
        self._until = 0.0
        self.finished: list[Finished] = []
        """The orders that are done."""

    def find(self, orders: Iterable[Order]) -> list[Mover]:
        """Return the seats of those orders whose moves are wanted, each with the newest position; the others are finished."""
        self._until = time.monotonic() + GO_ON_S
        asked: list[tuple[Order, session_pb2.SeatToMove]] = []
        for order in orders:
            try:
                asked.append((order, seat_of(order)))
            except DecodeError as error:
                self._odd(order, error)
        movers = []
        if asked:
            trace.follow(asked[0][0].traceparent)
            for (order, seat), found in zip(asked, self._client.find([seat for _, seat in asked]), strict=True):
                if found.HasField("wanted"):
                    movers.append(Mover(order, seat, found.wanted))
                else:
                    self.finished.append(Finished(order.key, order.version, _of_refusal(found.refusal), 0, False))
        return movers

    def is_held(self, mover: Mover | None) -> bool:
        """Return whether answers wait that must not wait for this mover's thought, or any other (None)."""
        if not self._thought:
            return False
        takes_s = self._thinker.expected_s(mover.level, mover.order.think_ms) if mover is not None else HOLD_S
        return time.monotonic() + takes_s - self._held_since >= HOLD_S

    def think(self, mover: Mover) -> None:
        """Think about a mover's position; the answer is held until `hand_over`. An impossible order is finished."""
        span = trace.begin_span("think", mover.order.traceparent)
        position = mover.position
        try:
            if mover.mind is None or not mover.mind.sees(position.game, position.computer, position.view):
                mover.mind = Mind(self._thinker, position.game, position.computer, position.view)
            considered = mover.mind.think(mover.order.think_ms, position.search_seed, anew=mover.order.attempt > 1)
        except Exception as error:  # noqa: BLE001 - a player must not be able to stop a worker
            self._odd(mover.order, error, mover)
            return
        finally:
            span.end()
        mover.actions += 1
        mover.spent_s += considered.spent_s
        mover.was_full = mover.was_full and considered.was_full
        request = session_pb2.SubmitActionRequest(
            session_id=mover.seat.session_id,
            seat=mover.seat.seat,
            version=position.version,
            ticket=position.ticket,
            action=considered.action,
            thought=considered.thought,
            goes_on=mover.actions < MAX_ACTIONS and time.monotonic() < self._until and not self._is_closing(),
        )
        if not self._thought:
            self._held_since = time.monotonic()
        self._thought.append((mover, request, considered))

    def hand_over(self) -> list[Mover]:
        """Hand the answers over; return the seats that are to act again, with their next position."""
        thought, self._thought = self._thought, []
        if not thought:
            return []
        trace.follow(thought[0][0].order.traceparent)
        goes_on = []
        answers = self._client.submit([request for _, request, _ in thought])
        for (mover, request, considered), answer in zip(thought, answers, strict=True):
            outcome = outcome_of(answer)
            note_thought(outcome, considered.spent_s)
            _log(mover, outcome, considered)
            if outcome == "played" and request.goes_on and answer.response.HasField("next"):
                mover.position = answer.response.next
                goes_on.append(mover)
                continue
            if outcome in ("odd", "failed"):
                _tell(answer.refusal, mover)
            self.finished.append(mover.finished(outcome))
        return goes_on

    def _odd(self, order: Order, error: Exception, mover: Mover | None = None) -> None:
        log.error("order cannot be carried out", kind=order.kind, attempt=order.attempt, exc_info=error)
        metrics.AI_ATTEMPTS.labels("odd").inc()
        version = mover.position.version if mover is not None else order.version
        self.finished.append(Finished(order.key, max(order.version, version), "odd", 0, False))


def _log(mover: Mover, outcome: str, considered: Considered) -> None:
    trace.follow(mover.order.traceparent)
    log.debug(
        "moved",
        outcome=outcome,
        game=mover.position.game,
        computer=mover.position.computer.level,
        version=mover.position.version,
        attempt=mover.order.attempt,
        think_ms=int(considered.spent_s * 1000),
        nodes=considered.thought.nodes,
        depth=considered.thought.depth,
    )


def outcome_of(answer: session_pb2.SubmittedAction) -> str:
    """Return what became of an action, in the words of the board."""
    if answer.HasField("response"):
        return "played" if answer.response.played or answer.response.held else "late"
    return _of_refusal(answer.refusal)


def note_thought(outcome: str, spent_s: float) -> None:
    """Count the time of a thought by what became of it: played, reviewed, late (nobody wanted it any more) or failed."""
    became = {"played": "played", "reviewed": "reviewed", "late": "late", "gone": "late"}.get(outcome, "failed")
    metrics.AI_THOUGHT.labels(became).inc(spent_s)


def _of_refusal(refusal: errors_pb2.Refusal) -> str:
    """Return what an order comes to that the session service refused."""
    if may_pass(refusal):
        return "failed"
    return "odd" if refusal.reason in _MISFITS else "gone"


def _tell(refusal: errors_pb2.Refusal, mover: Mover) -> None:
    log.warning(
        "answer was not taken",
        reason=errors_pb2.Reason.Name(refusal.reason),
        rule=refusal.rule,
        level=mover.level,
        version=mover.position.version,
        attempt=mover.order.attempt,
    )
