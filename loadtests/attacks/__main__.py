"""Runs the list against a deployment of its own and prints a table: `python -m loadtests.attacks --seconds 8 [NAME...]`.

Beside each attack, a quiet player makes one move after the other. A row says how long their moves took to be answered, and at
most a call through a new connection to the web endpoint, what the attacker got, by how much each process grew, and what went
wrong. The exit status is 1 when an answer took longer than --most seconds or failed, a log has a traceback or an INTERNAL answer,
a process ended, did not return its memory within --rest seconds, or grew by more than MAX_GROWTH_MB over the whole list.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from deploy.local.deployment import Deployment
from loadtests.attacks import long_game as long_games
from loadtests.attacks.catalogue import ATTACKS, Attack
from loadtests.attacks.quiet import QuietPlayer
from loadtests.attacks.target import LATE
from loadtests.markdown import head
from loadtests.markdown import row as cells
from loadtests.processes import resident
from loadtests.run import deployment as started

MAX_GROWTH_MB = 512
"""By how much a process, with its children, may have grown at the end."""
KEPT_SHARE = 0.2
"""How much more memory than before an attack a process may have once it has had its rest."""
KEPT_MB = 64
"""That much more says nothing: a process for heavy work that others have started meanwhile takes 53 MB until it ends."""
LONG = ("histories", "resumed-watches")
"""The attacks that ask about the long game."""
_FAULTS = ("Traceback", '"exception"', "call failed", "request failed")


def main(arguments: Sequence[str]) -> int:
    """Run it and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m loadtests.attacks", description=__doc__)
    parser.add_argument("names", nargs="*", help="attacks to run; all by default")
    parser.add_argument("--short", action="store_true", help="only those that show what they do within a second")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--most", type=float, default=1.0, help="maximum number of seconds that an answer may take")
    parser.add_argument(
        "--rest",
        type=float,
        default=60,
        help="seconds within which memory must be returned after an attack; 0: it need not be",
    )
    parser.add_argument(
        "--versions", type=int, default=2000, help="number of versions of the long game that some attacks ask about"
    )
    asked = parser.parse_args(arguments)
    chosen = [attack for attack in ATTACKS if (not asked.names or attack.name in asked.names) and asked.short <= attack.is_short]
    with started({"BRETTWERK_TRUSTED_PROXIES": "127.0.0.1"}) as deployment:
        return run(deployment, chosen, asked.seconds, asked.most, asked.rest, asked.versions)


def run(
    deployment: Deployment, chosen: Sequence[Attack], seconds: float, most: float, rest_s: float = 0, versions: int = 2000
) -> int:
    """Attack a running deployment and print the table; return the exit code."""
    print(head(("attack", "moves", "p50", "p99", "longest (ms)", "web", "the attacker got", "grown (MB)", "faults")))
    long_game = long_games.play(deployment.grpc_address, versions) if any(attack.name in LONG for attack in chosen) else ("", "")
    faults = row(deployment, None, seconds, most, 0, long_game)  # what everybody needs is there now
    before = memory(deployment)
    for attack in chosen:
        faults += row(deployment, attack, seconds, most, rest_s, long_game)
    grown = {name: size - before[name] for name, size in memory(deployment).items() if name in before}
    faults += [f"{name} grew by {size} MB" for name, size in grown.items() if size > MAX_GROWTH_MB]
    print(f"\ngrown over all: {grown}; faults: {faults or 'none'}")
    return 1 if faults else 0


def row(
    deployment: Deployment, attack: Attack | None, seconds: float, most: float, rest_s: float, long_game: tuple[str, str]
) -> list[str]:
    """Run one attack, or none, print its row and return what went wrong."""
    pids, before, lines = deployment.pids(), memory(deployment), log_faults(deployment)
    name = attack.name if attack else "(none)"
    got = ""
    counts: dict[str, int] = {}
    with QuietPlayer(deployment.grpc_address, deployment.web_address) as player:
        if attack is None:
            time.sleep(seconds)
        else:
            command = [sys.executable, "-m", "loadtests.attacks.attacker", name, deployment.grpc_address, deployment.web_address]
            command += [str(seconds), *long_game]
            done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60, check=False)  # noqa: S603
            counts = json.loads(done.stdout or "{}")
            got = ", ".join(f"{count:,} {what}" for what, count in counts.items())
            if done.returncode:
                got += " (ended early: " + (done.stderr.strip().splitlines() or ["?"])[-1][:80] + ")"
    moves, web = sorted(player.moves), max(player.web, default=0.0)
    grown = {
        name: size - before[name] for name, size in memory(deployment).items() if name in before and size - before[name] >= 10
    }
    faults = [*player.failures, *(f"{new} faults in logs" for new in [log_faults(deployment) - lines] if new)]
    if counts.get("INTERNAL"):
        faults.append(f"{counts['INTERNAL']} INTERNAL")
    if counts.get(LATE):
        faults.append(f"{counts[LATE]} {LATE}")
    if not moves or max(moves[-1], web) > most:
        faults.append("starved")
    after = deployment.pids()
    faults += [f"{name} ended" for name, pid in pids.items() if after.get(name) != pid]
    if rest_s:
        faults += kept(deployment, before, rest_s)
    figures = [f"{1000 * moves[int(share * (len(moves) - 1))]:.0f}" for share in (0.5, 0.99, 1)] if moves else ["-"] * 3
    figures.append(f"{1000 * web:.0f}")
    sizes = ", ".join(f"{process} {size}" for process, size in grown.items())
    odd = [f"{counts['UNAVAILABLE']} UNAVAILABLE"] if counts.get("UNAVAILABLE") else []  # told, but it says when to come again
    print(cells((name, len(moves), *figures, got, sizes, "; ".join(faults + odd))), flush=True)
    return [f"{name}: {fault}" for fault in faults]


def kept(deployment: Deployment, before: Mapping[str, int], rest_s: float) -> list[str]:
    """Return what each process keeps of the memory that it took, as soon as none keeps too much or the rest is over."""
    until = time.monotonic() + rest_s
    while True:
        sizes = memory(deployment)
        found = {
            name: size - before[name]
            for name, size in sizes.items()
            if name in before and size - before[name] > max(KEPT_MB, KEPT_SHARE * before[name])
        }
        if not found or time.monotonic() > until:
            return [f"{name} kept {size} MB" for name, size in found.items()]
        time.sleep(1)


def memory(deployment: Deployment) -> dict[str, int]:
    """Return the memory of each process with its children, in MB."""
    return {name: size // 2**20 for name, size in resident(deployment.pids()).items()}


def log_faults(deployment: Deployment) -> int:
    """Return how many lines of the logs tell of a fault."""
    logs = (deployment.data / "logs").glob("*.log")
    return sum(any(fault in line for fault in _FAULTS) for log in logs for line in log.read_text(errors="replace").splitlines())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
