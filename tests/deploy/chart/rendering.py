"""The objects that the chart makes of a values file."""

import functools
import json
import subprocess
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from tests.deploy.tools import ROOT, helm
from tests.night import SHARE

CHART = ROOT / "deploy" / "chart"
EXAMPLES = sorted((CHART / "examples").glob("*.yaml"))
BY_DAY = [path for path in EXAMPLES if path.stem in ("plain", "production")]
"""Examples that every change is tested with: to render one takes half a second of a processor."""
TRIED = EXAMPLES if SHARE >= 1 else BY_DAY
"""The examples that are looked at all together: every one at night."""
Thing: TypeAlias = dict[str, Any]
COMPONENTS = ("rules", "session", "ai", "players", "gateway")
"""The services."""


@functools.cache
def rendered(example: Path) -> str:
    """Return what Helm makes of one of the examples."""
    return run("template", "brettwerk", str(CHART), "--namespace", "games", "--values", str(example))


def run(*arguments: str) -> str:
    """Run Helm and return what it says. Raises AssertionError with its complaint when it fails."""
    done = subprocess.run([helm(), *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@functools.cache
def things(text: str) -> list[Thing]:
    """Return the objects of a rendered text."""
    return [thing for thing in yaml.load_all(text, yaml.CSafeLoader) if thing]


def of(kind: str, all_of_them: list[Thing]) -> list[Thing]:
    """Return the objects of a kind."""
    return [thing for thing in all_of_them if thing["kind"] == kind]


def name(thing: Thing) -> str:
    """Return an object's name."""
    return str(thing["metadata"]["name"])


def pods(all_of_them: list[Thing]) -> dict[str, Thing]:
    """Return every pod (its labels and its spec) that the objects make, by the name of what makes it."""
    made = {name(thing): thing["spec"]["template"] for kind in ("Deployment", "StatefulSet") for thing in of(kind, all_of_them)}
    made |= {name(thing): thing["spec"]["jobTemplate"]["spec"]["template"] for thing in of("CronJob", all_of_them)}
    return made | {name(thing): thing for thing in of("Pod", all_of_them)}


def rendered_with(values: dict[str, Any]) -> list[Thing]:
    """Return the objects that the chart makes with some values."""
    return things(_rendered_with(*(f"{key}={json.dumps(value)}" for key, value in values.items())))


@functools.cache
def _rendered_with(*settings: str) -> str:
    arguments = [word for setting in settings for word in ("--set-json", setting)]
    return run("template", "brettwerk", str(CHART), "--namespace", "games", *arguments)


def pod_of(component: str, made: list[Thing]) -> Thing:
    """Return the pod of a component."""
    return pods(made)[f"brettwerk-{component}"]


def container_of(component: str, made: list[Thing]) -> Thing:
    """Return the one container of a component's pod."""
    (found,) = pod_of(component, made)["spec"]["containers"]
    return dict(found)
