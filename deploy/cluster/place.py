"""Where things are: what is built is kept in a cache, and everything of a running cluster is in one folder that ends with it."""

import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""


def cache() -> Path:
    """Return the folder of what takes long to make and lasts: outside of the checkout, as XDG says."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "brettwerk" / "cluster"


@dataclass(frozen=True)
class Place:
    """The folder of a cluster. `BRETTWERK_CLUSTER_FOLDER` names another one than /var/tmp/brettwerk-cluster."""

    folder: Path

    @classmethod
    def usual(cls) -> "Place":
        """Return the place of this machine's cluster."""
        return cls(Path(os.environ.get("BRETTWERK_CLUSTER_FOLDER") or "/var/tmp/brettwerk-cluster"))  # noqa: S108 - only root's

    @property
    def pid_file(self) -> Path:
        """Return the file with the id of the process that the cluster lives and dies with."""
        return self.folder / "pid"

    @property
    def token_file(self) -> Path:
        """Return the file with the tokens of those who may do everything."""
        return self.folder / "tokens.csv"

    @property
    def kubeconfig(self) -> Path:
        """Return the access file for kubectl and Helm, within the first node's network."""
        return self.folder / "kubeconfig"

    @property
    def authority(self) -> Path:
        """Return the certificate that the API server made for itself, with its authority."""
        return self.folder / "serving" / "apiserver.crt"

    def of(self, node: str) -> Path:
        """Return the folder of one of the nodes."""
        return self.folder / node

    def containerd_socket(self, node: str) -> Path:
        """Return where a node's containerd listens."""
        return self.of(node) / "containerd.sock"

    @property
    def logs(self) -> Path:
        """Return the folder with a log of each process."""
        return self.folder / "logs"

    @property
    def programs(self) -> Path:
        """Return the folder with links to the programs in the cache."""
        return self.folder / "programs"
