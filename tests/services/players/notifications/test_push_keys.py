"""The keys of Web Push: what they sign and seal, and how they are replaced."""

import pytest
from pydantic import SecretStr

from services.players.notifications.push_keys import PushKey, PushKeys, Subscription
from services.runtime.settings import Settings
from tests.push_endpoint import Received, checked_sender, unpacked

OLD, NEW = "an old secret of thirty-two characters", "a new secret of thirty-two characters!"
SUBSCRIPTION = Subscription("https://push.example.org/abc", b"\x04" + b"k" * 64, b"s" * 16)
NOW = 1_800_000_000.0


def test_a_statement_says_to_one_push_service_who_sends() -> None:
    key = PushKey(NEW)
    header = key.authorization("https://push.example.org", "mailto:a@example.org", NOW)
    received = Received("/abc", {"authorization": header}, b"")
    assert checked_sender(received, "https://push.example.org", NOW) == key.public
    with pytest.raises(AssertionError):
        checked_sender(received, "https://other.example.org", NOW)


def test_the_same_secret_always_makes_the_same_key() -> None:
    assert PushKey(NEW).public == PushKey(NEW).public != PushKey(OLD).public
    assert len(unpacked(PushKey(NEW).public)) == 65


def test_stored_subscriptions_are_unreadable_and_cannot_be_changed() -> None:
    key = PushKey(NEW)
    sealed = key.sealed(SUBSCRIPTION)
    assert b"example" not in sealed
    assert b"kkkk" not in sealed
    assert key.opened(sealed) == SUBSCRIPTION
    assert key.opened(sealed[:-1] + bytes([sealed[-1] ^ 1])) is None


def test_while_a_key_is_replaced_those_who_subscribed_before_are_served() -> None:
    before, during, after = PushKeys([OLD]), PushKeys([NEW, OLD]), PushKeys([NEW])
    sealed = before.newest.sealed(SUBSCRIPTION)
    opened = during.opened(sealed)
    assert opened is not None
    assert (opened[0], opened[1].public) == (SUBSCRIPTION, before.newest.public)
    assert during.newest.public == after.newest.public
    assert after.opened(sealed) is None


@pytest.mark.parametrize("given", ["short", f"{OLD},short", f"{OLD},{NEW},{OLD}", f"{OLD},"])
def test_invalid_keys_are_rejected_at_the_start(given: str) -> None:
    with pytest.raises(ValueError, match="BRETTWERK_PUSH_KEY"):
        PushKeys.of(Settings(push_key=SecretStr(given)))


def test_without_a_key_nobody_gets_push_messages() -> None:
    assert PushKeys.of(Settings(push_key=SecretStr(""))) is None
