"""The operator's guide: its commands name what there is, and those that need no cluster run."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.deploy.chart.rendering import CHART, rendered, things
from tests.deploy.tools import ROOT, helm

PAGE = ROOT / "docs" / "kubernetes.md"


def commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip()]


def test_every_helm_command_renders() -> None:
    found = [shlex.split(line) for line in commands() if line.startswith("helm ")]
    made = [words for words in found if words[1] in ("install", "upgrade")]
    assert len(made) == 2
    for words in made:
        arguments = [word for word in words[2:] if word not in ("--install", "--create-namespace")]
        arguments = [word.replace("$REGISTRY", "registry.example.org/brettwerk") for word in arguments]
        done = subprocess.run([helm(), "template", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr


def test_images_are_built_from_targets_that_there_are() -> None:
    (loop,) = [line for line in commands() if line.startswith("for service in")]
    services = set(loop.partition(" in ")[2].partition(";")[0].split())
    assert services <= set(re.findall(r" AS (\w+)$", (ROOT / "deploy" / "images" / "Dockerfile").read_text(), re.MULTILINE))
    assert any("-f deploy/images/Dockerfile" in line for line in commands())


@pytest.mark.parametrize("secret", ["brettwerk-secret-key", "brettwerk-inner-key", "brettwerk-redis-password"])
def test_secrets_are_made_as_the_manifests_want_them(secret: str) -> None:
    (command,) = [line for line in commands() if f"generic {secret} " in line]
    made = set(re.findall(r"--from-literal=([\w-]+)=", command))
    wanted = set()
    for thing in things(rendered(CHART / "examples" / "plain.yaml")):
        for name, key in re.findall(r"'secretKeyRef': \{'name': '([\w-]+)', 'key': '([\w-]+)'\}", str(thing)):
            if name == secret:
                wanted.add(key)
    assert made == wanted


def test_services_asked_of_kubectl_are_in_the_manifests() -> None:
    text = rendered(CHART / "examples" / "plain.yaml")
    for service in re.findall(r"service/([\w-]+)", PAGE.read_text()):
        assert f"name: {service}\n" in text
    for values in re.findall(r"`([\w-]+\.yaml)` \|", PAGE.read_text()):
        assert (ROOT / "deploy" / "chart" / "examples" / values).exists()


def test_links_lead_somewhere() -> None:
    for page in (PAGE, ROOT / "docs" / "capacity.md", ROOT / "docs" / "operations.md", ROOT / "deploy" / "images" / "README.md"):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), (page.name, link)


def test_every_example_is_explained() -> None:
    examples = {path.name for path in Path(ROOT / "deploy" / "chart" / "examples").glob("*.yaml")}
    assert examples == set(re.findall(r"^\| `([\w-]+\.yaml)` \|", PAGE.read_text(), re.MULTILINE))
