"""Accounts on a real database: every way to come back, and what is refused."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import accounts_pb2, errors_pb2
from services.players.accounts import slowing
from services.players.accounts.accounts import LINK_MS, Accounts
from services.players.accounts.own_origins import OwnOrigins
from services.players.calls import Caller
from services.players.store import open_store
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

    async def link(self, caller: Caller = ADA) -> str:
        response = (await self.accounts.start_link(accounts_pb2.StartLinkRequest(), caller)).response
        assert isinstance(response, accounts_pb2.StartLinkResponse)
        return response.code

    async def phrase(self, caller: Caller = ADA) -> str:
        response = (await self.accounts.set_phrase(accounts_pb2.SetPhraseRequest(), caller)).response
        assert isinstance(response, accounts_pb2.SetPhraseResponse)
        return response.phrase

    async def password(self, login: str, password: str, caller: Caller = ADA, current: str = "") -> None:
        request = accounts_pb2.SetPasswordRequest(login=login, password=password, current_password=current)
        await self.accounts.set_password(request, caller)

    async def sign_in(self, caller: Caller = STRANGER, /, **proof: Any) -> players_pb2.ProvedPlayer:
        player = (await self.accounts.sign_in(accounts_pb2.SignInRequest(**proof), caller)).player
        assert player is not None
        return player

    async def log_in(self, login: str, password: str, caller: Caller = STRANGER) -> players_pb2.ProvedPlayer:
        return await self.sign_in(caller, login=accounts_pb2.LoginProof(login=login, password=password))


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
    second = await place.phrase()
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
    for number in range(slowing.FREE["account"] + 3):
        with pytest.raises(Refused) as refused:
            await place.log_in("Ada", f"wrong guess {number}", Caller("", "", f"198.51.100.{number}"))
        waits.append(refused.value.refusal.retry_after_ms)
        if refused.value.reason == errors_pb2.REASON_TOO_MANY_REQUESTS:
            place.now_ms += refused.value.refusal.retry_after_ms
    assert max(waits) >= slowing.FIRST_WAIT_MS
    place.now_ms += slowing.MAX_WAIT_MS
    assert (await place.log_in("Ada", PASSWORD)).player_id == ADA.player_id


async def test_who_signs_out_everywhere_voids_tokens_and_links_and_stays_who_they_are(place: Place):
    code = await place.link()
    signed_out = await place.accounts.sign_out_everywhere(accounts_pb2.SignOutEverywhereRequest(), ADA)
    assert signed_out.player is not None and signed_out.player.generation == 1
    with pytest.raises(Refused) as refused:
        await place.link(ADA)  # with a token of before
    assert refused.value.reason == errors_pb2.REASON_NO_TOKEN
    with pytest.raises(Refused):
        await place.sign_in(link=code)
    page = await place.accounts.sign_outs(players_pb2.ListSignOutsRequest())
    assert [(one.player_id, one.generation) for one in page.sign_outs] == [(ADA.player_id, 1)]
    assert not (await place.accounts.sign_outs(players_pb2.ListSignOutsRequest(after=page.cursor))).sign_outs


async def test_a_deleted_account_leaves_nothing_but_that_its_tokens_are_void(place: Place):
    await place.password("Ada", PASSWORD)
    phrase = await place.phrase()
    with pytest.raises(Refused):
        await place.accounts.delete_account(accounts_pb2.DeleteAccountRequest(name="Bob"), ADA)
    await place.accounts.delete_account(accounts_pb2.DeleteAccountRequest(name="Ada"), ADA)
    for proof in ({"phrase": phrase}, {"login": accounts_pb2.LoginProof(login="Ada", password=PASSWORD)}):
        with pytest.raises(Refused) as refused:
            await place.sign_in(**proof)
        assert refused.value.reason == errors_pb2.REASON_UNKNOWN
    with pytest.raises(Refused):
        await place.accounts.get_account(accounts_pb2.GetAccountRequest(), ADA)


async def test_an_export_holds_what_is_stored_and_no_secret(place: Place):
    await place.password("Ada", PASSWORD)
    phrase, code = await place.phrase(), await place.link()
    response = (await place.accounts.export_account(accounts_pb2.ExportAccountRequest(), ADA)).response
    assert isinstance(response, accounts_pb2.ExportAccountResponse)
    text = response.json
    (account,) = json.loads(text)["players_accounts"]
    assert (account["name"], account["login_shown"]) == ("Ada", "Ada")
    assert not any(secret in text for secret in (PASSWORD, phrase, code, "argon2"))


@pytest.mark.parametrize("proof", [{}, {"phrase": "one two three"}, {"phrase": "abandon " * 12}])
async def test_what_cannot_be_a_proof_is_refused(place: Place, proof: dict[str, str]):
    with pytest.raises(Refused) as refused:
        await place.sign_in(**proof)
    assert refused.value.reason == errors_pb2.REASON_MALFORMED


async def test_nobody_without_a_token_has_an_account(place: Place):
    with pytest.raises(Refused) as refused:
        await place.link(STRANGER)
    assert refused.value.reason == errors_pb2.REASON_NO_TOKEN
