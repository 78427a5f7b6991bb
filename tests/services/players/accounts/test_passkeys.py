"""Passkeys against an authenticator in software: whom they let in, and what is refused."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import accounts_pb2, errors_pb2
from services.players.accounts import challenges, login_throttle, passkeys
from services.players.accounts.accounts import Accounts
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.calls import Caller
from services.players.store import open_store
from services.runtime.refusal import Refused
from tests.services.players.accounts.authenticator import Authenticator

ADA = Caller("a" * 26, "Ada", "192.0.2.1")
BOB = Caller("b" * 26, "Bob", "192.0.2.2")
STRANGER = Caller("", "", "192.0.2.3")
ORIGIN = "https://play.example.org"
ADD, SIGN_IN = accounts_pb2.StartPasskeyRequest.PURPOSE_ADD, accounts_pb2.StartPasskeyRequest.PURPOSE_SIGN_IN
PROVE = accounts_pb2.StartPasskeyRequest.PURPOSE_PROVE


class Place:
    """Accounts of a test's own, by a clock of its own, and Ada's telephone."""

    def __init__(self, file: Path) -> None:
        self.now_ms = 1_800_000_000_000
        self.store = open_store(f"sqlite:///{file}")
        self.accounts = Accounts(self.store, b"k" * 32, OwnOrigins(ORIGIN), lambda: self.now_ms)
        self.handlers = self.accounts.handlers()
        self.phone = Authenticator()

    async def start(self, purpose: "accounts_pb2.StartPasskeyRequest.Purpose.ValueType", caller: Caller, origin: str = ORIGIN):
        request = accounts_pb2.StartPasskeyRequest(purpose=purpose, origin=origin)
        response = (await self.handlers["start_passkey"](request, caller)).response
        assert isinstance(response, accounts_pb2.StartPasskeyResponse)
        return response

    async def keep(
        self,
        challenge_id: str,
        credential: str,
        caller: Caller = ADA,
        label: str = "Phone",
        proof: accounts_pb2.FreshProof | None = None,
    ) -> accounts_pb2.Account:
        """Add the passkey that has answered."""
        answer = accounts_pb2.PasskeyProof(challenge_id=challenge_id, credential=credential)
        request = accounts_pb2.AddPasskeyRequest(proof=answer, label=label, fresh_proof=proof)
        response = (await self.handlers["add_passkey"](request, caller)).response
        assert isinstance(response, accounts_pb2.AddPasskeyResponse)
        return response.account

    async def add(self, caller: Caller = ADA, label: str = "Phone", by: Authenticator | None = None) -> accounts_pb2.Account:
        """Add a passkey of the phone. `by`: a device that has one already."""
        started = await self.start(ADD, caller)
        proof = None if by is None else await self.proof(by)
        return await self.keep(started.challenge_id, self.phone.make(started.options, ORIGIN), caller, label, proof)

    async def proof(self, by: Authenticator, caller: Caller = ADA) -> accounts_pb2.FreshProof:
        """Return a fresh proof by the newest passkey of a device."""
        started = await self.start(PROVE, caller)
        answer = accounts_pb2.PasskeyProof(challenge_id=started.challenge_id, credential=by.sign(started.options, ORIGIN))
        return accounts_pb2.FreshProof(passkey=answer)

    async def remove(self, key: str, proof: accounts_pb2.FreshProof | None = None, caller: Caller = ADA) -> accounts_pb2.Account:
        request = accounts_pb2.RemovePasskeyRequest(id=key, proof=proof)
        response = (await self.handlers["remove_passkey"](request, caller)).response
        assert isinstance(response, accounts_pb2.RemovePasskeyResponse)
        return response.account

    async def answer(self, challenge_id: str, credential: str) -> players_pb2.ProvedPlayer:
        proof = accounts_pb2.PasskeyProof(challenge_id=challenge_id, credential=credential)
        player = (await self.accounts.sign_in(accounts_pb2.SignInRequest(passkey=proof), STRANGER)).player
        assert player is not None
        return player

    async def sign_in(self, origin: str = ORIGIN) -> players_pb2.ProvedPlayer:
        started = await self.start(SIGN_IN, STRANGER)
        return await self.answer(started.challenge_id, self.phone.sign(started.options, origin))


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    made = Place(tmp_path / "players.sqlite3")
    yield made
    made.store.close()


async def test_a_passkey_makes_the_guest_an_account_and_signs_in_again_and_again(place: Place):
    account = await place.add()
    assert [one.label for one in account.passkeys] == ["Phone"]
    assert account.created_at_ms == place.now_ms
    for _ in range(2):
        player = await place.sign_in()
        assert (player.player_id, player.name) == (ADA.player_id, "Ada")


async def test_keys_are_discoverable_and_ask_for_the_person_where_they_can(place: Place):
    options = json.loads((await place.start(ADD, ADA)).options)
    assert options["rp"]["id"] == "play.example.org"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["authenticatorSelection"]["userVerification"] == "preferred"
    options = json.loads((await place.start(SIGN_IN, STRANGER)).options)
    assert (options.get("allowCredentials", []), options["userVerification"]) == ([], "preferred")


@pytest.mark.parametrize("origin", ["https://evil.example", "http://play.example.org", "https://play.example.org.evil.example"])
async def test_an_answer_for_a_page_of_another_origin_proves_nobody(place: Place, origin: str):
    await place.add()
    with pytest.raises(Refused) as refused:
        await place.sign_in(origin)
    assert (refused.value.reason, refused.value.refusal.details["what"]) == (errors_pb2.REASON_UNKNOWN, "passkey")
    started = await place.start(ADD, ADA)
    made, proof = Authenticator().make(started.options, origin), await place.proof(place.phone)
    with pytest.raises(Refused) as refused:
        await place.keep(started.challenge_id, made, proof=proof)
    assert refused.value.refusal.field == "credential"
    with pytest.raises(Refused) as refused:
        await place.start(SIGN_IN, STRANGER, origin)
    assert refused.value.refusal.field == "origin"


async def test_a_challenge_is_answered_once_even_by_two_at_the_same_time(place: Place):
    await place.add()
    started = await place.start(SIGN_IN, STRANGER)
    first, second = (place.phone.sign(started.options, ORIGIN) for _ in range(2))
    both = await asyncio.gather(
        place.answer(started.challenge_id, first), place.answer(started.challenge_id, second), return_exceptions=True
    )
    (late,) = [one for one in both if isinstance(one, Refused)]
    assert late.refusal.details["what"] == "used_challenge"
    with pytest.raises(Refused) as refused:
        await place.answer(started.challenge_id, first)
    assert refused.value.refusal.details["what"] == "used_challenge"


async def test_a_challenge_is_good_for_its_time_its_purpose_and_its_player(place: Place):
    await place.add()
    started = await place.start(SIGN_IN, STRANGER)
    answer = place.phone.sign(started.options, ORIGIN)
    with pytest.raises(Refused) as refused:
        await place.answer("made up", answer)
    assert refused.value.refusal.details["what"] == "challenge"
    mine = await place.start(ADD, ADA)
    with pytest.raises(Refused) as refused:
        await place.keep(mine.challenge_id, Authenticator().make(mine.options, ORIGIN), BOB)
    assert refused.value.refusal.details["what"] == "challenge"
    with pytest.raises(Refused) as refused:
        await place.answer(mine.challenge_id, answer)
    assert refused.value.refusal.details["what"] == "challenge"
    place.now_ms += challenges.GOOD_MS
    with pytest.raises(Refused) as refused:
        await place.answer(started.challenge_id, answer)
    assert refused.value.refusal.details["what"] == "old_challenge"


async def test_an_answer_to_one_challenge_is_none_to_another(place: Place):
    await place.add()
    one, other = await place.start(SIGN_IN, STRANGER), await place.start(SIGN_IN, STRANGER)
    with pytest.raises(Refused) as refused:
        await place.answer(other.challenge_id, place.phone.sign(one.options, ORIGIN))
    assert refused.value.refusal.details["what"] == "passkey"


async def test_a_removed_passkey_lets_nobody_in_and_others_go_on(place: Place):
    first = (await place.add(label="Lost")).passkeys[0]
    lost, place.phone = place.phone, Authenticator()
    await place.add(label="New", by=lost)
    with pytest.raises(Refused) as refused:
        await place.remove(first.id, caller=BOB)
    assert refused.value.refusal.details["what"] == "no_passkey"
    account = await place.remove(first.id, await place.proof(place.phone))
    assert [one.label for one in account.passkeys] == ["New"]
    assert (await place.sign_in()).player_id == ADA.player_id
    place.phone = lost
    with pytest.raises(Refused) as refused:
        await place.sign_in()
    assert refused.value.refusal.details["what"] == "passkey"


async def test_a_copy_of_a_key_is_found_by_its_count(place: Place):
    await place.add()
    place.phone.count = 7
    await place.sign_in()
    place.phone.count = 7
    with pytest.raises(Refused) as refused:
        await place.sign_in()  # counts as the last one did
    assert refused.value.refusal.details["what"] == "passkey"


async def test_another_key_under_the_same_id_is_not_the_player(place: Place):
    await place.add()
    thief = Authenticator()
    thief.make((await place.start(ADD, BOB)).options, ORIGIN)
    thief.keys[0].id, thief.keys[0].user = place.phone.keys[0].id, ADA.player_id.encode()
    place.phone = thief
    with pytest.raises(Refused) as refused:
        await place.sign_in()
    assert refused.value.refusal.details["what"] == "passkey"


async def test_a_passkey_gets_another_name_that_can_be_shown(place: Place):
    (key,) = (await place.add()).passkeys
    renaming = accounts_pb2.RenamePasskeyRequest(id=key.id, label=" Key ring ")
    response = (await place.handlers["rename_passkey"](renaming, ADA)).response
    assert isinstance(response, accounts_pb2.RenamePasskeyResponse)
    assert [one.label for one in response.account.passkeys] == ["Key ring"]
    for label in ("", "a\nb", "x" * 41):
        with pytest.raises(Refused) as refused:
            await place.handlers["rename_passkey"](accounts_pb2.RenamePasskeyRequest(id=key.id, label=label), ADA)
        assert refused.value.refusal.field == "label"


async def test_a_player_has_so_many_passkeys_and_no_more(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(passkeys, "MAX_PASSKEYS", 2)
    started = [await place.start(ADD, ADA) for _ in range(3)]
    await place.keep(started[0].challenge_id, place.phone.make(started[0].options, ORIGIN))
    made, proof = Authenticator().make(started[1].options, ORIGIN), await place.proof(place.phone)
    await place.keep(started[1].challenge_id, made, proof=proof)
    made, proof = Authenticator().make(started[2].options, ORIGIN), await place.proof(place.phone)
    with pytest.raises(Refused) as refused:
        await place.keep(started[2].challenge_id, made, proof=proof)
    assert (refused.value.reason, refused.value.refusal.details["bound"]) == (errors_pb2.REASON_FULL, "passkeys")
    with pytest.raises(Refused) as refused:
        await place.start(ADD, ADA)
    assert refused.value.reason == errors_pb2.REASON_FULL


async def test_wrong_answers_are_slowed_by_address_and_right_ones_are_not(place: Place):
    await place.add()
    for _ in range(login_throttle.FREE["address"] + 5):
        await place.sign_in()
    for _ in range(login_throttle.FREE["address"]):
        with pytest.raises(Refused) as refused:
            await place.answer("made up", "{}")
        assert refused.value.reason == errors_pb2.REASON_UNKNOWN
    with pytest.raises(Refused) as refused:
        await place.answer("made up", "{}")
    assert refused.value.reason == errors_pb2.REASON_TOO_MANY_REQUESTS


@pytest.mark.parametrize(
    "credential",
    ["", "{}", "[]", '{"id": "x", "rawId": 7}', "\ud7ff" * 9, '{"id":"AA","rawId":"AA","type":"public-key","response":{}}'],
)
async def test_an_invalid_answer_is_refused(place: Place, credential: str):
    started = await place.start(SIGN_IN, STRANGER)
    with pytest.raises(Refused) as refused:
        await place.answer(started.challenge_id, credential)
    assert refused.value.reason == errors_pb2.REASON_UNKNOWN
    mine = await place.start(ADD, ADA)
    with pytest.raises(Refused) as refused:
        await place.keep(mine.challenge_id, credential)
    assert refused.value.refusal.field == "credential"


async def test_a_caller_without_a_token_adds_no_passkey(place: Place):
    with pytest.raises(Refused) as refused:
        await place.start(ADD, STRANGER)
    assert refused.value.reason == errors_pb2.REASON_NO_TOKEN


async def test_a_token_alone_adds_and_removes_no_passkey(place: Place):
    (key,) = (await place.add()).passkeys
    started, thief = await place.start(ADD, ADA), Authenticator()
    made = thief.make(started.options, ORIGIN)
    for refusing in (place.keep(started.challenge_id, made), place.remove(key.id)):
        with pytest.raises(Refused) as refused:
            await refusing
        assert refused.value.reason == errors_pb2.REASON_PROOF_NEEDED
        assert dict(refused.value.refusal.details) == {"ways": "passkey", "proof": "missing"}
    # the answer of the new passkey is good still, once there is a proof
    account = await place.keep(started.challenge_id, made, proof=await place.proof(place.phone))
    assert len(account.passkeys) == 2


async def test_a_proof_is_the_callers_own_and_given_for_that_purpose(place: Place):
    await place.add()
    other = Authenticator()
    here, place.phone = place.phone, other
    await place.add(BOB)
    place.phone = here
    for_bob, mine = await place.start(PROVE, BOB), await place.start(PROVE, ADA)
    signing_in = await place.start(SIGN_IN, STRANGER)
    assert [one["id"] for one in json.loads(mine.options)["allowCredentials"]]

    async def refusal(challenge_id: str, credential: str) -> errors_pb2.Refusal:
        answer = accounts_pb2.PasskeyProof(challenge_id=challenge_id, credential=credential)
        with pytest.raises(Refused) as refused:
            await place.accounts.start_link(accounts_pb2.StartLinkRequest(proof=accounts_pb2.FreshProof(passkey=answer)), ADA)
        return refused.value.refusal

    for started in (for_bob, signing_in):
        assert (await refusal(started.challenge_id, here.sign(started.options, ORIGIN))).details["what"] == "challenge"
    bobs = await refusal(mine.challenge_id, other.sign(mine.options, ORIGIN))
    assert (bobs.reason, bobs.details["proof"]) == (errors_pb2.REASON_PROOF_NEEDED, "wrong")


async def test_a_player_without_a_passkey_proves_nothing_with_one(place: Place):
    with pytest.raises(Refused) as refused:
        await place.start(PROVE, BOB)
    assert refused.value.refusal.details["what"] == "no_passkey"


async def test_passkeys_that_no_page_can_use_any_more_are_asked_for_no_proof(place: Place):
    (key,) = (await place.add()).passkeys
    place.accounts = Accounts(place.store, b"k" * 32, OwnOrigins(""), lambda: place.now_ms)
    place.handlers = place.accounts.handlers()
    assert not (await place.remove(key.id)).passkeys
