"""Player tokens are signed JWTs, keys can be replaced, and what was given before is good as long as it says."""

import base64
import hashlib
import hmac
import struct

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey
from pydantic import SecretStr

from gateway.identity.players import Players
from gateway.identity.tokens import DERIVED, MIN_KEY, Claims, KeyRing
from services.runtime.refusal import Refused
from services.runtime.settings import Settings
from tests.gateway.identity.test_players import KEY, NOW, Clock

OLD, NEW = ("old", b"o" * 32), ("new", b"n" * 32)
ADA = Claims("a" * 26, "Ada", 3, int(NOW))


def earlier_token(identity: bytes, name: str, expires_s: int) -> str:
    """Return a token as they were before there were key ids."""
    payload = struct.pack(">Q16s", expires_s, identity) + name.encode()
    mac = hmac.digest(KEY, b"token\0" + payload, hashlib.sha256)
    return "bwp1." + base64.urlsafe_b64encode(payload + mac).decode().rstrip("=")


def test_a_token_is_a_jwt_that_names_its_key() -> None:
    token = KeyRing([NEW]).sign(ADA)
    read = jwt.decode(token, OctKey.import_key(NEW[1]), algorithms=["HS256"])
    assert (read.header["kid"], read.header["alg"]) == ("new", "HS256")
    assert read.claims == {"sub": ADA.player_id, "name": "Ada", "gen": 3, "exp": int(NOW)}


def test_a_key_is_replaced_while_its_tokens_stay_good_and_taken_away_afterwards() -> None:
    before = KeyRing([OLD]).sign(ADA)
    both = KeyRing([NEW, OLD])
    assert both.read(before) == both.read(both.sign(ADA)) == ADA
    assert KeyRing([NEW]).read(before) is None


@pytest.mark.parametrize("algorithm", ["none", "HS384"])
def test_a_token_of_another_algorithm_is_not_good(algorithm: str) -> None:
    head = base64.urlsafe_b64encode(f'{{"alg":"{algorithm}","kid":"new"}}'.encode()).decode().rstrip("=")
    _, body, signature = KeyRing([NEW]).sign(ADA).split(".")
    assert KeyRing([NEW]).read(f"{head}.{body}.{signature}") is None
    assert KeyRing([NEW]).read(f"{head}.{body}.") is None


def test_an_earlier_token_is_good_until_it_expires_and_as_long_as_its_key_is_taken() -> None:
    clock = Clock()
    token = earlier_token(bytes(16), "Ada", int(NOW) + 60)
    players = Players(KEY, 365, clock)
    assert (players.recognise(token).name, players.recognise(token).generation) == ("Ada", 0)
    with pytest.raises(Refused):
        Players(KEY, 365, clock, KeyRing([NEW])).recognise(token)
    assert Players(KEY, 365, clock, KeyRing([NEW, (DERIVED, KEY)])).recognise(token).name == "Ada"
    clock.now += 61
    with pytest.raises(Refused):
        players.recognise(token)


def test_tokens_of_before_a_sign_out_are_void_and_those_of_after_are_good() -> None:
    players = Players(KEY, 365)
    before, after = (players.token_of(ADA.player_id, "Ada", generation) for generation in (0, 1))
    assert players.recognise(before).generation == 0
    players.sign_outs.note(ADA.player_id, 1)
    with pytest.raises(Refused):
        players.recognise(before)
    assert players.recognise(after).generation == 1


@pytest.mark.parametrize("keys", ["new:short", "a-b:" + "k" * 32, f"one:{'k' * 32},one:{'l' * 32}"])
def test_keys_that_cannot_be_are_refused(keys: str) -> None:
    with pytest.raises(ValueError):
        KeyRing.of(Settings(secret_key=SecretStr("s" * 32), player_keys=SecretStr(keys)))


def test_a_key_of_the_least_length_with_an_id_of_the_greatest_signs() -> None:
    keys = KeyRing.of(Settings(secret_key=SecretStr("s" * 32), player_keys=SecretStr(f"{'i' * 16}:{'k' * MIN_KEY}")))
    assert not keys.has_derived
