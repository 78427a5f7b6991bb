"""The address that counts is the client's, and nobody can choose it."""

import ipaddress
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.identity.caller import FORWARDED, HOPS, NOWHERE, X_FORWARDED_FOR, Addresses, Caller, IpAddress, peer_address

TRUSTED = "10.0.0.0/8, 2001:db8:1::/48"
CLIENT = ipaddress.ip_address("198.51.100.7")

untrusted: st.SearchStrategy[IpAddress] = st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)).filter(
    lambda ip: Addresses(TRUSTED).of(str(ip), ["192.0.2.9"]) != "192.0.2.9"
)
pieces = st.sampled_from(
    ["6.6.6.6", "10.9.9.9", "for=6.6.6.6", "for=", "by=", '"', "\\", '\\"', ",", ";", "=", " ", "[", "]", ":", "unknown", "_x"]
)
claims = st.one_of(st.text(max_size=60), st.lists(pieces, max_size=20).map("".join))
"""Text that a client may write into the header itself; the second kind looks like what a proxy writes."""


@pytest.mark.parametrize(
    ("peer", "lines", "counted"),
    [
        ("192.0.2.1", [], "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.7"], "192.0.2.1"),
        ("10.1.2.3", [], "10.1.2.3"),
        ("10.1.2.3", [""], "10.1.2.3"),
        ("10.1.2.3", ["198.51.100.7"], "198.51.100.7"),
        ("10.1.2.3", ["203.0.113.9, 198.51.100.7"], "198.51.100.7"),
        ("10.1.2.3", ["203.0.113.9, 198.51.100.7, 10.9.9.9"], "198.51.100.7"),
        ("10.1.2.3", ["6.6.6.6", "198.51.100.7"], "198.51.100.7"),
        ("10.1.2.3", ["6.6.6.6", "198.51.100.7", "10.9.9.9"], "198.51.100.7"),
        ("10.1.2.3", ["6.6.6.6, 198.51.100.7", "10.8.8.8, 10.9.9.9"], "198.51.100.7"),
        ("10.1.2.3", ["198.51.100.7:4711"], "198.51.100.7"),
        ("10.1.2.3", ["6.6.6.6, 198.51.100.7:4711"], "198.51.100.7"),
        ("10.1.2.3", ["198.51.100.7, 10.9.9.9:443"], "198.51.100.7"),
        ("10.1.2.3", ["[2001:db8:2:3::1]:443"], "2001:db8:2:3::/64"),
        ("10.1.2.3", ["6.6.6.6, [2001:db8:2:3::1]"], "2001:db8:2:3::/64"),
        ("10.1.2.3", ["6.6.6.6, unknown"], "10.1.2.3"),
        ("10.1.2.3", ["6.6.6.6, unknown, 10.9.9.9"], "10.9.9.9"),
        ("10.1.2.3", ["198.51.100.7, nonsense"], "10.1.2.3"),
        ("10.1.2.3", ["6.6.6.6,"], "10.1.2.3"),
        ("10.1.2.3", ["6.6.6.6", ""], "10.1.2.3"),
        ("10.1.2.3", ["6.6.6.6, [198.51.100.7]:80"], "10.1.2.3"),
        ("10.1.2.3", ["6.6.6.6, 198.51.100.7:port"], "10.1.2.3"),
        ("2001:db8:1::5", ["2001:db8:2:3:4:5:6:7"], "2001:db8:2:3::/64"),
        ("fe80::1%eth0", [], "fe80::/64"),
        ("::ffff:10.1.2.3", ["::ffff:198.51.100.7"], "198.51.100.7"),
        ("10.1.2.3", ["[::ffff:198.51.100.7]:4711"], "198.51.100.7"),
        ("", ["198.51.100.7"], NOWHERE),
    ],
)
def test_the_address_is_read_through_trusted_proxies_only(peer: str, lines: list[str], counted: str) -> None:
    assert Addresses(TRUSTED).of(peer, lines) == counted


@pytest.mark.parametrize(
    ("lines", "counted"),
    [
        (["for=198.51.100.7"], "198.51.100.7"),
        (["For=198.51.100.7;proto=https;by=203.0.113.43"], "198.51.100.7"),
        (['by="10.0.0.1";for="198.51.100.7:4711"'], "198.51.100.7"),
        (['for="[2001:db8:2:3::17]:4711"'], "2001:db8:2:3::/64"),
        (['for="[2001:db8:2:3::17]:_port"'], "2001:db8:2:3::/64"),
        (['for="198.51.\\100.7"'], "198.51.100.7"),
        (["for=198.51.100.7:4711"], "198.51.100.7"),
        (["for=6.6.6.6, for=198.51.100.7"], "198.51.100.7"),
        (["for=6.6.6.6", "for=198.51.100.7"], "198.51.100.7"),
        (["for=6.6.6.6,for=198.51.100.7 , for=10.9.9.9;host=a"], "198.51.100.7"),
        (['for=198.51.100.7;host="a,for=6.6.6.6"'], "198.51.100.7"),
        (['for="6.6.6.6', 'for=198.51.100.7;by="10.0.0.1"'], "198.51.100.7"),
        (['for="6.6.6.6, for=198.51.100.7;by="10.0.0.1"'], "198.51.100.7"),
        (["for=198.51.100.7, for=unknown"], "10.1.2.3"),
        (["for=198.51.100.7, for=_hidden"], "10.1.2.3"),
        (['for=198.51.100.7, for="_gazonk:80"'], "10.1.2.3"),
        (["for=198.51.100.7, for=unknown, for=10.9.9.9"], "10.9.9.9"),
        (["for=198.51.100.7, proto=https"], "10.1.2.3"),
        (["for=6.6.6.6, for=198.51.100.7;for=6.6.6.6"], "10.1.2.3"),
        (["for=6.6.6.6, nonsense"], "10.1.2.3"),
        (["198.51.100.7"], "10.1.2.3"),
        ([], "10.1.2.3"),
    ],
)
def test_the_address_is_read_from_forwarded_where_the_proxies_write_that(lines: list[str], counted: str) -> None:
    assert Addresses(TRUSTED, FORWARDED).of("10.1.2.3", lines) == counted


@pytest.mark.parametrize("header", [X_FORWARDED_FOR, FORWARDED])
@given(peer=st.text(max_size=40), lines=st.lists(claims, max_size=3))
def test_any_text_is_an_address_or_nowhere(header: str, peer: str, lines: list[str]) -> None:
    counted = Addresses(TRUSTED, header).of(peer, lines)
    assert counted == NOWHERE or ipaddress.ip_network(counted)


@pytest.mark.parametrize("header", [X_FORWARDED_FOR, FORWARDED])
@given(peer=untrusted, lines=st.lists(claims, max_size=3))
def test_a_client_without_a_proxy_cannot_choose_its_address(header: str, peer: IpAddress, lines: list[str]) -> None:
    assert Addresses(TRUSTED, header).of(str(peer), lines) == Addresses("").of(str(peer))


def as_stated(header: str, address: IpAddress, port: str) -> str:
    """Return what a proxy writes about a connection."""
    bracketed = f"[{address}]" if address.version == 6 else str(address)
    if header == X_FORWARDED_FOR:
        return f"{bracketed}:{port}" if port else str(address)
    return f'for="{bracketed}{port and ":"}{port}";host="a,for=6.6.6.6"'


@pytest.mark.parametrize("header", [X_FORWARDED_FOR, FORWARDED])
@given(
    client=untrusted,
    lines=st.lists(claims, max_size=3),
    port=st.sampled_from(["", "4711"]),
    has_own_line=st.booleans(),
    inner=st.lists(st.booleans(), max_size=3),
)
def test_a_client_behind_a_trusted_proxy_cannot_choose_its_address(
    header: str, client: IpAddress, lines: list[str], port: str, has_own_line: bool, inner: list[bool]
) -> None:
    hops = [(client, has_own_line), *((ipaddress.ip_address("10.9.9.9"), is_line) for is_line in inner)]
    stated = list(lines)
    for address, is_line in hops:
        hop = as_stated(header, address, port if address == client else "")
        if is_line or not stated:
            stated.append(hop)
        else:
            stated[-1] += f", {hop}"
    assert Addresses(TRUSTED, header).of("10.1.2.3", stated) == Addresses("").of(str(client))


@pytest.mark.parametrize(("header", "hop"), [(X_FORWARDED_FOR, "{}"), (FORWARDED, "for={}")])
def test_a_chain_of_any_length_is_read_up_to_a_bound_from_its_end(header: str, hop: str) -> None:
    addresses = Addresses(TRUSTED, header)
    proxies = [hop.format(f"10.0.0.{number}") for number in range(HOPS - 1)]
    assert addresses.of("10.1.2.3", [", ".join([hop.format("198.51.100.7"), *proxies])]) == "198.51.100.7"
    assert addresses.of("10.1.2.3", [", ".join([hop.format("198.51.100.7"), *proxies, proxies[0]])]) == "10.0.0.0"


@pytest.mark.parametrize("header", [X_FORWARDED_FOR, FORWARDED])
@pytest.mark.parametrize(
    "claim",
    [
        "," * 30_000,
        "for=6.6.6.6;" * 3_000,
        '"' * 30_000,
        "for=" + "6" * 30_000,
        "for=" + "6" * 400 + '"',
        ("for=" + "6" * 400 + '",') * 70,
        'for="' + "\\x" * 200,
        'x="";' * 80 + "x",
        '\\",' * 10_000,
    ],
)
def test_the_claims_of_a_client_cost_little(header: str, claim: str) -> None:
    addresses, began = Addresses(TRUSTED, header), time.process_time()
    for _ in range(100):
        assert addresses.of("10.1.2.3", [f"{claim}, {as_stated(header, CLIENT, '')}"]) == str(CLIENT)
        assert addresses.of("10.1.2.3", [claim]) == "10.1.2.3"
    assert time.process_time() - began < 0.5


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


def test_a_caller_without_a_token_has_no_player() -> None:
    caller = Caller("192.0.2.1").message
    assert not caller.player_id
    assert caller.address == "192.0.2.1"
