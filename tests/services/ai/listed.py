"""A board for tests of turns: a list of orders. And players that do as a test says."""

import os
from collections.abc import Sequence
from typing import Any

import pytest
import redis

from brettwerk_games.players import registry
from brettwerk_games.players.interface import Advice, Thought
from services.ai.board.order import Finished, Order, Taken, Urgency
from tests.services.ai.session_peer import Table

TRACE = "00-" + "ab" * 16 + "-" + "cd" * 8 + "-01"


class Board:
    """Gives orders in the order in which they were put there, so many at once, and keeps what was finished."""

    def __init__(self) -> None:
        self.orders: list[Order] = []
        self.finished: list[Finished] = []
        self.takes: list[int] = []
        self.fails = 0

    def put(self, table: Table, think_ms: int = 0, attempt: int = 1, **fields: Any) -> Order:
        want = table.want()
        named = next(level.think_ms for level in table.game.facts.levels if level.id == table.computer.level)
        return self.put_payload(
            f"{table.id}:{want.seat}", "move", want.SerializeToString(), think_ms or named, want.version, attempt
        )

    def put_payload(
        self, key: str, kind: str, payload: bytes, think_ms: int = 200, version: int = 1, attempt: int = 1, reply_to: str = ""
    ) -> Order:
        order = Order(key, version, kind, think_ms, think_ms, Urgency.PERSON, 5, attempt, payload, reply_to, TRACE)
        self.orders.append(order)
        return order

    def take(self, pid: int, finished: Sequence[Finished], most: int) -> Taken:
        assert pid == os.getpid()
        if self.fails:
            self.fails -= 1
            raise redis.ConnectionError("away")
        self.finished += finished
        given, self.orders = self.orders[:most], self.orders[most:]
        self.takes.append(len(given))
        return Taken(tuple(given), len(self.orders))

    def outcomes(self) -> dict[str, str]:
        return {one.key.rpartition(":")[0]: one.outcome for one in self.finished}


class Odd:
    """A player of the test's own: a level whose player is another one for as long as the test runs."""

    def __init__(self, game: Any, strength: int) -> None:
        self.game = game

    def review(self, view: Any, deadline: float, seed: int) -> tuple[Advice, ...]:
        raise ZeroDivisionError

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        raise NotImplementedError


def play_by(monkeypatch: pytest.MonkeyPatch, think: Any) -> None:
    """Let the EinStein player think so."""
    made = type("Made", (Odd,), {"think": think})
    monkeypatch.setattr(registry, "players", lambda: {"einstein": made})
