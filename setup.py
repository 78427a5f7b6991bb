"""What pyproject.toml cannot say of the package: its computer players, which are compiled, its page, and which packages it needs.

A checkout is not installed; scripts/build-wheel builds what is.
"""

import re
import sys
from pathlib import Path

from setuptools import find_namespace_packages, setup

sys.path.insert(0, str(Path(__file__).resolve().parent / "scripts"))

from kernels import OptionalKernels, extensions
from prepare import ROOT

PAGE = "deploy.local.page"
"""Where the built web client is (deploy/local/web.py)."""
DATA = ["*.bin", "*.binpb", "*.json", "*.lua", "*.md", "*.yaml", "*.zip"]
"""What stands beside modules, and is read by them."""


def packages(top: str, folder: str) -> list[str]:
    """Return a package and all in it that a server runs."""
    inner = find_namespace_packages(folder, exclude=["*__pycache__*", "*measure*", "*adapters*"])
    return [top, *(f"{top}.{name}" for name in inner)]


def needed(name: str, only: str = "") -> list[str]:
    """Return packages of requirements/NAME.in: none older than the pinned one, none of a major version that nobody has tried."""
    pins = dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements" / f"{name}.txt").read_text("utf-8"), re.MULTILINE))
    found = []
    for line in (ROOT / "requirements" / f"{name}.in").read_text("utf-8").splitlines():
        package = re.match(r"([\w.-]+)(\[\w+\])?", line)
        if package and not line.startswith("-") and only in ("", package[1]):
            pinned = pins[package[1]]
            found.append(f"{package[0]}>={pinned},<{int(pinned.partition('.')[0]) + 1}")
    return found


setup(
    packages=[
        "grpc_http2",
        *packages("brettwerk_games", "brettwerk_games"),
        *packages("services", "services"),
        *packages("gateway", "gateway"),
        *packages("brettwerk", "generated/python/brettwerk"),
        *("deploy.local", "deploy.chart.files.rules", PAGE),
    ],
    py_modules=["deploy.__init__"],  # what else is there is for releases
    package_dir={"brettwerk": "generated/python/brettwerk", PAGE: "clients/web/dist"},
    include_package_data=False,
    package_data={"": DATA, PAGE: ["**/*"]},
    install_requires=needed("play"),
    extras_require={"postgresql": needed("run", "psycopg"), "trace": needed("trace")},
    ext_modules=extensions(),
    cmdclass={"build_ext": OptionalKernels},
)
