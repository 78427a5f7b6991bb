"""The example of RFC 8291, and what a browser reads."""

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from services.players.notifications.push_encryption import MAX_BYTES, PADDED, encrypted, padded
from tests.push_endpoint import Browser, unpacked

PLAIN = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
BROWSER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_rfc_comes_out_byte_for_byte() -> None:
    own = ec.derive_private_key(int.from_bytes(unpacked(SENDER)), ec.SECP256R1())
    assert encrypted(PLAIN, unpacked(BROWSER), unpacked(SECRET), own, unpacked(SALT)) == unpacked(BODY)


def test_the_browser_alone_reads_a_message() -> None:
    one, other = Browser("https://one"), Browser("https://other")
    body = encrypted(PLAIN, one.key, one.secret)
    assert one.read(body) == PLAIN
    with pytest.raises(InvalidTag):
        other.read(body)


def test_two_bodies_of_one_message_have_nothing_in_common_but_their_length() -> None:
    browser = Browser("https://one")
    one, other = (encrypted(PLAIN, browser.key, browser.secret) for _ in range(2))
    assert one != other
    assert len(one) == len(other)


def test_the_length_of_a_message_does_not_tell_what_it_says() -> None:
    assert len(padded(b"{}")) == len(padded(b'{"title": "A long one"}')) == PADDED
    assert padded(b'{"a": 1}').rstrip() == b'{"a": 1}'


def test_text_that_is_too_long_and_invalid_keys_are_errors() -> None:
    browser = Browser("https://one")
    with pytest.raises(ValueError):
        encrypted(b"x" * (MAX_BYTES + 1), browser.key, browser.secret)
    with pytest.raises(ValueError):
        encrypted(PLAIN, b"\x04" + b"x" * 64, browser.secret)
