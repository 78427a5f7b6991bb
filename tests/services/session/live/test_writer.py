"""Actions that are written without a task, and what becomes of them when something happens meanwhile."""

import asyncio
import gc
from collections.abc import Coroutine
from typing import Any

import pytest

from brettwerk.v1 import errors_pb2, play_pb2
from services.runtime.refusal import Refused, moved_shard
from services.runtime.tasks import EagerCall, PromptFuture, end
from services.session.live.transaction import Transaction
from services.session.store.commits import Result, Unwritten, Write
from services.sharding.shards import shard_of
from tests.services.session.carrying_out import asked, carry_out
from tests.services.session.player import Player, request_id
from tests.services.session.table import Table
from tests.services.session.two_players import two


def becomes(result: Result | Exception) -> PromptFuture[Result]:
    """Return what becomes of a write that the store has answered already."""
    future: PromptFuture[Result] = PromptFuture(loop=asyncio.get_running_loop())
    end(future, result)
    return future


async def action(table: Table, anna: Player, ben: Player, game: str) -> tuple[Player, play_pb2.Call]:
    """Return whose turn it is, and the call of an action of theirs."""
    for seat, player in enumerate((anna, ben)):
        seen = await player.see(game, seat)
        if seat in seen.to_act:
            token = player.token(game, seat)
            request = play_pb2.ActRequest(
                session_id=game,
                seat_token=token,
                expected_version=seen.version,
                request_id=request_id(),
                action=seen.actions[0].action,
            )
            return player, play_pb2.Call(act=request)
    raise AssertionError("nobody is to act")


async def test_an_action_in_a_session_in_memory_needs_no_task(table: Table) -> None:
    anna, ben, game = await two(table)
    player, call = await action(table, anna, ben, game)
    tasks: list[Any] = []
    loop = asyncio.get_running_loop()

    def noted(loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> "asyncio.Task[Any]":
        tasks.append(work)
        return asyncio.Task(work, loop=loop, **options)

    loop.set_task_factory(noted)
    try:
        answer = await carry_out(table.wiring.calls, call, player.caller)
    finally:
        loop.set_task_factory(None)
    assert answer.act.version == call.act.expected_version + 1
    assert [work for work in tasks if work.__name__ == "_rest"] == []


async def test_objects_of_an_action_are_freed_without_the_garbage_collector(table: Table) -> None:
    anna, ben, game = await two(table)
    gc.disable()
    gc.freeze()  # what there is already is not looked at: there is so much of it that links would be given up meanwhile
    try:
        for _ in range(3):
            player, call = await action(table, anna, ben, game)
            await carry_out(table.wiring.calls, call, player.caller)
        left = [type(one) for one in gc.get_objects() if isinstance(one, Write | Transaction | EagerCall)]
    finally:
        gc.enable()
    assert left == []


async def test_an_action_sent_thrice_at_once_is_played_once(table: Table) -> None:
    anna, ben, game = await two(table)
    player, call = await action(table, anna, ben, game)
    answers = await asyncio.gather(*(carry_out(table.wiring.calls, call, player.caller) for _ in range(3)))
    assert answers[0] == answers[1] == answers[2]
    assert (await player.see(game)).version == call.act.expected_version + 1


async def test_an_action_that_another_one_came_before_is_decided_anew(table: Table) -> None:
    anna, ben, game = await two(table)
    player, call = await action(table, anna, ben, game)
    late = play_pb2.Call()
    late.CopyFrom(call)
    late.act.request_id = request_id()
    both = (carry_out(table.wiring.calls, one, player.caller) for one in (call, late))
    first, second = await asyncio.gather(*both, return_exceptions=True)
    assert isinstance(first, play_pb2.Answer)
    assert isinstance(second, Refused)
    assert second.reason == errors_pb2.REASON_STALE_VERSION


async def test_an_action_in_a_shard_of_another_process_is_left_to_its_owner(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben, game = await two(table)
    player, call = await action(table, anna, ben, game)
    monkeypatch.setattr(table.wiring.store, "commit", lambda _write: becomes(Unwritten.MOVED))
    table.wiring.shards._served.pop(shard_of(game))
    with pytest.raises(Refused) as refused:
        await carry_out(table.wiring.calls, call, player.caller)
    assert moved_shard(refused.value.refusal) == shard_of(game)


async def test_an_action_given_up_while_the_rules_are_asked_is_not_played(table: Table) -> None:
    anna, ben, game = await two(table)
    player, call = await action(table, anna, ben, game)
    given_up = EagerCall(ignored(table.wiring.calls.carry_out(asked(call, player.caller))))
    given_up.cancel()
    assert given_up.is_over
    answer = await carry_out(table.wiring.calls, call, player.caller)
    assert answer.act.version == call.act.expected_version + 1


async def ignored(answering: Coroutine[Any, Any, play_pb2.Answer]) -> None:
    await answering


async def test_a_write_that_lost_is_decided_anew(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben, game = await two(table)
    player, call = await action(table, anna, ben, game)
    commit, results = table.wiring.store.commit, [Unwritten.LOST]
    monkeypatch.setattr(table.wiring.store, "commit", lambda write: becomes(results.pop()) if results else commit(write))
    answer = await carry_out(table.wiring.calls, call, player.caller)
    assert answer.act.version == call.act.expected_version + 1


async def test_where_the_store_is_away_it_is_refused_at_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben, game = await two(table)
    player, call = await action(table, anna, ben, game)
    away = Refused(errors_pb2.REASON_UNAVAILABLE, "the store is away")
    monkeypatch.setattr(table.wiring.store, "commit", lambda _write: becomes(away))
    with pytest.raises(Refused) as refused:
        await carry_out(table.wiring.calls, call, player.caller)
    assert refused.value.reason == errors_pb2.REASON_UNAVAILABLE


async def test_an_action_that_the_rules_refuse_changes_nothing(table: Table) -> None:
    anna, ben, game = await two(table)
    player, call = await action(table, anna, ben, game)
    call.act.action.value = b"\x08\x63"
    with pytest.raises(Refused):
        await carry_out(table.wiring.calls, call, player.caller)
    assert (await player.see(game)).version == call.act.expected_version
