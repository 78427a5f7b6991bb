"""Attacks on signing in, while somebody else signs in from another address: what that person gets too late is counted."""

import asyncio
import itertools
import time
import uuid
from collections.abc import Awaitable, Callable

import grpc

from brettwerk.v1 import accounts_pb2
from loadtests.attacks.target import LATE, Target

LATE_S = 2.0
"""How long another's sign-in may take."""
_VICTIM = 250
"""The number of the address that the other person signs in from."""
_PASSWORD = "four unlikely words together"  # noqa: S105 - of accounts of this attack


async def guest_passwords(target: Target) -> None:
    """Set passwords as one guest after the other, sixty at a time, from one address."""
    await _set_passwords(target, 1)


async def guest_passwords_from_many(target: Target) -> None:
    """Set passwords as one guest after the other, sixty at a time, from a hundred addresses."""
    await _set_passwords(target, 100)


async def guesses(target: Target) -> None:
    """Guess at the password of somebody who has signed in on their device before, from a hundred addresses."""
    numbers = itertools.cycle(range(1, 101))

    async def attack(login: str) -> None:
        proof = accounts_pb2.LoginProof(login=login, password="a wrong guess")  # noqa: S106
        request = accounts_pb2.SignInRequest(login=proof)
        call = target.stub.SignIn(request, metadata=target.metadata(number=next(numbers)), timeout=30)
        await target.answer(call, "signed in")

    await _while_another_signs_in(target, attack)


async def _set_passwords(target: Target, addresses: int) -> None:
    numbers = itertools.cycle(range(1, addresses + 1))

    async def attack(_login: str) -> None:
        number = next(numbers)
        who = await target.guest(number)
        request = accounts_pb2.SetPasswordRequest(login=uuid.uuid4().hex, password=_PASSWORD)
        await target.answer(target.stub.SetPassword(request, metadata=who, timeout=30), "passwords")

    await _while_another_signs_in(target, attack)


async def _while_another_signs_in(target: Target, attack: Callable[[str], Awaitable[None]]) -> None:
    """Attack sixty times at once, while somebody signs in again and again with the device token of their first password."""
    login = uuid.uuid4().hex
    own = accounts_pb2.SetPasswordRequest(login=login, password=_PASSWORD)
    kept = await target.stub.SetPassword(own, metadata=await target.guest(_VICTIM), timeout=30)
    proof = accounts_pb2.LoginProof(login=login, password=_PASSWORD)
    request = accounts_pb2.SignInRequest(login=proof, device_tokens=[kept.device_token])

    async def sign_in() -> None:
        while target.is_on:
            began = time.monotonic()
            try:
                await target.stub.SignIn(request, metadata=target.metadata(number=_VICTIM), timeout=30)
            except grpc.RpcError:
                target.tally[LATE] += 1
            else:
                target.tally[LATE if time.monotonic() - began > LATE_S else "sign-ins of another"] += 1
            await asyncio.sleep(0.5)

    signing_in = asyncio.create_task(sign_in())
    await target.flood(lambda: attack(login), 60)
    await signing_in
