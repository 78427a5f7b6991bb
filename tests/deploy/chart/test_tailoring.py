"""What operators say about pods reaches them, and only them; what they leave open stays as the chart has it."""

import json
from typing import Any

import pytest

from tests.deploy.chart.rendering import CHART, Thing, name, of, pods, run, things
from tests.night import by_day

COMPONENTS = ("rules", "session", "ai", "players", "gateway")
PLACES = {**{component: component for component in COMPONENTS}, "workers.think": "worker-think", "redis.sessions": "redis-sessions", "redis.broker": "redis-broker"}  # fmt: skip # noqa: E501
"""Where a component's settings stand in the values, and what it is called."""
PLACED: dict[str, Any] = {
    "nodeSelector": {"disk": "fast"},
    "tolerations": [{"key": "games", "operator": "Exists"}],
    "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}},
    "priorityClassName": "people",
}


def rendered(values: dict[str, Any]) -> list[Thing]:
    """Return what the chart makes with some values."""
    arguments = [word for key, value in values.items() for word in ("--set-json", f"{key}={json.dumps(value)}")]
    return things(run("template", "brettwerk", str(CHART), "--namespace", "games", *arguments))


def pod_of(component: str, made: list[Thing]) -> Thing:
    return pods(made)[f"brettwerk-{component}"]


def container_of(component: str, made: list[Thing]) -> Thing:
    (found,) = pod_of(component, made)["spec"]["containers"]
    return dict(found)


def test_the_order_of_games_is_a_setting_of_the_rules_service() -> None:
    container = container_of("rules", rendered({"rules.env": {"BRETTWERK_FIRST_GAMES": "wec,einstein"}}))
    assert {"name": "BRETTWERK_FIRST_GAMES", "value": "wec,einstein"} in container["env"]


@pytest.mark.parametrize("place", by_day(PLACES, "gateway", "redis.sessions"))
def test_every_service_takes_the_settings_of_pods_for_itself(place: str) -> None:
    component, plain = PLACES[place], rendered({})
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
    made = rendered({f"{place}.{key}": value for key, value in own.items()})
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


def test_what_is_said_for_all_pods_is_said_for_each_that_says_nothing_else() -> None:
    made = rendered(
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


def test_the_players_stay_with_the_volume_of_the_archive_whatever_else_is_said_of_them() -> None:
    near = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "rack", "labelSelector": {}}]}}
    affinity = pod_of("players", rendered({"players.affinity": near}))["spec"]["affinity"]["podAffinity"]
    assert [one["topologyKey"] for one in affinity["requiredDuringSchedulingIgnoredDuringExecution"]] == [
        "rack",
        "kubernetes.io/hostname",
    ]


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
    made = rendered(values)
    assert container_of("gateway", made)["image"] == image
    assert container_of("trial", made)["image"] == image, "the game of `helm test` is played from the same"


def test_budgets_and_the_behaviour_of_autoscalers_are_laid_over_those_of_the_chart() -> None:
    behavior = {"scaleDown": {"stabilizationWindowSeconds": 60}}
    made = rendered(
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
    assert found["brettwerk-worker-think"]["scaleUp"]["policies"] == [{"type": "Percent", "value": 100, "periodSeconds": 15}]


def test_a_gateway_that_is_open_to_the_outside_shows_its_figures_inside_only() -> None:
    made = rendered({"gateway.service": {"type": "LoadBalancer", "loadBalancerSourceRanges": ["10.0.0.0/8"]}})
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


def test_claims_that_are_there_are_used_and_none_are_made() -> None:
    made = rendered(
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
    made = rendered(
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


def egress_of(component: str, made: list[Thing]) -> list[Thing]:
    (policy,) = (one for one in of("NetworkPolicy", made) if name(one) == f"brettwerk-{component}")
    return list(policy["spec"]["egress"] or [])


def test_an_openid_provider_is_configured_for_the_players_service_alone_which_may_reach_it() -> None:
    openid = {"issuer": "https://id.example.org", "clientId": "brettwerk", "existingSecret": "ours", "name": "Example"}
    peers = [{"ipBlock": {"cidr": "192.0.2.0/24"}}]
    made = rendered({"signIn.openid": openid, "networkPolicy.openid": peers, "networkPolicy.openidPorts": [8443]})
    given = {component: {one["name"]: one for one in container_of(component, made)["env"]} for component in COMPONENTS}
    assert [component for component in COMPONENTS if any("OPENID" in one for one in given[component])] == ["players"]
    players = given["players"]
    assert players["BRETTWERK_OPENID_ISSUER"]["value"] == "https://id.example.org"
    assert players["BRETTWERK_OPENID_CLIENT_ID"]["value"] == "brettwerk"
    assert players["BRETTWERK_OPENID_NAME"]["value"] == "Example"
    reference = players["BRETTWERK_OPENID_CLIENT_SECRET"]["valueFrom"]["secretKeyRef"]
    assert reference == {"name": "ours", "key": "client-secret"}
    road = {"ports": [{"port": 8443}], "to": peers}
    assert [component for component in COMPONENTS if road in egress_of(component, made)] == ["players"]


def test_without_an_openid_provider_the_players_service_reaches_nobody_outside_for_it() -> None:
    made = rendered({"signIn.origins": ["https://play.example.org"]})
    assert not any("OPENID" in one["name"] for one in container_of("players", made)["env"])
    assert not any({"port": 443} in rule["ports"] for rule in egress_of("players", made))


def test_the_words_that_nobody_may_say_are_a_file_of_the_session_service() -> None:
    made = rendered({"talk.words": ["blockhead", "silly goose"]})
    given = {one["name"]: one.get("value") for one in container_of("session", made)["env"]}
    assert (given["BRETTWERK_TALK"], given["BRETTWERK_TALK_WORDS"]) == ("true", "/talk/words.txt")
    (volume,) = (one for one in pod_of("session", made)["spec"]["volumes"] if one["name"] == "talk")
    (words,) = (one for one in of("ConfigMap", made) if name(one) == volume["configMap"]["name"])
    assert words["data"] == {"words.txt": "blockhead\nsilly goose"}
    assert {"name": "talk", "mountPath": "/talk", "readOnly": True} in container_of("session", made)["volumeMounts"]
    for component in set(COMPONENTS) - {"session"}:
        assert not any(one["name"].startswith("BRETTWERK_TALK") for one in container_of(component, made)["env"])


def test_talk_can_be_switched_off() -> None:
    given = {one["name"]: one.get("value") for one in container_of("session", rendered({"talk.enabled": False}))["env"]}
    assert given["BRETTWERK_TALK"] == "false"
    assert "BRETTWERK_TALK_WORDS" not in given


def test_push_messages_and_mail_are_the_business_of_the_players_service_alone_which_may_send_them() -> None:
    mail = {
        "server": "mail.example.org:2525",
        "security": "tls",
        "user": "us",
        "existingSecret": "ours",
        "from": "A <a@a.example>",
    }
    peers = [{"ipBlock": {"cidr": "192.0.2.0/24"}}]
    made = rendered(
        {
            "notifications.push": {"enabled": True, "hosts": ["*.push.example.org"], "contact": "mailto:a@example.org"},
            "notifications.mail": mail,
            "networkPolicy.push": peers,
            "networkPolicy.mail": peers,
            "networkPolicy.mailPorts": [2525],
        }
    )
    given = {part: {one["name"]: one for one in container_of(part, made)["env"]} for part in COMPONENTS}
    assert [part for part in COMPONENTS if any("_PUSH_" in one or "_MAIL_" in one for one in given[part])] == ["players"]
    passed_on = {one: given["players"][f"BRETTWERK_{one}"].get("value") for one in ("PUSH_HOSTS", "PUSH_CONTACT", "MAIL_SERVER", "MAIL_SECURITY", "MAIL_USER", "MAIL_FROM")}  # fmt: skip # noqa: E501
    assert passed_on == {
        "PUSH_HOSTS": "*.push.example.org",
        "PUSH_CONTACT": "mailto:a@example.org",
        "MAIL_SERVER": "mail.example.org:2525",
        "MAIL_SECURITY": "tls",
        "MAIL_USER": "us",
        "MAIL_FROM": "A <a@a.example>",
    }
    password = given["players"]["BRETTWERK_MAIL_PASSWORD"]["valueFrom"]["secretKeyRef"]
    assert password == {"name": "ours", "key": "mail-password"}
    key = given["players"]["BRETTWERK_PUSH_KEY"]["valueFrom"]["secretKeyRef"]
    assert key == {"name": "brettwerk-push-key", "key": "push-key"}
    assert len([one for one in of("Secret", made) if name(one) == "brettwerk-push-key"]) == 1
    for road in ({"ports": [{"port": 443}], "to": peers}, {"ports": [{"port": 2525}], "to": peers}):
        assert [part for part in COMPONENTS if road in egress_of(part, made)] == ["players"]


def test_a_push_key_of_the_operators_own_is_used_and_none_is_made() -> None:
    made = rendered({"notifications.push": {"enabled": True, "existingSecret": "ours"}})
    (key,) = (one for one in container_of("players", made)["env"] if one["name"] == "BRETTWERK_PUSH_KEY")
    assert key["valueFrom"]["secretKeyRef"] == {"name": "ours", "key": "push-key"}
    assert not any(name(one) == "brettwerk-push-key" for one in of("Secret", made))


def test_the_players_service_reaches_nobody_outside_while_nothing_is_to_be_sent() -> None:
    made = rendered({"signIn.origins": ["https://play.example.org"]})
    assert not any("_PUSH_" in one["name"] or "_MAIL_" in one["name"] for one in container_of("players", made)["env"])
    assert not any({"port": port} in rule["ports"] for port in (443, 587) for rule in egress_of("players", made))


def test_the_preset_for_two_cpus_leaves_room_on_a_node_with_two() -> None:
    made = things(run("template", "brettwerk", str(CHART), "--values", str(CHART / "examples" / "two-cpus.yaml")))
    asked = [one["resources"]["requests"] for made_by, pod in pods(made).items() if not made_by.endswith("-trial") for one in pod["spec"]["containers"]]  # fmt: skip # noqa: E501
    cpus = sum(float(one["cpu"].removesuffix("m")) / (1000 if one["cpu"].endswith("m") else 1) for one in asked)
    assert cpus == pytest.approx(1.05)
    assert sum(int(one["memory"].removesuffix("Mi")) for one in asked) == 4096


def test_the_pod_of_the_backup_takes_more_variables_volumes_and_containers() -> None:
    own: dict[str, Any] = {
        "extraEnv": [{"name": "ZONE", "value": "a"}],
        "envFrom": [{"secretRef": {"name": "more"}}],
        "extraVolumes": [{"name": "more", "emptyDir": {}}],
        "extraVolumeMounts": [{"name": "more", "mountPath": "/more"}],
        "initContainers": [{"name": "first", "image": "first:1"}],
    }
    spec = pod_of("backup", rendered({"backup": {"enabled": True, **own}}))["spec"]
    first, games = spec["initContainers"]
    assert [first] == own["initContainers"]
    for container in (games, *spec["containers"]):
        assert own["extraEnv"][0] in container["env"]
        assert container["envFrom"] == own["envFrom"]
        assert own["extraVolumeMounts"][0] in container["volumeMounts"]
    assert own["extraVolumes"][0] in spec["volumes"]


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


def test_without_made_up_secrets_everything_that_is_needed_is_named_and_nothing_differs_between_two_renderings() -> None:
    """As Argo CD renders, which sees no cluster: what is made up would be other each time."""
    with pytest.raises(AssertionError) as refused:
        rendered({"randomSecrets": False, "notifications.push.enabled": True})
    for setting in ("secretKey.existingSecret", "innerKey.existingSecret", "redis.passwordSecret", "notifications.push.existingSecret", "tls.mode"):  # fmt: skip # noqa: E501
        assert setting in str(refused.value)
    given = ["--values", str(CHART / "examples" / "plain.yaml"), "--set", "randomSecrets=false"]
    once, again = (run("template", "brettwerk", str(CHART), *given) for _ in range(2))
    assert once == again
    assert not of("Secret", things(once))
