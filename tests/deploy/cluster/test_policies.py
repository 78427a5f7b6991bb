"""Network policies, enforced by the kernel between two networks, which stand for pods."""

import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

from deploy.cluster.policies import ruleset, selects

HERE, OTHER = "10.1.0.2", "10.2.0.2"


def pod(name: str, address: str, node: str = "node", **labels: str) -> dict[str, Any]:
    containers = [{"ports": [{"name": "grpc", "containerPort": 7800}]}]
    return {
        "metadata": {"namespace": "games", "name": name, "labels": labels},
        "spec": {"nodeName": node, "containers": containers},
        "status": {"podIP": address, "phase": "Running"},
    }


PODS = [pod("session", HERE, app="session"), pod("gateway", OTHER, "node-2", app="gateway")]
NAMESPACES = [{"metadata": {"name": "games", "labels": {"team": "players"}}}]


def policy(**spec: object) -> dict[str, Any]:
    return {"metadata": {"namespace": "games"}, "spec": {"podSelector": {"matchLabels": {"app": "session"}}, **spec}}


def chain(name: str, *policies: dict[str, Any]) -> list[str]:
    """The rules of a pod's chain."""
    lines = ruleset("node", PODS, NAMESPACES, policies).splitlines()
    begin = lines.index(f"chain {name} {{")
    return [line.strip() for line in lines[begin + 1 : lines.index("}", begin)]]


INGRESS = "ingress-10-1-0-2"


def test_pods_that_no_policy_selects_are_free() -> None:
    assert "drop" not in ruleset("node", PODS, NAMESPACES, [])
    assert "drop" not in ruleset("node-2", PODS, NAMESPACES, [policy(ingress=[])])


def test_a_policy_that_allows_nothing_shuts_a_pod() -> None:
    assert chain(INGRESS, policy(policyTypes=["Ingress"])) == ["drop"]


@pytest.mark.parametrize(
    ("peer", "allowed"),
    [
        ({"podSelector": {"matchLabels": {"app": "gateway"}}}, f"ip saddr {{ {OTHER} }}"),
        ({"namespaceSelector": {"matchLabels": {"team": "players"}}}, f"ip saddr {{ {HERE}, {OTHER} }}"),
        ({"namespaceSelector": {"matchLabels": {"team": "others"}}}, None),
        ({"ipBlock": {"cidr": "10.0.0.0/8", "except": ["10.3.0.0/16"]}}, "ip saddr 10.0.0.0/8 ip saddr != 10.3.0.0/16"),
    ],
)
def test_peers_are_pods_by_label_or_addresses(peer: dict[str, Any], allowed: str | None) -> None:
    rules = chain(INGRESS, policy(ingress=[{"from": [peer], "ports": [{"port": "grpc"}]}]))
    assert rules == [*([f"{allowed} tcp dport 7800 accept"] if allowed else []), "drop"]


def test_ports_are_numbers_names_and_ranges() -> None:
    ports = [{"port": 53, "protocol": "UDP"}, {"port": "grpc"}, {"port": 100, "endPort": 200}, {"protocol": "SCTP"}]
    rules = chain("egress-10-1-0-2", policy(policyTypes=["Egress"], egress=[{"ports": ports}]))
    said = ("udp dport 53", "tcp dport 7800", "tcp dport 100-200", "meta l4proto sctp")
    assert rules == [*(f"{match} accept" for match in said), "drop"]


@pytest.mark.parametrize(
    ("operator", "values", "is_selected"),
    [("In", ["a", "b"], True), ("NotIn", ["a"], False), ("Exists", [], True), ("DoesNotExist", [], False)],
)
def test_selectors_have_expressions(operator: str, values: list[str], is_selected: bool) -> None:
    expression = {"key": "app", "operator": operator, "values": values}
    assert selects({"matchExpressions": [expression]}, {"app": "a"}) is is_selected


ROUTER = """
set -e
for n in 1 2; do
    unshare --net sleep 60 & eval "p$n=$!"
done
for p in $p1 $p2; do
    until [ "$(readlink /proc/$p/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do :; done
done
ip link set lo up
echo 1 > /proc/sys/net/ipv4/ip_forward
for n in 1 2; do
    eval "p=\\$p$n"
    ip link add v$n type veth peer name e netns $p
    ip address add 10.$n.0.1/24 dev v$n
    ip link set v$n up
    nsenter --net=/proc/$p/ns/net sh -c "ip address add 10.$n.0.2/24 dev e; ip link set e up; ip route add default via 10.$n.0.1"
done
"""


@pytest.mark.skipif(bool(os.geteuid()) or not shutil.which("nft"), reason="needs root and nftables")
def test_the_kernel_lets_through_what_is_allowed_and_nothing_else() -> None:
    rules = ruleset("node", PODS, NAMESPACES, [policy(ingress=[{"ports": [{"port": 7800}]}])])
    call = """
nft --file - <<'RULES'
%s
RULES
nsenter --net=/proc/$p1/ns/net %s -c "import socket, time
those = [socket.create_server(('', port)) for port in (7800, 7801)]
time.sleep(30)" &
nsenter --net=/proc/$p2/ns/net %s -c "import socket
is_there = False
while not is_there:
    try:
        socket.create_connection(('10.1.0.2', 7800), 10).close()
        is_there = True
    except ConnectionRefusedError:
        pass
print(7800, 'open')
try:
    socket.create_connection(('10.1.0.2', 7801), 1).close()
except TimeoutError:
    print(7801, 'shut')"
""" % (rules, sys.executable, sys.executable)  # noqa: UP031 - the shell has braces of its own
    command = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", ROUTER + call]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.splitlines() == ["7800 open", "7801 shut"], done.stderr
