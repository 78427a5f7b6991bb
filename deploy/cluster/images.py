"""Builds the images of the checkout, and gives them to the nodes, which can fetch none."""

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
NOBODY = "65532:65532"
"""The user of programs that were built, as in the images that their projects publish."""


def build(tag: str, folder: Path = ROOT) -> None:
    """Build all images of a checkout with podman, on bases made of the distribution's packages. Raises Unavailable."""
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
    """Give each node the images of some tags, and the store. Raises Unavailable where podman has them not."""
    names = [f"{REGISTRY}/brettwerk-{service}:{tag}" for tag in tags for service in SERVICES]
    with tempfile.TemporaryDirectory(dir=place.folder) as room:
        file = Path(room, "images.tar")
        saved = ["podman", "save", "--quiet", "--multi-image-archive", "--output", str(file), *names, STORE]
        done = subprocess.run(saved, capture_output=True, text=True, timeout=1800, check=False)
        if done.returncode:
            raise Unavailable(f"the images are not there: {done.stderr.strip()[-500:]}")
        _give(place, file)


def give(place: Place, program: str, image: str) -> None:
    """Give each node an image of a program that was built. Raises Unavailable."""
    with tempfile.TemporaryDirectory(dir=place.folder) as room:
        file = Path(room, "image.tar")
        file.write_bytes(image_of(program, (place.programs / program).read_bytes(), image))
        _give(place, file)


def _give(place: Place, file: Path) -> None:
    for node in settings.there(place):
        ctr(place, node, "images", "import", str(file))


def ctr(place: Place, node: settings.Node, *arguments: str) -> str:
    """Run containerd's own program in the namespace of Kubernetes, and return what it says. Raises Unavailable when it fails."""
    socket = str(place.containerd_socket(node.name))
    command: Sequence[str] = ["ctr", "--address", socket, "--namespace", "k8s.io", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    if done.returncode:
        raise Unavailable(f"ctr {' '.join(arguments)}: {done.stderr.strip()[-500:]}")
    return done.stdout


def image_of(name: str, program: bytes, image: str) -> bytes:
    """Return an image with nothing but one program, as `docker save` writes it."""
    layer = _tar({name: program}, 0o755)
    sum_of_layer = hashlib.sha256(layer).hexdigest()
    config = json.dumps(
        {
            "architecture": {"x86_64": "amd64", "aarch64": "arm64"}[os.uname().machine],
            "os": "linux",
            "config": {"Entrypoint": [f"/{name}"], "User": NOBODY},
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{sum_of_layer}"]},
        }
    ).encode()
    number = hashlib.sha256(config).hexdigest()
    manifest = [{"Config": f"{number}.json", "RepoTags": [image], "Layers": ["layer.tar"]}]
    return _tar({f"{number}.json": config, "layer.tar": layer, "manifest.json": json.dumps(manifest).encode()}, 0o644)


def _tar(files: dict[str, bytes], mode: int) -> bytes:
    made = BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), mode
            archive.addfile(member, BytesIO(content))
    return made.getvalue()
