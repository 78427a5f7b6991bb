import asyncio
import random
import threading

import pytest

from brettwerk.v1 import errors_pb2, record_pb2, rules_pb2
from services.games import registry
from services.rules import checks
from services.rules.checks import Checks
from services.rules.verify import verify
from services.runtime.refusal import Refused
from tests.services.rules.recording import Recording


@pytest.fixture
def request_to_check() -> rules_pb2.VerifyRecordRequest:
    recording = Recording(registry.games()["einstein"]).start().play(random.Random(1))
    return rules_pb2.VerifyRecordRequest(record=recording.done())


class Gate:
    """Holds checks where they ask whether to go on, until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open = threading.Event()
        self.entered = threading.Semaphore(0)
        self.denied = threading.Event()

        def held(record: record_pb2.Record, go_on: object) -> record_pb2.Verification:
            def ask() -> bool:
                self.entered.release()
                self.open.wait(20)
                may: bool = go_on()  # type: ignore[operator]
                if not may:
                    self.denied.set()
                return may

            return verify(record, ask)

        monkeypatch.setattr(checks, "verify", held)

    async def until_entered(self) -> None:
        assert await asyncio.to_thread(self.entered.acquire, timeout=20)


async def test_the_event_loop_goes_on_while_a_record_is_checked(
    monkeypatch: pytest.MonkeyPatch, request_to_check: rules_pb2.VerifyRecordRequest
) -> None:
    gate = Gate(monkeypatch)
    check = asyncio.create_task(Checks().run(request_to_check))
    await gate.until_entered()
    gate.open.set()
    response = await check
    assert response.verification.good


async def test_few_checks_run_at_once_and_few_wait(
    monkeypatch: pytest.MonkeyPatch, request_to_check: rules_pb2.VerifyRecordRequest
) -> None:
    gate = Gate(monkeypatch)
    running = Checks(at_once=1, waiting=1)
    tasks = [asyncio.create_task(running.run(request_to_check)) for _ in range(2)]
    await gate.until_entered()
    with pytest.raises(Refused) as caught:
        await running.run(request_to_check)
    assert caught.value.reason == errors_pb2.REASON_FULL
    assert caught.value.refusal.retry_after_ms
    assert not gate.entered.acquire(blocking=False), "two ran at once"
    gate.open.set()
    for task in tasks:
        assert (await task).verification.good
    assert (await running.run(request_to_check)).verification.good


async def test_a_check_that_takes_too_long_is_refused(request_to_check: rules_pb2.VerifyRecordRequest) -> None:
    with pytest.raises(Refused) as caught:
        await Checks(limit_s=-1).run(request_to_check)
    assert caught.value.reason == errors_pb2.REASON_DEADLINE


async def test_a_check_whose_caller_has_gone_ends(
    monkeypatch: pytest.MonkeyPatch, request_to_check: rules_pb2.VerifyRecordRequest
) -> None:
    gate = Gate(monkeypatch)
    running = Checks(at_once=1, waiting=0)
    task = asyncio.create_task(running.run(request_to_check))
    await gate.until_entered()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    gate.open.set()
    assert (await running.run(request_to_check)).verification.good
    assert await asyncio.to_thread(gate.denied.wait, 20)


async def test_all_checks_end_with_the_process(
    monkeypatch: pytest.MonkeyPatch, request_to_check: rules_pb2.VerifyRecordRequest
) -> None:
    gate = Gate(monkeypatch)
    running = Checks()
    task = asyncio.create_task(running.run(request_to_check))
    await gate.until_entered()
    running.stop()
    gate.open.set()
    with pytest.raises(Refused):
        await task
