"""`AiService`: it checks what is wanted, notes it on the board, and says no when too much is."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc
import redis
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import ai_pb2, ai_pb2_grpc
from brettwerk.v1 import errors_pb2
from brettwerk_games.packages.trial import trial
from services.ai.board import by_level, want_codec
from services.ai.board.board import VERSIONS, Board
from services.ai.board.load import Load
from services.ai.board.sweeper import sweep, wake
from services.ai.board.want import Demand, Offered, Wanted
from services.ai.celery_worker.tickets import Tickets
from services.ai.endgame_tables.board import TablesBoard
from services.ai.endgame_tables.calls import TablesCalls
from services.ai.runs import sweeper as runs_sweeping
from services.ai.runs.calls import RunCalls, bounds_of
from services.ai.runs.store import Runs
from services.ai.scaler.listener import Scaler
from services.ai.thought.assignment import assign, named
from services.runtime import left_out_games, metrics, store_gauges
from services.runtime.logs import logger
from services.runtime.redis_fault import require_no_fault
from services.runtime.redis_url import open_redis
from services.runtime.refusal import Refused, unavailable
from services.runtime.settings import Settings
from services.runtime.tasks import ended
from services.runtime.wall_clock import wall_ms

log = logger(__name__)

REVIEWS_OPEN = 200
"""Reviews that a process waits for at once; each holds a connection to the broker."""
CHANGES_AT_ONCE = 50
"""Changes of the board that are under way: the broker has 100 connections for us, and one more is an error of its client."""
REVIEW_S = 10.0
"""The longest that a review waits for its answer."""
_SPARE_S = 0.5
"""How long before its caller gives up a review ends, so that the refusal still arrives."""
_RETRY_MS = 1000
_UINT32 = 2**32 - 1


class AiService(ai_pb2_grpc.AiServiceServicer):
    """The service, and its process (services.runtime.server)."""

    name = "ai"
    full_names: Sequence[str] = ("brettwerk.internal.v1.AiService",)

    def __init__(self, config: Settings) -> None:
        """Make it; it connects when it is started."""
        self._bound = config.ai_wants_bound
        self._broker_url = config.broker_url
        self._redis = open_redis(config.broker_url, socket_timeout=5, socket_connect_timeout=2, health_check_interval=10)
        # A review's reader blocks for longer than a socket timeout; the wait itself is bounded.
        self._readers = open_redis(config.broker_url, socket_timeout=None, socket_connect_timeout=2, max_connections=REVIEWS_OPEN)
        self._board = Board(self._redis, self._bound)
        self._changes = asyncio.Semaphore(CHANGES_AT_ONCE)
        metrics.AI_BOARD_LIMIT.set(self._bound)
        self._tickets, self._bells = Tickets(), config.bell_folder
        self._runs = Runs(self._redis, bounds_of(config))
        self._run_calls = RunCalls(self._runs, config)
        self._tables_calls = TablesCalls(TablesBoard(self._redis), config.bell_folder)
        self._load = Load()
        self._scaler = Scaler(self._load, config) if config.scaler_listen else None
        self._reviews = 0
        self._work: list[asyncio.Task[None]] = []
        self._withdrawals: set[asyncio.Task[None]] = set()

    async def start(self, server: grpc.aio.Server) -> None:
        """Register the servicer and begin to look after the board.

        Exits with 2 and a sentence when the broker does not let this process in.
        """
        await require_no_fault("BRETTWERK_BROKER_URL", self._broker_url)
        left_out_games.report(trial().left_out)
        ai_pb2_grpc.add_AiServiceServicer_to_server(self, server)
        sweeping = sweep(self._board, self._redis, self._tickets, self._bells, self._load)
        runs = runs_sweeping.sweep(self._runs, self._redis, self._bells)
        for work in (
            sweeping,
            runs,
            self._tickets.run(),
            store_gauges.watch_redis(store_gauges.of_client(self._redis), "broker"),
        ):
            self._work.append(asyncio.create_task(work))
        if self._scaler is not None:
            self._scaler.start()

    async def is_ready(self) -> bool:
        """Return whether the broker answers."""
        return bool(await self._redis.ping())

    async def drain(self) -> None:
        """Send KEDA elsewhere. There are no other long streams, and open reviews are calls that end by themselves."""
        if self._scaler is not None:
            self._scaler.leave()

    async def stop(self) -> None:
        """Close the connections."""
        if self._scaler is not None:
            await self._scaler.stop()
        await asyncio.gather(*self._withdrawals)
        await ended(*self._work)
        await self._redis.aclose()
        await self._readers.aclose()

    async def WantMoves(self, request: ai_pb2.WantMovesRequest, context: Any) -> ai_pb2.WantMovesResponse:
        """Note what is wanted and what is not any more: what one call both withdraws and wants is wanted.

        Returns the places of wants that nobody can play or for which there is no room, and the demand. Raises Refused
        (UNAVAILABLE).
        """
        withdrawn = [_withdrawn(withdrawal) for withdrawal in request.withdrawals]
        wants: list[Wanted] = []
        places: list[int] = []
        response = ai_pb2.WantMovesResponse()
        for index, want in enumerate(request.wants):
            try:
                _, level = named(want.game, want.computer)
            except Refused as refused:
                log.warning("no player for a move", game=want.game, level=want.computer.level, reason=refused.refusal.message)
                response.unplayable.append(index)
                continue
            wants.append(want_codec.of_want(want, level))
            places.append(index)
        async with _on_board():
            # First, so that what the same call wants again stays.
            if withdrawn:
                metrics.AI_ATTEMPTS.labels("withdrawn").inc(await self._board.withdraw(withdrawn))
            offered = await self._offer(wants)
        metrics.AI_ATTEMPTS.labels("unplayable").inc(len(response.unplayable))
        response.no_room.extend(places[index] for index in offered.no_room)
        response.demand.CopyFrom(self._demand(offered.demand))
        return response

    async def GetWantStatuses(self, request: ai_pb2.GetWantStatusesRequest, context: Any) -> ai_pb2.GetWantStatusesResponse:
        """Tell how moves stand."""
        keys = [want_codec.key_of(move.session_id, move.seat) for move in request.moves]
        async with _on_board():
            statuses, demand = await self._board.statuses(keys)
        response = ai_pb2.GetWantStatusesResponse(demand=self._demand(demand))
        for one in statuses:
            state = ai_pb2.WantStatus.State.ValueType(one.state)
            response.statuses.add(state=state, before=one.before, wait_ms=min(one.wait_ms, _UINT32), version=one.version)
        return response

    async def Review(self, request: ai_pb2.ReviewRequest, context: Any) -> ai_pb2.ReviewResponse:
        """Return what a computer player says of the actions of a seat, within the time that the caller waits.

        Raises Refused: what `assign` refuses, DEADLINE when nobody answers in time, FULL, UNAVAILABLE.
        """
        level = assign(request.game, request.computer, request.view).level
        wait_s = REVIEW_S
        if (left := context.time_remaining()) is not None:
            wait_s = min(wait_s, left - _SPARE_S)
        if wait_s <= 0:
            raise Refused(errors_pb2.REASON_DEADLINE, "the deadline of the request has passed")
        if self._reviews >= REVIEWS_OPEN:
            raise Refused(errors_pb2.REASON_FULL, "too many reviews are open", retry_after_ms=_RETRY_MS)
        now_ms = wall_ms()
        want = want_codec.of_review(request, level, now_ms, now_ms + int(wait_s * 1000))
        found = None
        self._reviews += 1
        try:
            async with _on_board():
                await self._note(want)
                found = await self._readers.blpop([want.reply_to], timeout=wait_s)
        finally:
            self._reviews -= 1
            # Also when the caller is gone: workers think only about positions that somebody waits for.
            if found is None:
                self._withdraw(want)
        if found is None:
            raise Refused(errors_pb2.REASON_DEADLINE, "no computer player answered in time", retry_after_ms=_RETRY_MS)
        return _opened(found[1])

    async def BeginRun(self, request: ai_pb2.BeginRunRequest, context: Any) -> ai_pb2.BeginRunResponse:
        """Note a run, and return it. Raises Refused (runs/calls.py)."""
        return await self._run_calls.begin(request)

    async def FindRuns(self, request: ai_pb2.FindRunsRequest, context: Any) -> ai_pb2.FindRunsResponse:
        """Return runs."""
        return await self._run_calls.find(request)

    async def EndRun(self, request: ai_pb2.EndRunRequest, context: Any) -> ai_pb2.EndRunResponse:
        """End a run, and return it. Raises Refused (runs/calls.py)."""
        return await self._run_calls.end(request)

    async def FindEndgameTables(self, request: ai_pb2.FindEndgameTablesRequest, context: Any) -> ai_pb2.FindEndgameTablesResponse:
        """Return the endgame tables of all machines. Raises Refused (UNAVAILABLE)."""
        return await self._tables_calls.find()

    async def AskForEndgameTables(
        self, request: ai_pb2.AskForEndgameTablesRequest, context: Any
    ) -> ai_pb2.AskForEndgameTablesResponse:
        """Have the workers build or delete endgame tables, and return an empty answer. Raises Refused (UNAVAILABLE)."""
        return await self._tables_calls.ask(request)

    async def _note(self, want: Wanted) -> Demand:
        """Note one thing. Raises Refused (FULL) when there is no room."""
        offered = await self._offer([want])
        if offered.no_room:
            noted = offered.demand.noted
            message = f"{noted} moves are wanted of computer players already"
            raise Refused(errors_pb2.REASON_FULL, message, details={"waiting": str(noted)}, retry_after_ms=_RETRY_MS)
        return offered.demand

    async def _offer(self, wants: Sequence[Wanted]) -> Offered:
        async with self._changes:
            offered = await self._board.offer(wants)
        self._tickets.owe(offered.tickets)
        wake(offered.demand, self._bells)
        self._load.hear(offered.demand)
        metrics.AI_ATTEMPTS.labels("noted").inc(len(offered.noted))
        metrics.AI_ATTEMPTS.labels("full").inc(len(offered.no_room))
        by_level.count_wanted([wants[index] for index in offered.noted])
        for waits, seconds in offered.seconds.items():
            metrics.AI_WANTED_SECONDS.labels(waits.label).inc(seconds)
        return offered

    def _withdraw(self, want: Wanted) -> None:
        """Take something off the board that nobody waits for any more; if that fails, it goes when its time is over."""
        task = asyncio.create_task(self._take_back(want))
        self._withdrawals.add(task)
        task.add_done_callback(self._withdrawals.discard)

    async def _take_back(self, want: Wanted) -> None:
        try:
            async with self._changes:
                withdrawn = await self._board.withdraw([(want.key, want.version)])
            metrics.AI_ATTEMPTS.labels("withdrawn").inc(withdrawn)
        except (redis.RedisError, OSError) as error:
            log.debug("not withdrawn", error=repr(error))

    def _demand(self, demand: Demand) -> ai_pb2.Demand:
        return ai_pb2.Demand(
            epoch=demand.epoch,
            workers=demand.workers,
            slots=demand.slots,
            waiting=demand.waiting,
            backlog_ms=demand.backlog_ms,
            full=demand.noted >= self._bound * 9 // 10,
        )


@asynccontextmanager
async def _on_board() -> AsyncIterator[None]:
    """Turn what goes wrong with Redis into a refusal: UNAVAILABLE."""
    try:
        yield
    except (redis.RedisError, OSError) as error:
        log.warning("board cannot be reached", error=repr(error))
        raise unavailable("board of the computer players") from None


def _withdrawn(withdrawal: ai_pb2.Withdrawal) -> tuple[str, int]:
    version = min(withdrawal.version, VERSIONS)  # a caller may say "whatever is noted"
    return want_codec.key_of(withdrawal.session_id, withdrawal.seat), version


def _opened(data: bytes | str) -> ai_pb2.ReviewResponse:
    """Return the review in a worker's answer. Raises Refused when it is a refusal."""
    assert isinstance(data, bytes)
    envelope = AnyMessage.FromString(data)
    refusal, response = errors_pb2.Refusal(), ai_pb2.ReviewResponse()
    if envelope.Unpack(refusal):
        raise Refused.of(refusal)
    envelope.Unpack(response)
    return response
