"""The arguments of the node's programs: their files and their command found. Nothing here looks at the machine."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from deploy.cluster.place import Place

Json: TypeAlias = Mapping[str, object]

NAMESPACE = "games"
"""Of the trial's release."""
ADDRESS = "10.0.99.1"
"""Of the first node, in a network of its own that leads nowhere else."""
API = f"https://{ADDRESS}:6443"
DNS = "10.96.0.10"
DOMAIN = "cluster.local"
PODS = "10.244.0.0/16"
"""Of all nodes: each has 256 of them."""
SERVICES = "10.96.0.0/16"
PAUSE_IMAGE = "localhost/pause:1"
VOLUMES = 24
"""One for each of three servers of two stores, one for backups, and some for claims that are made again."""
DATABASE_PASSWORD = "on-this-node-only"  # noqa: S105 - nobody else reaches it, and it ends with the node
DATABASE_URL = f"postgresql+psycopg://postgres:{DATABASE_PASSWORD}@{ADDRESS}/postgres"


@dataclass(frozen=True)
class Node:
    """One of the cluster's nodes, numbered from 1. The first has the control plane, and is the way to all others."""

    number: int

    @property
    def name(self) -> str:
        """Return its name: node, node-2, node-3."""
        return "node" if self.number == 1 else f"node-{self.number}"

    @property
    def address(self) -> str:
        """Return its address."""
        return f"10.0.99.{self.number}"

    @property
    def pods(self) -> str:
        """Return the addresses of its pods."""
        return f"10.244.{self.number - 1}.0/24"

    @property
    def zone(self) -> str:
        """Return the zone that it is in: each is in another."""
        return f"zone-{self.number}"

    @property
    def wire(self) -> str:
        """Return the name of the interface that leads from the first node to this one."""
        return f"wire{self.number}"


FIRST = Node(1)
MAX_NODES = 9


def nodes(count: int) -> Sequence[Node]:
    """Return so many nodes."""
    return [Node(number) for number in range(1, count + 1)]


def there(place: Place) -> Sequence[Node]:
    """Return the nodes that the cluster in this place has."""
    return [node for node in nodes(MAX_NODES) if place.of(node.name).is_dir()]


def containerd(place: Place, node: Node) -> str:
    """Return the settings of a node's containerd."""
    return f"""version = 2
root = "{place.of(node.name)}/containerd"
state = "/run/containerd"
disabled_plugins = [
  "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper",
  "io.containerd.internal.v1.opt", "io.containerd.internal.v1.tracing", "io.containerd.tracing.processor.v1.otlp",
]
[grpc]
  address = "{place.containerd_socket(node.name)}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "{PAUSE_IMAGE}"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "{place.of(node.name)}/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
"""


def pod_network(node: Node) -> Json:
    """Return the settings of the network of a node's pods: a wire to each, so that the node routes and filters all they send."""
    addresses = {"type": "host-local", "ranges": [[{"subnet": node.pods}]], "routes": [{"dst": "0.0.0.0/0"}]}
    return {"cniVersion": "0.4.0", "name": "pods", "plugins": [{"type": "ptp", "ipMasq": False, "ipam": addresses}]}


def kubelet(place: Place, node: Node) -> Json:
    """Return the settings of a kubelet. It heeds neither the machine's disk nor its swap, and sets no limits for all pods."""
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "authentication": {"anonymous": {"enabled": True}, "webhook": {"enabled": False}},
        "authorization": {"mode": "AlwaysAllow"},
        "cgroupDriver": "cgroupfs",
        "cgroupsPerQOS": False,
        "enforceNodeAllocatable": [],
        "failCgroupV1": False,
        "failSwapOn": False,
        "localStorageCapacityIsolation": False,
        "evictionHard": {"memory.available": "0%"},
        "imageGCHighThresholdPercent": 100,
        "clusterDNS": [DNS],
        "clusterDomain": DOMAIN,
        "containerRuntimeEndpoint": f"unix://{place.containerd_socket(node.name)}",
        "podPidsLimit": -1,
        "makeIPTablesUtilChains": False,
        "resolvConf": f"{place.folder}/resolv.conf",
        "podLogsDir": "/var/log/pods",
        # In 1.34 a kubelet dies of it (doPodResizeAction, nil) when a pod is killed and made anew under the same name.
        "featureGates": {"InPlacePodVerticalScaling": False},
    }


def access(place: Place, token: str) -> Json:
    """Return the kubeconfig of somebody who may do everything."""
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "cluster",
        "contexts": [{"name": "cluster", "context": {"cluster": "cluster", "user": "admin"}}],
        "clusters": [{"name": "cluster", "cluster": {"server": API, "certificate-authority": str(place.authority)}}],
        "users": [{"name": "admin", "user": {"token": token}}],
    }


def volumes(place: Place) -> Json:
    """Return the class of volumes that claims get without naming one, and its volumes: folders that all nodes see."""
    storage_class = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "folders", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
        "provisioner": "kubernetes.io/no-provisioner",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    found = [_volume(place, number) for number in range(VOLUMES)]
    return {"apiVersion": "v1", "kind": "List", "items": [storage_class, *found]}


def _volume(place: Place, number: int) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": f"folder-{number}"},
        "spec": {
            "capacity": {"storage": "10Gi"},
            "accessModes": ["ReadWriteOnce"],
            "persistentVolumeReclaimPolicy": "Retain",
            "storageClassName": "folders",
            "hostPath": {"path": f"{place.folder}/volumes/{number}", "type": "Directory"},
        },
    }


def write(place: Place, token: str, count: int) -> None:
    """Write all files of a cluster with so many nodes into its folder."""
    place.logs.mkdir(parents=True)
    files = {
        "volumes.json": json.dumps(volumes(place)),
        "resolv.conf": "",
        place.kubeconfig.name: json.dumps(access(place, token)),
        place.token_file.name: f'{token},admin,admin,"system:masters"\n',
        "database-password": DATABASE_PASSWORD,
    }
    for number in range(VOLUMES):
        volume = place.folder / "volumes" / str(number)
        volume.mkdir(parents=True)
        volume.chmod(0o777)  # a kubelet gives such a folder to nobody
    for node in nodes(count):
        (place.of(node.name) / "cni").mkdir(parents=True)
        files |= {
            f"{node.name}/containerd.toml": containerd(place, node),
            f"{node.name}/cni/10-pods.conflist": json.dumps(pod_network(node)),
            f"{node.name}/kubelet.json": json.dumps(kubelet(place, node)),
        }
    for name, text in files.items():
        Path(place.folder, name).write_text(text)


def control_plane(place: Place, postgres: Path) -> Mapping[str, Sequence[str]]:
    """Return the command of each process that a cluster has once, in the order in which they are to be started."""
    folder, kube = place.folder, str(place.programs / "kube")
    as_postgres = ["runuser", "-u", "postgres", "--"]
    return {
        "postgresql": [*as_postgres, str(postgres / "postgres"), "-D", f"{folder}/database"],
        "etcd": [
            "etcd", "--data-dir", f"{folder}/etcd", "--unsafe-no-fsync",
            "--listen-client-urls", "http://127.0.0.1:2379", "--advertise-client-urls", "http://127.0.0.1:2379",
            "--listen-peer-urls", "http://127.0.0.1:2380",
        ],
        "apiserver": [
            kube, "apiserver", "--etcd-servers=http://127.0.0.1:2379", f"--service-cluster-ip-range={SERVICES}",
            f"--bind-address={ADDRESS}", f"--advertise-address={ADDRESS}", "--secure-port=6443", f"--cert-dir={folder}/serving",
            f"--token-auth-file={place.token_file}", "--authorization-mode=Node,RBAC",
            "--service-account-issuer=https://kubernetes.default.svc", f"--service-account-key-file={folder}/accounts.pub",
            f"--service-account-signing-key-file={folder}/accounts.key", "--allow-privileged=true",
            "--enable-admission-plugins=NodeRestriction", "--kubelet-preferred-address-types=InternalIP",
            # By which servers of further kinds of objects (metrics) know that it is the API server who calls.
            f"--client-ca-file={folder}/front.crt", f"--requestheader-client-ca-file={folder}/front.crt",
            f"--proxy-client-cert-file={folder}/front.crt", f"--proxy-client-key-file={folder}/front.key",
            "--requestheader-allowed-names=front", "--requestheader-username-headers=X-Remote-User",
            "--requestheader-group-headers=X-Remote-Group", "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        ],
        "controllers": [
            kube, "controllers", f"--kubeconfig={place.kubeconfig}", f"--service-account-private-key-file={folder}/accounts.key",
            f"--root-ca-file={place.authority}", "--leader-elect=false", "--controllers=*,-node-ipam-controller",
        ],
        "scheduler": [kube, "scheduler", f"--kubeconfig={place.kubeconfig}", "--leader-elect=false"],
    }  # fmt: skip


def on_each_node(place: Place, node: Node, python: str) -> Mapping[str, Sequence[str]]:
    """Return the command of each process that every node has, in the order in which they are to be started."""
    folder, kube = place.of(node.name), str(place.programs / "kube")
    return {
        "containerd": ["containerd", "--config", f"{folder}/containerd.toml"],
        "kubelet": [
            kube, "kubelet", f"--kubeconfig={place.kubeconfig}", f"--config={folder}/kubelet.json",
            f"--hostname-override={node.name}", f"--node-ip={node.address}", f"--root-dir={folder}/kubelet",
            f"--node-labels=topology.kubernetes.io/zone={node.zone}",
        ],
        "proxy": [
            kube, "proxy", f"--kubeconfig={place.kubeconfig}", f"--hostname-override={node.name}", f"--cluster-cidr={PODS}",
            # The table of connections belongs to the whole machine.
            "--conntrack-max-per-core=0", "--conntrack-tcp-timeout-established=0", "--conntrack-tcp-timeout-close-wait=0",
        ],
        "enforcer": [python, "-m", "deploy.cluster.enforcer", str(place.folder), node.name],
    }  # fmt: skip
