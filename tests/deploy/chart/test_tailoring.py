"""Settings for pods reach them, and only them; what operators leave open stays as the chart has it."""

import json
from typing import Any

import pytest

from tests.deploy.chart.rendering import (
    CHART,
    COMPONENTS,
    Thing,
    container_of,
    name,
    of,
    pod_of,
    pods,
    rendered_with,
    run,
    things,
)

PLACES = {**{component: component for component in COMPONENTS}, "workers.think": "worker-think", "redis.sessions": "redis-sessions", "redis.broker": "redis-broker"}  # fmt: skip # noqa: E501
"""Where a component's settings stand in the values, and what it is called."""
PLACED: dict[str, Any] = {
    "nodeSelector": {"disk": "fast"},
    "tolerations": [{"key": "games", "operator": "Exists"}],
    "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}},
    "priorityClassName": "people",
}


@pytest.mark.nightly
def test_the_order_of_games_is_a_setting_of_the_rules_service() -> None:
    container = container_of("rules", rendered_with({"rules.env": {"BRETTWERK_FIRST_GAMES": "wec,einstein"}}))
    assert {"name": "BRETTWERK_FIRST_GAMES", "value": "wec,einstein"} in container["env"]


@pytest.mark.nightly
@pytest.mark.parametrize("place", PLACES)
def test_every_service_takes_the_settings_of_pods_for_itself(place: str) -> None:
    component, plain = PLACES[place], rendered_with({})
    own = {
        **PLACED,
        "podLabels": {"team": "games"},
        "podAnnotations": {"example.org/owner": "me"},
        "annotations": {"reloader.stakater.com/auto": "true"},
        "extraEnv": [{"name": "ZONE", "value": "a"}],
        "envFrom": [{"secretRef": {"name": "more"}}],
        "extraVolumes": [{"name": "more", "emptyDir": {}}],
        "extraVolumeMounts": [{"name": "more", "mountPath": "/more"}],
        "initContainers": [{"name": "first", "image": "first:1"}],
        "serviceAccount": {"annotations": {"example.org/role": "games"}},
        "topologySpreadConstraints": [{"maxSkew": 3, "topologyKey": "rack", "whenUnsatisfiable": "DoNotSchedule"}],
    }
    made = rendered_with({f"{place}.{key}": value for key, value in own.items()})
    pod, container = pod_of(component, made), container_of(component, made)
    for key, value in PLACED.items():
        found = pod["spec"][key]
        assert {one: found[one] for one in value} == value if isinstance(value, dict) else found == value, key
    assert pod["metadata"]["labels"]["team"] == "games"
    assert pod["metadata"]["annotations"]["example.org/owner"] == "me"
    called = f"brettwerk-{component}"
    (workload,) = (one for kind in ("Deployment", "StatefulSet") for one in of(kind, made) if name(one) == called)
    assert workload["metadata"]["annotations"] == own["annotations"]
    assert own["extraEnv"][0] in container["env"]
    assert container["envFrom"] == own["envFrom"]
    assert own["extraVolumes"][0] in pod["spec"]["volumes"]
    assert own["extraVolumeMounts"][0] in container["volumeMounts"]
    assert pod["spec"]["initContainers"] == own["initContainers"]
    (account,) = (one for one in of("ServiceAccount", made) if name(one) == f"brettwerk-{component}")
    assert account["metadata"]["annotations"] == {"example.org/role": "games"}
    (spread,) = pod["spec"]["topologySpreadConstraints"]
    assert (spread["topologyKey"], spread["maxSkew"]) == ("rack", 3)
    assert spread["labelSelector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()
    others = {other for other in pods(plain) if not other.startswith(called)} - {"brettwerk-worker-statistics"}
    assert all(pods(made)[other]["spec"] == pods(plain)[other]["spec"] for other in others if "secret" not in other)


def test_settings_for_all_pods_hold_for_each_that_has_none_of_its_own() -> None:
    made = rendered_with(
        {
            **PLACED,
            "podAnnotations": {"a": "all", "b": "all"},
            "ai.podAnnotations": {"a": "own"},
            "ai.priorityClassName": "thoughts",
        }
    )
    for component in PLACES.values():
        spec = pod_of(component, made)["spec"]
        assert spec["nodeSelector"] == PLACED["nodeSelector"]
        assert spec["tolerations"] == PLACED["tolerations"]
        assert spec["priorityClassName"] == ("thoughts" if component == "ai" else "people")
        found = pod_of(component, made)["metadata"]["annotations"]
        assert (found["a"], found["b"]) == ("own" if component == "ai" else "all", "all")


@pytest.mark.nightly
def test_the_players_stay_with_the_volume_of_the_archive_whatever_else_is_said_of_them() -> None:
    near = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "rack", "labelSelector": {}}]}}
    affinity = pod_of("players", rendered_with({"players.affinity": near}))["spec"]["affinity"]["podAffinity"]
    assert [one["topologyKey"] for one in affinity["requiredDuringSchedulingIgnoredDuringExecution"]] == [
        "rack",
        "kubernetes.io/hostname",
    ]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("values", "image"),
    [
        ({}, "brettwerk-gateway:1.0.0"),
        ({"image.registry": "r.example.org/b", "image.tag": "2"}, "r.example.org/b/brettwerk-gateway:2"),
        ({"image.registry": "r.example.org/b", "gateway.image": {"tag": "3"}}, "r.example.org/b/brettwerk-gateway:3"),
        ({"gateway.image": {"repository": "other/gw", "digest": f"sha256:{7:064}"}}, f"other/gw@sha256:{7:064}"),
    ],
    ids=["presets", "registry", "a tag of its own", "digest"],
)
def test_an_image_is_named_by_registry_repository_tag_and_digest(values: dict[str, Any], image: str) -> None:
    made = rendered_with(values)
    assert container_of("gateway", made)["image"] == image
    assert container_of("trial", made)["image"] == image, "the game of `helm test` is played from the same"


@pytest.mark.nightly
def test_budgets_and_the_behaviour_of_autoscalers_are_laid_over_those_of_the_chart() -> None:
    behavior = {"scaleDown": {"stabilizationWindowSeconds": 60}}
    made = rendered_with(
        {
            "gateway": {"replicas": 4, "pdb": {"minAvailable": 3}},
            "rules.autoscaling": {"enabled": True, "behavior": behavior},
            "workers.think": {"replicas": 2, "scaling": "hpa", "behavior": behavior},
        }
    )
    budgets = {name(one): one["spec"] for one in of("PodDisruptionBudget", made)}
    assert budgets["brettwerk-gateway"]["minAvailable"] == 3
    assert "maxUnavailable" not in budgets["brettwerk-gateway"]
    assert budgets["brettwerk-rules"]["maxUnavailable"] == 1
    assert budgets["brettwerk-worker-think"]["maxUnavailable"] == "25%"
    found = {name(one): one["spec"]["behavior"] for one in of("HorizontalPodAutoscaler", made)}
    assert all(one["scaleDown"]["stabilizationWindowSeconds"] == 60 for one in found.values())
    doubled, four_more = ({"type": kind, "value": value, "periodSeconds": 15} for kind, value in (("Percent", 100), ("Pods", 4)))
    assert found["brettwerk-worker-think"]["scaleUp"]["policies"] == [doubled, four_more]


def test_a_gateway_that_is_open_to_the_outside_shows_its_figures_inside_only() -> None:
    made = rendered_with({"gateway.service": {"type": "LoadBalancer", "loadBalancerSourceRanges": ["10.0.0.0/8"]}})
    services = {name(one): one["spec"] for one in of("Service", made)}
    assert services["brettwerk-gateway"]["type"] == "LoadBalancer"
    assert services["brettwerk-gateway"]["loadBalancerSourceRanges"] == ["10.0.0.0/8"]
    assert {port["name"] for port in services["brettwerk-gateway"]["ports"]} == {"grpc", "web"}
    assert [port["name"] for port in services["brettwerk-gateway-metrics"]["ports"]] == ["metrics"]
    assert services["brettwerk-gateway-metrics"]["clusterIP"] == "None"


def claimed(pod: Thing) -> set[str]:
    """Return the claims whose volumes a pod has."""
    asked = [volume["persistentVolumeClaim"] for volume in pod["spec"].get("volumes", []) if "persistentVolumeClaim" in volume]
    return {claim["claimName"] for claim in asked}


@pytest.mark.nightly
def test_claims_that_are_there_are_used_and_none_are_made() -> None:
    made = rendered_with(
        {"database.volume.existingClaim": "archive", "redis.sessions.volume.existingClaim": "games", "backup": {"enabled": True}}
    )
    assert {name(one) for one in of("PersistentVolumeClaim", made)} == {"brettwerk-backup"}
    claims = {made_by: claimed(pod) for made_by, pod in pods(made).items()}
    assert claims["brettwerk-session"] == claims["brettwerk-players"] == {"archive"}
    assert claims["brettwerk-redis-sessions"] == {"games"}
    assert claims["brettwerk-backup"] == {"archive", "brettwerk-backup"}
    sets = {name(one): one["spec"] for one in of("StatefulSet", made)}
    assert "volumeClaimTemplates" not in sets["brettwerk-redis-sessions"]
    assert "volumeClaimTemplates" in sets["brettwerk-redis-broker"]


def test_every_host_of_ingress_and_routes_leads_to_its_endpoint_and_is_answered_for() -> None:
    made = rendered_with(
        {
            "ingress": {"enabled": True, "extraHosts": ["b.example"], "extraGrpcHosts": ["c.example"], "tlsSecret": "all"},
            "routes": {"enabled": True, "parentRefs": [{"name": "public"}], "hosts": ["d.example"], "grpcHosts": ["e.example"]},
        }
    )
    ingresses = {name(one): one["spec"] for one in of("Ingress", made)}
    web, grpc = ingresses["brettwerk-gateway-web"], ingresses["brettwerk-gateway-grpc"]
    assert [rule["host"] for rule in web["rules"]] == web["tls"][0]["hosts"] == ["play.example.org", "b.example"]
    assert [rule["host"] for rule in grpc["rules"]] == grpc["tls"][0]["hosts"] == ["grpc.play.example.org", "c.example"]
    (page,), (calls,) = of("HTTPRoute", made), of("GRPCRoute", made)
    services = {name(one): {port["port"] for port in one["spec"]["ports"]} for one in of("Service", made)}
    for route, port in ((page, 8000), (calls, 7800)):
        ((rule,),) = [route["spec"]["rules"]]
        (backend,) = rule["backendRefs"]
        assert backend["port"] == port
        assert port in services[backend["name"]]
    (own,) = (one["value"] for one in container_of("gateway", made)["env"] if one["name"] == "BRETTWERK_OWN_HOSTS")
    assert {"play.example.org", "b.example", "c.example", "d.example", "e.example"} <= set(own.split(","))
    (pages,) = (one["value"] for one in container_of("players", made)["env"] if one["name"] == "BRETTWERK_SIGN_IN_ORIGINS")
    assert set(pages.split(",")) == {"https://play.example.org", "https://b.example", "https://d.example"}


@pytest.mark.nightly
def test_the_preset_for_two_cpus_leaves_room_on_a_node_with_two() -> None:
    made = things(run("template", "brettwerk", str(CHART), "--values", str(CHART / "examples" / "two-cpus.yaml")))
    asked = [one["resources"]["requests"] for made_by, pod in pods(made).items() if not made_by.endswith("-trial") for one in pod["spec"]["containers"]]  # fmt: skip # noqa: E501
    cpus = sum(float(one["cpu"].removesuffix("m")) / (1000 if one["cpu"].endswith("m") else 1) for one in asked)
    assert cpus == pytest.approx(1.05)
    assert sum(int(one["memory"].removesuffix("Mi")) for one in asked) == 4096


@pytest.mark.nightly
def test_the_pod_of_the_backup_takes_more_variables_volumes_and_containers() -> None:
    own: dict[str, Any] = {
        "extraEnv": [{"name": "ZONE", "value": "a"}],
        "envFrom": [{"secretRef": {"name": "more"}}],
        "extraVolumes": [{"name": "more", "emptyDir": {}}],
        "extraVolumeMounts": [{"name": "more", "mountPath": "/more"}],
        "initContainers": [{"name": "first", "image": "first:1"}],
    }
    spec = pod_of("backup", rendered_with({"backup": {"enabled": True, **own}}))["spec"]
    first, games = spec["initContainers"]
    assert [first] == own["initContainers"]
    for container in (games, *spec["containers"]):
        assert own["extraEnv"][0] in container["env"]
        assert container["envFrom"] == own["envFrom"]
        assert own["extraVolumeMounts"][0] in container["volumeMounts"]
    assert own["extraVolumes"][0] in spec["volumes"]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("release", "values", "called"),
    [
        ("brettwerk", {}, "brettwerk"),
        ("games", {}, "games-brettwerk"),
        ("games", {"nameOverride": "play"}, "games-play"),
        ("play", {"nameOverride": "play"}, "play"),
        ("games", {"nameOverride": "play", "fullnameOverride": "ours"}, "ours"),
    ],
)
def test_the_names_of_objects_can_be_chosen(release: str, values: dict[str, str], called: str) -> None:
    given = [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
    made = things(run("template", release, str(CHART), "--set", "observe.rules=true", *given))
    assert all(name(one) == called or name(one).startswith(f"{called}-") for one in made)
    (rule,) = of("PrometheusRule", made)
    named = [
        one["expr"] for group in rule["spec"]["groups"] for one in group["rules"] if "kube_statefulset_replicas{" in one["expr"]
    ]
    assert all(f'statefulset=~".*{called}.*"' in expression for expression in named)
    assert named


def test_alerts_and_dashboards_lead_to_the_runbooks_and_the_grafana_that_there_are() -> None:
    wiki, grafana = "https://wiki.example.org/books", "https://grafana.example.org"
    observe = {"rules": True, "dashboards": True, "runbooks": f"{wiki}/", "grafana": f"{grafana}/"}
    made = things(run("template", "games", str(CHART), "--set-json", f"observe={json.dumps(observe)}"))
    (rule,) = of("PrometheusRule", made)
    links = [one["annotations"] for group in rule["spec"]["groups"] for one in group["rules"] if "alert" in one]
    assert links
    assert all(one["runbook_url"].startswith(f"{wiki}/Brettwerk") for one in links)
    assert all(one["dashboard_url"].startswith(f"{grafana}/d/brettwerk-") for one in links)
    boards = [text for one in of("ConfigMap", made) if "-dashboard-" in name(one) for text in one["data"].values()]
    assert len(boards) == 5
    assert all(json.loads(text)["panels"] for text in boards)
    assert any(f"{wiki}/${{__value.raw}}.md" in text for text in boards)
    assert not any("docs/runbooks" in text or ".*brettwerk.*" in text for text in boards)


def test_without_made_up_secrets_the_missing_ones_are_named_and_two_renderings_are_equal() -> None:
    """As Argo CD renders, which sees no cluster: what is made up would be other each time."""
    with pytest.raises(AssertionError) as refused:
        rendered_with({"randomSecrets": False, "notifications.push.enabled": True})
    for setting in ("secretKey.existingSecret", "innerKey.existingSecret", "redis.passwordSecret", "notifications.push.existingSecret", "tls.mode"):  # fmt: skip # noqa: E501
        assert setting in str(refused.value)
    given = ["--values", str(CHART / "examples" / "plain.yaml"), "--set", "randomSecrets=false"]
    once, again = (run("template", "brettwerk", str(CHART), *given) for _ in range(2))
    assert once == again
    assert not of("Secret", things(once))
