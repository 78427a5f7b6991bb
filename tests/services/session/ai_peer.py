"""An AI service for tests of the session service: real gRPC, and workers that answer when the test says so."""

import asyncio
from collections.abc import Callable
from typing import Any

from brettwerk.internal.v1 import ai_pb2, ai_pb2_grpc
from brettwerk.v1 import operation_pb2, statistics_pb2
from services.runtime import trace
from services.runtime.refusal import Refused

_Status = ai_pb2.WantStatus


class AiPeer(ai_pb2_grpc.AiServiceServicer):
    """An AI service whose workers answer when the test says so: what it was told is kept."""

    def __init__(self) -> None:
        self.requests: list[ai_pb2.WantMovesRequest] = []
        """All calls of WantMoves, and the traces that they belong to."""
        self.traces: list[str] = []
        self.noted: dict[tuple[str, int], ai_pb2.Want] = {}
        """The present wants."""
        self.reviews: list[ai_pb2.ReviewRequest] = []
        self.runs: list[ai_pb2.BeginRunRequest] = []
        self.ended: list[ai_pb2.EndRunRequest] = []
        self.tables: list[int] = []
        """Up to how many stones endgame tables were asked for."""
        self.given_up = 0
        """How many reviews were cancelled."""
        self.thinks = asyncio.Event()
        """Set while reviews are answered."""
        self.thinks.set()
        self._changed = asyncio.Event()
        self.demand = ai_pb2.Demand(epoch="first", workers=1, slots=2)
        self.statuses: list[ai_pb2.GetWantStatusesRequest] = []
        self.status = ai_pb2.WantStatus(state=ai_pb2.WantStatus.STATE_WAITING)
        """How every wanted move stands."""
        self.unplayable: set[str] = set()
        """Levels that no player has."""
        self.has_room = True
        """Whether there is room for what is wanted."""
        self.refusal: Refused | None = None
        """The refusal that every call gets."""

    async def until(self, holds: Callable[[], bool]) -> None:
        """Return when something holds of the reviews that came, or were given up."""
        while not holds():
            self._changed.clear()
            await self._changed.wait()

    @property
    def moves(self) -> list[ai_pb2.Want]:
        """All wants that were noted, in order."""
        return [want for request in self.requests for want in request.wants]

    @property
    def withdrawn(self) -> list[ai_pb2.Withdrawal]:
        return [withdrawal for request in self.requests for withdrawal in request.withdrawals]

    async def WantMoves(self, request: ai_pb2.WantMovesRequest, context: Any) -> ai_pb2.WantMovesResponse:
        await self._check(context)
        self.requests.append(request)
        self.traces.append(next((str(value) for name, value in context.invocation_metadata() if name == trace.HEADER), ""))
        for withdrawal in request.withdrawals:
            noted = self.noted.get((withdrawal.session_id, withdrawal.seat))
            if noted is not None and noted.version <= withdrawal.version:
                del self.noted[withdrawal.session_id, withdrawal.seat]
        unplayable = [index for index, want in enumerate(request.wants) if want.computer.level in self.unplayable]
        for index, want in enumerate(request.wants):
            noted = self.noted.get((want.session_id, want.seat))
            if self.has_room and index not in unplayable and (noted is None or noted.version <= want.version):
                self.noted[want.session_id, want.seat] = want
        return ai_pb2.WantMovesResponse(
            demand=self.demand, unplayable=unplayable, no_room=() if self.has_room else range(len(request.wants))
        )

    async def GetWantStatuses(self, request: ai_pb2.GetWantStatusesRequest, context: Any) -> ai_pb2.GetWantStatusesResponse:
        await self._check(context)
        self.statuses.append(request)
        statuses = [
            self.status if (move.session_id, move.seat) in self.noted else ai_pb2.WantStatus(state=_Status.STATE_UNKNOWN)
            for move in request.moves
        ]
        return ai_pb2.GetWantStatusesResponse(statuses=statuses, demand=self.demand)

    async def BeginRun(self, request: ai_pb2.BeginRunRequest, context: Any) -> ai_pb2.BeginRunResponse:
        await self._check(context)
        self.runs.append(request)
        run = statistics_pb2.Run(id=request.run_id, wish=request.wish, state=statistics_pb2.Run.STATE_WAITING, mine=True)
        return ai_pb2.BeginRunResponse(run=run)

    async def FindRuns(self, request: ai_pb2.FindRunsRequest, context: Any) -> ai_pb2.FindRunsResponse:
        await self._check(context)
        found = [run for run in self.runs if request.run_id in ("", run.run_id)]
        runs = [statistics_pb2.Run(id=run.run_id, wish=run.wish, mine=run.player == request.player) for run in found]
        return ai_pb2.FindRunsResponse(runs=runs)

    async def EndRun(self, request: ai_pb2.EndRunRequest, context: Any) -> ai_pb2.EndRunResponse:
        await self._check(context)
        self.ended.append(request)
        run = statistics_pb2.Run(id=request.run_id, state=statistics_pb2.Run.STATE_CANCELLED)
        return ai_pb2.EndRunResponse(run=run)

    async def FindEndgameTables(self, request: ai_pb2.FindEndgameTablesRequest, context: Any) -> ai_pb2.FindEndgameTablesResponse:
        await self._check(context)
        return ai_pb2.FindEndgameTablesResponse(machines=[operation_pb2.MachineTables(machine="one", stones=4)])

    async def AskForEndgameTables(
        self, request: ai_pb2.AskForEndgameTablesRequest, context: Any
    ) -> ai_pb2.AskForEndgameTablesResponse:
        await self._check(context)
        self.tables.append(request.stones)
        return ai_pb2.AskForEndgameTablesResponse()

    async def Review(self, request: ai_pb2.ReviewRequest, context: Any) -> ai_pb2.ReviewResponse:
        self.reviews.append(request)
        self._changed.set()
        try:
            await self.thinks.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            self._changed.set()
            raise
        return ai_pb2.ReviewResponse(win_chance=0.5)

    async def _check(self, context: Any) -> None:
        if self.refusal is not None:
            raise self.refusal
