"""Locks by key: the same for the same key, and gone when nobody needs it."""

import asyncio
import gc

from services.runtime.tasks import KeyLocks


async def test_a_key_has_one_lock_and_others_have_others() -> None:
    locks = KeyLocks()
    held = locks.of("a")
    async with held:
        assert locks.of("a") is held
        assert locks.of("b") is not held


async def test_a_lock_is_kept_for_those_who_wait_and_forgotten_after_them() -> None:
    locks, order = KeyLocks(), list[int]()

    async def enter(number: int) -> None:
        async with locks.of("a"):
            await asyncio.sleep(0)
            order.append(number)

    await asyncio.gather(enter(1), enter(2), enter(3))
    gc.collect()
    assert order == [1, 2, 3]
    assert not locks._locks
