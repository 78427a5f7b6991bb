"""The actions that are lost, and for how long nobody can act, when masters die again and again while many people play.

    python -m tests.chaos.failing_over sentinels                 # with WAIT
    python -m tests.chaos.failing_over cluster --replicas 0      # without
    python -m tests.chaos.failing_over sentinels --replica-away  # nobody takes over: the master itself comes back with its file
    python -m tests.chaos.failing_over broker                    # games against computers

Prints one line of JSON. What counts as lost is an action that was acknowledged and is not in the log of its table afterwards.
"""

import argparse
import contextlib
import json
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import grpc

from tests.chaos.rollout import Rollout
from tests.chaos.sentinels import watched_redis
from tests.e2e.stranger import OVER, Stranger, computer, in_background, me, nobody, taken
from tests.redis_cluster import running_cluster
from tests.redis_server import running_redis

STORES = ("sentinels", "cluster", "broker")
PLAY_S = 4.0
"""How long people play before a master dies, and after they play on."""
ON_S = 120.0
"""How long it may take until each table has gone on."""


class Stores(Protocol):
    """Servers with replicas."""

    def masters(self) -> list[int]: ...
    def replica_of(self, port: int) -> int: ...
    def kill(self, port: int) -> None: ...
    def revive(self, port: int) -> None: ...
    def is_whole(self) -> bool: ...


@dataclass(frozen=True)
class Plan:
    """The settings of a trial."""

    store: str
    kills: int = 5
    tables: int = 12
    replicas: int = -1
    is_replica_away: bool = False


@dataclass
class Table:
    """A table, and when its actions were acknowledged, by version."""

    session: str
    acknowledged: dict[int, float] = field(default_factory=dict)


@dataclass
class Playing:
    """Two who play at one table after the other."""

    ada: Stranger
    bert: Stranger
    dice: random.Random
    computers: bool
    tables: list[Table] = field(default_factory=list)

    def run(self, over: threading.Event) -> None:
        """Play until it is over; whatever is refused for a while is tried again."""
        while not over.is_set():
            with contextlib.suppress(grpc.RpcError):
                self._game(over)

    def first_after_s(self, since: float) -> float:
        """Return when something was acknowledged first after a time; infinity if nothing was."""
        later = (at for table in self.tables for at in tuple(table.acknowledged.values()) if at > since)
        return min(later, default=float("inf"))

    def _game(self, over: threading.Event) -> None:
        session, seats = self.ada.create(me(), computer() if self.computers else nobody())
        hands = [(self.ada, seats[0])]
        if not self.computers:
            hands.append((self.bert, self.bert.join(session.id, 1).seat_token))
        table = Table(session.id)
        self.tables.append(table)
        while not over.is_set():
            for player, token in hands:
                with contextlib.suppress(grpc.RpcError):
                    update = player.look(session.id, token)
                    if update.session.state in OVER:
                        return
                    if update.actions:
                        version = player.act(update, token, self.dice.randrange(len(update.actions))).version
                        table.acknowledged[version] = time.monotonic()
            time.sleep(0.05)


def outcome_of(plan: Plan, folder: Path) -> dict[str, Any]:
    """Return the figures of a run."""
    with contextlib.ExitStack() as started:
        stores, settings = started.enter_context(_stores(plan, folder))
        cluster = started.enter_context(Rollout(folder, 1, f"sqlite:///{folder}/archive.sqlite3", settings))
        all_of_them = [
            Playing(
                Stranger(cluster.endpoint, f"Ada{number}"),
                Stranger(cluster.endpoint, f"Bert{number}"),
                random.Random(number),
                plan.store == "broker",
            )
            for number in range(plan.tables)
        ]
        over = threading.Event()
        threads = [in_background(partial(one.run, over)) for one in all_of_them]
        waits: list[float] = []
        for number in range(plan.kills):
            waits += _fail(plan, stores, all_of_them, number)
        time.sleep(PLAY_S)  # they play on for so long
        over.set()
        for thread in threads:
            thread.join(60)
        lost = sum(_lost(one) for one in all_of_them)
        acknowledged = sum(len(table.acknowledged) for one in all_of_them for table in one.tables)
        for one in all_of_them:
            one.ada.close()
            one.bert.close()
    return {
        "store": plan.store,
        "replicas": plan.replicas,
        "replica_away": plan.is_replica_away,
        "kills": plan.kills,
        "tables": plan.tables,
        "acknowledged": acknowledged,
        "lost": lost,
        "on_after_s": {"median": round(statistics.median(waits), 1), "most": round(max(waits), 1)},
    }


def _fail(plan: Plan, stores: Stores, players: list[Playing], number: int) -> list[float]:
    """Kill a master while everybody plays, and return after how many seconds each player has gone on."""
    _until(stores.is_whole, "the replicas do not come back")
    time.sleep(PLAY_S)  # people play in peace for so long
    masters = stores.masters()
    master = masters[number % len(masters)]
    away = stores.replica_of(master) if plan.is_replica_away else 0
    if away:
        stores.kill(away)
        time.sleep(PLAY_S)  # and for so long without the replica
    stores.kill(master)
    killed = time.monotonic()
    if away:
        stores.revive(master)
    _until(lambda: all(one.first_after_s(killed) < float("inf") for one in players), "not everybody plays on", ON_S)
    if not away:
        _until(lambda: master not in stores.masters() and len(stores.masters()) == len(masters), "nobody takes over")
    stores.revive(away or master)
    return [one.first_after_s(killed) - killed for one in players]


def _lost(one: Playing) -> int:
    """Return how many acknowledged actions of a player's tables are not in their logs."""
    lost = 0
    for table in one.tables:
        try:
            record = taken(partial(one.ada.record, table.session))
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.NOT_FOUND:
                raise
            lost += len(table.acknowledged)
            continue
        acted = {entry.version for entry in record.entries if entry.WhichOneof("change") == "acted"}
        lost += len(table.acknowledged.keys() - acted)
    return lost


@contextlib.contextmanager
def _stores(plan: Plan, folder: Path) -> Iterator[tuple[Stores, dict[str, str]]]:
    settings = {"BRETTWERK_REDIS_REPLICAS": str(plan.replicas), "BRETTWERK_APPENDFSYNC": "everysec"}
    if plan.store == "cluster":
        with running_cluster(folder / "stores") as cluster, running_redis() as broker:
            yield cluster, settings | {"BRETTWERK_REDIS_URL": cluster.url, "BRETTWERK_BROKER_URL": broker}
        return
    with watched_redis(folder / "stores", arguments=("--appendonly", "yes")) as watched:
        of_sessions = {"BRETTWERK_REDIS_URL": watched.url(0)} if plan.store == "sentinels" else {}
        yield watched, settings | of_sessions | {"BRETTWERK_BROKER_URL": watched.url(1)}


def _until(is_so: Callable[[], bool], otherwise: str, within_s: float = 60.0) -> None:
    end = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < end, otherwise
        time.sleep(0.1)


def main() -> None:
    """Run what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", choices=STORES)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--replicas", type=int, default=-1, help="as BRETTWERK_REDIS_REPLICAS")
    parser.add_argument("--replica-away", action="store_true", help="the replica is killed some seconds before")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(given.store, given.kills, given.tables, given.replicas, given.replica_away)
        print(json.dumps(outcome_of(plan, Path(folder))))


if __name__ == "__main__":
    main()
