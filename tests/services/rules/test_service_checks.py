"""Records are checked, and long lines played, in a process of their own: what they find, and what they refuse."""

import asyncio
import os
import random
from collections.abc import AsyncIterator
from functools import partial

import pytest

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import errors_pb2, record_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import Kind
from services.rules.service import Checks, open_pool
from tests.night import by_day
from tests.services.rules.recording import Recording


@pytest.fixture
def recording() -> Recording:
    return Recording(registry.games()["einstein"]).start().play(random.Random(1))


@pytest.fixture
async def checks() -> AsyncIterator[Checks]:
    opened = Checks()
    yield opened
    await opened.close()


def variation_request(recording: Recording) -> rules_pb2.PlayVariationRequest:
    options = recording.record.entries[0].created.options
    loaded = record_pb2.Loaded(variation=recording.variation, options=options)
    return rules_pb2.PlayVariationRequest(game="einstein", seats=2, packed_variation=loaded.SerializeToString())


async def test_a_record_is_checked_in_another_process(checks: Checks, recording: Recording) -> None:
    record = recording.done()
    for request in (
        rules_pb2.VerifyRecordRequest(record=record),
        rules_pb2.VerifyRecordRequest(packed_record=record.SerializeToString(), asked_by="somebody"),
    ):
        response = await checks.run(request)
        assert response.verification.good
        assert response.verification.plies == recording.plies
        assert response.cpu_us > 0
    assert checks.pids
    assert os.getpid() not in checks.pids


async def test_the_event_loop_goes_on_while_a_record_is_checked(checks: Checks, recording: Recording) -> None:
    task = asyncio.create_task(checks.run(rules_pb2.VerifyRecordRequest(record=recording.done())))
    turns = 0
    while not task.done():
        turns += 1
        await asyncio.sleep(0.001)
    assert turns > 3
    assert (await task).verification.good


async def test_a_check_that_takes_too_long_is_refused_and_has_its_cost(recording: Recording) -> None:
    checks = Checks(partial(open_pool, limit_s=0))
    try:
        response = await checks.run(rules_pb2.VerifyRecordRequest(record=recording.done()))
    finally:
        await checks.close()
    assert response.refusal.reason == errors_pb2.REASON_DEADLINE
    assert response.cpu_us > 0


async def test_bytes_that_are_no_record_are_malformed(checks: Checks) -> None:
    response = await checks.run(rules_pb2.VerifyRecordRequest(packed_record=b"\xff\xff"))
    assert response.refusal.reason == errors_pb2.REASON_MALFORMED
    assert response.refusal.field == "packed_record"


async def test_all_checks_end_with_the_service(recording: Recording) -> None:
    checks = Checks()
    task = asyncio.create_task(checks.run(rules_pb2.VerifyRecordRequest(record=recording.done())))
    await asyncio.sleep(0)
    await checks.close()
    assert (await task).refusal.reason == errors_pb2.REASON_UNAVAILABLE
    assert not checks.pids


async def test_a_variation_is_played_to_its_end_as_its_plies_one_by_one(checks: Checks, recording: Recording) -> None:
    game = registry.games()["einstein"]
    response = await checks.play(variation_request(recording))
    assert not response.HasField("refusal"), response.refusal
    assert response.step.position.value == game.codec.encode(Kind.POSITION, recording.position)
    assert len(response.plies) == 2 * recording.plies
    to_act = [sum(1 << seat for seat in game.to_act(position)) for position in recording.positions[:-1]]
    assert list(response.plies[1::2]) == to_act
    assert not response.step.happening
    assert response.cpu_us > 0


@pytest.mark.parametrize("change", by_day(["actor", "seed", "kind", "seat", "system_action"], "actor", "seed"))
async def test_a_variation_that_the_rules_do_not_follow_is_refused(checks: Checks, recording: Recording, change: str) -> None:
    ply = recording.variation[3]
    if change == "actor":
        ply.actor = 0
    elif change == "seat":
        ply.actor = 6
    elif change == "seed":
        ply.seed = b"short"
    elif change == "system_action":
        ply.system_action.computers = 1
    else:
        ply.ClearField("action")
    response = await checks.play(variation_request(recording))
    assert response.refusal.reason in (errors_pb2.REASON_MALFORMED, errors_pb2.REASON_ILLEGAL, errors_pb2.REASON_NOT_YOUR_TURN)


async def test_an_empty_variation_is_refused(checks: Checks) -> None:
    response = await checks.play(rules_pb2.PlayVariationRequest(game="einstein", seats=2))
    assert response.refusal.reason == errors_pb2.REASON_MALFORMED
