import asyncio
import random

from services.runtime.redis_url import open_redis
from services.runtime.refusal import unavailable
from services.runtime.tasks import TaskSet, end, ended, repeat
from tests.redis_server import running_redis


async def test_a_task_that_forgets_its_cancellation_ends_all_the_same():
    forgotten = 0

    async def work() -> None:
        nonlocal forgotten
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if forgotten == 2:
                    raise
                forgotten += 1

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    await ended(task, again_s=0.01)
    assert task.cancelled()
    assert forgotten == 2


async def test_a_task_that_fails_in_its_end_or_has_ended_already_is_no_error():
    async def fail() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError

    failing, over = asyncio.create_task(fail()), asyncio.create_task(asyncio.sleep(0))
    await over
    await ended(failing, over)
    assert isinstance(failing.exception(), ValueError)
    await ended()


async def test_a_task_that_asks_a_real_redis_again_and_again_ends():
    """redis-py forgets most of the cancellations that come while it sends."""
    with running_redis() as url:
        client = open_redis(url, socket_timeout=5)
        dice = random.Random(1)

        async def ask() -> None:
            while True:
                await client.ping()
                await asyncio.sleep(0.001)  # the pace of calls, which end in the midst

        for _ in range(20):
            task = asyncio.create_task(ask())
            for _ in range(dice.randrange(40)):
                await asyncio.sleep(0)
            await ended(task, again_s=0.01)
            assert task.done()
        await client.aclose()


async def test_a_future_ends_with_what_came_of_something_unless_it_was_given_up():
    made, failed, given_up = (asyncio.get_running_loop().create_future() for _ in range(3))
    given_up.cancel()
    end(made, 7)
    end(made, 8)
    end(failed, ValueError("why"))
    end(given_up, 7)
    assert made.result() == 7
    assert str(failed.exception()) == "why"
    assert given_up.cancelled()


async def test_a_task_set_keeps_tasks_until_they_have_ended() -> None:
    tasks, done = TaskSet(), asyncio.Event()

    async def wait() -> None:
        await done.wait()

    tasks.start(wait(), "key")
    tasks.start(wait())
    assert len(tasks) == 2
    assert "key" in tasks
    done.set()
    await tasks.idle()
    assert not tasks
    assert "key" not in tasks


async def test_ending_a_task_set_cancels_what_runs() -> None:
    tasks, ends = TaskSet(), []

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ends.append(1)

    tasks.start(wait())
    tasks.start(wait())
    await asyncio.sleep(0)
    await tasks.end()
    assert ends == [1, 1]


async def test_repeated_work_goes_on_after_refusals_and_errors() -> None:
    outcomes: list[Exception | None] = [unavailable("store"), ValueError("once"), None]
    all_done = asyncio.Event()

    async def work() -> None:
        outcome = outcomes.pop(0) if outcomes else None
        if not outcomes:
            all_done.set()
        if outcome is not None:
            raise outcome

    running = asyncio.create_task(repeat(work, 0, "it failed"))
    await all_done.wait()
    await ended(running)
    assert not outcomes
