import dataclasses
import socket

import pytest

from deploy.local.ports import Ports, choose, is_free, join
from deploy.local.trouble import Trouble


def test_all_ports_of_a_house_are_different_and_free():
    chosen = dataclasses.asdict(choose())
    assert len(set(chosen.values())) == len(dataclasses.fields(Ports))
    assert all(is_free("127.0.0.1", port) for port in chosen.values())


@pytest.mark.parametrize(("asked", "option"), [("web", "--port"), ("grpc", "--grpc-port")])
def test_a_taken_port_is_named_with_the_option_that_changes_it(asked: str, option: str):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(Trouble) as trouble:
            choose(**{asked: port})
        assert str(port) in str(trouble.value)
        assert f"{option} NUMBER" in str(trouble.value)


def test_the_usual_grpc_port_gives_way_to_a_free_one():
    usual = choose(grpc=None).grpc
    if usual != 7800:
        pytest.skip("port 7800 is taken by somebody else")
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 7800))
        other.listen()
        assert choose(grpc=None).grpc != 7800


def test_the_two_doors_for_clients_cannot_be_one():
    port = choose().web
    with pytest.raises(Trouble, match="differ"):
        choose(web=port, grpc=port)


@pytest.mark.parametrize("host", ["no.such.name.invalid", "300.1.1.1"])
def test_a_host_that_is_none_is_said(host: str):
    with pytest.raises(Trouble, match="--host"):
        choose(host)


def test_an_address_of_another_machine_is_said():
    with pytest.raises(Trouble, match="taken or not allowed"):
        choose("192.0.2.7", web=8000)


def test_ipv6_addresses_are_written_with_brackets():
    assert join("::1", 80) == "[::1]:80"
    assert join("127.0.0.1", 80) == "127.0.0.1:80"
