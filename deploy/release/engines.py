"""The programs that build images: podman, buildah, and docker with buildx."""

import json
import platform
import re
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deploy.release.commands import run
from deploy.release.release_error import ReleaseError
from deploy.release.source import DOCKERFILE, Base, Source

_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


@dataclass(frozen=True, slots=True)
class Recipe:
    """The common parts of all images of a release. `lent` is a folder of secrets that only the build sees."""

    source: Source
    bases: Sequence[Base]
    own_bases: bool
    lent: Path

    def arguments(self, target: str) -> list[str]:
        """Return the options of a build that every program understands."""
        given = ["--target", target, "--build-arg", f"VERSION={self.source.version}"]
        given += ["--build-arg", f"REVISION={self.source.commit}"]
        for base in self.bases:
            given += ["--build-arg", f"{base.argument}={base.name if self.own_bases else base.pinned}"]
        for secret in sorted(self.lent.iterdir()):
            given += ["--secret", f"id={secret.name},src={secret}"]
        return [*given, "--file", str(self.source.root / DOCKERFILE)]


class Engine(ABC):
    """A program that builds images. Everything here raises ReleaseError when it fails."""

    def __init__(self, program: str, *, insecure: bool = False) -> None:
        """`insecure`: the registry speaks HTTP."""
        self.program, self.insecure = program, insecure

    @abstractmethod
    def build(self, recipe: Recipe, target: str, platform: str, image: str) -> None:
        """Build a target for a platform, so that `run` finds it under that name."""

    @abstractmethod
    def publish(self, recipe: Recipe, target: str, images: Mapping[str, str], name: str, into: Path | None) -> str:
        """Push the images of all platforms as one name, or put them into a folder instead; return the digest."""

    @abstractmethod
    def run(self, image: str, platform: str, command: Sequence[str]) -> str:
        """Return what a Python program says that runs in an image, with no network and nothing it may write."""

    @abstractmethod
    def identity(self, image: str) -> str:
        """Return the digest, without `sha256:`, by which an image of this machine that was never in a registry is known."""

    def about(self) -> str:
        """Return which program this is, and which version."""
        said = run("engine", [self.program, "--version"]).strip().splitlines()
        return said[0] if said else Path(self.program).name


class Podman(Engine):
    """Podman, and buildah, which builds and pushes with the same commands."""

    def build(self, recipe: Recipe, target: str, platform: str, image: str) -> None:
        """Build with the commit's date on everything. Docker's format keeps the health checks."""
        options = ["--format", "docker", "--jobs", "0", "--layers", "--network", "host", "--timestamp", str(recipe.source.epoch)]
        if platform != this_platform():
            options += ["--platform", platform]
        command = [self.program, "build", *options, "--tag", image, *recipe.arguments(target), str(recipe.source.root)]
        run(f"building {target} for {platform}", command)

    def publish(self, recipe: Recipe, target: str, images: Mapping[str, str], name: str, into: Path | None) -> str:
        """Push, or write what would be pushed, and return its digest: a copy of the folder has the same one in a registry."""
        place = f"docker://{name}" if into is None else f"dir:{into}"
        step = f"publishing {target}"
        with tempfile.TemporaryDirectory() as folder:
            digest = Path(folder, "digest")
            options = ["--digestfile", str(digest), "--format", "v2s2", *(["--tls-verify=false"] if self.insecure else [])]
            if len(images) == 1:
                run(step, [self.program, "push", *options, *([] if into is None else self.compress), *images.values(), place])
            else:
                every = f"{name}-every"
                try:
                    here = [f"containers-storage:{image}" for image in images.values()]
                    run(step, [self.program, "manifest", "create", every, *here])
                    run(step, [self.program, "manifest", "push", "--all", *options, every, place])
                finally:
                    run(step, [self.program, "manifest", "rm", every])
            return as_digest(digest.read_text(), step)

    compress: Sequence[str] = ("--compress",)
    """A registry's layers are compressed; those of a folder only when asked for."""

    def run(self, image: str, platform: str, command: Sequence[str]) -> str:
        """Return what the program says, which runs as one without any rights."""
        locked = ["--rm", "--network", "none", "--read-only", "--cap-drop", "all", "--entrypoint", "python"]
        return run(f"looking into {image}", [self.program, "run", *locked, image, *command])

    def identity(self, image: str) -> str:
        """Return the digest of the image's configuration, which names its layers."""
        return as_sum(run("bases", [self.program, "inspect", "--type", "image", "--format", "{{.Id}}", image]), "bases")


class Buildah(Podman):
    """Buildah, which runs programs in containers that it makes step by step."""

    compress = ()

    def run(self, image: str, platform: str, command: Sequence[str]) -> str:
        """Return what the program says in a container of its own, which goes afterwards."""
        step = f"looking into {image}"
        container = run(step, [self.program, "from", image]).strip()
        try:
            return run(step, [self.program, "run", "--network", "none", "--cap-drop", "all", container, "--", "python", *command])
        finally:
            run(step, [self.program, "rm", container])

    def identity(self, image: str) -> str:
        """Return the digest of the image's configuration."""
        return as_sum(run("bases", [self.program, "inspect", "--type", "image", "--format", "{{.FromImageID}}", image]), "bases")


class Buildx(Engine):
    """Docker with buildx. Files are dated only by a builder of the kind docker-container."""

    def build(self, recipe: Recipe, target: str, platform: str, image: str) -> None:
        """Build and load."""
        step = f"building {target} for {platform}"
        run(step, [*self._command(recipe, target, [platform]), "--load", "--tag", image, str(recipe.source.root)])

    def publish(self, recipe: Recipe, target: str, images: Mapping[str, str], name: str, into: Path | None) -> str:
        """Build once more, from the cache, to where it is to be; return the digest."""
        step = f"publishing {target}"
        output = (
            f"type=image,name={name},push=true,oci-mediatypes=true" if into is None else f"type=oci,dest={into}.tar,name={name}"
        )
        if self.insecure:
            output += ",registry.insecure=true"
        with tempfile.TemporaryDirectory() as folder:
            metadata = Path(folder, "metadata")
            if "docker-container" in run(step, [self.program, "buildx", "inspect"]):
                output += ",rewrite-timestamp=true"  # Docker's own builder refuses to date files
            options = ["--output", output, "--metadata-file", str(metadata)]
            run(step, [*self._command(recipe, target, list(images)), *options, str(recipe.source.root)])
            return as_digest(str(json.loads(metadata.read_text())["containerimage.digest"]), step)

    def run(self, image: str, platform: str, command: Sequence[str]) -> str:
        """Return what the program says, which runs as one without any rights."""
        locked = ["--rm", "--network", "none", "--read-only", "--cap-drop", "all", "--entrypoint", "python"]
        return run(f"looking into {image}", [self.program, "run", *locked, "--platform", platform, image, *command])

    def identity(self, image: str) -> str:
        """Return the digest of the image's configuration."""
        return as_sum(run("bases", [self.program, "image", "inspect", "--format", "{{.Id}}", image]), "bases")

    def _command(self, recipe: Recipe, target: str, platforms: Sequence[str]) -> list[str]:
        # BuildKit's own statements are not the same twice; a release has statements of its own.
        plain = ["--provenance=false", "--sbom=false", "--build-arg", f"SOURCE_DATE_EPOCH={recipe.source.epoch}"]
        return [self.program, "buildx", "build", "--platform", ",".join(platforms), *plain, *recipe.arguments(target)]


def engine(program: str, *, insecure: bool) -> Engine:
    """Return what works with a program. Raises ReleaseError when nothing does."""
    name = Path(program).name
    if name == "docker":
        try:
            run("engine", [program, "buildx", "version"])
        except ReleaseError as error:
            raise ReleaseError("engine: docker has no buildx; install that, or set ENGINE to podman or buildah") from error
        return Buildx(program, insecure=insecure)
    kinds: dict[str, type[Podman]] = {"podman": Podman, "buildah": Buildah}
    if name not in kinds:
        raise ReleaseError(f"engine: {program} is neither podman nor buildah nor docker")
    return kinds[name](program, insecure=insecure)


def this_platform() -> str:
    """Return what the images of this machine are for."""
    machine = platform.machine()
    return f"linux/{_ARCHITECTURES.get(machine, machine)}"


def as_digest(text: str, step: str) -> str:
    """Return a digest with `sha256:`. Raises ReleaseError when it is none."""
    return f"sha256:{as_sum(text, step)}"


def as_sum(text: str, step: str) -> str:
    """Return a digest without `sha256:`. Raises ReleaseError when it is none."""
    found = re.fullmatch(r"(?:sha256:)?([0-9a-f]{64})", text.strip())
    if found is None:
        raise ReleaseError(f"{step}: {text.strip()[:80] or 'nothing'} is no digest")
    return found[1]
