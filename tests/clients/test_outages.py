import asyncio
import logging

import grpc
import pytest

from brettwerk.v1 import errors_pb2
from brettwerk_client import Refused, Timing
from brettwerk_client.outages import Outages
from brettwerk_client.refusals import NoToken, own

QUICK = Timing(first_pause_s=0.001, max_pause_s=0.002)


def refused(reason: errors_pb2.Reason.ValueType, status: grpc.StatusCode) -> Refused:
    return own(reason, status, "no")


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        (errors_pb2.REASON_UNAVAILABLE, grpc.StatusCode.UNAVAILABLE),
        (errors_pb2.REASON_DEADLINE, grpc.StatusCode.DEADLINE_EXCEEDED),
        (errors_pb2.REASON_TOO_MANY_REQUESTS, grpc.StatusCode.RESOURCE_EXHAUSTED),
        (errors_pb2.REASON_FULL, grpc.StatusCode.RESOURCE_EXHAUSTED),
        (errors_pb2.REASON_INTERNAL, grpc.StatusCode.INTERNAL),
        (999, grpc.StatusCode.UNAVAILABLE),
    ],
)
async def test_a_passing_refusal_is_waited_for_and_reported_once(
    reason: errors_pb2.Reason.ValueType, status: grpc.StatusCode
) -> None:
    reported: list[list[str]] = []
    outages = Outages(QUICK, lambda waits: reported.append(sorted(waits)))
    for _ in range(20):
        await outages.wait("news", refused(reason, status))
    await outages.wait("a game", refused(reason, status))
    outages.over("news")
    outages.over("news")
    outages.over("a game")
    assert reported == [["news"], ["a game", "news"], ["a game"], []]


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        (errors_pb2.REASON_NO_TOKEN, grpc.StatusCode.UNAUTHENTICATED),
        (errors_pb2.REASON_UNKNOWN, grpc.StatusCode.NOT_FOUND),
        (errors_pb2.REASON_ILLEGAL, grpc.StatusCode.FAILED_PRECONDITION),
        (errors_pb2.REASON_NO_SCOPE, grpc.StatusCode.PERMISSION_DENIED),
    ],
)
async def test_a_lasting_refusal_is_raised(reason: errors_pb2.Reason.ValueType, status: grpc.StatusCode) -> None:
    reported: list[object] = []
    with pytest.raises(Refused):
        await Outages(QUICK, reported.append).wait("news", refused(reason, status))
    assert reported == []


async def test_pauses_grow_to_their_bound_and_the_server_may_ask_for_longer_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def note(pause_s: float) -> None:
        pauses.append(pause_s)

    monkeypatch.setattr(asyncio, "sleep", note)
    outages = Outages(Timing(first_pause_s=1, max_pause_s=4), None)
    away = refused(errors_pb2.REASON_UNAVAILABLE, grpc.StatusCode.UNAVAILABLE)
    for _ in range(100):
        await outages.wait("news", away)
    assert 0.5 <= pauses[0] <= 1 <= pauses[1] <= 2 <= pauses[2] <= 4 and max(pauses) <= 4
    away.refusal.retry_after_ms = 9000
    await outages.wait("news", away)
    assert pauses[-1] == 9
    outages.over("news")
    await outages.wait("news", refused(errors_pb2.REASON_UNAVAILABLE, grpc.StatusCode.UNAVAILABLE))
    assert pauses[-1] <= 1


async def test_the_log_warns_when_a_wait_begins_and_ends(caplog: pytest.LogCaptureFixture) -> None:
    outages = Outages(QUICK, None)
    for _ in range(5):
        await outages.wait("news", refused(errors_pb2.REASON_UNAVAILABLE, grpc.StatusCode.UNAVAILABLE))
    outages.over("news")
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2


async def test_the_refusal_keeps_its_class() -> None:
    with pytest.raises(NoToken):
        await Outages(QUICK, None).wait("news", refused(errors_pb2.REASON_NO_TOKEN, grpc.StatusCode.UNAUTHENTICATED))
