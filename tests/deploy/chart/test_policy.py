"""A careful operator's demands on every pod, held against everything that the chart makes."""

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from services.runtime.redis_address import Kind, RedisAddress
from services.runtime.settings import Settings
from services.sharding.shards import SHARDS
from tests.deploy.chart.rendering import BY_DAY, CHART, EXAMPLES, TRIED, Thing, name, of, pods, rendered, run, things
from tests.night import by_day

each_example = pytest.mark.parametrize("example", by_day(EXAMPLES, *BY_DAY), ids=lambda path: path.stem)
SAFE_VOLUMES = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}
SERVICES = ("rules", "session", "ai", "players", "gateway")


@each_example
def test_pods_keep_the_restricted_pod_security_standard(example: Path) -> None:
    """https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted, and a root that cannot be written."""
    for made_by, pod in pods(things(rendered(example))).items():
        spec = pod["spec"]
        assert spec["securityContext"]["runAsNonRoot"] is True, made_by
        assert spec["securityContext"]["runAsUser"] > 0
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert not {"hostNetwork", "hostPID", "hostIPC"} & set(spec)
        for volume in spec.get("volumes", []):
            assert set(volume) - {"name"} <= SAFE_VOLUMES, made_by
        for container in spec["containers"] + spec.get("initContainers", []):
            security = container["securityContext"]
            assert security["allowPrivilegeEscalation"] is False
            assert security["capabilities"] == {"drop": ["ALL"]}
            assert security["readOnlyRootFilesystem"] is True
            assert "hostPort" not in str(container.get("ports", ""))


@each_example
def test_every_container_says_what_it_needs_and_its_image_by_a_version(example: Path) -> None:
    for made_by, pod in pods(things(rendered(example))).items():
        for container in pod["spec"]["containers"] + pod["spec"].get("initContainers", []):
            resources = container["resources"]
            assert resources["requests"]["memory"] == resources["limits"]["memory"], made_by
            assert "cpu" in resources["requests"]
            assert "cpu" not in resources["limits"], "a limit of CPU makes players wait for nothing"
            assert re.search(r":[^:/@]+$|@sha256:[0-9a-f]{64}$", container["image"])
            assert not container["image"].endswith(":latest")


@each_example
def test_everything_that_serves_has_probes_and_liveness_asks_for_less_than_readiness(example: Path) -> None:
    for made_by, pod in pods(things(rendered(example))).items():
        if made_by.endswith(("-trial", "-backup")):
            continue
        container, *others = pod["spec"]["containers"]
        probes = [one[f"{kind}Probe"] for one in (container, *others) for kind in ("startup", "liveness", "readiness")]
        if any(made_by.endswith(f"-{service}") for service in SERVICES):
            startup, liveness, readiness = (probe["grpc"] for probe in probes)
            assert startup["service"] == liveness["service"] == "live"
            assert "service" not in readiness
        elif "-worker-" in made_by:
            assert [probe["httpGet"]["path"] for probe in probes] == ["/live", "/live", "/ready"]
        else:
            assert all("exec" in probe for probe in probes)


@each_example
def test_service_accounts_are_of_one_service_each_and_nobody_has_a_token(example: Path) -> None:
    made = things(rendered(example))
    accounts = {name(account): account for account in of("ServiceAccount", made)}
    used = []
    for made_by, pod in pods(made).items():
        assert pod["spec"]["automountServiceAccountToken"] is False, made_by
        if not made_by.endswith("-trial"):
            used.append(pod["spec"]["serviceAccountName"])
    assert sorted(used) == sorted(accounts)
    assert all(account["automountServiceAccountToken"] is False for account in accounts.values())


@each_example
def test_budgets_stand_before_what_has_several_pods_and_never_before_one(example: Path) -> None:
    made = things(rendered(example))
    guarded = {name(budget) for budget in of("PodDisruptionBudget", made)}
    scaled = {thing["spec"]["scaleTargetRef"]["name"]: thing["spec"] for kind in ("HorizontalPodAutoscaler", "ScaledObject") for thing in of(kind, made)}  # fmt: skip # noqa: E501
    for deployment in of("Deployment", made):
        scaling = scaled.get(name(deployment), {})
        least = scaling.get("minReplicas", scaling.get("minReplicaCount", deployment["spec"].get("replicas")))
        assert (name(deployment) in guarded) == (least > 1), name(deployment)
        assert ("replicas" in deployment["spec"]) != bool(scaling), "an autoscaler and the chart would quarrel"
        spread = {one["topologyKey"] for one in deployment["spec"]["template"]["spec"]["topologySpreadConstraints"]}
        assert spread == {"topology.kubernetes.io/zone", "kubernetes.io/hostname"}
    for store in of("StatefulSet", made):
        assert (name(store) in guarded) == (store["spec"]["replicas"] > 1), name(store)


@each_example
def test_servers_of_one_store_are_never_on_one_node_and_take_no_writes_alone(example: Path) -> None:
    made = things(rendered(example))
    configurations = {name(one): one["data"] for one in of("ConfigMap", made)}
    for store in of("StatefulSet", made):
        spec, is_replicated = store["spec"]["template"]["spec"], store["spec"]["replicas"] > 1
        apart = spec.get("affinity", {}).get("podAntiAffinity", {}).get("requiredDuringSchedulingIgnoredDuringExecution", [])
        assert bool(apart) == is_replicated
        assert all(one["topologyKey"] == "kubernetes.io/hostname" and chosen(one["labelSelector"], store["spec"]["template"]["metadata"]["labels"]) for one in apart)  # fmt: skip # noqa: E501
        assert ("min-replicas-to-write 1" in configurations[name(store)]["valkey.conf"]) == is_replicated
        assert [one["name"] for one in spec["containers"]] == ["redis", *(["sentinel"] if is_replicated else [])]


def test_a_deployment_for_a_crowd_survives_the_loss_of_any_one_node() -> None:
    made = things(rendered(CHART / "examples" / "production.yaml"))
    least = {thing["spec"]["scaleTargetRef"]["name"]: thing["spec"] for kind in ("HorizontalPodAutoscaler", "ScaledObject") for thing in of(kind, made)}  # fmt: skip # noqa: E501
    for service in SERVICES:
        (deployment,) = (one for one in of("Deployment", made) if name(one) == f"brettwerk-{service}")
        assert least[name(deployment)]["minReplicas"] >= 2, service
        spread = {one["topologyKey"]: one["whenUnsatisfiable"] for one in deployment["spec"]["template"]["spec"]["topologySpreadConstraints"]}  # fmt: skip # noqa: E501
        assert spread["kubernetes.io/hostname"] == "DoNotSchedule"
    assert {name(one): one["spec"]["replicas"] for one in of("StatefulSet", made)} == {"brettwerk-redis-sessions": 3, "brettwerk-redis-broker": 3}  # fmt: skip # noqa: E501


def test_services_reach_several_servers_through_each_of_their_sentinels_by_names_of_the_certificate() -> None:
    made = things(rendered(CHART / "examples" / "production.yaml"))
    address = RedisAddress.of(variables(pods(made)["brettwerk-session"])["BRETTWERK_REDIS_URL"])
    assert address.kind is Kind.SENTINELS
    assert address.is_encrypted
    environment = {
        one["name"]: one.get("value") for one in pods(made)["brettwerk-redis-sessions"]["spec"]["containers"][0]["env"]
    }
    assert address.name == environment["STORE"]
    assert [f"{host}:6379:{port}" for host, port in address.hosts] == str(environment["STORE_PEERS"]).split()
    assert str(environment["STORE_ME"]).replace("$(POD_NAME)", "brettwerk-redis-sessions-0") == str(environment["STORE_PEERS"]).split()[0]  # fmt: skip # noqa: E501
    volumes = {one["name"]: one for one in pods(made)["brettwerk-redis-sessions"]["spec"]["volumes"]}
    (certificate,) = (one["spec"] for one in of("Certificate", made) if one["spec"]["secretName"] == volumes["tls"]["secret"]["secretName"])  # fmt: skip # noqa: E501
    for host, _ in address.hosts:
        assert f"*.{host.partition('.')[2]}" in certificate["dnsNames"]


@each_example
def test_a_service_has_time_for_its_end(example: Path) -> None:
    for made_by, pod in pods(things(rendered(example))).items():
        environment = variables(pod)
        if "BRETTWERK_GRACE_S" not in environment:
            continue
        drain, grace = float(environment["BRETTWERK_DRAIN_S"]), float(environment["BRETTWERK_GRACE_S"])
        # services/runtime/server.py: drain, then drain(), stop() of the server and stop(), each within grace.
        least = grace + 3 if "-worker-" in made_by else 1 + drain + 3 * grace
        assert pod["spec"]["terminationGracePeriodSeconds"] > least, made_by


@each_example
def test_variables_are_settings_that_there_are(example: Path) -> None:
    known = {f"BRETTWERK_{field.upper()}" for field in Settings.model_fields}
    for made_by, pod in pods(things(rendered(example))).items():
        assert {one for one in variables(pod) if one.startswith("BRETTWERK_")} <= known, made_by


@each_example
def test_secrets_go_only_to_those_who_need_them(example: Path) -> None:
    for made_by, pod in pods(things(rendered(example))).items():
        environment = set(variables(pod))
        assert ("BRETTWERK_SECRET_KEY" in environment) == made_by.endswith(("-session", "-gateway")), made_by
        service = not made_by.endswith(("-trial", "-backup")) and "-redis-" not in made_by
        assert ("BRETTWERK_INNER_KEY" in environment) == service, made_by
        assert ("BRETTWERK_REDIS_URL" in environment) == made_by.endswith("-session")
        assert ("BRETTWERK_DATABASE_URL" in environment) == made_by.endswith(("-session", "-players"))
        assert ("BRETTWERK_BROKER_URL" in environment) == (made_by.endswith(("-ai", "-players")) or "-worker-" in made_by)
    for thing in things(rendered(example)):
        if thing["kind"] != "Secret":
            assert "PASSWORD: " not in str(thing)


def test_no_variable_is_a_value_in_one_deployment_and_a_reference_in_another() -> None:
    """Seen with server-side apply: a reference that is taken back leaves an empty one, which no API server takes."""
    made = [pod for example in TRIED for pod in pods(things(rendered(example))).values()]
    given = [one for pod in made for container in pod["spec"]["containers"] for one in container.get("env", [])]
    assert not {one["name"] for one in given if "value" in one} & {one["name"] for one in given if "valueFrom" in one}


@each_example
def test_ports_of_services_name_their_protocol(example: Path) -> None:
    """It is a service of the key by which server-side apply knows a port."""
    assert all(port["protocol"] == "TCP" for service in of("Service", things(rendered(example))) for port in service["spec"]["ports"])  # fmt: skip # noqa: E501


def variables(pod: Thing) -> dict[str, Any]:
    """Return the values of the variables that any container of a pod has."""
    return {one["name"]: one.get("value") for container in pod["spec"]["containers"] for one in container.get("env", [])}


ROADS = {
    ("gateway", "session", 7812),
    ("session", "session", 7812),
    ("worker", "session", 7802),
    ("session", "rules", 7811),
    ("session", "ai", 7803),
    ("gateway", "players", 7804),
    ("session", "players", 7804),
    ("players", "session", 7802),
    ("players", "redis-broker", 6379),
    ("session", "redis-sessions", 6379),
    ("ai", "redis-broker", 6379),
    ("worker", "redis-broker", 6379),
    ("trial", "gateway", 7800),
    ("backup", "redis-sessions", 6379),
}
REPLICATED = {
    ("session", "redis-sessions", 26379),
    ("ai", "redis-broker", 26379),
    ("players", "redis-broker", 26379),
    ("worker", "redis-broker", 26379),
    *((f"redis-{store}", f"redis-{store}", port) for store in ("sessions", "broker") for port in (6379, 26379)),
}
"""Roads to Sentinels, and between servers of one store."""


@each_example
def test_between_services_there_are_just_the_roads_of_the_architecture(example: Path) -> None:
    """A road is open when the policies of both ends let it pass."""
    made = things(rendered(example))
    policies = of("NetworkPolicy", made)
    labels = {pod["metadata"]["labels"]["app.kubernetes.io/component"]: pod["metadata"]["labels"] for pod in pods(made).values()}
    ports = (6379, 26379, 7800, 7801, 7802, 7803, 7804, 7811, 7812, 9001)
    open_roads = {
        (one, other, port)
        for one, other, port in product(labels, labels, ports)
        if passes(policies, "egress", "to", labels[one], labels[other], port)
        and passes(policies, "ingress", "from", labels[other], labels[one], port)
    }
    stores = {service for service in labels if service.startswith("redis-")}
    pools = {service for service in labels if service.startswith("worker-")}
    assert pools
    replicated = {name(one).removeprefix("brettwerk-") for one in of("StatefulSet", made) if one["spec"]["replicas"] > 1}
    roads = ROADS | {road for road in REPLICATED if road[1] in replicated}
    known = {(one, other, port) for service, other, port in roads for one in (pools if service == "worker" else {service})}
    wanted = {road for road in known if road[0] in labels and (not road[1].startswith("redis-") or road[1] in stores)}
    assert open_roads == wanted
    assert any(policy["spec"]["podSelector"] and "ingress" not in policy["spec"] and "egress" not in policy["spec"] for policy in policies)  # fmt: skip # noqa: E501


def passes(policies: list[Thing], way: str, end: str, own: dict[str, str], other: dict[str, str], port: int) -> bool:
    """Return whether policies of a pod let a port pass; ones for peers outside of the release do not count."""
    for policy in policies:
        if not chosen(policy["spec"]["podSelector"], own):
            continue
        for rule in policy["spec"].get(way) or []:
            if port not in [one["port"] for one in rule["ports"]]:
                continue
            peers = rule.get(end)
            if peers and any("podSelector" in peer and "namespaceSelector" not in peer and chosen(peer["podSelector"], other) for peer in peers):  # fmt: skip # noqa: E501
                return True
    return False


def chosen(selector: Thing, labels: dict[str, str]) -> bool:
    return all(labels.get(key) == value for key, value in selector.get("matchLabels", {}).items())


@each_example
def test_names_of_certificates_are_those_that_callers_use(example: Path) -> None:
    made = things(rendered(example))
    services = {name(service) for service in of("Service", made)}
    for pod in pods(made).values():
        for key, value in variables(pod).items():
            if key.endswith("_ADDRESS") and value:
                host = value.removeprefix("dns:///").partition(":")[0]
                assert host in services
                for certificate in of("Certificate", made):
                    if name(certificate) == host:
                        assert host in certificate["spec"]["dnsNames"]


@each_example
def test_services_that_are_called_are_headless_so_that_callers_take_turns(example: Path) -> None:
    for service in of("Service", things(rendered(example))):
        is_gateway = name(service).endswith("-gateway")  # not -gateway-metrics
        assert (service["spec"].get("clusterIP") == "None") != is_gateway, name(service)


@each_example
def test_session_pods_pass_workers_calls_on_over_the_address_that_gateways_use(example: Path) -> None:
    """A shard has one owner, and workers call any session pod."""
    made = {made_by: variables(pod) for made_by, pod in pods(things(rendered(example))).items()}
    led = {made_by: given.get("BRETTWERK_SESSION_LINK_ADDRESS") for made_by, given in made.items()}
    address = led["brettwerk-gateway"]
    assert address == "brettwerk-session:7812"
    assert {made_by for made_by, to in led.items() if to == address} == {"brettwerk-gateway", "brettwerk-session"}


@each_example
def test_session_pods_are_never_more_than_there_are_shards_and_go_one_by_one(example: Path) -> None:
    for scaler in of("HorizontalPodAutoscaler", things(rendered(example))):
        if name(scaler) == "brettwerk-session":
            assert scaler["spec"]["maxReplicas"] <= SHARDS
            assert scaler["spec"]["behavior"]["scaleDown"]["policies"] == [{"type": "Pods", "value": 1, "periodSeconds": 60}]


@each_example
def test_workers_have_a_bounded_volume_for_the_endgame_tables(example: Path) -> None:
    workers = {made_by: pod for made_by, pod in pods(things(rendered(example))).items() if "-worker-" in made_by}
    assert workers
    for made_by, pod in workers.items():
        (container,) = pod["spec"]["containers"]
        (folder,) = (one["value"] for one in container["env"] if one["name"] == "BRETTWERK_TABLES_FOLDER")
        (mount,) = (mount for mount in container["volumeMounts"] if mount["mountPath"] == folder)
        (volume,) = (volume for volume in pod["spec"]["volumes"] if volume["name"] == mount["name"])
        assert not mount.get("readOnly"), made_by
        # Four stones need 24 MB; in memory there would not be the gigabyte that building leaves free.
        assert volume["emptyDir"] == {"sizeLimit": "64Mi"}


def names_in(component: str, setting: str, *values: str) -> set[str]:
    """The names in a setting of a component, by commas."""
    arguments = [word for value in values for word in ("--set", value)]
    made = things(run("template", "brettwerk", str(CHART), "--namespace", "games", *arguments))
    (found,) = (
        thing for kind in ("Deployment", "StatefulSet") for thing in of(kind, made) if name(thing) == f"brettwerk-{component}"
    )
    (container,) = found["spec"]["template"]["spec"]["containers"]
    (value,) = (entry["value"] for entry in container["env"] if entry["name"] == setting)
    return set(filter(None, value.split(",")))


def own_hosts(*values: str) -> set[str]:
    """The names that the gateway answers for."""
    return names_in("gateway", "BRETTWERK_OWN_HOSTS", *values)


@pytest.mark.nightly
def test_players_sign_in_at_the_pages_of_the_ingress_and_at_those_of_the_values() -> None:
    assert names_in("players", "BRETTWERK_SIGN_IN_ORIGINS") == set()
    given = ("ingress.enabled=true", "ingress.host=a.example", "signIn.origins={https://b.example}")
    assert names_in("players", "BRETTWERK_SIGN_IN_ORIGINS", *given) == {"https://a.example", "https://b.example"}


@pytest.mark.nightly
def test_the_gateway_answers_for_every_name_that_the_chart_leads_to_it_by() -> None:
    inside = {"brettwerk-gateway", "brettwerk-gateway.games", "brettwerk-gateway.games.svc"}
    assert own_hosts() == inside | {"brettwerk-gateway.games.svc.cluster.local"}
    outside = own_hosts(
        "ingress.enabled=true", "ingress.host=a.example", "ingress.grpcHost=", "gateway.hosts={b.example,*.c.example}"
    )
    assert outside - own_hosts() == {"a.example", "b.example", "*.c.example"}
    assert own_hosts("gateway.env.BRETTWERK_OWN_HOSTS=d.example") == {"d.example"}
