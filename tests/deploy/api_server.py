"""A Kubernetes API server without the cluster: real `kubectl` and `helm` can write objects to it and read them.

It keeps objects, refuses those that the schemas of Kubernetes do not know, finds them by labels, and says what kinds there are.
That is all: nothing runs, nobody is let in or kept out, no defaults are filled in. What a cluster would report of its pods
stands there only when a test has written it.
"""

import base64
import copy
import json
import re
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self
from urllib.parse import parse_qs, urlsplit

import jsonschema
import yaml

from tests.deploy import wire
from tests.deploy.chart.schemas import check

Thing = dict[str, Any]
VERSION = "1.37"
NOW = "2026-01-01T00:00:00Z"
KINDS = {
    "v1": "Namespace Pod Service Secret ConfigMap ServiceAccount PersistentVolumeClaim Event",
    "apps/v1": "Deployment StatefulSet ReplicaSet",
    "policy/v1": "PodDisruptionBudget",
    "autoscaling/v2": "HorizontalPodAutoscaler",
    "networking.k8s.io/v1": "NetworkPolicy Ingress IngressClass",
    "scheduling.k8s.io/v1": "PriorityClass",
    "storage.k8s.io/v1": "StorageClass",
    "gateway.networking.k8s.io/v1": "HTTPRoute GRPCRoute",
    "batch/v1": "Job CronJob",
    "cert-manager.io/v1": "Certificate Issuer ClusterIssuer",
    "keda.sh/v1alpha1": "ScaledObject TriggerAuthentication",
    "monitoring.coreos.com/v1": "PrometheusRule PodMonitor ServiceMonitor",
}
OF_THE_CLUSTER = {"Namespace", "IngressClass", "PriorityClass", "StorageClass", "ClusterIssuer"}
SHORT = {"HorizontalPodAutoscaler": ["hpa"], "PersistentVolumeClaim": ["pvc"]}


def plural(kind: str) -> str:
    """Return the name of a kind in addresses."""
    name = kind.lower()
    return name[:-1] + "ies" if name.endswith("cy") else name + ("es" if name.endswith("ss") else "s")


class ApiServer:
    """A Kubernetes API server at a free port of this machine, without the cluster."""

    def __init__(self) -> None:
        self.things: dict[str, Thing] = {}
        """The objects that are kept, by their addresses."""
        this = self

        class Handler(_Handler):
            api_server = this

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def write_access(self, file: Path) -> None:
        """Write a file for KUBECONFIG that leads here."""
        cluster = {"name": "brettwerk", "cluster": {"server": f"http://127.0.0.1:{self._server.server_port}"}}
        context = {"name": "brettwerk", "context": {"cluster": "brettwerk", "user": "nobody"}}
        known = {"clusters": [cluster], "contexts": [context], "users": [{"name": "nobody", "user": {}}], "current-context": "brettwerk"}  # fmt: skip # noqa: E501
        file.write_text(json.dumps({"apiVersion": "v1", "kind": "Config"} | known))

    def of(self, kind: str) -> list[Thing]:
        """Return the objects of a kind."""
        return [thing for thing in self.things.values() if thing["kind"] == kind]


class _Handler(BaseHTTPRequestHandler):
    api_server: ClassVar[ApiServer]
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    """An answer is sent in two parts, and the second would wait until the client has confirmed the first: 40 ms each."""

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(address.query).items()}
        path = address.path.rstrip("/")
        if found := _about(path):
            return self._say(200, found)
        if path in self.api_server.things:
            return self._say(200, self.api_server.things[path])
        if "watch" in asked:  # nothing ever changes by itself
            return self._say(200, {})
        if (kind := _kind_of(path)) is None:
            return self._refuse(404, "NotFound", path)
        group, name = kind
        fits = re.compile(re.escape(path).replace("/namespaces/", "/namespaces/") + "/[^/]+$") if "/namespaces/" in path or name in OF_THE_CLUSTER else re.compile(path.rpartition("/")[0] + "/namespaces/[^/]+/" + plural(name) + "/[^/]+$")  # fmt: skip # noqa: E501
        wanted = asked.get("fieldSelector", "").removeprefix("metadata.name=")
        items = [
            thing
            for where, thing in sorted(self.api_server.things.items())
            if fits.match(where)
            and selected(thing["metadata"].get("labels", {}), asked.get("labelSelector", ""))
            and wanted in ("", thing["metadata"]["name"])
        ]
        return self._say(200, {"kind": f"{name}List", "apiVersion": group, "metadata": {"resourceVersion": "1"}, "items": items})

    def do_POST(self) -> None:
        thing = self._read()
        where = f"{urlsplit(self.path).path}/{thing['metadata']['name']}"
        if where in self.api_server.things:
            return self._refuse(409, "AlreadyExists", where)
        return self._keep(where, thing, 201)

    def do_PUT(self) -> None:
        return self._keep(urlsplit(self.path).path, self._read(), 200)

    def do_PATCH(self) -> None:
        where = urlsplit(self.path).path
        if self.headers["Content-Type"] != "application/apply-patch+yaml":
            return self._refuse(415, "UnsupportedMediaType", where)
        return self._keep(where, self._read(), 200 if where in self.api_server.things else 201)

    def do_DELETE(self) -> None:
        self._read()
        where = urlsplit(self.path).path
        if self.api_server.things.pop(where, None) is None:
            return self._refuse(404, "NotFound", where)
        return self._say(200, {"kind": "Status", "apiVersion": "v1", "status": "Success"})

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""

    def _read(self) -> Thing:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if content.startswith(wire.MAGIC):
            return wire.decoded(content)
        return yaml.safe_load(content) or {}

    def _keep(self, where: str, thing: Thing, code: int) -> None:
        kind = _kind_of(where.rpartition("/")[0])
        if kind is None or kind != (thing["apiVersion"], thing["kind"]):
            return self._refuse(404, "NotFound", where)
        namespace = re.search("/namespaces/([^/]+)/", where)
        if namespace and f"/api/v1/namespaces/{namespace[1]}" not in self.api_server.things:
            return self._refuse(404, "NotFound", f"/api/v1/namespaces/{namespace[1]}")
        try:
            check(_without_empty(thing), VERSION)
        except jsonschema.ValidationError as error:
            return self._refuse(422, "Invalid", f"{where}: {error.message}")
        before = self.api_server.things.get(where, {})
        kept = copy.deepcopy(thing)
        kept["metadata"] |= {"uid": before.get("metadata", {}).get("uid") or str(uuid.uuid4()), "creationTimestamp": NOW}
        kept["metadata"] |= {"resourceVersion": str(1 + int(before.get("metadata", {}).get("resourceVersion", 0)))}
        if namespace:
            kept["metadata"]["namespace"] = namespace[1]
        if kept["kind"] == "Secret":
            words = {name: base64.b64encode(value.encode()).decode() for name, value in kept.pop("stringData", {}).items()}
            kept["data"] = (kept.get("data") or {}) | words
        self.api_server.things[where] = kept
        return self._say(code, kept)

    def _refuse(self, code: int, reason: str, what: str) -> None:
        message = f"{reason}: {what}"
        self._say(code, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": message})  # fmt: skip # noqa: E501

    def _say(self, code: int, answer: Thing) -> None:
        content = json.dumps(answer).encode() if answer else b""
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _without_empty(thing: Thing) -> Thing:
    """Return an object as its author meant it: clients send nulls and empty statuses for what was not said."""
    return {name: value for name, value in _without_nulls(thing).items() if not (name == "status" and not value)}


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(one) for name, one in value.items() if one is not None}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value


def _root(group: str) -> str:
    return f"/apis/{group}" if "/" in group else f"/api/{group}"


def _kind_of(path: str) -> tuple[str, str] | None:
    """Return group with version, and kind, of the address of a list."""
    for group, kinds in KINDS.items():
        for kind in kinds.split():
            if re.fullmatch(f"{_root(group)}(/namespaces/[^/]+)?/{plural(kind)}", path):
                return group, kind
    return None


def _about(path: str) -> Thing | None:
    """Return what a server says of itself at an address: its version, its kinds, and that it checks fields."""
    groups = [group for group in KINDS if "/" in group]
    if path == "/version":
        return {"major": "1", "minor": VERSION.partition(".")[2], "gitVersion": f"v{VERSION}.0"}
    if path == "/api":
        return {"kind": "APIVersions", "versions": ["v1"]}
    if path == "/apis":
        found = [{"groupVersion": group, "version": group.partition("/")[2]} for group in groups]
        listed = [{"name": one["groupVersion"].partition("/")[0], "versions": [one], "preferredVersion": one} for one in found]
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": listed}
    if path == "/openapi/v3":
        return {"paths": {_root(group)[1:]: {"serverRelativeURL": f"/openapi/v3{_root(group)}"} for group in KINDS}}
    for group, kinds in KINDS.items():
        if path == _root(group):
            return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group, "resources": [_resource(kind) for kind in kinds.split()]}  # fmt: skip # noqa: E501
        if path == f"/openapi/v3{_root(group)}":
            paths = {f"{path}/{plural(kind)}/{{name}}": {"patch": _patching(group, kind)} for kind in kinds.split()}
            return {"openapi": "3.0.0", "info": {"title": "brettwerk", "version": VERSION}, "paths": paths}
    return None


def _resource(kind: str) -> Thing:
    verbs = ["create", "delete", "get", "list", "patch", "update", "watch"]
    names = {"name": plural(kind), "singularName": kind.lower(), "shortNames": SHORT.get(kind, [])}
    return names | {"kind": kind, "namespaced": kind not in OF_THE_CLUSTER, "verbs": verbs}


def _patching(group: str, kind: str) -> Thing:
    process, _, version = group.rpartition("/")
    known = {"group": process, "kind": kind, "version": version}
    parameters = [{"name": name, "in": "query"} for name in ("dryRun", "fieldManager", "fieldValidation", "force")]
    return {"x-kubernetes-group-version-kind": known, "parameters": parameters, "responses": {}}


def selected(labels: dict[str, str], selector: str) -> bool:
    """Return whether labels fit a selector such as `a=b,c in (d,e),f!=g,h`."""
    for term in filter(None, re.split(r",(?![^(]*\))", selector)):
        if match := re.fullmatch(r"\s*(\S+?)\s+(in|notin)\s+\((.*)\)\s*", term):
            values = [value.strip() for value in match[3].split(",")]
            fits = (labels.get(match[1]) in values) == (match[2] == "in")
        elif "!=" in term:
            key, _, value = term.partition("!=")
            fits = labels.get(key.strip()) != value.strip()
        elif "=" in term:
            key, _, value = term.replace("==", "=").partition("=")
            fits = labels.get(key.strip()) == value.strip()
        else:
            fits = term.strip() in labels
        if not fits:
            return False
    return True
