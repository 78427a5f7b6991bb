"""The order in which secrets are hashed, at the real cost of a hash, and those that are not hashed at all."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from brettwerk.v1 import accounts_pb2, errors_pb2, play_pb2
from services.players.accounts import hash_queue
from services.players.accounts.accounts import Accounts
from services.players.accounts.hash_queue import HashQueue, Rank
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.calls import Answered, Caller, Calls
from services.players.store import open_store
from services.runtime.inner_calls import by_all_names
from services.runtime.refusal import Refused

ADA = Caller("a" * 26, "Ada", "192.0.2.1")
STRANGER = Caller("", "", "192.0.2.3")
PASSWORD = "correct horse"
GUESTS = 10


@pytest.fixture
async def accounts(tmp_path: Path) -> AsyncIterator[Accounts]:
    store = open_store(f"sqlite:///{tmp_path}/players.sqlite3")
    yield Accounts(store, b"k" * 32, OwnOrigins(""))
    store.close()


def guest(number: int, address: str) -> Caller:
    return Caller(f"guest{number:021}", "Guest", address)


@pytest.mark.nightly
@pytest.mark.parametrize("addresses", [1, 100])
async def test_a_sign_in_does_not_wait_for_the_new_passwords_of_guests(accounts: Accounts, addresses: int):
    await accounts.set_password(accounts_pb2.SetPasswordRequest(login="Ada", password=PASSWORD), ADA)
    under_way, done = asyncio.Event(), 0

    async def flood(number: int) -> None:
        nonlocal done
        caller = guest(number, f"198.51.100.{number % addresses}")
        await accounts.set_password(accounts_pb2.SetPasswordRequest(login=f"guest {number}", password=PASSWORD), caller)
        done += 1
        under_way.set()

    guests = [asyncio.create_task(flood(number)) for number in range(GUESTS)]
    await under_way.wait()
    before = done
    proof = accounts_pb2.LoginProof(login="Ada", password=PASSWORD)
    signed_in = await accounts.sign_in(accounts_pb2.SignInRequest(login=proof), STRANGER)
    assert signed_in.player is not None and signed_in.player.player_id == ADA.player_id
    assert done - before <= 3
    refused = [end for end in await asyncio.gather(*guests, return_exceptions=True) if end is not None]
    assert len(refused) == GUESTS - done
    assert {(one.reason, one.refusal.details["bound"]) for one in refused if isinstance(one, Refused)} <= {
        (errors_pb2.REASON_FULL, "hashes")
    }
    assert all(isinstance(one, Refused) and one.refusal.retry_after_ms for one in refused)


class Gate:
    """Work that goes on until the test lets it end, and what was begun."""

    def __init__(self) -> None:
        self.queue = HashQueue()
        self.begun: list[str] = []
        self._open = threading.Event()

    def ask(self, rank: Rank, address: str, name: str) -> asyncio.Task[str]:
        def work() -> str:
            self.begun.append(name)
            self._open.wait(30)
            return name

        return asyncio.create_task(self.queue.run(rank, address, work))

    async def occupy(self) -> list[asyncio.Task[str]]:
        """Take all places."""
        tasks = [self.ask(Rank.SIGN_IN, f"busy {number}", "busy") for number in range(hash_queue.AT_ONCE)]
        await until(lambda: len(self.begun) == hash_queue.AT_ONCE)
        return tasks

    def open(self) -> None:
        self._open.set()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - a thread makes it true
            await asyncio.sleep(0.001)


@pytest.fixture
def gate() -> Gate:
    return Gate()


async def test_known_devices_come_before_sign_ins_and_those_before_new_accounts(gate: Gate):
    tasks = await gate.occupy()
    for rank in reversed(Rank):
        tasks.append(gate.ask(rank, "192.0.2.1", rank.name))
        await asyncio.sleep(0)
    gate.open()
    await asyncio.gather(*tasks)
    assert gate.begun[hash_queue.AT_ONCE :] == [rank.name for rank in Rank]


async def test_addresses_take_turns_whatever_each_of_them_asks_for(gate: Gate):
    tasks = await gate.occupy()
    for number in range(5):
        tasks.append(gate.ask(Rank.SIGN_IN, "192.0.2.1", f"many {number}"))
    tasks.append(gate.ask(Rank.SIGN_IN, "192.0.2.2", "one"))
    await asyncio.sleep(0)
    gate.open()
    await asyncio.gather(*tasks)
    assert "one" in gate.begun[hash_queue.AT_ONCE :][:3]


@pytest.mark.parametrize(("often", "once"), [(Rank.KNOWN_DEVICE, Rank.SIGN_IN), (Rank.SIGN_IN, Rank.GUEST)])
async def test_an_address_that_signs_in_again_and_again_comes_first_no_longer(gate: Gate, often: Rank, once: Rank):
    tasks = await gate.occupy()
    tasks += [gate.ask(often, "192.0.2.1", "often") for _ in range(often.waiting_each)]
    tasks.append(gate.ask(once, "192.0.2.2", "once"))
    await asyncio.sleep(0)
    gate.open()
    await asyncio.gather(*tasks)
    assert "once" in gate.begun[hash_queue.AT_ONCE :][:6]


async def test_guests_leave_a_place_free_for_others(gate: Gate):
    guests = [gate.ask(Rank.GUEST, f"192.0.2.{number}", "guest") for number in range(hash_queue.AT_ONCE + 2)]
    await until(lambda: bool(gate.begun))
    other = gate.ask(Rank.SIGN_IN, "192.0.2.100", "other")
    await until(lambda: "other" in gate.begun)
    assert gate.begun == ["guest"] * (hash_queue.AT_ONCE - 1) + ["other"]
    gate.open()
    await asyncio.gather(*guests, other)


async def test_abandoned_passwords_are_not_hashed(gate: Gate):
    tasks = await gate.occupy()
    gone, stays = gate.ask(Rank.SIGN_IN, "192.0.2.1", "gone"), gate.ask(Rank.SIGN_IN, "192.0.2.1", "stays")
    await asyncio.sleep(0)
    gone.cancel()
    gate.open()
    await asyncio.gather(*tasks, stays)
    assert gate.begun[hash_queue.AT_ONCE :] == ["stays"]


async def test_a_hash_whose_caller_has_gone_keeps_its_place_until_it_is_done(gate: Gate):
    """Or else those who call and go would fill the memory."""
    for task in await gate.occupy():
        task.cancel()
    waiting = gate.ask(Rank.SIGN_IN, "192.0.2.1", "waiting")
    for _ in range(20):
        await asyncio.sleep(0.001)  # nothing happens, which no condition shows
    assert "waiting" not in gate.begun
    gate.open()
    assert await waiting == "waiting"


async def test_an_address_that_has_too_many_waiting_is_refused_and_others_are_not(gate: Gate):
    tasks = await gate.occupy()
    each = Rank.GUEST.waiting_each
    tasks += [gate.ask(Rank.GUEST, "192.0.2.1", "guest") for _ in range(each)]
    await asyncio.sleep(0)
    with pytest.raises(Refused) as refused:
        await gate.ask(Rank.GUEST, "192.0.2.1", "one too many")
    assert refused.value.reason == errors_pb2.REASON_FULL
    tasks += [gate.ask(Rank.GUEST, "192.0.2.2", "other"), gate.ask(Rank.SIGN_IN, "192.0.2.1", "sign in")]
    gate.open()
    await asyncio.gather(*tasks)
    assert {"other", "sign in"} <= set(gate.begun)


async def test_when_all_are_full_the_longest_row_gives_way_to_an_address_with_less(gate: Gate):
    tasks = await gate.occupy()
    each = Rank.SIGN_IN.waiting_each
    for number in range(hash_queue.WAITING // each):
        tasks += [gate.ask(Rank.SIGN_IN, f"198.51.100.{number}", "many") for _ in range(each)]
    await asyncio.sleep(0)
    tasks.append(gate.ask(Rank.SIGN_IN, "192.0.2.1", "one"))
    await asyncio.sleep(0)
    gate.open()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert [end.reason for end in ends if isinstance(end, Refused)] == [errors_pb2.REASON_FULL]
    assert ends[-1] == "one"


async def test_when_all_are_full_an_address_with_as_much_as_the_others_is_refused(gate: Gate):
    tasks = await gate.occupy()
    for number in range(hash_queue.WAITING):
        tasks.append(gate.ask(Rank.SIGN_IN, f"198.51.100.{number}", "first"))
    await asyncio.sleep(0)
    with pytest.raises(Refused) as refused:
        await gate.ask(Rank.SIGN_IN, "192.0.2.1", "late")
    assert refused.value.reason == errors_pb2.REASON_FULL
    gate.open()
    assert set(await asyncio.gather(*tasks)) == {"busy", "first"}


async def test_passwords_past_their_deadline_are_not_hashed(gate: Gate):
    tasks, given_up = await gate.occupy(), asyncio.Event()

    async def wait_in_line(_request: object, caller: Caller) -> Answered:
        try:
            await gate.queue.run(Rank.GUEST, caller.address, lambda: gate.begun.append("late"))
        finally:
            given_up.set()
        raise AssertionError("nobody waits for this any more")

    calls = Calls({"set_phrase": wait_in_line})

    class Service(players_pb2_grpc.PlayersServiceServicer):
        async def AnswerCall(self, request: Any, context: Any) -> players_pb2.AnswerCallResponse:
            return await calls.answer(request)

    server = grpc.aio.server()
    players_pb2_grpc.add_PlayersServiceServicer_to_server(Service(), by_all_names(server))  # type: ignore[abstract]
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            call = play_pb2.Call(set_phrase=accounts_pb2.SetPhraseRequest()).SerializeToString()
            asked = players_pb2_grpc.PlayersServiceStub(channel).AnswerCall(players_pb2.AnswerCallRequest(call=call), timeout=1)
            with pytest.raises(grpc.RpcError) as caught:
                await asked
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        await given_up.wait()  # the server hears of it a little later than the client
        gate.open()
        await asyncio.gather(*tasks)
        # a guest's turn would have come by now: the places are free, and this one comes after it
        assert await gate.ask(Rank.GUEST, "192.0.2.9", "last") == "last"
        assert gate.begun[hash_queue.AT_ONCE :] == ["last"]
    finally:
        await server.stop(None)
