"""`python -m deploy.cluster up|down|try|run`: what the scripts beside this file call."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from deploy.cluster import extras, images, node, programs, recipes, release, settings
from deploy.cluster.not_well import NotWell
from deploy.cluster.place import ROOT, Place
from deploy.cluster.tools import tools
from deploy.cluster.trial.report import SECTIONS
from deploy.cluster.unavailable import Unavailable


def main(arguments: Sequence[str]) -> int:
    """Do what the arguments say; return the exit code: 0 when all is well, 1 when not, 3 when something cannot be had."""
    parser = argparse.ArgumentParser(prog="deploy/cluster", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    up = commands.add_parser("up", help="bring up Kubernetes on this machine")
    up.add_argument("--nodes", type=int, default=1, choices=range(1, settings.MAX_NODES + 1), help="of the cluster")
    up.add_argument("--with", dest="extras", default="", help=f"further services of the cluster: {','.join(extras.CHOICES)}")
    up.add_argument(
        "--source",
        action="append",
        default=[],
        help="where the sources of a program are, a Git directory, a work tree, or where to clone from: coredns=FOLDER; "
        "without a name those of Kubernetes (also BRETTWERK_KUBERNETES_SOURCE)",
    )
    commands.add_parser("down", help="end the node, and leave nothing behind but what is cached")
    run = commands.add_parser("run", help="run a program in the first node's network, with kubectl and helm on its PATH")
    run.add_argument("program", nargs=argparse.REMAINDER)
    trial = commands.add_parser("try", help="install the chart on the node, hurt it while people play, and count what is lost")
    trial.add_argument("--images", choices=("build", "have"), default="build", help="have: podman has them")
    trial.add_argument("--tag", default="trial", help="of the checkout's images")
    trial.add_argument("--tables", type=int, default=4, help="games that are played at a time")
    trial.add_argument("--minutes", type=float, default=120.0, help="after which only what has begun is brought to its end")
    trial.add_argument("--only", default=",".join(SECTIONS), help="the sections that are tried, of: %(default)s")
    trial.add_argument("--results", type=Path, help="a file for the report, besides the standard output")
    options = parser.parse_args(arguments)
    place = Place.usual()
    try:
        if options.command == "up":
            took_s = node.up(place, _wish(options))
            print(
                f"Kubernetes {programs.version(place.programs)} is up after {took_s:.0f} s: deploy/cluster/run kubectl get pods"
            )
        elif options.command == "down":
            node.down(place)
        elif options.command == "run":
            return _run(place, options.program)
        else:
            return _try(place, options)
    except Unavailable as error:
        print(error, file=sys.stderr)
        return 3
    except NotWell as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _wish(options: argparse.Namespace) -> node.Wish:
    sources = {}
    if given := os.environ.get("BRETTWERK_KUBERNETES_SOURCE"):
        sources[recipes.KUBERNETES.name] = given
    for one in options.source:
        name, named, where = one.partition("=")
        sources[name if named else recipes.KUBERNETES.name] = where if named else one
    return node.Wish(options.nodes, [name for name in options.extras.split(",") if name], sources)


def _try(place: Place, options: argparse.Namespace) -> int:
    entering = node.entering(place)
    sections = options.only.split(",")
    if unknown := [section for section in sections if section not in SECTIONS]:
        raise Unavailable(f"there is nothing to try that is called {unknown[0]}; there are: {', '.join(SECTIONS)}")
    last = release.last()
    tags = [last.version, options.tag] if "releases" in sections else [options.tag]
    if options.images == "build":
        for tag in tags:
            images.build(tag, ROOT if tag == options.tag else last.folder)
    images.load(place, tags)
    # Names are asked of the node, as pods do it.
    names = place.folder / "names.conf"
    names.write_text(f"nameserver {settings.DNS}\nsearch {settings.NAMESPACE}.svc.{settings.DOMAIN}\n")
    bound = 'mount --bind "$1" /etc/resolv.conf && shift && exec "$@"'
    trial = [
        sys.executable,
        "-m",
        "deploy.cluster.trial",
        str(place.folder),
        options.tag,
        str(options.tables),
        str(options.minutes),
        options.only,
    ]
    if options.results:
        trial.append(str(options.results.resolve()))
    command = [*entering, "unshare", "--mount", "sh", "-c", bound, "sh", str(names), *trial]
    return subprocess.run(command, check=False).returncode


def _run(place: Place, program: Sequence[str]) -> int:
    environment = {**os.environ, "KUBECONFIG": str(place.kubeconfig), "PATH": f"{tools()}:{os.environ['PATH']}"}
    return subprocess.run([*node.entering(place), *program], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
