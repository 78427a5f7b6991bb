"""Networks with one family of addresses only: a program runs in a namespace of its own, whose loopback has no other."""

import functools
import subprocess
from collections.abc import Sequence

from tests.surroundings import lacking

ONLY_IPV6 = "ip link set lo up && ip addr del 127.0.0.1/8 dev lo"
ONLY_IPV4 = "sysctl -qw net.ipv6.conf.all.disable_ipv6=1 && ip link set lo up"


def within(network: str, *command: str) -> Sequence[str]:
    """Return the command line that runs a program in such a network. Skips the test where no namespace can be made."""
    if not _works(network):
        remedy = "run it as root, or let users: apt install iproute2 && sysctl kernel.unprivileged_userns_clone=1"
        lacking("no network namespace can be made", remedy, optional=True)
    return ("unshare", "--map-root-user", "--net", "sh", "-c", f'{network} && exec "$@"', "sh", *command)


@functools.cache
def _works(network: str) -> bool:
    command = ("unshare", "--map-root-user", "--net", "sh", "-c", network)
    try:
        return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0
    except OSError:
        return False
