"""A gRPC peer in the place of the session service: it plays games by their rules with whatever workers answer."""

import queue
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import ai_pb2, session_pb2
from brettwerk.v1 import errors_pb2, record_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import AnyGame, Kind
from services.runtime.inner_calls import on_the_wire
from services.runtime.refusal import Refused, newer, unknown
from tests.ports import free_port
from tests.services.ai.wanted import computer, first_position, view_of

Submission = tuple[session_pb2.SubmitActionRequest, dict[str, str | bytes]]


@dataclass
class Table:
    """A session: its computers play when they are asked to, each action makes a version."""

    id: str
    game: AnyGame
    computer: record_pb2.Computer
    position: Any
    version: int = 1
    view: AnyMessage | None = None
    """A view to show instead of the one that there is."""
    dice: random.Random = field(default_factory=lambda: random.Random(1))

    @property
    def seat(self) -> int | None:
        """The seat on turn."""
        to_act = self.game.to_act(self.position)
        return to_act[0] if to_act else None

    def ticket(self, seat: int) -> bytes:
        return f"ticket {self.id} {seat} {self.version}".encode()[-64:]

    def wanted(self) -> session_pb2.WantedPosition:
        """Return the position that is to be thought about."""
        assert self.seat is not None
        return session_pb2.WantedPosition(
            version=self.version,
            ticket=self.ticket(self.seat),
            game=self.game.facts.id,
            computer=self.computer,
            view=self.view or view_of(self.position, self.seat, self.game),
            search_seed=2**64 - self.version - int(self.id[2:]),
        )

    def want(self) -> ai_pb2.Want:
        """Return what the session service notes for it."""
        seat = self.seat
        assert seat is not None
        return ai_pb2.Want(
            session_id=self.id,
            seat=seat,
            version=self.version,
            game=self.game.facts.id,
            computer=self.computer,
            since_ms=int(time.time() * 1000),
            waiting=ai_pb2.WAITING_PERSON,
            player=self.id.encode()[-16:],
            ticket=self.ticket(seat),
        )

    def play(self, seat: int, action: AnyMessage) -> None:
        """Play an action. Raises what the rules raise."""
        done = self.game.codec.decode(Kind.ACTION, action.value)
        self.position = self.game.apply(self.position, seat, done, self.dice.randbytes(SEED_BYTES)).position
        self.version += 1


class SessionPeer:
    """The peer and its tables."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.finds: list[session_pb2.FindPositionsRequest] = []
        self.batches: list[session_pb2.SubmitActionsRequest] = []
        self.submissions: queue.Queue[Submission] = queue.Queue()
        self.refuses: list[errors_pb2.Refusal] = []
        """Refusals of the next actions, one by one."""
        self.aborts = 0
        """How many of the next calls end with UNAVAILABLE."""
        self.port = free_port()
        self._lock = threading.Lock()
        self._server = grpc.server(ThreadPoolExecutor(4))
        methods: tuple[tuple[str, Any, Any], ...] = (
            ("FindPositions", self._find_positions, session_pb2.FindPositionsRequest),
            ("SubmitActions", self._submit_actions, session_pb2.SubmitActionsRequest),
        )
        handlers: dict[str, Any] = {
            name: grpc.unary_unary_rpc_method_handler(method, request.FromString, lambda answer: answer.SerializeToString())
            for name, method, request in methods
        }
        self._server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(on_the_wire("brettwerk.internal.v1.SessionService"), handlers),)
        )
        self._server.add_insecure_port(f"127.0.0.1:{self.port}")
        self._server.start()

    def table(self, game: AnyGame, level: str, *, seats: int = 2, depth: int = 0, **fields: Any) -> Table:
        """Found a table at which computers of this level play."""
        number = len(self.tables)
        name = f"07{number:022d}"
        start = first_position(game, seats, number)
        made = Table(name, game, computer(level, depth), start, **fields)
        self.tables[name] = made
        return made

    def has_shown(self, table: Table) -> bool:
        """Return whether a worker has asked for a table's position."""
        return any(seat.session_id == table.id for find in self.finds for seat in find.seats)

    def submission(self, within_s: float = 30) -> Submission:
        """Wait for the next action."""
        return self.submissions.get(timeout=within_s)

    def close(self) -> None:
        self._server.stop(None)

    def _find_positions(self, request: session_pb2.FindPositionsRequest, context: Any) -> session_pb2.FindPositionsResponse:
        with self._lock:
            self._abort(context)
            self.finds.append(request)
            return session_pb2.FindPositionsResponse(positions=[self._find(seat) for seat in request.seats])

    def _submit_actions(self, request: session_pb2.SubmitActionsRequest, context: Any) -> session_pb2.SubmitActionsResponse:
        with self._lock:
            self._abort(context)
            self.batches.append(request)
            actions = [self._submitted(action, context) for action in request.actions]
            return session_pb2.SubmitActionsResponse(actions=actions)

    def _abort(self, context: Any) -> None:
        if self.aborts:
            self.aborts -= 1
            context.abort(grpc.StatusCode.UNAVAILABLE, "not now")

    def _find(self, seat: session_pb2.SeatToMove) -> session_pb2.FoundPosition:
        table = self.tables.get(seat.session_id)
        if table is None or table.seat != seat.seat:
            return session_pb2.FoundPosition(refusal=unknown("move that is wanted").refusal)
        return session_pb2.FoundPosition(wanted=table.wanted())

    def _submitted(self, request: session_pb2.SubmitActionRequest, context: Any) -> session_pb2.SubmittedAction:
        if self.refuses:
            return session_pb2.SubmittedAction(refusal=self.refuses.pop(0))
        table = self.tables.get(request.session_id)
        if table is None:  # whatever is answered there is played
            self.submissions.put((request, dict(context.invocation_metadata())))
            response = session_pb2.SubmitActionResponse(played=True, head_version=request.version + 1)
            return session_pb2.SubmittedAction(response=response)
        played = (table.version, table.seat) == (request.version, request.seat) and request.ticket == table.ticket(request.seat)
        if played:
            table.play(request.seat, request.action)
        answer = session_pb2.SubmitActionResponse(played=played, head_version=table.version)
        if played and request.goes_on and table.seat == request.seat:
            answer.next.CopyFrom(table.wanted())
        self.submissions.put((request, dict(context.invocation_metadata())))
        return session_pb2.SubmittedAction(response=answer)


def refusal(reason: errors_pb2.Reason.ValueType) -> errors_pb2.Refusal:
    """Return a refusal; UNAVAILABLE is that of a process that is too old."""
    return newer("session").refusal if reason == errors_pb2.REASON_UNAVAILABLE else Refused(reason, "no").refusal
