"""The overview that operators see: figures of all processes, for their key only."""

import asyncio
import os
import socket
import time
from pathlib import Path
from typing import Any

import grpc
import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from pydantic import SecretStr

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from brettwerk.v1 import errors_pb2, operation_pb2, play_pb2
from gateway.calls import operator_key, series
from gateway.calls.operator_key import OperatorKey
from gateway.calls.overview import EVERY_S, Counts, Overview, overview
from gateway.calls.series import Series
from services.runtime import metrics
from services.runtime.channel import open_channel
from services.runtime.inner_calls import by_all_names
from services.runtime.settings import Settings
from tests.gateway.conftest import OpenEndpoint, OpenGateway
from tests.gateway.running_gateway import RunningGateway, call_of
from tests.ports import free_port

KEY = "an operator's key of more than thirty-two characters"
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def process(service: str, version: str = "1.1", **figures: float) -> Series:
    """A process with figures without labels."""
    samples: Samples = {("brettwerk_build_info", (("service", service), ("version", version))): 1}
    return Series(f"{service}:9000", samples | {(f"brettwerk_{name}", ()): value for name, value in figures.items()})


def whole(**changes: Series) -> list[Series]:
    """All processes, of which nothing is to be said."""
    made = {
        "ai": process("ai", ai_workers=1),
        "gateway": process("gateway", watch_streams=3),
        "session": process("session", archive_up=1, sessions_unfinished=7, ai_overdue_sessions=1),
    }
    return list((made | changes).values())


def shown(
    processes: list[Series], before: Counts | None = None, after: Counts | None = None
) -> operation_pb2.GetOverviewResponse:
    return overview(processes, 0, before or {}, 100, after or {})


def test_figures_of_all_processes_are_put_together() -> None:
    made = shown(whole(other=process("session", archive_up=1, sessions_unfinished=5, ai_overdue_sessions=2, archive_waiting=4)))
    assert (made.watches, made.sessions, made.overdue, made.workers, made.archive_waiting) == (3, 12, 3, 1, 4)
    assert made.archive_answers
    assert [one.service for one in made.processes] == ["ai", "gateway", "session", "session"]
    assert list(made.concerns) == []


def calls(method: str, code: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    return "gateway:9000", "brettwerk_calls_total", (("code", code), ("method", method), ("service", "gateway"))


def bucket(method: str, le: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    return "gateway:9000", "brettwerk_call_duration_seconds_bucket", (("le", le), ("method", method), ("service", "gateway"))


def test_calls_are_those_of_the_window_also_when_a_process_began_anew() -> None:
    before = {calls("Act", "OK"): 1000.0, calls("Act", "INTERNAL"): 0.0, calls("Watch", "OK"): 500.0}
    after = {calls("Act", "OK"): 1095.0, calls("Act", "INTERNAL"): 3.0, calls("Watch", "OK"): 2.0}
    made = shown(whole(), before, after)
    assert (made.window_ms, made.calls, made.calls_failed) == (100_000, 100, 3)
    assert list(made.concerns) == [operation_pb2.CONCERN_CALLS_FAIL]


def test_the_first_failure_of_a_known_process_counts_and_earlier_ones_of_a_new_one_do_not() -> None:
    there: Counts = {("gateway:9000", "", ()): 0.0}
    failed: Counts = {**there, calls("Act", "INTERNAL"): 3.0}
    assert shown(whole(), there, failed).calls_failed == 3
    assert shown(whole(), {}, failed).calls_failed == 0


def test_the_slowest_methods_come_first() -> None:
    bounds = ("0.1", "1.0", "+Inf")
    before = {bucket(method, le): 0.0 for method in ("Act", "GetGame") for le in bounds}
    after = {
        **{bucket("Act", le): count for le, count in zip(bounds, (10.0, 100.0, 100.0), strict=True)},
        **{bucket("GetGame", le): count for le, count in zip(bounds, (50.0, 50.0, 50.0), strict=True)},
    }
    made = shown(whole(), before, after)
    assert [(one.method, one.calls) for one in made.slowest] == [("Act", 100), ("GetGame", 50)]
    assert made.slowest[0].p95_ms == pytest.approx(950)
    assert made.slowest[1].p95_ms == pytest.approx(95)
    assert list(made.concerns) == [operation_pb2.CONCERN_ACTIONS_SLOW]


@pytest.mark.parametrize(
    ("changes", "concern"),
    [
        ({"rules": Series("rules:9000", None)}, operation_pb2.CONCERN_PROCESS_SILENT),
        ({"ai": process("ai", ai_workers=0)}, operation_pb2.CONCERN_NO_WORKERS),
        ({"session": process("session", archive_up=0)}, operation_pb2.CONCERN_ARCHIVE_DOWN),
        (
            {"session": process("session", archive_up=1, archive_oldest_wait_seconds=1801)},
            operation_pb2.CONCERN_ARCHIVE_BEHIND,
        ),
        ({"session": process("session", archive_up=1, ai_overdue_sessions=6)}, operation_pb2.CONCERN_COMPUTERS_OVERDUE),
        (
            {"rules": process("rules", certificate_expires_timestamp_seconds=time.time() + 86_400)},
            operation_pb2.CONCERN_CERTIFICATE_EXPIRES,
        ),
        ({"other": process("gateway", "1.0")}, operation_pb2.CONCERN_VERSIONS_MIXED),
    ],
)
def test_concerns_are_named(changes: dict[str, Series], concern: int) -> None:
    assert list(shown(whole(**changes)).concerns) == [concern]


@pytest.mark.parametrize(
    ("name", "labels", "value", "concern"),
    [
        ("redis_up", ("store", "sessions"), 0.0, operation_pb2.CONCERN_STORE_DOWN),
        ("redis_aof_ok", ("store", "sessions"), 0.0, operation_pb2.CONCERN_STORE_CANNOT_WRITE),
        ("redis_memory_bytes", ("store", "sessions"), 71.0, operation_pb2.CONCERN_STORE_FILLS_UP),
        ("disk_free_bytes", ("disk", "archive"), 1e9, operation_pb2.CONCERN_DISK_FILLS_UP),
        ("ai_oldest_wait_seconds", ("class", "person"), 6.0, operation_pb2.CONCERN_PLAYERS_WAIT),
        ("backup_timestamp_seconds", ("marker", "last_backup"), 1.0, operation_pb2.CONCERN_BACKUP_OLD),  # long ago
    ],
)
def test_concerns_of_each_store_disk_and_queue_are_named(name: str, labels: tuple[str, str], value: float, concern: int) -> None:
    samples: Samples = {
        ("brettwerk_redis_memory_limit_bytes", (("store", "sessions"),)): 100,
        ("brettwerk_disk_size_bytes", (("disk", "archive"),)): 1e11,
        (f"brettwerk_{name}", (labels,)): value,
    }
    assert list(shown([*whole(), Series("more:9000", samples)]).concerns) == [concern]


def test_workers_that_may_rest_are_missed_only_by_somebody_who_waits_for_them() -> None:
    def concerns(**figures: float) -> list[int]:
        return list(overview([*whole(ai=process("ai", ai_workers=0)), waits(**figures)], 0, {}, 100, {}, may_rest=True).concerns)

    def waits(seconds: float = 0) -> Series:
        made = process("ai")
        return Series(
            made.address, {**(made.samples or {}), ("brettwerk_ai_oldest_wait_seconds", (("class", "person"),)): seconds}
        )

    assert operation_pb2.CONCERN_NO_WORKERS not in concerns()
    assert operation_pb2.CONCERN_NO_WORKERS not in concerns(seconds=4)
    assert operation_pb2.CONCERN_NO_WORKERS in concerns(seconds=20)


async def test_processes_that_run_on_demand_are_shown_while_they_answer_and_are_no_concern_when_they_do_not() -> None:
    always, sometimes = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
    config = Settings(operator_key=SecretStr(KEY), metrics_addresses=always, metrics_on_demand=sometimes)
    shows = Overview(config, OperatorKey(KEY))
    async with open_channel(f"127.0.0.1:{free_port()}") as players:
        await shows.look(players)
        made = shows.newest()
        assert [(one.address, one.answers) for one in made.processes] == [(always, False)]
        metrics.serve(sometimes, "worker", "1.1")
        await shows.look(players)
        made = shows.newest()
        assert [(one.address, one.answers) for one in made.processes] == [(always, False), (sometimes, True)]


def test_the_series_of_a_process_are_read_from_its_metrics() -> None:
    registry, port = CollectorRegistry(), free_port()
    Counter("brettwerk_calls_total", "Calls.", ["code"], registry=registry).labels("OK").inc(3)
    Gauge("brettwerk_other", "Not wanted.", registry=registry).set(1)
    Histogram("brettwerk_call_duration_seconds", "Times.", registry=registry, buckets=(1,)).observe(0.5)
    server, _ = start_http_server(port, "127.0.0.1", registry)
    try:
        found = series.read(f"127.0.0.1:{port}", ["brettwerk_calls_total{", "brettwerk_call_duration_seconds_bucket{"])
    finally:
        server.shutdown()
        server.server_close()
    assert found.samples is not None
    assert {name for name, _ in found.samples} == {"brettwerk_calls_total", "brettwerk_call_duration_seconds_bucket"}
    assert list(found.select("brettwerk_calls_total", code="OK")) == [({"code": "OK"}, 3.0)]


def test_a_process_that_does_not_answer_is_known_all_the_same() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
    assert series.read(address, ["x"]) == Series(address, None)
    assert series.places(f"{address}, nowhere.invalid:9000,, nonsense") == [address, "nowhere.invalid:9000", "nonsense"]


def asked(key: str) -> play_pb2.Call:
    return call_of("GetOverview", operator_key=key)


async def until_looked(running: RunningGateway, through: OpenEndpoint, kind: str = "json") -> operation_pb2.GetOverviewResponse:
    endpoint = await through(kind, running)
    async with asyncio.timeout(EVERY_S):
        while True:
            made = (await endpoint.call(asked(KEY))).get_overview
            if made.at_ms:
                return made
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("kind", ["json", "unary", "connect", "websocket"])
async def test_the_key_shows_the_overview_at_every_endpoint(open_gateway: OpenGateway, through: OpenEndpoint, kind: str) -> None:
    running = await open_gateway(operator_key=KEY)
    made = await until_looked(running, through, kind)
    (own,) = made.processes
    assert own.answers


@pytest.mark.parametrize("configured", ["", KEY])
@pytest.mark.parametrize("key", ["", "x" * 40, KEY[:-1], f"{KEY},"])
async def test_without_the_key_there_is_nothing_to_see(
    open_gateway: OpenGateway, through: OpenEndpoint, configured: str, key: str
) -> None:
    endpoint = await through("json", await open_gateway(operator_key=configured))
    answer = await endpoint.call(asked(key))
    assert (answer.refusal.reason, answer.refusal.field) == (errors_pb2.REASON_UNKNOWN, "operator_key")


async def test_an_address_may_guess_a_few_times_only(open_gateway: OpenGateway, through: OpenEndpoint) -> None:
    endpoint = await through("json", await open_gateway(operator_key=KEY))
    reasons = [(await endpoint.call(asked("x" * 40))).refusal.reason for _ in range(operator_key.WRONG_BURST + 3)]
    assert reasons[: operator_key.WRONG_BURST] == [errors_pb2.REASON_UNKNOWN] * operator_key.WRONG_BURST
    assert reasons[-1] == errors_pb2.REASON_TOO_MANY_REQUESTS
    assert (await endpoint.call(asked(KEY))).refusal.reason == errors_pb2.REASON_TOO_MANY_REQUESTS


async def test_while_a_key_is_replaced_both_count(open_gateway: OpenGateway, through: OpenEndpoint) -> None:
    running = await open_gateway(operator_key=f"{'n' * 32},{KEY}")
    await until_looked(running, through)
    assert (await (await through("json", running)).call(asked("n" * 32))).get_overview.at_ms


class PlayersService(players_pb2_grpc.PlayersServiceServicer):
    async def ListFedWins(self, request: Any, context: Any) -> players_pb2.ListFedWinsResponse:
        return players_pb2.ListFedWinsResponse(
            fed_wins=[operation_pb2.FedWins(player_id="p", game="einstein", wins=12, accounts=3)]
        )


async def test_wins_that_are_perhaps_handed_over_are_asked_of_the_players_service_and_kept_while_it_is_away() -> None:
    shows = Overview(Settings(operator_key=SecretStr(KEY)), OperatorKey(KEY))
    port, server = free_port(), grpc.aio.server()
    players_pb2_grpc.add_PlayersServiceServicer_to_server(PlayersService(), by_all_names(server))  # type: ignore[abstract]
    server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    async with open_channel(f"127.0.0.1:{port}") as players:
        await shows.look(players)
        (found,) = shows.newest().fed_wins
        assert (found.player_id, found.wins, found.accounts) == ("p", 12, 3)
        await server.stop(None)
        await shows.look(players)
    assert list(shows.newest().fed_wins) == [found]


async def test_a_backup_is_known_by_its_marker(open_gateway: OpenGateway, through: OpenEndpoint, tmp_path: Path) -> None:
    marker = tmp_path / "last_backup"
    marker.touch()
    os.utime(marker, (1_790_000_000, 1_790_000_000))
    made = await until_looked(await open_gateway(operator_key=KEY, backup_marker=str(marker)), through)
    assert made.last_backup_ms == 1_790_000_000_000


def test_a_key_that_could_be_guessed_is_refused() -> None:
    with pytest.raises(ValueError, match="BRETTWERK_OPERATOR_KEY"):
        operator_key.OperatorKey(f"{KEY},short")
