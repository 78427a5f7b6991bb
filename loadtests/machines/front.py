"""One address for all gateways, as a service of Kubernetes has: kube-proxy's rules, here in turn."""

from collections.abc import Sequence
from typing import Self

import grpc

from loadtests.machines.namespaces import Namespace
from loadtests.machines.pods import PORTS, Pod

_ADDRESS = "198.18.255.1"
_CHAIN = "GATEWAYS"


class Front:
    """The address, as callers at one host have it; until the end of the context."""

    def __init__(self, host: Namespace, gateways: Sequence[Pod]) -> None:
        self._host, self._gateways = host, gateways

    def __enter__(self) -> Self:
        self._rules("-N", _CHAIN)
        for left, pod in zip(range(len(self._gateways), 0, -1), self._gateways, strict=True):
            chosen = ("-m", "statistic", "--mode", "nth", "--every", str(left), "--packet", "0") if left > 1 else ()
            where = f"{pod.address}:{PORTS['gateway']}"
            self._rules("-A", _CHAIN, "-p", "tcp", *chosen, "-j", "DNAT", "--to-destination", where)
        self._rules("-A", "OUTPUT", "-d", _ADDRESS, "-j", _CHAIN)
        return self

    def __exit__(self, *_exception: object) -> None:
        self._rules("-D", "OUTPUT", "-d", _ADDRESS, "-j", _CHAIN)
        self._rules("-F", _CHAIN)
        self._rules("-X", _CHAIN)

    def channel(self) -> grpc.aio.Channel:
        """Return a channel with a connection of its own."""
        return grpc.aio.insecure_channel(f"{_ADDRESS}:{PORTS['gateway']}", options=(("grpc.use_local_subchannel_pool", 1),))

    def _rules(self, *arguments: str) -> None:
        self._host.run("iptables", "-t", "nat", *arguments)
