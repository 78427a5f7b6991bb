"""The parts of this installation, as a CycloneDX 1.6 document: `python -m services.runtime.sbom`. Run it inside an image.

It lists the Python packages of the environment and, on Debian, the packages of the system.
"""

import importlib.metadata
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from services.runtime.version import VERSION

DPKG = Path("/var/lib/dpkg/status")


def document(dpkg: Path = DPKG) -> dict[str, Any]:
    """Return the document."""
    components = sorted((*python_packages(), *system_packages(dpkg)), key=lambda one: str(one["purl"]))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "brettwerk", "version": VERSION}},
        "components": components,
    }


def python_packages() -> Iterator[dict[str, Any]]:
    """Yield the packages of this Python environment, each once."""
    seen = set()
    for found in importlib.metadata.distributions():
        name = found.metadata["Name"].lower().replace("_", "-")
        if name in seen:
            continue
        seen.add(name)
        component: dict[str, Any] = {"type": "library", "name": name, "version": found.version}
        component["purl"] = f"pkg:pypi/{name}@{found.version}"
        if "License-Expression" in found.metadata:
            component["licenses"] = [{"expression": found.metadata["License-Expression"]}]
        yield component


def system_packages(status: Path) -> Iterator[dict[str, Any]]:
    """Yield the packages that a Debian system says are installed; none where there is no such file."""
    if not status.exists():
        return
    for paragraph in status.read_text(errors="replace").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in paragraph.splitlines() if ": " in line and not line.startswith(" "))
        if fields.get("Status") == "install ok installed":
            name, version = fields["Package"], fields["Version"]
            purl = f"pkg:deb/debian/{name}@{version}?arch={fields['Architecture']}"
            yield {"type": "library", "name": name, "version": version, "purl": purl}


if __name__ == "__main__":
    json.dump(document(), sys.stdout, indent=1)
