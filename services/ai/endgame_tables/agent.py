"""A worker's main process looks after the endgame tables of its machine: it reports how they stand, and carries out orders."""

import contextlib
import socket
import threading

import redis

from brettwerk.v1 import operation_pb2
from brettwerk_games.players.endgame_tables import EndgameTables, State
from services.ai.endgame_tables.board import WorkerTablesBoard
from services.runtime.logs import logger

log = logger(__name__)

EVERY_S = 2.0
"""How often it looks."""
_NAME = 64


class TablesAgent:
    """Looks in a thread, from `start` on."""

    def __init__(self, board: WorkerTablesBoard, tables: EndgameTables) -> None:
        self._board, self._tables = board, tables
        self._done = ""
        self._ended = threading.Event()

    def is_building(self) -> bool:
        """Return whether tables are being built, so that the worker must not rest."""
        return self._tables.is_building()

    def start(self) -> None:
        """Look once, and then again and again."""
        threading.Thread(target=self._run, name="tables", daemon=True).start()

    def goodbye(self) -> None:
        """Say that the worker ends."""
        self._ended.set()
        with contextlib.suppress(redis.RedisError, OSError):
            self._board.goodbye()

    def look(self) -> None:
        """Report how it stands, and do what is asked for. While Redis cannot be reached nothing happens."""
        try:
            asked = self._board.report(message(self._tables.state(), socket.gethostname()[:_NAME]))
        except (redis.RedisError, OSError) as error:
            log.debug("endgame tables cannot be reported", error=repr(error))
            return
        if asked is not None and asked.mark != self._done:
            self._done = asked.mark
            log.info("endgame tables are changed", stones=asked.stones)
            self._tables.change(asked.stones)

    def _run(self) -> None:
        while not self._ended.is_set():
            self.look()
            self._ended.wait(EVERY_S)


def message(state: State, machine: str) -> operation_pb2.MachineTables:
    """Return a state as operators see it."""
    return operation_pb2.MachineTables(
        machine=machine,
        stones=state.stones,
        large_bytes=state.large_bytes,
        room_bytes=state.room,
        building=state.building,
        done_permille=round(1000 * state.share),
        left_s=round(state.left_s),
        fault=operation_pb2.TablesFault.ValueType(state.fault),
        offers=[operation_pb2.TablesOffer(stones=one.stones, bytes=one.size, seconds=round(one.seconds)) for one in state.offers],
    )
