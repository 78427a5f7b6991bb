"""The calls of AiService that are about runs."""

import secrets

import redis

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import errors_pb2, statistics_pb2
from services.ai.runs.store import Begun, Bounds, Ended, Runs
from services.ai.runs.wish import check
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused, malformed, unavailable, unknown
from services.runtime.settings import Settings

log = logger(__name__)

_SEEDS = 2**31 - 1
_RETRY_MS = 60_000
_FULL = {
    Begun.PLAYER_FULL: ("runs_player", "a player has at most {per_player} runs at a time"),
    Begun.ADDRESS_FULL: ("runs_address", "from one network address there are at most {per_address} runs at a time"),
    Begun.FULL: ("runs", "there are at most {total} runs at a time"),
}


def bounds_of(config: Settings) -> Bounds:
    """Return the bounds that are set."""
    return Bounds(
        per_player=config.runs_per_player,
        per_address=config.runs_per_address,
        total=config.runs_total,
        kept_per_player=config.runs_kept,
        keep_ms=round(config.runs_keep_s * 1000),
    )


class RunCalls:
    """Answers. Raises Refused."""

    def __init__(self, runs: Runs, config: Settings) -> None:
        self._runs = runs
        self._max_games = config.run_games
        self._bounds = bounds_of(config)

    async def begin(self, request: ai_pb2.BeginRunRequest) -> ai_pb2.BeginRunResponse:
        """Note a run, or find the one of an equal request; return it.

        Raises Refused: what `check` refuses, FULL with the bound that is reached, REQUEST_ID_REUSED, UNAVAILABLE.
        """
        if not self._max_games:
            raise Refused(errors_pb2.REASON_FULL, "this server plays no runs", details={"bound": "runs"})
        if not request.run_id or not request.player:
            raise malformed("run_id", "a run has an id and a player")
        wish = statistics_pb2.RunWish()
        wish.CopyFrom(request.wish)
        checked = check(wish, self._max_games)
        wish.seed = wish.seed or 1 + secrets.randbelow(_SEEDS)
        player = request.player.hex()
        try:
            begun = await self._runs.begin(
                request.run_id,
                wish,
                checked.batch,
                checked.batches,
                asked=request.asked.hex(),
                player=player,
                address=request.address.hex(),
            )
            if begun in _FULL:
                raise self._is_full(begun)
            if begun is Begun.OTHER_REQUEST:
                raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "the same request id was used for another request")
            if begun is Begun.NOTED:
                metrics.RUNS.labels(wish.game, "started").inc()
            return ai_pb2.BeginRunResponse(run=await self._run(request.run_id, player))
        except (redis.RedisError, OSError) as error:
            raise _away(error) from None

    async def find(self, request: ai_pb2.FindRunsRequest) -> ai_pb2.FindRunsResponse:
        """Return a run, or all of a player. Raises Refused: UNKNOWN, UNAVAILABLE."""
        player = request.player.hex()
        try:
            if request.run_id:
                return ai_pb2.FindRunsResponse(runs=[await self._run(request.run_id, player)])
            if not player:
                return ai_pb2.FindRunsResponse()
            status = await self._runs.status()
            return ai_pb2.FindRunsResponse(runs=[stored.message(player, status) for stored in await self._runs.of(player)])
        except (redis.RedisError, OSError) as error:
            raise _away(error) from None

    async def end(self, request: ai_pb2.EndRunRequest) -> ai_pb2.EndRunResponse:
        """End a run, and return it. Raises Refused: UNKNOWN, NOT_YOUR_SEAT for another's, UNAVAILABLE."""
        player = request.player.hex()
        try:
            ended = await self._runs.cancel(request.run_id, player)
            if ended is Ended.UNKNOWN:
                raise unknown("run", "run_id", request.run_id)
            if ended is Ended.NOT_YOURS:
                raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, "the run is another player's", details={"what": "run"})
            return ai_pb2.EndRunResponse(run=await self._run(request.run_id, player))
        except (redis.RedisError, OSError) as error:
            raise _away(error) from None

    async def _run(self, run_id: str, player: str) -> statistics_pb2.Run:
        found = await self._runs.find(run_id)
        if found is None:
            raise unknown("run", "run_id", run_id)
        stored, tallies = found
        return stored.message(player, await self._runs.status(), tallies)

    def _is_full(self, begun: Begun) -> Refused:
        bound, sentence = _FULL[begun]
        b = self._bounds
        message = sentence.format(per_player=b.per_player, per_address=b.per_address, total=b.total)
        return Refused(errors_pb2.REASON_FULL, message, details={"bound": bound}, retry_after_ms=_RETRY_MS)


def _away(error: Exception) -> Refused:
    log.warning("runs cannot be reached", error=repr(error))
    return unavailable("store of runs")
