"""A release's statements on its images: their parts (CycloneDX), how they were made (in-toto, SLSA), and what they are called.

And what is in the package of the server, and beside it in an environment.
"""

import json
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from deploy.release.source import Base, Source

ALL = "all"
"""The image for one host, which no pod has."""
POOLS = ("think", "statistics")
"""Pools of workers in the chart's values."""
BUILD_TYPE = "https://brettwerk.invalid/deploy/images/release.sh/v1"
"""Names what the parameters of the provenance mean: docs/releasing.md. The project has no address that would lead there."""


@dataclass(frozen=True, slots=True)
class Published:
    """An image of the release. `sboms` are the names of files, by platform; `name` has no tag."""

    target: str
    name: str
    digest: str
    sboms: Mapping[str, str]

    @property
    def by_digest(self) -> str:
        """Return by what to fetch it."""
        return f"{self.name}@{self.digest}"

    @property
    def provenance(self) -> str:
        """Return the name of the file that says how it was made."""
        return f"brettwerk-{self.target}.intoto.json"


def sbom_file(target: str, platform: str) -> str:
    """Return the name of the file that lists an image's parts."""
    return f"brettwerk-{target}.{platform.replace('/', '-')}.cdx.json"


def sbom(
    listed: Mapping[str, Any], target: str, platform: str, source: Source, more: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Return the document of an image, made of what the image lists and of parts that it cannot see. The same every time."""
    components = sorted((*listed["components"], *more), key=lambda one: str(one["purl"]))
    about: dict[str, Any] = {"type": "container", "name": f"brettwerk-{target}", "version": source.version}
    about["properties"] = [{"name": "platform", "value": platform}, {"name": "commit", "value": source.commit}]
    return {
        **listed,
        "serialNumber": _serial_number(f"{target} {platform} {source.version} {source.commit}"),
        "metadata": {"timestamp": date(source.epoch), "component": about},
        "components": components,
    }


def package_sbom(pinned: str, page: Iterable[Mapping[str, Any]], source: Source) -> dict[str, Any]:
    """Return the document of the server's package: the packages that it was tried with, and those in its page.

    `pinned` is requirements/play.txt; what only some platforms or versions of Python get is optional. The same every time.
    """
    needed = []
    for name, version, marker in re.findall(r"^([\w.-]+)==(\S+) (; )?", pinned, re.MULTILINE):
        purl = f"pkg:pypi/{name}@{version}"
        scope = "optional" if marker else "required"
        needed.append({"type": "library", "name": name, "version": version, "purl": purl, "scope": scope})
    about: dict[str, Any] = {"type": "application", "name": "brettwerk", "version": source.version}
    about["purl"] = f"pkg:pypi/brettwerk@{source.version}"
    about["properties"] = [{"name": "commit", "value": source.commit}]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "serialNumber": _serial_number(f"package {source.version} {source.commit}"),
        "metadata": {"timestamp": date(source.epoch), "component": about},
        "components": sorted((*needed, *page), key=lambda one: str(one["purl"])),
    }


def _serial_number(identity: str) -> str:
    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, identity)}"


def page_packages(lock: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the packages that are built into the web client: those of npm's lock file that are not for development only.

    Linked packages are of this repository, as the web client itself.
    """
    seen = set()
    for path, package in lock["packages"].items():
        name = path.rpartition("node_modules/")[2] if "node_modules/" in path else ""
        left_out = any(package.get(each) for each in ("link", "dev", "devOptional"))
        if not name or left_out or (name, package["version"]) in seen:
            continue
        seen.add((name, package["version"]))
        purl = f"pkg:npm/{name.replace('@', '%40')}@{package['version']}"
        component: dict[str, Any] = {"type": "library", "name": name, "version": package["version"], "purl": purl}
        if "license" in package:
            component["licenses"] = [{"expression": package["license"]}]
        yield component


def provenance(
    image: Published, source: Source, bases: Sequence[Base], builder: Mapping[str, str], made_with: str
) -> dict[str, Any]:
    """Return the statement: https://in-toto.io/Statement/v1 with https://slsa.dev/provenance/v1."""
    commit = {"uri": builder["source"], "digest": {"gitCommit": source.commit}}
    stood_on = [{"uri": base.name, "digest": {"sha256": base.digest}} for base in bases]
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": image.name, "digest": {"sha256": image.digest.removeprefix("sha256:")}}],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD_TYPE,
                "externalParameters": {"version": source.version, "target": image.target, "platforms": sorted(image.sboms)},
                "internalParameters": {"engine": made_with, "SOURCE_DATE_EPOCH": str(source.epoch)},
                "resolvedDependencies": [commit, *stood_on],
            },
            "runDetails": {"builder": {"id": builder["id"]}, "metadata": {"invocationId": builder["invocation"]}},
        },
    }


def builder(environment: Mapping[str, str]) -> dict[str, str]:
    """Return who builds, of what, and in which run, as far as the environment of a workflow says it."""
    if "GITHUB_WORKFLOW_REF" in environment:
        server = environment["GITHUB_SERVER_URL"]
        place = f"{server}/{environment['GITHUB_REPOSITORY']}"
        return {
            "id": f"{server}/{environment['GITHUB_WORKFLOW_REF']}",
            "source": f"git+{place}@{environment['GITHUB_REF']}",
            "invocation": f"{place}/actions/runs/{environment['GITHUB_RUN_ID']}/attempts/{environment['GITHUB_RUN_ATTEMPT']}",
        }
    return {"id": "https://brettwerk.invalid/by-hand", "source": "git+file:.", "invocation": "by-hand"}


def manifest(source: Source, registry: str, *, pushed: bool, images: Sequence[Published]) -> dict[str, Any]:
    """Return release.json."""
    listed = [
        {"name": f"brettwerk-{one.target}", "image": one.by_digest, "sbom": dict(one.sboms), "provenance": one.provenance}
        for one in images
    ]
    return {
        "version": source.version,
        "commit": source.commit,
        "date": date(source.epoch),
        "registry": registry,
        "pushed": pushed,
        "images": listed,
    }


def values(source: Source, registry: str, images: Sequence[Published]) -> str:
    """Return a values file for the chart with which pods get exactly these images."""
    lines = [f"# Images of Brettwerk {source.version} by digest: helm install --values images-by-digest.yaml", "image:"]
    lines.append(f"  registry: {registry}")
    for one in (one for one in images if one.target != ALL):
        image = f'{{ image: {{ digest: "{one.digest}" }} }}'
        if one.target == "worker":
            lines += ["workers:", *(f"  {pool}: {image}" for pool in POOLS)]
        else:
            lines.append(f"{one.target}: {image}")
    return "\n".join(lines) + "\n"


def write(path: Path, document: Mapping[str, Any]) -> None:
    """Write a document as JSON, a value a line."""
    path.write_text(json.dumps(document, indent=1) + "\n", "utf-8")


def date(epoch: int) -> str:
    """Return a date as JSON documents have it."""
    return datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
