"""Brettwerk on several hosts of this machine: what a slow line that loses does to it, and what becomes of pods and hosts.

    python -m loadtests.machines wire                     # what the wire itself costs
    python -m loadtests.machines share                    # how alike pods are loaded
    python -m loadtests.machines move                     # pods come and go while people play
    python -m loadtests.machines play --delay 20 --loss 1
    python -m loadtests.machines cut --delay 20 --loss 1  # hosts are cut off for a while
    python -m loadtests.machines play --delay 20 --replicas 2  # an action counts once a replica elsewhere has it
    python -m loadtests.machines rates                    # how far rate limits hold for two gateways together

Several trials run on the same cluster, one after the other. Needs root, and Linux with network namespaces; all of them end with
the program, however it ends. Progress goes to standard error, the figures as one line of JSON to standard output. The exit status
is 1 when a bar is missed, 3 when there can be no hosts here (loadtests/README.md).
"""

import argparse
import json
import signal
import sys
from collections.abc import Sequence

import uvloop

from loadtests import run
from loadtests.machines import namespaces
from loadtests.machines.balance import share
from loadtests.machines.cluster import Cluster
from loadtests.machines.gauge import measure
from loadtests.machines.line import Line
from loadtests.machines.outcome import Outcome
from loadtests.machines.partition import cut
from loadtests.machines.people import play
from loadtests.machines.pod_changes import move
from loadtests.machines.rate_limits import rate
from loadtests.machines.wires import address

TRIALS = ("wire", "share", "move", "play", "cut", "rates")
IMPOSSIBLE = 3


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = run.parser(__doc__)
    made.add_argument("trials", nargs="+", choices=TRIALS)
    made.add_argument("--delay", type=float, default=0.0, help="one way from host to host, in milliseconds")
    made.add_argument("--jitter", type=float, default=0.0, help="how far the delay is off at most, in milliseconds")
    made.add_argument("--loss", type=float, default=0.0, help="how many packets are lost, in percent")
    made.add_argument("--replicas", type=int, default=0, choices=(0, 1, 2), help="of the store, at the hosts 2 and 3")
    made.add_argument("--tables", type=int, default=8)
    made.add_argument("--seconds", type=float, default=30.0, help="how long people play in the trial play, in seconds")
    made.add_argument("--lasts", type=float, default=20.0, help="how long a host is cut off, in seconds")
    run.add_data(made)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print; return the exit status."""
    args = parser().parse_args(arguments)
    if not namespaces.is_inside():
        if reason := namespaces.missing():
            print(reason, file=sys.stderr)
            return IMPOSSIBLE
        namespaces.go_inside("loadtests.machines", sys.argv[1:] if arguments is None else arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the first process of a namespace is not ended by default
    under, say = run.conditions(args, "data", "quiet"), run.progress(is_quiet=args.quiet)
    layout: dict[str, tuple[int, ...]] | None = {} if args.trials == ["wire"] else None
    with run.folder(args.data) as folder, Cluster(folder, say, layout, args.replicas) as cluster:
        cluster.wire.set(Line(args.delay, args.jitter, args.loss))
        outcomes = [_run(trial, cluster, args, say) for trial in args.trials]
        under["packets"] = str(cluster.wire.counts())
    missed = [f"{outcome.trial}: {sentence}" for outcome in outcomes for sentence in outcome.missed]
    for sentence in missed:
        print(sentence, file=sys.stderr)
    print(json.dumps({"trials": [dict(outcome.shown()) for outcome in outcomes], "missed": missed, "conditions": under}))
    return int(bool(missed))


def _run(trial: str, cluster: Cluster, args: argparse.Namespace, say: run.Say) -> Outcome:
    say(f"{trial}: {Line(args.delay, args.jitter, args.loss).text()}")
    match trial:
        case "wire":
            return Outcome("wire", measure(cluster.hosts[2], cluster.hosts[3], address(3, 1)))
        case "share":
            return uvloop.run(share(cluster, say))
        case "move":
            return uvloop.run(move(cluster, args.tables, say))
        case "play":
            return uvloop.run(play(cluster, args.seconds, args.tables, say))
        case "cut":
            return uvloop.run(cut(cluster, args.lasts, args.tables, say))
        case _:
            return uvloop.run(rate(cluster, say))


if __name__ == "__main__":
    sys.exit(main())
