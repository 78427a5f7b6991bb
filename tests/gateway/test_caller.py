"""The address that counts is the client's, and nobody can choose it."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.caller import NOWHERE, Addresses, Caller, peer_address

TRUSTED = "10.0.0.0/8, 2001:db8:1::/48"


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted"),
    [
        ("192.0.2.1", "", "192.0.2.1"),
        ("192.0.2.1", "198.51.100.7", "192.0.2.1"),
        ("10.1.2.3", "", "10.1.2.3"),
        ("10.1.2.3", "198.51.100.7", "198.51.100.7"),
        ("10.1.2.3", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("10.1.2.3", "203.0.113.9, 198.51.100.7, 10.9.9.9", "198.51.100.7"),
        ("10.1.2.3", "198.51.100.7, nonsense", "198.51.100.7"),
        ("2001:db8:1::5", "2001:db8:2:3:4:5:6:7", "2001:db8:2:3::/64"),
        ("::ffff:10.1.2.3", "::ffff:198.51.100.7", "198.51.100.7"),
        ("", "198.51.100.7", NOWHERE),
    ],
)
def test_the_address_is_read_through_trusted_proxies_only(peer: str, forwarded: str, counted: str) -> None:
    assert Addresses(TRUSTED).of(peer, forwarded) == counted


@given(st.text(max_size=40), st.text(max_size=80))
def test_any_text_is_an_address_or_nowhere(peer: str, forwarded: str) -> None:
    counted = Addresses(TRUSTED).of(peer, forwarded)
    assert counted == NOWHERE or ipaddress.ip_network(counted)


@given(st.ip_addresses(v=4).filter(lambda ip: not str(ip).startswith("10.")), st.text(max_size=60))
def test_a_client_cannot_choose_its_address(peer: ipaddress.IPv4Address, forwarded: str) -> None:
    assert Addresses(TRUSTED).of(str(peer), forwarded) == str(peer)


def test_an_address_of_ipv6_counts_as_its_network() -> None:
    addresses = Addresses("")
    assert addresses.of("2001:db8::1") == addresses.of("2001:db8::ffff:1") != addresses.of("2001:db8:0:1::1")


def test_networks_that_cannot_be_read_are_reported() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        Addresses("10.0.0.0/8,nonsense")


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:192.0.2.1:5000", "192.0.2.1"),
        ("ipv6:%5B2001:db8::1%5D:5000", "2001:db8::1"),
        ("ipv6:[::1]:5000", "::1"),
        ("unix:/run/socket", ""),
        ("unix:", ""),
    ],
)
def test_peers_of_grpc_are_read(peer: str, address: str) -> None:
    assert peer_address(peer) == address


def test_a_caller_without_a_token_is_nobody() -> None:
    caller = Caller("192.0.2.1").message
    assert not caller.player_id
    assert caller.address == "192.0.2.1"
