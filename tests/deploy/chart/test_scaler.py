"""KEDA asks the AI service how many workers are needed: the road to it, what it shows there, and who else may go there."""

import functools
import json
from typing import Any

import pytest

from tests.deploy.chart.rendering import CHART, Thing, name, of, run, things
from tests.deploy.chart.schemas import check

PORT = 7805


def made_with(**values: Any) -> list[Thing]:
    """Return what the chart makes for a pool that KEDA scales, with more values."""
    given = {"workers": {"think": {"scaling": "keda", "busyShare": 0.6}}, **values}
    return _made(*(f"{key}={json.dumps(value)}" for key, value in given.items()))


@functools.cache
def _made(*values: str) -> list[Thing]:
    words = (word for value in values for word in ("--set-json", value))
    return things(run("template", "brettwerk", str(CHART), "--namespace", "games", *words))


def named(made: list[Thing], kind: str, its_name: str) -> Thing:
    (found,) = (one for one in of(kind, made) if name(one) == its_name)
    return found


def trigger(made: list[Thing]) -> Thing:
    (found,) = named(made, "ScaledObject", "brettwerk-worker-think")["spec"]["triggers"]
    return dict(found)


def opened(made: list[Thing]) -> list[Any]:
    """Return who may reach the port, by the policy of the AI service."""
    rules = named(made, "NetworkPolicy", "brettwerk-ai")["spec"]["ingress"]
    return [rule["from"] for rule in rules if {"port": PORT} in rule["ports"]]


def listens(made: list[Thing]) -> list[str]:
    """Return where the AI service answers KEDA."""
    (container,) = named(made, "Deployment", "brettwerk-ai")["spec"]["template"]["spec"]["containers"]
    return [one["value"] for one in container["env"] if one["name"] == "BRETTWERK_SCALER_LISTEN"]


def test_keda_is_led_to_the_ai_service_by_a_name_of_its_certificate() -> None:
    made = made_with(tls={"mode": "cert-manager"})
    asked = trigger(made)
    assert (asked["type"], asked["metricType"]) == ("external-push", "Value")
    host, _, port = asked["metadata"]["scalerAddress"].partition(":")
    assert host in named(made, "Certificate", "brettwerk-ai")["spec"]["dnsNames"]
    assert int(port) == PORT
    assert {one["port"] for one in named(made, "Service", "brettwerk-ai")["spec"]["ports"]} >= {PORT}
    assert listens(made) == [f"[::]:{PORT}"]
    assert asked["metadata"]["busyShare"] == "0.6"
    assert all(isinstance(value, str) for value in asked["metadata"].values()), "KEDA takes texts only"
    for one in of("ScaledObject", made) + of("TriggerAuthentication", made):
        check(one, "1.34")


@pytest.mark.parametrize("mode", ["generated", "cert-manager", "secrets"])
def test_keda_shows_a_certificate_of_its_own(mode: str) -> None:
    made = made_with(tls={"mode": mode})
    shown = named(made, "TriggerAuthentication", trigger(made)["authenticationRef"]["name"])["spec"]["secretTargetRef"]
    assert {one["parameter"]: one["key"] for one in shown} == {
        "caCert": "ca.crt",
        "tlsClientCert": "tls.crt",
        "tlsClientKey": "tls.key",
    }
    (secret,) = {one["name"] for one in shown}
    there = {name(one) for one in of("Secret", made)} | {one["spec"]["secretName"] for one in of("Certificate", made)}
    assert (secret in there) == (mode != "secrets"), "those are the operator's own"


def test_without_certificates_the_policy_alone_says_who_may_ask() -> None:
    made = made_with(tls={"mode": "off"})
    assert of("TriggerAuthentication", made) == []
    assert "authenticationRef" not in trigger(made)
    assert opened(made) == [[{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "keda"}}}]]


def test_the_port_is_never_open_to_everybody() -> None:
    """Neither for an empty list, nor for the values of a release that knew none."""
    unsaid: tuple[Any, ...] = ([], None)
    for peers in unsaid:
        assert opened(made_with(networkPolicy={"scaler": peers})) == opened(made_with())
    autoscaler = [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "autoscaler"}}}]
    assert opened(made_with(networkPolicy={"scaler": autoscaler})) == [autoscaler]


@pytest.mark.nightly
@pytest.mark.parametrize("keda", [{"trigger": "prometheus"}, {"trigger": None}], ids=["asked for", "values of a release before"])
def test_with_prometheus_there_is_no_such_port(keda: dict[str, Any]) -> None:
    made = made_with(keda=keda)
    triggers = named(made, "ScaledObject", "brettwerk-worker-think")["spec"]["triggers"]
    assert [one["type"] for one in triggers] == ["prometheus", "prometheus"]
    assert (opened(made), listens(made), of("TriggerAuthentication", made)) == ([], [], [])


def test_where_keda_scales_nothing_there_is_no_such_port() -> None:
    made = made_with(workers={"think": {"scaling": "hpa"}})
    assert (opened(made), listens(made), of("TriggerAuthentication", made)) == ([], [], [])
