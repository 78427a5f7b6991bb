"""The task of the queue `puzzles`: a finished game in, puzzles out. Workers of runs take it when no run waits.

Of all that workers do this is the least urgent. Where a run waits it is left at once; while moves wait that people or computers
have asked for it waits, and is left where that takes long; and every other process on its machine goes first
(BRETTWERK_RUNS_NICE). The ticket that leads to it carries nothing; the players service leaves another one.
"""

import base64
import time
import zlib
from collections.abc import Callable

import redis
from google.protobuf.message import DecodeError
from kombu.exceptions import OperationalError

from brettwerk.internal.v1 import puzzles_made_pb2
from brettwerk.v1 import record_pb2
from brettwerk_games.rules.registry import games
from services.ai.board.lua import ROOT_KEY as BOARD_KEY
from services.ai.celery_worker.app import PUZZLES, RESULTS, app
from services.ai.puzzles.course import moments_of
from services.ai.puzzles.message import written
from services.ai.puzzles.search import look
from services.ai.runs.store import ROOT_KEY as RUNS_KEY
from services.runtime.logs import logger
from services.runtime.redis_url import open_blocking_redis
from services.runtime.settings import settings

ORDER_KEY = "bw:{puzzles}:order"
"""Where the players service puts a game: its session's id, a line feed, its packed record."""
PUZZLES_MADE = "puzzles_made"
"""The task of the players service that takes what was made, in its queue `results`."""
LOOK_S = 30.0
"""After so many seconds no further position of a game is looked at."""
TASK_MAX_S = 300
"""After how many seconds a task's process is killed."""
MAX_BYTES = 8 * 1024 * 1024
"""Of a record."""
_IDLE_TIMEOUT_S = 20.0
"""How long it waits for moves that are more urgent."""
_PAUSE_S = 0.5
log = logger(__name__)


@app.task(name=PUZZLES, time_limit=TASK_MAX_S)
def make_puzzles() -> None:
    """Look for puzzles in the game that stands there, if nothing else is to be done, and hand over what is found."""
    broker = open_blocking_redis(settings().broker_url, socket_timeout=2, socket_connect_timeout=2)
    try:
        order = broker.getdel(ORDER_KEY) if is_idle(broker) else None
        if not isinstance(order, bytes):
            return
        session_id, _, packed = order.partition(b"\n")
        made = made_of(session_id.decode(), _unpacked(packed), lambda: is_idle(broker))
        data = base64.b64encode(zlib.compress(made.SerializeToString())).decode()
        arguments = [session_id.decode(), data]
        app.send_task(PUZZLES_MADE, args=arguments, queue=RESULTS, ignore_result=True, retry_policy={"max_retries": 3})
    except (zlib.error, DecodeError, UnicodeDecodeError) as error:
        log.warning("no game to look for puzzles in", error=repr(error))
    except (OperationalError, redis.RedisError, OSError) as error:
        log.warning("broker cannot be reached", error=repr(error))
    finally:
        broker.close()


def made_of(session_id: str, record: record_pb2.Record, go_on: Callable[[], bool]) -> puzzles_made_pb2.MadePuzzles:
    """Return the puzzles of a finished game; `go_on` is asked before each position whether to go on."""
    game = games().get(record.game)
    if game is None:
        return puzzles_made_pb2.MadePuzzles()
    began = time.monotonic()
    moments = moments_of(game, record)
    met = look(game, moments, LOOK_S, go_on)
    log.info("looked for puzzles", game=record.game, positions=len(moments), found=len(met), s=round(time.monotonic() - began, 1))
    return puzzles_made_pb2.MadePuzzles(
        puzzles=[
            written(game, one.found, session_id, one.moment.version, game.write(one.moment.view, one.moment.action))
            for one in met
        ]
    )


def is_idle(broker: "redis.Redis") -> bool:
    """Return whether no run waits, and no move, or soon none does."""
    until = time.monotonic() + _IDLE_TIMEOUT_S
    while not broker.zcard(f"{RUNS_KEY}:queue"):
        if not broker.zcard(f"{BOARD_KEY}:queues"):
            return True
        if time.monotonic() > until:
            return False
        time.sleep(_PAUSE_S)
    return False


def _unpacked(packed: bytes) -> record_pb2.Record:
    return record_pb2.Record.FromString(zlib.decompressobj().decompress(packed, MAX_BYTES))
