"""The rules of nftables that network policies come to on one node. Nothing here looks at the machine."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

TABLE = "brettwerk-policies"
Object: TypeAlias = Mapping[str, Any]
_ENDED = ("Succeeded", "Failed")


def ruleset(node: str, pods: Sequence[Object], namespaces: Sequence[Object], policies: Sequence[Object]) -> str:
    """Return what `nft --file` is to be given, so that pods of this node reach, and are reached by, what policies allow.

    A pod that no policy selects for a direction is free in it. Answers always come back, and the node reaches its own pods.
    """
    begun = [f"table ip {TABLE}", f"delete table ip {TABLE}", f"table ip {TABLE} {{"]
    return "\n".join([*begun, *_table(node, pods, namespaces, policies), "}"]) + "\n"


def _table(node: str, pods: Sequence[Object], namespaces: Sequence[Object], policies: Sequence[Object]) -> Iterator[str]:
    there = [pod for pod in pods if _is_there(pod)]
    labels = {one["metadata"]["name"]: one["metadata"].get("labels") or {} for one in namespaces}
    entries = list[str]()
    for pod in there:
        if pod["spec"].get("nodeName") != node:
            continue
        for direction, match, peer in (("Ingress", "daddr", "saddr"), ("Egress", "saddr", "daddr")):
            those = [policy for policy in policies if _concerns(policy, pod, direction)]
            if not those:
                continue
            address = pod["status"]["podIP"]
            chain = f"{direction.lower()}-{address.replace('.', '-')}"
            yield f"chain {chain} {{"
            for policy in those:
                for rule in policy["spec"].get(direction.lower()) or []:
                    yield from _allowed(rule, direction, peer, pod, policy["metadata"]["namespace"], there, labels)
            yield "drop"
            yield "}"
            entries.append(f"ip {match} {address} jump {chain}")
    # Pods reach other pods by way of `forward`, and what is on the node itself by way of `input`.
    for hook in ("forward", "input"):
        yield f"chain {hook} {{"
        yield f"type filter hook {hook} priority filter; policy accept;"
        yield "ct state established,related accept"
        yield from entries
        yield "}"


def _is_there(pod: Object) -> bool:
    status = pod.get("status") or {}
    return bool(status.get("podIP")) and status.get("phase") not in _ENDED and not pod["spec"].get("hostNetwork")


def _concerns(policy: Object, pod: Object, direction: str) -> bool:
    spec = policy["spec"]
    types = spec.get("policyTypes") or ["Ingress", *(["Egress"] if "egress" in spec else [])]
    is_here = policy["metadata"]["namespace"] == pod["metadata"]["namespace"]
    return direction in types and is_here and selects(spec.get("podSelector") or {}, pod["metadata"].get("labels") or {})


def selects(selector: Object, labels: Mapping[str, str]) -> bool:
    """Return whether a selector selects something with these labels. An empty one selects all."""
    return all(labels.get(key) == value for key, value in (selector.get("matchLabels") or {}).items()) and all(
        _holds(expression, labels) for expression in selector.get("matchExpressions") or []
    )


def _holds(expression: Object, labels: Mapping[str, str]) -> bool:
    value, values = labels.get(expression["key"]), expression.get("values") or []
    return {
        "In": value in values,
        "NotIn": value not in values,
        "Exists": value is not None,
        "DoesNotExist": value is None,
    }[expression["operator"]]


def _allowed(
    rule: Object,
    direction: str,
    peer: str,
    pod: Object,
    namespace: str,
    pods: Sequence[Object],
    namespaces: Mapping[str, Mapping[str, str]],
) -> Iterator[str]:
    """Yield what one rule of a policy allows: the ways to peers, each with the ports that are open there."""
    those = rule.get("from" if direction == "Ingress" else "to")
    ports = rule.get("ports") or [{}]
    if not those:
        everybody = pods if direction == "Egress" else [pod]
        for port in ports:
            yield from (f"{match} accept" for match in _ports(port, everybody))
        return
    for one in those:
        if block := one.get("ipBlock"):
            beyond = "".join(f" ip {peer} != {but}" for but in block.get("except") or [])
            yield from (f"ip {peer} {block['cidr']}{beyond} {match} accept" for port in ports for match in _ports(port, [pod]))
            continue
        found = [other for other in pods if _is_peer(one, other, namespace, namespaces)]
        if direction == "Ingress":
            addresses = ", ".join(sorted(other["status"]["podIP"] for other in found))
            if addresses:
                yield from (f"ip saddr {{ {addresses} }} {match} accept" for port in ports for match in _ports(port, [pod]))
            continue
        for other in found:
            where = f"ip daddr {other['status']['podIP']}"
            yield from (f"{where} {match} accept" for port in ports for match in _ports(port, [other]))


def _is_peer(one: Object, pod: Object, namespace: str, namespaces: Mapping[str, Mapping[str, str]]) -> bool:
    where = pod["metadata"]["namespace"]
    is_within = selects(one["namespaceSelector"], namespaces.get(where, {})) if "namespaceSelector" in one else where == namespace
    return is_within and selects(one.get("podSelector") or {}, pod["metadata"].get("labels") or {})


def _ports(port: Object, pods: Sequence[Object]) -> Iterator[str]:
    """Yield what matches a port; one that has a name may be another one in each pod."""
    protocol, number = str(port.get("protocol", "TCP")).lower(), port.get("port")
    if number is None:
        yield f"meta l4proto {protocol}" if "protocol" in port else ""
    elif isinstance(number, int):
        yield f"{protocol} dport {number}" + (f"-{port['endPort']}" if "endPort" in port else "")
    else:
        named = (one for pod in pods for container in pod["spec"]["containers"] for one in container.get("ports") or [])
        yield from (
            f"{protocol} dport {one}" for one in sorted({one["containerPort"] for one in named if one.get("name") == number})
        )
