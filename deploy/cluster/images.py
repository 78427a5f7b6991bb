"""Builds the images of the checkout, and gives them to the node, which can fetch none."""

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from deploy.cluster import settings
from deploy.cluster.place import ROOT, Place
from deploy.cluster.unavailable import Unavailable

SERVICES = ("rules", "session", "ai", "players", "worker", "gateway")
REGISTRY = "localhost"
BASES = "localhost/brettwerk-base"
STORE = f"{BASES}-store:latest"


def build(tag: str, folder: Path = ROOT) -> None:
    """Build all images of a checkout with podman, on bases made of the distribution's packages. Raises Missing."""
    lacking = [program for program in ("podman", "mmdebstrap") if not shutil.which(program)]
    if lacking:
        raise Unavailable(f"images cannot be built: apt-get install {' '.join(lacking)}")
    environment = {
        **os.environ,
        "ENGINE": shutil.which("podman") or "",
        "BRETTWERK_BASES": BASES,
        "BRETTWERK_IMAGES": f"{REGISTRY}/brettwerk",
        "BRETTWERK_VERSION": tag,
    }
    for command in (["deploy/images/bases.sh"], ["deploy/images/build.sh", "--bases"]):
        if subprocess.run(["nice", "-n", "5", *command], cwd=folder, env=environment, check=False).returncode:
            raise Unavailable(f"images cannot be built: {' '.join(command)} failed")


def load(place: Place, tags: Sequence[str]) -> None:
    """Give the node the images of some tags, the store and the pause. Raises Missing where podman has them not."""
    names = [f"{REGISTRY}/brettwerk-{service}:{tag}" for tag in tags for service in SERVICES]
    with tempfile.TemporaryDirectory(dir=place.folder) as room:
        file = Path(room, "images.tar")
        saved = ["podman", "save", "--quiet", "--multi-image-archive", "--output", str(file), *names, STORE]
        done = subprocess.run(saved, capture_output=True, text=True, timeout=1800, check=False)
        if done.returncode:
            raise Unavailable(f"the images are not there: {done.stderr.strip()[-500:]}")
        ctr(place, "images", "import", str(file))
        pause = Path(room, "pause.tar")
        pause.write_bytes(pause_image((place.programs / "pause").read_bytes()))
        ctr(place, "images", "import", str(pause))


def ctr(place: Place, *arguments: str) -> str:
    """Run containerd's own program in the namespace of Kubernetes, and return what it says. Raises Missing when it fails."""
    command: Sequence[str] = ["ctr", "--address", str(place.containerd_socket), "--namespace", "k8s.io", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    if done.returncode:
        raise Unavailable(f"ctr {' '.join(arguments)}: {done.stderr.strip()[-500:]}")
    return done.stdout


def pause_image(program: bytes) -> bytes:
    """Return an image with one program, as `docker save` writes it."""
    layer = _tar({"pause": program}, 0o755)
    sum_of_layer = hashlib.sha256(layer).hexdigest()
    config = json.dumps(
        {
            "architecture": {"x86_64": "amd64", "aarch64": "arm64"}[os.uname().machine],
            "os": "linux",
            "config": {"Entrypoint": ["/pause"]},
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{sum_of_layer}"]},
        }
    ).encode()
    name = hashlib.sha256(config).hexdigest()
    manifest = [{"Config": f"{name}.json", "RepoTags": [settings.PAUSE_IMAGE], "Layers": ["layer.tar"]}]
    return _tar({f"{name}.json": config, "layer.tar": layer, "manifest.json": json.dumps(manifest).encode()}, 0o644)


def _tar(files: dict[str, bytes], mode: int) -> bytes:
    made = BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), mode
            archive.addfile(member, BytesIO(content))
    return made.getvalue()
