"""Accounts on a real database: every way to come back, and what is refused."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import accounts_pb2, errors_pb2
from services.players.accounts import hash_queue, known_devices, login_throttle
from services.players.accounts.accounts import LINK_MS, Accounts
from services.players.accounts.secrets_kept import new_phrase
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.accounts.sign_outs import SignOuts
from services.players.calls import Caller
from services.players.store import open_store
from services.players.whole_account import WholeAccount
from services.runtime.refusal import Refused

ADA = Caller("a" * 26, "Ada", "192.0.2.1")
BOB = Caller("b" * 26, "Bob", "192.0.2.2")
STRANGER = Caller("", "", "192.0.2.3")
PASSWORD = "correct horse"
pytestmark = pytest.mark.usefixtures("quick_hashes")


class Place:
    """Accounts of a test's own, by a clock of its own."""

    def __init__(self, file: Path) -> None:
        self.now_ms = 1_800_000_000_000
        self.store = open_store(f"sqlite:///{file}")
        self.accounts = Accounts(self.store, b"k" * 32, OwnOrigins(""), lambda: self.now_ms)
        self.whole = WholeAccount(self.store, self.accounts.proofs, lambda: self.now_ms)

    async def link(self, caller: Caller = ADA, **proof: Any) -> str:
        request = accounts_pb2.StartLinkRequest(proof=fresh(**proof))
        response = (await self.accounts.start_link(request, caller)).response
        assert isinstance(response, accounts_pb2.StartLinkResponse)
        return response.code

    async def phrase(self, caller: Caller = ADA, **proof: Any) -> str:
        request = accounts_pb2.SetPhraseRequest(proof=fresh(**proof))
        response = (await self.accounts.set_phrase(request, caller)).response
        assert isinstance(response, accounts_pb2.SetPhraseResponse)
        return response.phrase

    async def password(self, login: str, secret: str, caller: Caller = ADA, current: str = "", **proof: Any) -> str:
        request = accounts_pb2.SetPasswordRequest(login=login, password=secret, current_password=current, proof=fresh(**proof))
        response = (await self.accounts.set_password(request, caller)).response
        assert isinstance(response, accounts_pb2.SetPasswordResponse)
        return response.device_token

    async def delete(self, caller: Caller = ADA, name: str = "", **proof: Any) -> None:
        request = accounts_pb2.DeleteAccountRequest(name=name or caller.name, proof=fresh(**proof))
        await self.whole.delete_account(request, caller)

    async def sign_in(self, caller: Caller = STRANGER, /, **proof: Any) -> players_pb2.ProvedPlayer:
        player = (await self.accounts.sign_in(accounts_pb2.SignInRequest(**proof), caller)).player
        assert player is not None
        return player

    async def log_in(
        self, login: str, password: str, caller: Caller = STRANGER, devices: Sequence[str] = ()
    ) -> players_pb2.ProvedPlayer:
        proof = accounts_pb2.LoginProof(login=login, password=password)
        return await self.sign_in(caller, login=proof, device_tokens=devices)

    async def device(self, devices: Sequence[str] = (), /, **proof: Any) -> str:
        """Sign in and return the token of the device."""
        request = accounts_pb2.SignInRequest(device_tokens=devices, **proof)
        response = (await self.accounts.sign_in(request, STRANGER)).response
        assert isinstance(response, accounts_pb2.SignInResponse)
        return response.device_token

    async def guess(self, devices: Sequence[str] = (), address: str = "198.51.100.1") -> Refused:
        """Guess at Ada's password, and return why that was refused."""
        with pytest.raises(Refused) as refused:
            await self.log_in("Ada", "wrong guess", Caller("", "", address), devices)
        return refused.value

    async def lock(self) -> None:
        """Guess from many addresses until there is a wait."""
        for number in range(20):
            if (await self.guess(address=f"198.51.100.{number}")).reason == errors_pb2.REASON_TOO_MANY_REQUESTS:
                return
        pytest.fail("guesses are free")


def fresh(**proof: Any) -> accounts_pb2.FreshProof | None:
    return accounts_pb2.FreshProof(**proof) if proof else None


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    made = Place(tmp_path / "players.sqlite3")
    yield made
    made.store.close()


async def test_a_link_lets_one_device_in_once_and_soon(place: Place):
    code = await place.link()
    both = await asyncio.gather(place.sign_in(link=code), place.sign_in(link=code), return_exceptions=True)
    (player,) = [one for one in both if isinstance(one, players_pb2.ProvedPlayer)]
    (late,) = [one for one in both if isinstance(one, Refused)]
    assert (player.player_id, player.name, player.generation) == (ADA.player_id, "Ada", 0)
    assert late.refusal.details["what"] == "used_link"
    old = await place.link()
    place.now_ms += LINK_MS
    for link, what in ((old, "old_link"), ("made up", "link")):
        with pytest.raises(Refused) as refused:
            await place.sign_in(link=link)
        assert (refused.value.reason, refused.value.refusal.details["what"]) == (errors_pb2.REASON_UNKNOWN, what)


async def test_a_newer_link_voids_the_one_before(place: Place):
    first = await place.link()
    second = await place.link()
    with pytest.raises(Refused):
        await place.sign_in(link=first)
    assert (await place.sign_in(link=second)).player_id == ADA.player_id


async def test_a_phrase_is_good_however_it_is_typed_until_there_is_another(place: Place):
    first = await place.phrase()
    assert len(first.split()) == 12
    assert (await place.sign_in(phrase=f"  {first.upper()} ")).player_id == ADA.player_id
    second = await place.phrase(phrase=first)
    with pytest.raises(Refused) as refused:
        await place.sign_in(phrase=first)
    assert refused.value.reason == errors_pb2.REASON_UNKNOWN
    assert (await place.sign_in(phrase=second)).player_id == ADA.player_id


async def test_a_name_in_use_is_refused_and_signs_its_player_in_whatever_its_case(place: Place):
    await place.password("Ada", PASSWORD)
    with pytest.raises(Refused) as refused:
        await place.password("ADA", PASSWORD, BOB)
    assert (refused.value.reason, refused.value.refusal.field) == (errors_pb2.REASON_MALFORMED, "login")
    assert (await place.log_in("aDA", PASSWORD)).player_id == ADA.player_id


async def test_another_password_needs_the_one_before(place: Place):
    await place.password("Ada", PASSWORD)
    with pytest.raises(Refused) as refused:
        await place.password("Ada", "another one", current="wrong guess")
    assert refused.value.refusal.field == "current_password"
    await place.password("Ada", "another one", current=PASSWORD)
    assert (await place.log_in("Ada", "another one")).player_id == ADA.player_id


@pytest.mark.nightly
async def test_guesses_at_a_password_are_slowed_from_wherever_they_come(place: Place):
    await place.password("Ada", PASSWORD)
    waits = []
    for number in range(login_throttle.FREE["account"] + 3):
        with pytest.raises(Refused) as refused:
            await place.log_in("Ada", f"wrong guess {number}", Caller("", "", f"198.51.100.{number}"))
        waits.append(refused.value.refusal.retry_after_ms)
        if refused.value.reason == errors_pb2.REASON_TOO_MANY_REQUESTS:
            place.now_ms += refused.value.refusal.retry_after_ms
    assert max(waits) >= login_throttle.FIRST_WAIT_MS
    place.now_ms += login_throttle.MAX_WAIT_MS
    assert (await place.log_in("Ada", PASSWORD)).player_id == ADA.player_id


async def test_signing_out_everywhere_voids_tokens_and_links_and_keeps_the_player(place: Place):
    code = await place.link()
    signed_out = await place.whole.sign_out_everywhere(accounts_pb2.SignOutEverywhereRequest(), ADA)
    assert signed_out.player is not None and signed_out.player.generation == 1
    with pytest.raises(Refused) as refused:
        await place.link(ADA)  # with a token of before
    assert refused.value.reason == errors_pb2.REASON_NO_TOKEN
    with pytest.raises(Refused):
        await place.sign_in(link=code)
    page = await SignOuts(place.store).page(players_pb2.ListSignOutsRequest())
    assert [(one.player_id, one.generation) for one in page.sign_outs] == [(ADA.player_id, 1)]


async def test_a_deleted_account_leaves_nothing_but_that_its_tokens_are_void(place: Place):
    await place.password("Ada", PASSWORD)
    phrase = await place.phrase(password=PASSWORD)
    with pytest.raises(Refused) as refused:
        await place.delete(name="Bob")
    assert refused.value.refusal.field == "name"
    await place.delete(password=PASSWORD)
    for proof in ({"phrase": phrase}, {"login": accounts_pb2.LoginProof(login="Ada", password=PASSWORD)}):
        with pytest.raises(Refused) as refused:
            await place.sign_in(**proof)
        assert refused.value.reason == errors_pb2.REASON_UNKNOWN
    with pytest.raises(Refused):
        await place.accounts.get_account(accounts_pb2.GetAccountRequest(), ADA)


async def test_an_export_holds_what_is_stored_and_no_secret(place: Place):
    await place.password("Ada", PASSWORD)
    phrase = await place.phrase(password=PASSWORD)
    code = await place.link(phrase=phrase)
    response = (await place.whole.export_account(accounts_pb2.ExportAccountRequest(), ADA)).response
    assert isinstance(response, accounts_pb2.ExportAccountResponse)
    text = response.json
    (account,) = json.loads(text)["players_accounts"]
    assert (account["name"], account["login_shown"]) == ("Ada", "Ada")
    assert not any(secret in text for secret in (PASSWORD, phrase, code, "argon2"))


@pytest.mark.parametrize("proof", [{}, {"phrase": "one two three"}, {"phrase": "abandon " * 12}])
async def test_an_impossible_proof_is_refused(place: Place, proof: dict[str, str]):
    with pytest.raises(Refused) as refused:
        await place.sign_in(**proof)
    assert refused.value.reason == errors_pb2.REASON_MALFORMED


async def test_an_account_needs_a_token(place: Place):
    with pytest.raises(Refused) as refused:
        await place.link(STRANGER)
    assert refused.value.reason == errors_pb2.REASON_NO_TOKEN


Change = Callable[..., Awaitable[object]]
CHANGES: dict[str, Change] = {
    "a link": Place.link,
    "a phrase": Place.phrase,
    "a password": lambda place, **proof: place.password("Ada", "another one", **proof),
    "the end": Place.delete,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_a_token_alone_changes_no_way_to_sign_in_and_ends_no_account(
    place: Place, change: Callable[..., Awaitable[object]]
):
    await place.password("Ada", PASSWORD)
    for proof, said in (({}, "missing"), ({"password": "a wrong guess"}, "wrong"), ({"phrase": new_phrase()}, "wrong")):
        with pytest.raises(Refused) as refused:
            await change(place, **proof)
        assert refused.value.reason == errors_pb2.REASON_PROOF_NEEDED
        assert dict(refused.value.refusal.details) == {"ways": "password", "proof": said}
    await change(place, password=PASSWORD)


async def test_a_phrase_is_a_proof_like_any_other(place: Place):
    phrase = await place.phrase()
    with pytest.raises(Refused) as refused:
        await place.password("Ada", PASSWORD)
    assert refused.value.refusal.details["ways"] == "phrase"
    await place.password("Ada", PASSWORD, phrase=phrase)
    with pytest.raises(Refused) as refused:
        await place.delete()
    assert refused.value.refusal.details["ways"] == "password,phrase"


async def test_a_player_without_any_means_of_proof_needs_none(place: Place):
    await place.link()
    await place.link()
    await place.delete()
    await place.delete(BOB)


async def test_strangers_who_guess_wrong_do_not_lock_out_a_device_on_which_the_player_has_signed_in(place: Place):
    await place.password("Ada", PASSWORD)
    device = await place.device(login=accounts_pb2.LoginProof(login="Ada", password=PASSWORD))
    await place.lock()
    with pytest.raises(Refused) as refused:
        await place.log_in("Ada", PASSWORD)
    assert refused.value.reason == errors_pb2.REASON_TOO_MANY_REQUESTS
    assert (await place.log_in("Ada", PASSWORD, devices=["made up", device])).player_id == ADA.player_id


async def test_wrong_guesses_of_strangers_lock_out_neither_the_phrase_nor_a_token(place: Place):
    phrase = await place.phrase()
    await place.password("Ada", PASSWORD, phrase=phrase)
    await place.lock()
    assert (await place.sign_in(phrase=phrase)).player_id == ADA.player_id
    await place.password("Ada", "another one", current=PASSWORD)


async def test_a_known_device_has_few_guesses_of_its_own(place: Place):
    device = await place.password("Ada", PASSWORD)
    reasons = [(await place.guess([device])).reason for _ in range(login_throttle.FREE["device"] + 2)]
    assert reasons[-1] == errors_pb2.REASON_TOO_MANY_REQUESTS
    assert (await place.log_in("Ada", PASSWORD)).player_id == ADA.player_id  # and slows down nobody else


async def test_a_device_is_known_to_its_player_only_and_its_token_proves_nobody(place: Place):
    device = await place.password("Bob", PASSWORD, BOB)
    await place.password("Ada", PASSWORD)
    await place.lock()
    assert (await place.guess([device])).reason == errors_pb2.REASON_TOO_MANY_REQUESTS
    with pytest.raises(Refused):
        await place.sign_in(link=device)


@pytest.mark.parametrize("end", ["password", "everywhere", "time", "others"])
async def test_a_device_is_known_no_longer(place: Place, end: str):
    await place.password("Ada", PASSWORD)
    proof = accounts_pb2.LoginProof(login="Ada", password=PASSWORD)
    device = await place.device(login=proof)
    assert await place.device([device], login=proof) == device
    match end:
        case "password":
            await place.password("Ada", "another one", password=PASSWORD)
        case "everywhere":
            await place.whole.sign_out_everywhere(accounts_pb2.SignOutEverywhereRequest(), ADA)
        case "time":
            place.now_ms += known_devices.GOOD_MS
        case "others":
            for _ in range(known_devices.MAX_DEVICES):
                place.now_ms += 1
                await place.device(login=proof)
    await place.lock()
    assert (await place.guess([device])).reason == errors_pb2.REASON_TOO_MANY_REQUESTS


async def test_a_device_is_known_for_as_long_after_each_sign_in(place: Place):
    await place.password("Ada", PASSWORD)
    proof = accounts_pb2.LoginProof(login="Ada", password=PASSWORD)
    device = await place.device(login=proof)
    for _ in range(3):
        place.now_ms += known_devices.GOOD_MS - 1000
        assert await place.device([device], login=proof) == device
    await place.lock()
    assert (await place.log_in("Ada", PASSWORD, devices=[device])).player_id == ADA.player_id


async def test_a_player_who_signs_out_everywhere_can_prove_again_after_a_thief_has_guessed(place: Place):
    await place.password("Ada", PASSWORD)
    for _ in range(login_throttle.FREE["holder"] + 1):
        with pytest.raises(Refused) as refused:
            await place.link(password="a wrong guess")
    assert refused.value.reason == errors_pb2.REASON_TOO_MANY_REQUESTS
    await place.whole.sign_out_everywhere(accounts_pb2.SignOutEverywhereRequest(), ADA)
    await place.link(replace(ADA, generation=1), password=PASSWORD)


async def test_an_attempt_that_is_not_hashed_because_too_many_wait_is_no_guess(place: Place, monkeypatch: pytest.MonkeyPatch):
    await place.password("Ada", PASSWORD)
    with monkeypatch.context() as patch:
        patch.setattr(hash_queue.Rank.SIGN_IN, "waiting_each", 0)
        for _ in range(login_throttle.FREE["account"] + 1):
            assert (await place.guess()).reason == errors_pb2.REASON_FULL
    assert (await place.log_in("Ada", PASSWORD)).player_id == ADA.player_id


async def test_a_proof_that_is_not_hashed_because_too_many_wait_is_no_guess(place: Place, monkeypatch: pytest.MonkeyPatch):
    await place.password("Ada", PASSWORD)
    with monkeypatch.context() as patch:
        patch.setattr(hash_queue.Rank.PLAYER, "waiting_each", 0)
        for _ in range(login_throttle.FREE["holder"] + 1):
            with pytest.raises(Refused) as refused:
                await place.link(password=PASSWORD)
            assert refused.value.reason == errors_pb2.REASON_FULL
    assert await place.link(password=PASSWORD)
