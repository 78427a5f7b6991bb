"""The command line."""

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PLATFORM = re.compile(r"linux/[a-z0-9]+")
_REGISTRY = re.compile(r"[a-z0-9.-]+(:\d+)?(/[a-z0-9._-]+)*")


@dataclass(frozen=True, slots=True)
class Options:
    """The given options. Without `platforms` images are for the machine that builds them; wheels always are, for each Python."""

    version: str
    registry: str
    platforms: tuple[str, ...]
    push: bool
    insecure: bool
    keys: tuple[str, ...]
    bases: str
    pythons: tuple[str, ...]
    wheels: Path | None
    into: Path
    engine: str
    lent: Path


def parse(arguments: Sequence[str]) -> Options:
    """Return the options, or exit with 2 and say what is wrong with them."""
    parser = argparse.ArgumentParser(prog="deploy/images/release.sh", description="Makes a release of what is checked out.")
    parser.add_argument("version", help="such as 0.2.0; what is checked out has to say the same")
    parser.add_argument("--registry", required=True, help="what the names of images begin with: registry.example.org/brettwerk")
    parser.add_argument("--platform", default="", help="linux/amd64,linux/arm64; by default what this machine is")
    parser.add_argument("--push", action="store_true", help="push the images; otherwise they are put into the folder")
    parser.add_argument("--insecure", action="store_true", help="the registry speaks HTTP without TLS")
    parser.add_argument("--sign", action="append", default=[], metavar="KEY", help="an OpenSSH key, a cosign key, or keyless")
    parser.add_argument("--bases", action="store_true", help="build on the images that bases.sh has made")
    parser.add_argument("--python", action="append", default=[], metavar="PROGRAM", help="a Python to build one more wheel for")
    parser.add_argument("--wheels", type=Path, metavar="FOLDER", help="wheels of the server that other machines have built")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="an empty folder (dist/VERSION)")
    parser.add_argument("--engine", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--own-bases", default="", help=argparse.SUPPRESS)
    parser.add_argument("--lent", type=Path, required=True, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    platforms = tuple(word for word in given.platform.split(",") if word)
    for platform in platforms:
        if not _PLATFORM.fullmatch(platform):
            parser.error(f"{platform} is no platform such as linux/arm64")
    if not _REGISTRY.fullmatch(given.registry):
        parser.error(f"{given.registry} is no beginning of an image's name, such as registry.example.org/brettwerk")
    return Options(
        version=given.version,
        registry=given.registry,
        platforms=platforms,
        push=given.push,
        insecure=given.insecure,
        keys=tuple(given.sign),
        bases=given.own_bases if given.bases else "",
        pythons=tuple(given.python),
        wheels=given.wheels,
        into=(given.into or Path("dist", given.version)).absolute(),
        engine=given.engine,
        lent=given.lent,
    )
