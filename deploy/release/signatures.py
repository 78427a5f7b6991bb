"""Signs a release: images and the sums of all files with cosign, or the sums with an OpenSSH key.

An OpenSSH key needs nothing that is not on every developer's machine, can be in an agent or on a security token, and is checked
without asking anybody. The sums name every file, and files name every image by its digest: one signature is enough for all.
"""

import json
import os
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from deploy.release.commands import run
from deploy.release.parcels import SUMS
from deploy.release.release_error import ReleaseError
from deploy.release.statements import Published

NAMESPACE = "brettwerk-release"
"""Of OpenSSH's signatures: one that was made for something else does not count here."""
KEYLESS = "keyless"
_SSH = "-----BEGIN OPENSSH PRIVATE KEY-----"
_COSIGN = ("-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----", "-----BEGIN ENCRYPTED COSIGN PRIVATE KEY-----")


def program_for(key: str) -> str:
    """Return what signs with a key: ssh-keygen or cosign. Raises ReleaseError when it is no key, or the program is not there."""
    program = "cosign"
    if key != KEYLESS and "://" not in key:
        try:
            beginning = Path(key).read_text("utf-8", errors="replace")
        except OSError as error:
            raise ReleaseError(f"signing: the key {key} cannot be read: {error.strerror}") from error
        if beginning.startswith((_SSH, "ssh-", "sk-", "ecdsa-")):  # a public key stands for the private one in an agent
            program = "ssh-keygen"
        elif not beginning.startswith(_COSIGN):
            raise ReleaseError(f"signing: {key} is neither an OpenSSH key (ssh-keygen -t ed25519) nor one of cosign")
    if shutil.which(program) is None:
        raise ReleaseError(f"signing: {program} is not installed; with an OpenSSH key cosign is not needed")
    return program


def sign(key: str, folder: Path, images: Sequence[Published], *, pushed: bool) -> None:
    """Sign the sums in a folder, and with cosign the images that were pushed. Raises ReleaseError."""
    if program_for(key) == "ssh-keygen":
        run("signing", ["ssh-keygen", "-q", "-Y", "sign", "-n", NAMESPACE, "-f", key, str(folder / SUMS)])
        return
    with tempfile.TemporaryDirectory() as room:
        for command in cosign_commands(key, folder, images if pushed else (), Path(room)):
            run("signing", command)


def cosign_commands(key: str, folder: Path, images: Sequence[Published], room: Path) -> list[list[str]]:
    """Return what is run for images that are in a registry, and for the sums; predicates are written into `room`."""
    given = ["--yes", *shlex.split(os.environ.get("COSIGN_OPTIONS", "")), *([] if key == KEYLESS else ["--key", key])]
    commands = []
    for image in images:
        predicate = room / image.provenance
        predicate.write_text(json.dumps(json.loads((folder / image.provenance).read_text("utf-8"))["predicate"]), "utf-8")
        commands.append(["cosign", "sign", *given, "--recursive", image.by_digest])
        attest = ["cosign", "attest", *given]
        commands.append([*attest, "--type", "slsaprovenance1", "--predicate", str(predicate), image.by_digest])
        commands += [
            [*attest, "--type", "cyclonedx", "--predicate", str(folder / file), image.by_digest] for file in image.sboms.values()
        ]
    commands.append(["cosign", "sign-blob", *given, "--bundle", str(folder / f"{SUMS}.bundle"), str(folder / SUMS)])
    return commands
