"""Signing in through an OpenID provider: a real one that runs, and one that lies."""

import urllib.parse
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import accounts_pb2, errors_pb2
from services.players.accounts import challenges, login_throttle
from services.players.accounts.accounts import Accounts
from services.players.accounts.provider import AWAY_S, KEYS_AGAIN_S, Client, Passage, Provider
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.calls import Caller
from services.players.store import open_store
from services.players.whole_account import WholeAccount
from services.runtime.refusal import Refused
from services.runtime.settings import Settings
from tests.openid_provider import OpenIdProvider

ADA = Caller("a" * 26, "Ada", "192.0.2.1")
PHONE = Caller("b" * 26, "Phone", "192.0.2.2")
ORIGIN = "https://play.example.org"


@pytest.fixture(scope="module")
def running() -> Iterator[OpenIdProvider]:
    with OpenIdProvider() as provider:
        yield provider


class Place:
    """Accounts of a test's own, with a provider."""

    def __init__(self, file: Path, client: Client) -> None:
        self.now_ms = 1_800_000_000_000
        self.store = open_store(f"sqlite:///{file}")
        self.provider = Provider(client)
        self.accounts = Accounts(self.store, b"k" * 32, OwnOrigins(ORIGIN), lambda: self.now_ms, self.provider)
        self.browser = httpx2.AsyncClient(trust_env=False)

    async def start(self, caller: Caller = ADA, origin: str = ORIGIN, proof: accounts_pb2.FreshProof | None = None) -> str:
        request = accounts_pb2.StartProviderSignInRequest(origin=origin, proof=proof)
        response = (await self.accounts.handlers()["start_provider_sign_in"](request, caller)).response
        assert isinstance(response, accounts_pb2.StartProviderSignInResponse)
        return response.address

    async def visit(self, address: str, subject: str) -> accounts_pb2.ProviderProof:
        """Sign in at the provider's page; returns what it adds to the address that it sends the browser back to."""
        there = await self.browser.get(address)
        assert there.status_code == 200, there.text
        back = (await self.browser.post(address, data={"sub": subject})).headers["location"]
        assert back.startswith(f"{ORIGIN}/signed-in?")
        said = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back).query))
        return accounts_pb2.ProviderProof(state=said["state"], code=said["code"])

    async def finish(self, proof: accounts_pb2.ProviderProof, caller: Caller = ADA) -> players_pb2.ProvedPlayer:
        player = (await self.accounts.sign_in(accounts_pb2.SignInRequest(provider=proof), caller)).player
        assert player is not None
        return player

    async def sign_in(self, caller: Caller = ADA, subject: str = "ada@example.org") -> players_pb2.ProvedPlayer:
        return await self.finish(await self.visit(await self.start(caller), subject), caller)

    async def close(self) -> None:
        await self.browser.aclose()
        await self.provider.close()
        self.store.close()


def client_of(running: OpenIdProvider) -> Client:
    return Client(running.issuer, *running.register(f"{ORIGIN}/signed-in"), "Example")


@pytest.fixture
async def place(tmp_path: Path, running: OpenIdProvider) -> AsyncIterator[Place]:
    made = Place(tmp_path / "players.sqlite3", client_of(running))
    yield made
    await made.close()


async def test_the_guest_becomes_the_account_and_comes_back_on_another_device(place: Place):
    assert (await place.sign_in(ADA)).player_id == ADA.player_id
    response = (await place.accounts.get_account(accounts_pb2.GetAccountRequest(), ADA)).response
    assert isinstance(response, accounts_pb2.GetAccountResponse)
    assert response.account.has_provider
    player = await place.sign_in(PHONE)
    assert (player.player_id, player.name) == (ADA.player_id, "Ada")
    assert (await place.sign_in(PHONE, "bert@example.org")).player_id == PHONE.player_id


async def test_a_token_alone_makes_no_provider_a_way_to_sign_in(place: Place, quick_hashes: None):
    setting = accounts_pb2.SetPasswordRequest(login="Ada", password="correct horse")
    await place.accounts.set_password(setting, ADA)
    with pytest.raises(Refused) as refused:
        await place.start(ADA)
    assert refused.value.reason == errors_pb2.REASON_PROOF_NEEDED
    address = await place.start(ADA, proof=accounts_pb2.FreshProof(password="correct horse"))
    assert (await place.finish(await place.visit(address, "ada@example.org"), ADA)).player_id == ADA.player_id


async def test_the_provider_is_asked_for_a_code_with_state_nonce_and_a_challenge_by_hash(place: Place):
    first, second = [dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(await place.start()).query)) for _ in range(2)]
    assert (first["response_type"], first["code_challenge_method"], first["scope"]) == ("code", "S256", "openid")
    assert all(first[name] != second[name] for name in ("state", "nonce", "code_challenge"))


async def test_a_code_that_another_browser_brings_is_refused(place: Place):
    proof = await place.visit(await place.start(ADA), "ada@example.org")
    with pytest.raises(Refused) as refused:
        await place.finish(proof, PHONE)
    assert (refused.value.reason, refused.value.refusal.details["what"]) == (errors_pb2.REASON_UNKNOWN, "challenge")
    assert (await place.finish(proof, ADA)).player_id == ADA.player_id


async def test_an_answer_is_good_once_and_soon(place: Place):
    proof = await place.visit(await place.start(), "ada@example.org")
    late = await place.visit(await place.start(), "ada@example.org")
    await place.finish(proof)
    with pytest.raises(Refused) as refused:
        await place.finish(proof)
    assert refused.value.refusal.details["what"] == "used_challenge"
    place.now_ms += challenges.GOOD_MS
    with pytest.raises(Refused) as refused:
        await place.finish(late)
    assert refused.value.refusal.details["what"] == "old_challenge"


async def test_a_code_goes_with_its_own_way_only(place: Place):
    one = await place.visit(await place.start(), "ada@example.org")
    other = await place.visit(await place.start(), "eve@example.org")
    with pytest.raises(Refused) as refused:  # another verifier
        await place.finish(accounts_pb2.ProviderProof(state=one.state, code=other.code))
    assert (refused.value.reason, refused.value.refusal.details["what"]) == (errors_pb2.REASON_UNKNOWN, "provider")


async def test_made_up_answers_are_slowed(place: Place):
    for _ in range(login_throttle.FREE["address"] + 1):
        with pytest.raises(Refused) as refused:
            await place.finish(accounts_pb2.ProviderProof(state="made up", code="made up"))
    with pytest.raises(Refused) as refused:
        await place.finish(accounts_pb2.ProviderProof(state="made up", code="made up"))
    assert refused.value.reason == errors_pb2.REASON_TOO_MANY_REQUESTS


async def test_pages_of_other_origins_and_strangers_do_not_start(place: Place):
    with pytest.raises(Refused) as refused:
        await place.start(ADA, "https://evil.example")
    assert refused.value.refusal.field == "origin"
    with pytest.raises(Refused) as refused:
        await place.start(Caller("", "", "192.0.2.3"))
    assert refused.value.reason == errors_pb2.REASON_NO_TOKEN
    with pytest.raises(Refused) as refused:
        await place.finish(accounts_pb2.ProviderProof(state="x", code="x"), Caller("", "", "192.0.2.3"))
    assert refused.value.reason == errors_pb2.REASON_NO_TOKEN


async def test_a_deleted_account_is_forgotten_by_that_way_too(place: Place):
    await place.sign_in(ADA)
    whole = WholeAccount(place.store, place.accounts.proofs, lambda: place.now_ms)
    await whole.delete_account(accounts_pb2.DeleteAccountRequest(name="Ada"), ADA)
    assert (await place.sign_in(PHONE)).player_id == PHONE.player_id


@pytest.mark.nightly
async def test_while_the_provider_is_away_that_is_said_and_the_way_can_be_gone_to_its_end_later(tmp_path: Path):
    with OpenIdProvider() as own:
        client = client_of(own)
        place = Place(tmp_path / "players.sqlite3", client)
        proof = await place.visit(await place.start(), "ada@example.org")
        own.stop()
        for _ in range(2):
            with pytest.raises(Refused) as refused:
                await place.finish(proof)
            assert refused.value.reason == errors_pb2.REASON_UNAVAILABLE
            assert refused.value.refusal.details["what"] == "provider"
        assert await place.start(), "what it said last counts"
        own.start()
        with pytest.raises(Refused) as refused:  # it has forgotten the code, but answers
            await place.finish(proof)
        assert refused.value.reason == errors_pb2.REASON_UNKNOWN
        await place.close()


async def test_a_secret_that_is_wrong_proves_nobody(tmp_path: Path, running: OpenIdProvider):
    client = client_of(running)
    place = Place(tmp_path / "players.sqlite3", Client(client.issuer, client.id, "wrong", "Example"))
    with pytest.raises(Refused) as refused:
        await place.sign_in()
    assert refused.value.refusal.details["what"] == "provider"
    await place.close()


class Liar:
    """A provider whose tokens say what a test wants, reached without a network."""

    issuer = "https://id.example.org"

    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": "1"})
        self.published: list[Any] = [self.key]
        self.sign: Callable[[dict[str, Any]], str] = lambda claims: self.token(claims, self.key, "RS256")
        self.metadata: dict[str, Any] = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
        }
        self.claims: dict[str, Any] = {}
        self.asked: list[str] = []
        self.body: bytes | None = None

    @staticmethod
    def token(claims: Mapping[str, Any], key: Any, algorithm: str) -> str:
        return jwt.encode({"alg": algorithm, "kid": "1"}, dict(claims), key, algorithms=[algorithm])

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request.url.path)
        if self.body is not None:
            return httpx2.Response(200, content=self.body)
        if request.url.path == "/token":
            return httpx2.Response(200, json={"id_token": self.sign(self.claims)})
        if request.url.path == "/keys":
            return httpx2.Response(200, json=KeySet(self.published).as_dict(private=False))
        return httpx2.Response(200, json=self.metadata)


NOW_S = 1_800_000_000
PASSAGE = Passage(f"{ORIGIN}/signed-in", "state", "nonce", "v" * 43)
TRUE = {"iss": Liar.issuer, "aud": "brettwerk", "sub": "ada", "nonce": "nonce", "iat": NOW_S, "exp": NOW_S + 300}


class Lies:
    def __init__(self) -> None:
        self.liar = Liar()
        self.liar.claims = dict(TRUE)
        self.now_s = float(NOW_S)
        client = Client(Liar.issuer, "brettwerk", "s" * 40, "Example")
        self.provider = Provider(client, lambda: self.now_s, httpx2.MockTransport(self.liar.answer))


@pytest.fixture
async def lies() -> AsyncIterator[Lies]:
    made = Lies()
    yield made
    await made.provider.close()


async def test_a_true_token_names_its_subject(lies: Lies):
    assert (await lies.provider.proved("code", PASSAGE)).subject == "ada"
    lies.liar.claims["aud"] = ["brettwerk", "others"]
    lies.liar.claims["azp"] = "brettwerk"
    assert (await lies.provider.proved("code", PASSAGE)).subject == "ada"


@pytest.mark.parametrize(
    ("claim", "said", "values"),
    [
        ("groups", {"groups": ["mods", 7, "staff"]}, {"mods", "staff"}),
        ("groups", {"groups": "mods"}, {"mods"}),
        ("groups", {}, set()),
        ("realm_access.roles", {"realm_access": {"roles": ["mods"]}}, {"mods"}),
        ("realm_access.roles", {"realm_access": ["mods"]}, set()),
        ("https://example.org/roles", {"https://example.org/roles": ["mods"]}, {"mods"}),
        ("", {"groups": ["mods"]}, set()),
    ],
)
async def test_the_claim_of_roles_is_read_where_the_setting_says(lies: Lies, claim: str, said: dict[str, Any], values: set[str]):
    lies.provider.client = replace(lies.provider.client, role_claim=claim)
    lies.liar.claims |= said
    assert (await lies.provider.proved("code", PASSAGE)).roles == values


@pytest.mark.parametrize(
    "lie",
    [
        {"iss": "https://evil.example"},
        {"aud": "others"},
        {"aud": ["brettwerk", "others"]},
        {"azp": "others"},
        {"nonce": "another"},
        {"nonce": None},
        {"exp": NOW_S - 61},
        {"exp": None},
        {"iat": NOW_S + 120},
        {"sub": None},
        {"sub": 7},
    ],
    ids=str,
)
async def test_a_token_that_says_something_else_proves_nobody(lies: Lies, lie: dict[str, Any]):
    lies.liar.claims = {name: value for name, value in (TRUE | lie).items() if value is not None}
    with pytest.raises(Refused) as refused:
        await lies.provider.proved("code", PASSAGE)
    assert refused.value.reason == errors_pb2.REASON_UNKNOWN


@pytest.mark.parametrize("forgery", ["none", "secret", "other key", "no token"])
async def test_a_token_that_the_provider_has_not_signed_proves_nobody(lies: Lies, forgery: str):
    liar = lies.liar
    other = RSAKey.generate_key(2048, {"kid": "1"})
    unsigned = "eyJhbGciOiJub25lIn0." + liar.token(TRUE, liar.key, "RS256").split(".")[1] + "."
    liar.sign = {
        "none": lambda _: unsigned,
        "secret": lambda claims: liar.token(claims, OctKey.import_key("s" * 40), "HS256"),
        "other key": lambda claims: liar.token(claims, other, "RS256"),
        "no token": lambda _: "nonsense",
    }[forgery]
    with pytest.raises(Refused) as refused:
        await lies.provider.proved("code", PASSAGE)
    assert refused.value.reason == errors_pb2.REASON_UNKNOWN


async def test_replaced_keys_are_asked_for_but_not_at_every_token(lies: Lies):
    liar = lies.liar
    await lies.provider.proved("code", PASSAGE)
    liar.key = RSAKey.generate_key(2048, {"kid": "1"})
    liar.published = [liar.key]
    with pytest.raises(Refused):
        await lies.provider.proved("code", PASSAGE)
    assert liar.asked.count("/keys") == 1
    lies.now_s += KEYS_AGAIN_S
    assert (await lies.provider.proved("code", PASSAGE)).subject == "ada"
    assert liar.asked.count("/keys") == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"issuer": "https://evil.example"},
        {"token_endpoint": "http://id.example.org/token"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"jwks_uri": None},
    ],
    ids=str,
)
async def test_a_provider_that_is_not_the_one_that_is_set_is_not_used(lies: Lies, wrong: dict[str, Any]):
    lies.liar.metadata |= wrong
    with pytest.raises(Refused) as refused:
        await lies.provider.address(PASSAGE)
    assert refused.value.reason == errors_pb2.REASON_UNAVAILABLE


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"\xff" * 20, b'"' + b"x" * 300_000 + b'"'], ids=["empty", "list", "bytes", "large"]
)
async def test_a_provider_that_talks_nonsense_is_away_and_left_alone_for_a_while(lies: Lies, body: bytes):
    lies.liar.body = body
    for _ in range(3):
        with pytest.raises(Refused) as refused:
            await lies.provider.address(PASSAGE)
        assert refused.value.reason == errors_pb2.REASON_UNAVAILABLE
    assert len(lies.liar.asked) == 1
    lies.liar.body = None
    lies.now_s += AWAY_S + 1
    assert (await lies.provider.address(PASSAGE)).startswith("https://id.example.org/authorize?")


def settings(**given: str) -> Settings:
    return Settings.model_validate({f"openid_{name}": value for name, value in given.items()})


def test_no_provider_is_set_at_first():
    assert Client.of(settings()) is None


def test_a_provider_without_a_name_is_called_by_its_host():
    client = Client.of(settings(issuer="https://id.example.org/realm", client_id="brettwerk"))
    assert client is not None
    assert client.name == "id.example.org"


@pytest.mark.parametrize("issuer", ["http://id.example.org", "id.example.org", "https://id.example.org/?x=1", ""])
def test_an_issuer_that_cannot_be_trusted_is_refused_at_the_start(issuer: str):
    with pytest.raises(ValueError, match="BRETTWERK_OPENID_ISSUER"):
        Client.of(settings(issuer=issuer, client_id="brettwerk"))
