"""A store of one server has a certificate with the names that it will need as one of several."""

import base64
import socket
import ssl
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis

from deploy.cluster.release import check_out
from services.runtime.redis_address import RedisAddress
from tests.certificates import Authority
from tests.deploy.api_server import ApiServer
from tests.deploy.chart.rendering import container_of, name, of, pod_of, rendered_with
from tests.deploy.chart.test_missing import install, secret
from tests.deploy.guide import Place
from tests.night import at_night
from tests.ports import free_port
from tests.redis_server import program_with_tls, server

GENERATED = {"tls.mode": "generated"}
SEVERAL = {"redis.sessions.replicas": 3, "redis.broker.replicas": 3}


def hosts_of(values: dict[str, Any]) -> list[str]:
    """Return the names by which the session service calls the servers of its store."""
    environment = {one["name"]: one.get("value") for one in container_of("session", rendered_with(values))["env"]}
    address = RedisAddress.of(str(environment["BRETTWERK_REDIS_URL"]))
    return [host for host, _ in address.hosts] or [str(urlsplit(address.url).hostname)]


def mounted_by(values: dict[str, Any]) -> str:
    """Return the name of the secret with the certificate of the store's servers."""
    volumes = pod_of("redis-sessions", rendered_with(values))["spec"]["volumes"]
    return str(next(one["secret"]["secretName"] for one in volumes if one["name"] == "tls"))


@pytest.mark.parametrize("mode", [at_night("generated"), "cert-manager"])
def test_one_server_and_several_have_the_same_certificate(mode: str) -> None:
    assert mounted_by({"tls.mode": mode}) == mounted_by({"tls.mode": mode} | SEVERAL)


def test_one_server_is_called_by_the_name_that_it_keeps_as_the_first_of_several() -> None:
    assert hosts_of(GENERATED) == hosts_of(GENERATED | SEVERAL)[:1]
    assert hosts_of({}) == hosts_of(SEVERAL)[:1]


def test_certificates_of_your_own_keep_their_names() -> None:
    assert mounted_by({"tls.mode": "secrets"}) == "brettwerk-redis-sessions-tls"
    assert mounted_by({"tls.mode": "secrets"} | SEVERAL) == "brettwerk-redis-sessions-each-tls"


def shows(port: int, authority: Path, host: str) -> bool:
    """Return whether the server at a port shows a certificate of an authority for a host."""
    context = ssl.create_default_context(cafile=str(authority))
    try:
        with socket.create_connection(("127.0.0.1", port), 10) as plain, context.wrap_socket(plain, server_hostname=host):
            return True
    except ssl.SSLCertVerificationError:
        return False


def test_a_server_takes_its_new_names_while_it_is_used_and_several_are_called_by_them(tmp_path: Path) -> None:
    if not (program := program_with_tls()):
        pytest.skip("no Redis here speaks TLS (apt install redis-server)")
    made = rendered_with({"tls.mode": "generated"})
    (data,) = (one["data"] for one in of("Secret", made) if name(one) == mounted_by({"tls.mode": "generated"}))
    for key, value in data.items():
        (tmp_path / key).write_bytes(base64.b64decode(value))
    former, port = Authority(tmp_path, "former").issue("brettwerk-redis-sessions"), free_port()
    files = ["--tls-cert-file", former["BRETTWERK_TLS_CERTIFICATE"], "--tls-key-file", former["BRETTWERK_TLS_KEY"]]
    arguments = ["--tls-port", str(port), *files, "--tls-ca-cert-file", str(tmp_path / "ca.crt"), "--tls-auth-clients", "no"]
    called = [*hosts_of({}), *hosts_of(SEVERAL)]
    with server(tmp_path / "store", 0, *arguments, program=program):
        client = redis.Redis(port=port, ssl=True, ssl_ca_certs=former["BRETTWERK_TLS_AUTHORITY"], single_connection_client=True)
        number = client.client_id()
        assert not any(shows(port, tmp_path / "ca.crt", host) for host in called)
        client.config_set("tls-cert-file", str(tmp_path / "tls.crt"), "tls-key-file", str(tmp_path / "tls.key"))
        assert [host for host in called if not shows(port, tmp_path / "ca.crt", host)] == []
        assert client.client_id() == number
        client.close()


@pytest.mark.nightly
def test_one_server_without_these_names_is_not_made_several_of_in_one_step(tmp_path: Path) -> None:
    with ApiServer() as api_server:
        place = Place(tmp_path, api_server)
        place.run("kubectl create namespace games")
        secret(place, "brettwerk-redis-sessions-tls", "tls.crt", "tls.key", "ca.crt")
        with pytest.raises(AssertionError, match=r"upgrade with redis\.sessions\.replicas=1 first"):
            install(place, SEVERAL)
        install(place, {})
        place.run("kubectl -n games delete statefulset brettwerk-redis-sessions brettwerk-redis-broker --cascade=orphan")
        install(place, SEVERAL)


@pytest.mark.nightly
def test_an_upgrade_from_the_last_release_leaves_single_servers_as_they_run(tmp_path: Path) -> None:
    check_out(tmp_path / "release")
    with ApiServer() as api_server:
        place = Place(tmp_path, api_server)

        def templates() -> dict[str, Any]:
            return {one["metadata"]["name"]: one["spec"]["template"] for one in api_server.of("StatefulSet")}

        chart = tmp_path / "release" / "deploy" / "chart"
        place.run(f"kubectl create namespace games; helm install brettwerk {chart} --namespace games --set tls.mode=generated")
        before = templates()
        install(place, GENERATED)
        assert templates() == before
        orphaned = "kubectl -n games delete statefulset brettwerk-redis-sessions brettwerk-redis-broker --cascade=orphan"
        with pytest.raises(AssertionError, match=r"upgrade with redis\.sessions\.replicas=1 first"):
            install(place, GENERATED | SEVERAL)
        place.run(orphaned)
        install(place, GENERATED)
        assert templates().keys() == before.keys()
        assert templates() != before
        place.run(orphaned)
        install(place, GENERATED | SEVERAL)


def test_pods_of_stores_are_the_same_in_every_release() -> None:
    for made in of("StatefulSet", rendered_with({})):
        labels = made["spec"]["template"]["metadata"]["labels"]
        assert not [value for value in labels.values() if "." in str(value)]
