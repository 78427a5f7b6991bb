"""The schemas of what the chart makes: those of Kubernetes in several versions, and of the custom resources."""

import functools
import json
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
from referencing import Registry, Resource

from tests.deploy.tools import ROOT

VERSIONS = ("1.32", "1.33", "1.34", "1.35", "1.36", "1.37")
CUSTOM = {path.stem: json.loads(path.read_text()) for path in (ROOT / "tests" / "deploy" / "schemas").glob("*.json")}
"""By kind."""


@functools.cache
def folder_of(version: str) -> Path:
    """Return the strict schemas of a version of Kubernetes; kubernetes_validate itself reads them again for every object."""
    schemas = Path(kubernetes_validate.__file__).parent / "kubernetes-json-schema"
    (found,) = schemas.glob(f"v{version}.*-local-strict")
    return found


@functools.cache
def definitions(version: str) -> Resource[Any]:
    return Resource.from_contents(json.loads((folder_of(version) / "_definitions.json").read_text()))


@functools.cache
def validator(version: str, kind: str, api: str) -> jsonschema.Draft202012Validator:
    group, _, number = api.rpartition("/")
    file = "-".join(filter(None, (kind.lower(), group.partition(".")[0], number)))
    resource = Resource.from_contents(json.loads((folder_of(version) / f"{file}.json").read_text()))
    registry: Registry[Any] = definitions(version) @ (resource @ Registry())
    return jsonschema.Draft202012Validator(resource.contents, registry=registry)


def check(thing: dict[str, Any], version: str) -> None:
    """Return when an object is one that a version of Kubernetes, or the maker of its kind, takes.

    Raises jsonschema.ValidationError when it is not.
    """
    check_once(json.dumps(thing, sort_keys=True), version)


@functools.cache
def check_once(text: str, version: str) -> None:
    """Check what is written: most objects are the same in many examples."""
    thing = json.loads(text)
    if thing["kind"] in CUSTOM:
        jsonschema.validate(thing, CUSTOM[thing["kind"]])
    else:
        validator(version, thing["kind"], thing["apiVersion"]).validate(thing)
