"""Every command that the documents tell an operator to run: real Helm and kubectl take them, and they name what there is."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.api_server import ApiServer, selected
from tests.deploy.chart.rendering import CHART, pods, rendered, things
from tests.deploy.guide import Place, blocks, inline
from tests.deploy.tools import ROOT

pytestmark = pytest.mark.slow

GUIDE = ROOT / "docs" / "kubernetes.md"
OPERATIONS = ROOT / "docs" / "operations.md"
IMAGES = ROOT / "deploy" / "images" / "README.md"
RUNBOOKS = sorted((ROOT / "docs" / "runbooks").glob("*.md"))
SERVICES = ("rules", "session", "ai", "players", "worker", "gateway")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with ApiServer() as api_server:
        yield Place(tmp_path, api_server)


def block_with(document: Path, words: str) -> str:
    (found,) = (block for block in blocks(document) if words in block)
    return found


def pretend_that_pods_run(api_server: ApiServer) -> None:
    """Write down what a cluster says of Deployments whose pods are ready: here nothing runs."""
    for deployment in api_server.of("Deployment"):
        deployment["status"] = {"conditions": [{"type": "Available", "status": "True"}]}


def installed(place: Place) -> None:
    before, _, after = block_with(GUIDE, "helm install").partition("kubectl -n games wait")
    place.variables["REGISTRY"] = "registry.example.org/brettwerk"
    place.run(before)
    pretend_that_pods_run(place.api_server)
    place.run(f"kubectl -n games wait{after}")


def make_way_for_stores_of_several_servers(place: Place) -> None:
    """Do as the guide says before an upgrade from one server to several."""
    (command,) = inline(GUIDE, "kubectl -n games delete statefulset")
    for store in ("sessions", "broker"):
        place.run(command.replace("sessions", store))


def give_what_the_crowds_values_name(place: Place) -> None:
    """Make the secrets as the guide says; the classes and issuers are the cluster's."""
    plain = block_with(GUIDE, "kubectl create namespace").splitlines()
    there = {secret["metadata"]["name"] for secret in place.api_server.of("Secret")}
    wanted = {"brettwerk-secret-key", "brettwerk-redis-password"} - there
    place.run("\n".join(line for line in plain if any(f"generic {name} " in line for name in wanted)))
    place.run(block_with(GUIDE, "generic brettwerk-database"))
    for where, api, kind, name in (
        ("networking.k8s.io/v1/ingressclasses", "networking.k8s.io/v1", "IngressClass", "nginx"),
        ("cert-manager.io/v1/clusterissuers", "cert-manager.io/v1", "ClusterIssuer", "letsencrypt"),
    ):
        place.api_server.things[f"/apis/{where}/{name}"] = {"apiVersion": api, "kind": kind, "metadata": {"name": name}}


def test_every_block_is_one_of_those_known_here() -> None:
    known = {
        GUIDE: [
            "docker build",
            "helm install",
            "kubectl create namespace",
            "generic brettwerk-database",
            "helm upgrade",
            "kubectl -n games scale",
        ],
        OPERATIONS: ["grafana", "docker compose", "podman-compose"],
        IMAGES: ["--target gateway", "bases.sh", "imagetools"],
    }
    for document, words in known.items():
        found = blocks(document)
        assert len(found) == len(words), document
        assert all(word in block for word, block in zip(words, found, strict=True))
    assert not [block for document in (ROOT / "README.md", *RUNBOOKS) for block in blocks(document)]


def test_images_are_built_from_targets_that_there_are_and_pushed_as_they_are_pulled(place: Place) -> None:
    targets = re.findall(r" AS (\w+)$", (ROOT / "deploy" / "images" / "Dockerfile").read_text(), re.MULTILINE)
    place.run(
        block_with(GUIDE, "docker build") + "".join(block for block in blocks(IMAGES) if "docker" in block)
    )  # tests of images run the others
    built = [command for command in place.noted() if command[:2] == ["docker", "build"]]
    pushed = {command[2] for command in place.noted() if command[:2] == ["docker", "push"]}
    for command in built:
        assert command[command.index("--target") + 1] in targets
        assert (ROOT / command[command.index("-f") + 1]).exists()
        assert command[-1] == "."
        for given in (command[n + 1] for n, word in enumerate(command) if word == "--build-arg"):
            assert f"ARG {given}\n" in (ROOT / "deploy" / "images" / "Dockerfile").read_text()
    assert {command[command.index("--target") + 1] for command in built} == set(SERVICES)
    production = things(rendered(CHART / "examples" / "production.yaml"))
    pulled = {container["image"] for pod in pods(production).values() for container in pod["spec"]["containers"]}
    assert {image for image in pulled if "/brettwerk-" in image} == pushed


def test_the_small_deployment_is_installed_waited_for_and_reached(place: Place) -> None:
    installed(place)
    commands = place.noted()
    assert ["helm", "test", "brettwerk", "--namespace", "games", "--logs"] in commands
    (forward,) = (command for command in commands if "port-forward" in command)
    (service,) = (one for one in place.api_server.of("Service") if f"service/{one['metadata']['name']}" in forward)
    assert int(forward[-1].partition(":")[2]) in [port["port"] for port in service["spec"]["ports"]]


@pytest.mark.nightly
def test_notes_print_commands_that_can_be_run(place: Place) -> None:
    installed(place)
    said = place.run("helm -n games get notes brettwerk")
    commands = re.findall(r"^  ((?:helm|kubectl) .*)$", said, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        place.run(command)


@pytest.mark.nightly
def test_the_plain_manifests_are_applied_beside_the_secrets_that_they_need(place: Place) -> None:
    place.variables["REGISTRY"] = "registry.example.org/brettwerk"
    place.run(block_with(GUIDE, "kubectl create namespace"))
    there = {secret["metadata"]["name"]: set(secret["data"]) for secret in place.api_server.of("Secret")}
    # cert-manager makes the secrets of certificates; all others have to be there.
    there |= {one["spec"]["secretName"]: {"tls.crt", "tls.key", "ca.crt"} for one in place.api_server.of("Certificate")}
    references = re.findall(
        r'"secretKeyRef": {"key": "([^"]+)", "name": "([^"]+)"}', json.dumps(_sorted(place.api_server.things))
    )
    assert references
    for key, name in references:
        assert key in there[name]


def _sorted(value: object) -> object:
    return json.loads(json.dumps(value, sort_keys=True))


@pytest.mark.nightly
def test_an_upgrade_keeps_every_secret_and_can_be_taken_back(place: Place) -> None:
    installed(place)

    def secrets() -> dict[str, object]:
        kept = [one for one in place.api_server.of("Secret") if one.get("type") != "helm.sh/release.v1"]
        return {secret["metadata"]["name"]: secret["data"] for secret in kept}

    made = secrets()
    kept = {"brettwerk-secret", "brettwerk-inner-key", "brettwerk-redis-password"}
    assert kept | {"brettwerk-authority", "brettwerk-session-tls"} <= set(made)
    place.run("helm upgrade brettwerk deploy/chart --namespace games --set gateway.replicas=3")
    assert secrets() == made
    give_what_the_crowds_values_name(place)
    with pytest.raises(AssertionError, match=r"StatefulSet brettwerk-redis-sessions was made for one"):
        place.run(block_with(GUIDE, "helm upgrade"))
    make_way_for_stores_of_several_servers(place)
    place.run(block_with(GUIDE, "helm upgrade"))
    for name in kept:
        assert secrets()[name] == made[name], "players would lose their seats, stores would close"
    assert place.api_server.of("ScaledObject")
    for command in inline(GUIDE, "helm -n games"):
        place.run(command)
    assert not place.api_server.of("ScaledObject")


@pytest.mark.nightly
def test_pods_are_rolled_when_a_secret_that_was_given_has_changed_and_only_those_that_use_it(place: Place) -> None:
    secret = "kubectl -n games create secret generic {} --dry-run=client --output=yaml | kubectl apply --server-side --filename=-"
    keys, inner = "keys --from-literal=secret-key={}", "inner --from-literal=inner-key={}"
    upgrade = "helm upgrade --install brettwerk deploy/chart --namespace games --set secretKey.existingSecret=keys,innerKey.existingSecret=inner"  # fmt: skip # noqa: E501

    def pods_now() -> dict[str, object]:
        place.run(upgrade)
        return {
            deployment["metadata"]["name"]: deployment["spec"]["template"] for deployment in place.api_server.of("Deployment")
        }

    def changed(before: dict[str, object], after: dict[str, object]) -> set[str]:
        return {name.removeprefix("brettwerk-") for name in before if before[name] != after[name]}

    place.run("kubectl create namespace games")
    for command in (keys.format("a" * 40), inner.format("b" * 40)):
        place.run(secret.format(command))
    first = pods_now()
    assert changed(first, pods_now()) == set()
    place.run(secret.format(keys.format("c" * 40)))
    second = pods_now()
    assert changed(first, second) == {"session", "gateway"}
    place.run(secret.format(inner.format("d" * 40)))
    assert changed(second, pods_now()) == {*SERVICES[:4], "gateway", "worker-think", "worker-statistics"}


@pytest.mark.nightly
def test_a_backup_is_restored_into_the_volumes_that_the_chart_makes(place: Place) -> None:
    installed(place)
    place.run("helm upgrade brettwerk deploy/chart --namespace games --set backup.enabled=true")
    stop, apply, *rest = block_with(GUIDE, "restore.yaml").splitlines(keepends=True)
    place.run(stop + apply)
    (pod,) = place.api_server.of("Pod")
    claims = {claim["metadata"]["name"] for claim in place.api_server.of("PersistentVolumeClaim")}
    claims |= {f"{claim['metadata']['name']}-{one['metadata']['name']}-0" for one in place.api_server.of("StatefulSet") for claim in one["spec"]["volumeClaimTemplates"]}  # fmt: skip # noqa: E501
    assert {volume["persistentVolumeClaim"]["claimName"] for volume in pod["spec"]["volumes"]} <= claims
    pod["status"] = {"phase": "Succeeded"}
    place.run("".join(rest))
    assert not place.api_server.of("Pod")


@pytest.mark.nightly
def test_a_deployment_for_a_crowd_can_be_the_first(place: Place) -> None:
    place.run("kubectl create namespace games")
    with pytest.raises(AssertionError, match=r'names the Secret "brettwerk-secret-key", and there is none'):
        place.run(block_with(GUIDE, "helm upgrade"))
    give_what_the_crowds_values_name(place)
    place.run(block_with(GUIDE, "helm upgrade"))
    assert len(place.api_server.of("Deployment")) == 8


def _filled(command: str) -> str:
    command = re.sub(r"\| (tail|grep).*$", "", command)
    certificate = command.replace("certificate <name>", "certificate brettwerk-session")
    return certificate.replace("<service>", "session").replace("<pod>", "brettwerk-session-0")


@pytest.mark.nightly
def test_commands_of_runbooks_are_taken_and_find_what_they_name(place: Place) -> None:
    place.run("helm install brettwerk deploy/chart --namespace games --create-namespace")
    give_what_the_crowds_values_name(place)
    make_way_for_stores_of_several_servers(place)
    place.run(block_with(GUIDE, "helm upgrade"))
    labels = [pod["metadata"]["labels"] for pod in pods(list(place.api_server.things.values())).values()]
    sets = place.api_server.of("StatefulSet")
    stores = {f"{one['metadata']['name']}-{number}" for one in sets for number in range(one["spec"]["replicas"])}
    volumes = {f"{claim['metadata']['name']}-{store}" for one in sets for claim in one["spec"]["volumeClaimTemplates"] for store in stores}  # fmt: skip # noqa: E501
    named_once = dict.fromkeys(_filled(one) for page in RUNBOOKS for one in inline(page, "kubectl", "helm"))
    commands = sorted(named_once, key=lambda one: "rollback" in one)  # the release that it goes back to scales nothing by itself
    assert len(commands) > 10
    for command in commands:
        if selector := re.search(r" -l (\S+)", command):
            assert any(selected(one, selector[1]) for one in labels), command
        if named := re.search(r" pvc (\S+)", command):
            assert named[1] in volumes
        if named := re.search(r" (?:logs|exec) (brettwerk-redis-\S+)", command):
            assert named[1] in stores
        nothing_to_see = "describe pod" in command or "rollout status" in command
        place.run(f"{command} --help" if nothing_to_see else command)


def test_grafana_is_given_folders_that_there_are(place: Place) -> None:
    place.run(block_with(OPERATIONS, "grafana"))
    (command,) = (one for one in place.noted() if one[:2] == ["docker", "run"])
    mounted = [command[n + 1].partition(":") for n, word in enumerate(command) if word == "-v"]
    assert len(mounted) == 2
    for source, _, target in mounted:
        assert Path(source).is_dir()
        if target.startswith("/dashboards"):
            assert list(Path(source).glob("*.json"))
    provider = (ROOT / "deploy" / "observe" / "grafana" / "dashboards" / "brettwerk.yaml").read_text()
    source = (ROOT / "deploy" / "observe" / "grafana" / "datasources" / "prometheus.yaml").read_text()
    assert "/dashboards" in provider
    assert "PROMETHEUS_URL" in source


def test_the_compose_file_that_is_started_is_the_one_that_was_checked(place: Place, tmp_path: Path) -> None:
    made, started = block_with(OPERATIONS, "docker compose").strip().splitlines()
    place.run(f"{made} {tmp_path}")
    place.run(started)
    (command,) = (one for one in place.noted() if one[:2] == ["docker", "compose"])
    assert (ROOT / command[command.index("-f") + 1]).exists()


def test_modules_that_documents_run_are_there() -> None:
    documents = [GUIDE, OPERATIONS, IMAGES, ROOT / "docs" / "capacity.md", ROOT / "loadtests" / "README.md"]
    named = {name for page in documents for name in re.findall(r" -m ([a-z_]+\.[a-z0-9_.]+[a-z0-9_])", page.read_text())}
    assert {"services.runtime.sbom", "services.runtime.probe", "loadtests.crowd", "deploy.observe.alerts"} <= named
    for name in named:
        place = ROOT / name.replace(".", "/")
        assert place.with_suffix(".py").exists() or (place / "__main__.py").exists(), name


@pytest.mark.nightly
@pytest.mark.parametrize("page", ["docs/capacity.md", "loadtests/README.md"])
def test_load_tests_know_the_options_that_documents_give_them(page: str) -> None:
    commands = re.findall(r"python -m (loadtests[.\w]+)((?: --?\S+(?: [^-\s`]\S*)?)+)", (ROOT / page).read_text())
    assert commands
    asked = {module: "".join(options for other, options in commands if other == module) for module, _ in commands}
    for module, options in asked.items():
        done = subprocess.run([sys.executable, "-m", module, "--help"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)  # fmt: skip # noqa: E501
        assert done.returncode == 0, done.stderr
        for option in re.findall(r"(--[a-z-]+)", options):
            assert option in done.stdout, (module, option)


def test_an_image_says_what_is_in_it() -> None:
    done = subprocess.run([sys.executable, "-m", "services.runtime.sbom"], cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)  # fmt: skip # noqa: E501
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["bomFormat"] == "CycloneDX"
    assert "grpcio" in {process["name"] for process in document["components"]}
