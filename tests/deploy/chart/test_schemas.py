"""Everything that the chart makes is what Kubernetes, KEDA, the Prometheus operator and cert-manager take."""

import json
import subprocess
from pathlib import Path

import jsonschema
import pytest
import yaml

from tests.deploy.chart.rendering import BY_DAY, CHART, EXAMPLES, of, rendered, run, things
from tests.deploy.chart.schemas import CUSTOM, VERSIONS, check, validator
from tests.deploy.tools import helm
from tests.night import at_night, by_day


@pytest.mark.parametrize("version", by_day(VERSIONS, VERSIONS[-1]))
@pytest.mark.parametrize("example", by_day(EXAMPLES, *BY_DAY), ids=lambda path: path.stem)
def test_every_object_is_one_that_kubernetes_knows(example: Path, version: str) -> None:
    made = things(rendered(example))
    assert len(made) > 25
    for thing in made:
        check(thing, version)


@pytest.mark.nightly
def test_every_custom_resource_is_made_by_some_example() -> None:
    kinds = {thing["kind"] for example in EXAMPLES for thing in things(rendered(example))}
    assert kinds >= set(CUSTOM)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", sorted(CUSTOM))
def test_the_schemas_find_fields_that_there_are_not(kind: str) -> None:
    found = next(thing for example in EXAMPLES for thing in of(kind, things(rendered(example))))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found | {"spec": found["spec"] | {"nonsense": 1}}, CUSTOM[kind])


@pytest.mark.parametrize("version", by_day(VERSIONS, VERSIONS[-1]))
def test_the_schemas_of_kubernetes_find_fields_that_there_are_not(version: str) -> None:
    deployment = of("Deployment", things(rendered(BY_DAY[0])))[0]
    with pytest.raises(jsonschema.ValidationError):
        validator(version, "Deployment", "apps/v1").validate(deployment | {"spec": deployment["spec"] | {"nonsense": 1}})


@pytest.mark.parametrize("example", by_day(EXAMPLES, *BY_DAY[:1]), ids=lambda path: path.stem)
def test_helm_finds_nothing_to_complain_of(example: Path) -> None:
    run("lint", "--strict", str(CHART), "--values", str(example))


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        at_night("workers.think.queues=chess", "queues"),
        ("workers.think.replicas=0", "replicas"),
        at_night("workers.think.scaling=maybe", "scaling"),
        at_night("workers.think.enabled=false", "at least one pool"),
        at_night("session.replicas=0", "replicas"),
        at_night("session.replicas=17", "replicas"),
        at_night("session.autoscaling.max=17", "max"),
        at_night("graceSeconds=5", "graceSeconds"),
        ("tls.mode=maybe", "mode"),
        at_night("database.url=mysql://x", "url"),
        ("nonsense=1", "nonsense"),
        ("session.replicas=2", "database.url"),
        ("redis.broker.enabled=false", "redis.broker.url"),
        at_night("gateway.image.digest=latest", "digest"),
        at_night("gateway.service.type=ExternalName", "type"),
        at_night("rules.pdb.maxUnavailable=many", "maxUnavailable"),
        at_night("rules.nodeselector.disk=fast", "nodeselector"),
        at_night("rules.extraEnv[0].key=A", "key"),
        at_night("routes.enabled=true", "routes.parentRefs is empty"),
        at_night("signIn.openid.issuer=http://id.example.org", "issuer"),
        at_night("signIn.openid.issuer=https://id.example.org", "signIn.openid.clientId"),
        at_night("notifications.push.hosts[0]=https://push.example.org", "hosts"),
        at_night("notifications.push.contact=me", "contact"),
        at_night("notifications.mail.security=ssl", "security"),
        at_night("notifications.mail.server=mail.example.org", "notifications.mail.from"),
        at_night("backup.schedule=daily", "schedule"),
        at_night("backup.keep=0", "keep"),
        at_night("database.volume.size=2GB", "size"),
        at_night("redis.sessions.replicas=2", "replicas"),
        at_night("workers.think.scaling=hpa,workers.think.replicas=0", "workers.think.scaling: keda"),
        at_night("fullnameOverride=Our_Games", "fullnameOverride"),
        at_night("redis.sessions.replicas=3,redis.sessions.volume.existingClaim=games", "existingClaim"),
    ],
)
def test_values_that_cannot_be_are_refused_with_their_name(setting: str, complaint: str) -> None:
    command = [helm(), "template", "x", str(CHART), "--set", setting]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert complaint in done.stderr


def test_every_preset_is_one_that_the_schema_knows() -> None:
    jsonschema.validate(
        yaml.safe_load((CHART / "values.yaml").read_text()), json.loads((CHART / "values.schema.json").read_text())
    )
