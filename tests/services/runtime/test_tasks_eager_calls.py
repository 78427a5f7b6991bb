import asyncio
from contextvars import ContextVar
from typing import Any

import pytest

from services.runtime.tasks import EagerCall, PromptFuture, ends_within
from tests.services.runtime.link.ends import until

_name: ContextVar[str] = ContextVar("name", default="outside")


def future() -> PromptFuture[Any]:
    return PromptFuture(loop=asyncio.get_running_loop())


def open_future() -> "asyncio.Future[Any]":
    return asyncio.get_running_loop().create_future()


async def test_a_call_that_awaits_nothing_is_over_where_it_begins() -> None:
    done: list[str] = []

    async def work() -> None:
        done.append("work")

    assert EagerCall(work()).is_over
    assert done == ["work"]


async def test_a_prompt_result_is_taken_in_the_moment_when_it_comes_and_without_a_task() -> None:
    first, second = future(), future()
    done: list[Any] = []

    async def work() -> None:
        done.append(await first)
        done.append(await second)
        done.append(len(asyncio.all_tasks()))

    call = EagerCall(work())
    first.set_result(1)
    assert done == [1]
    second.set_result(2)
    assert done == [1, 2, 1]  # the one task is the test's
    assert call.is_over


async def test_a_prompt_exception_is_raised_where_it_is_awaited() -> None:
    waits_for, caught = future(), open_future()

    async def work() -> None:
        try:
            await waits_for
        except KeyError as error:
            caught.set_result(error)

    EagerCall(work())
    error = KeyError("no")
    waits_for.set_exception(error)
    assert await caught is error


async def test_a_result_that_was_there_before_is_awaited_as_well() -> None:
    there = future()
    there.set_result("there")
    done: list[str] = []

    async def work() -> None:
        done.append(await there)

    assert EagerCall(work()).is_over
    assert done == ["there"]


@pytest.mark.parametrize("before", [0, 1])
async def test_any_other_awaitable_goes_on_in_a_task(before: int) -> None:
    prompt, plain, later, done = future(), open_future(), future(), open_future()

    async def work() -> None:
        found = [await prompt] if before else []
        found.append(await plain)
        async with asyncio.timeout(10):
            found.append(await later)
        await asyncio.sleep(0)
        done.set_result(found)

    call = EagerCall(work())
    prompt.set_result("prompt")
    plain.set_result("plain")
    asyncio.get_running_loop().call_later(0.01, later.set_result, "later")
    assert await done == ["prompt", "plain", "later"][1 - before :]
    await until(lambda: call.is_over)


async def test_two_calls_may_await_the_same_result() -> None:
    shared, done = future(), [open_future(), open_future()]

    async def work(number: int) -> None:
        done[number].set_result(await shared)

    EagerCall(work(0))
    EagerCall(work(1))
    shared.set_result("shared")
    assert await asyncio.gather(*done) == ["shared", "shared"]


@pytest.mark.parametrize("is_prompt", [True, False])
@pytest.mark.parametrize("rounds", [0, 3])
async def test_a_cancelled_call_cleans_up_and_cancels_what_it_awaits(is_prompt: bool, rounds: int) -> None:
    waits_for, cleaned, more = future() if is_prompt else open_future(), open_future(), future()

    async def work() -> None:
        try:
            await waits_for
        finally:
            cleaned.set_result(await more)

    call = EagerCall(work())
    for _ in range(rounds):
        await asyncio.sleep(0)
    call.cancel()
    asyncio.get_running_loop().call_later(0.01, more.set_result, "cleaned")
    assert await cleaned == "cleaned"
    assert waits_for.cancelled()
    await until(lambda: call.is_over)
    call.cancel()  # which changes nothing any more


async def test_a_result_that_somebody_else_cancels_ends_the_call() -> None:
    waits_for, cancelled = future(), open_future()

    async def work() -> None:
        try:
            await waits_for
        except asyncio.CancelledError:
            cancelled.set_result(None)
            raise

    EagerCall(work())
    waits_for.cancel()
    await cancelled


async def test_a_call_keeps_the_context_that_it_began_in_and_leaves_others_alone() -> None:
    prompt, plain, done = future(), open_future(), open_future()

    async def work() -> None:
        found = [_name.get()]
        token = _name.set("inside")
        await prompt
        found.append(_name.get())
        await plain
        found.append(_name.get())
        _name.reset(token)
        done.set_result([*found, _name.get()])

    _name.set("caller")
    EagerCall(work())
    assert _name.get() == "caller"
    _name.set("another")
    prompt.set_result(None)
    plain.set_result(None)
    assert await done == ["caller", "inside", "inside", "caller"]


@pytest.mark.parametrize("is_prompt", [True, False])
async def test_a_call_that_fails_is_logged_and_disturbs_nobody(is_prompt: bool, capsys: pytest.CaptureFixture[str]) -> None:
    waits_for = future() if is_prompt else open_future()

    async def work() -> None:
        await waits_for
        raise KeyError("a fault")

    call = EagerCall(work())
    waits_for.set_result(None)
    await until(lambda: call.is_over)
    assert "a fault" in capsys.readouterr().out


async def test_a_listener_that_fails_does_not_disturb_who_gives_the_result() -> None:
    waits_for = future()

    def fail(_ended: PromptFuture[Any]) -> None:
        raise KeyError("a fault")

    waits_for.tell(fail)
    waits_for.set_result(1)
    assert await waits_for == 1


async def test_a_call_waits_for_so_long_and_no_longer_without_a_task() -> None:
    ended: list[Any] = []
    never = asyncio.Event()

    async def fail() -> None:
        raise KeyError("a fault")

    async def work() -> None:
        ended.append(await ends_within(60, asyncio.sleep(0)))
        ended.append(await ends_within(0.01, never.wait()))
        with pytest.raises(KeyError):
            await ends_within(60, fail())
        ended.append("failed")

    call = EagerCall(work())
    await until(lambda: call.is_over)
    assert ended == [True, False, "failed"]
    await until(lambda: len(asyncio.all_tasks()) == 1)  # the test's: what was waited for is cancelled
