"""Objects that values name and the cluster lacks are named by `helm install` in one sentence, before anything is made."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.api_server import ApiServer
from tests.deploy.chart.rendering import CHART
from tests.deploy.guide import Place

NOT_MADE = ("Deployment", "StatefulSet", "ConfigMap")
CERTIFICATES = [f"brettwerk-{service}-tls" for service in ("rules", "session", "ai", "players", "worker", "gateway", "redis-sessions", "redis-broker")]  # fmt: skip # noqa: E501


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with ApiServer() as api_server:
        place = Place(tmp_path, api_server)
        place.run("kubectl create namespace games")
        yield place


def install(place: Place, values: dict[str, Any]) -> str:
    arguments = " ".join(f"--set-json '{key}={json.dumps(value)}'" for key, value in values.items())
    return place.run(f"helm upgrade --install brettwerk {CHART} --namespace games {arguments}")


def put(place: Place, api: str, kind: str, name: str, **more: Any) -> None:
    """Make an object, as an operator or a controller would."""
    file = place.folder / "object.json"
    metadata = {"name": name} | ({} if kind.endswith("Class") or kind == "ClusterIssuer" else {"namespace": "games"})
    file.write_text(json.dumps({"apiVersion": api, "kind": kind, "metadata": metadata, **more}))
    place.run(f"kubectl apply --server-side --validate=false -f {file}")


def secret(place: Place, name: str, *entries: str) -> None:
    put(place, "v1", "Secret", name, stringData=dict.fromkeys(entries, "x" * 40))


CASES: dict[str, tuple[str, str, Any, dict[str, Any]]] = {
    "redis.sessions.volume.storageClass": ("storage.k8s.io/v1", "StorageClass", "ours", {"provisioner": "x"}),
    "ingress.className": ("networking.k8s.io/v1", "IngressClass", "ours", {}),
    "workers.think.priorityClassName": ("scheduling.k8s.io/v1", "PriorityClass", "ours", {"value": 1}),
    "database.volume.existingClaim": ("v1", "PersistentVolumeClaim", "ours", {"spec": {}}),
    "tls.certManager.issuer": ("cert-manager.io/v1", "Issuer", {"name": "ours", "kind": "Issuer"}, {"spec": {}}),
}
"""The kind of what a value names, and the rest of such an object."""


@pytest.mark.nightly
@pytest.mark.parametrize("setting", CASES)
def test_a_class_claim_or_issuer_that_is_not_there_is_named_and_nothing_is_made(place: Place, setting: str) -> None:
    api, kind, named, more = CASES[setting]
    values = {"tls.mode": "cert-manager", "ingress.enabled": True, "requirePresent": True, setting: named}
    values |= {} if setting == "ingress.className" else {"ingress.enabled": False}
    with pytest.raises(AssertionError) as refused:
        install(place, values)
    assert f'{setting} names the {kind} "ours", and there is none' in str(refused.value)
    assert not [one for made in NOT_MADE for one in place.api_server.of(made)]
    put(place, api, kind, "ours", **more)
    install(place, values)
    assert place.api_server.of("Deployment")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("values", "setting", "name", "entries"),
    [
        ({"secretKey.existingSecret": "ours"}, "secretKey.existingSecret", "ours", ["secret-key"]),
        ({"database.existingSecret": "ours"}, "database.existingSecret", "ours", ["database-url"]),
        ({"redis.passwordSecret": "ours"}, "redis.passwordSecret", "ours", ["sessions", "broker"]),
        ({"redis.broker.enabled": False, "redis.broker.existingSecret": "ours"}, "redis.broker.existingSecret", "ours", ["url"]),
        (
            {"ingress": {"enabled": True, "className": "", "tlsSecret": "ours"}},
            "ingress.tlsSecret",
            "ours",
            ["tls.crt", "tls.key"],
        ),
        ({"image.pullSecrets": [{"name": "ours"}]}, "image.pullSecrets", "ours", []),
    ],
    ids=["secret key", "database", "passwords", "store", "certificate of the ingress", "pull secret"],
)
def test_a_secret_that_is_not_there_or_lacks_an_entry_is_named(
    place: Place, values: dict[str, Any], setting: str, name: str, entries: list[str]
) -> None:
    with pytest.raises(AssertionError) as refused:
        install(place, values)
    assert f'{setting} names the Secret "{name}", and there is none in the namespace games' in str(refused.value)
    if entries:
        secret(place, name, "other", *entries[1:])
        with pytest.raises(AssertionError) as refused:
            install(place, values)
        assert f'{setting} names the Secret "{name}", and it has no entry {entries[0]}' in str(refused.value)
    secret(place, name, "other", *entries)
    install(place, values)


@pytest.mark.nightly
def test_each_certificate_of_your_own_has_to_be_there(place: Place) -> None:
    for name in CERTIFICATES[:-1]:
        secret(place, name, "tls.crt", "tls.key", "ca.crt")
    with pytest.raises(
        AssertionError, match=r'tls\.mode: secrets names the Secret "brettwerk-redis-broker-tls", and there is none'
    ):
        install(place, {"tls.mode": "secrets"})
    secret(place, CERTIFICATES[-1], "tls.crt", "tls.key", "ca.crt")
    install(place, {"tls.mode": "secrets"})


@pytest.mark.nightly
def test_a_certificate_that_the_ingress_asks_an_issuer_for_comes_later_if_there_is_the_issuer(place: Place) -> None:
    annotations = {"cert-manager.io/cluster-issuer": "letsencrypt"}
    values = {"ingress": {"enabled": True, "className": "", "tlsSecret": "later", "annotations": annotations}}
    with pytest.raises(AssertionError, match='names the ClusterIssuer "letsencrypt", and there is none in the cluster'):
        install(place, values)
    issuer = {"apiVersion": "cert-manager.io/v1", "kind": "ClusterIssuer", "metadata": {"name": "letsencrypt"}}
    place.api_server.things["/apis/cert-manager.io/v1/clusterissuers/letsencrypt"] = issuer
    install(place, values)


@pytest.mark.nightly
def test_an_installation_before_the_named_objects_exist_is_possible_on_request(place: Place) -> None:
    install(place, {"requirePresent": False, "secretKey.existingSecret": "later", "redis.sessions.volume.storageClass": "later"})
    assert place.api_server.of("Deployment")
