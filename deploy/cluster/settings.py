"""The arguments of the node's programs: their files and their command found. Nothing here looks at the machine."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from deploy.cluster.place import Place

Json: TypeAlias = Mapping[str, object]

NAMESPACE = "games"
"""Of the trial's release."""
NODE = "node"
ADDRESS = "10.0.99.1"
"""Of the node, in a network of its own that leads nowhere else."""
API = f"https://{ADDRESS}:6443"
DNS = "10.96.0.10"
PODS = "10.244.0.0/24"
SERVICES = "10.96.0.0/16"
PAUSE_IMAGE = "localhost/pause:1"
VOLUMES = 12
"""One for each of three servers of two stores, one for backups, and some for claims that are made again."""
DATABASE_PASSWORD = "on-this-node-only"  # noqa: S105 - nobody else reaches it, and it ends with the node
DATABASE_URL = f"postgresql+psycopg://postgres:{DATABASE_PASSWORD}@{ADDRESS}/postgres"


def containerd(place: Place) -> str:
    """Return the settings of containerd."""
    return f"""version = 2
root = "{place.folder}/containerd"
state = "/run/containerd"
disabled_plugins = [
  "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper",
  "io.containerd.internal.v1.opt", "io.containerd.internal.v1.tracing", "io.containerd.tracing.processor.v1.otlp",
]
[grpc]
  address = "{place.containerd_socket}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "{PAUSE_IMAGE}"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "{place.folder}/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
"""


def pod_network() -> Json:
    """Return the settings of the pods' network: one bridge."""
    addresses = {"type": "host-local", "ranges": [[{"subnet": PODS}]], "routes": [{"dst": "0.0.0.0/0"}]}
    bridge = {"type": "bridge", "bridge": "cni0", "isGateway": True, "ipMasq": False, "hairpinMode": True, "ipam": addresses}
    return {"cniVersion": "0.4.0", "name": "pods", "plugins": [bridge]}


def kubelet(place: Place) -> Json:
    """Return the settings of the kubelet. It heeds neither the machine's disk nor its swap, and sets no limits for all pods."""
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
        "clusterDomain": "cluster.local",
        "containerRuntimeEndpoint": f"unix://{place.containerd_socket}",
        "podPidsLimit": -1,
        "makeIPTablesUtilChains": False,
        "resolvConf": f"{place.folder}/resolv.conf",
        "podLogsDir": "/var/log/pods",
    }


def access(place: Place, token: str) -> Json:
    """Return the kubeconfig of somebody who may do everything."""
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": NODE,
        "contexts": [{"name": NODE, "context": {"cluster": NODE, "user": "admin"}}],
        "clusters": [{"name": NODE, "cluster": {"server": API, "certificate-authority": str(place.authority)}}],
        "users": [{"name": "admin", "user": {"token": token}}],
    }


def volumes(place: Place) -> Json:
    """Return the class of volumes that claims get without naming one, and its volumes: folders of this node."""
    storage_class = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "folders", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
        "provisioner": "kubernetes.io/no-provisioner",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    here = {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": [NODE]}]}
    found = [
        {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": f"folder-{number}"},
            "spec": {
                "capacity": {"storage": "10Gi"},
                "accessModes": ["ReadWriteOnce"],
                "persistentVolumeReclaimPolicy": "Retain",
                "storageClassName": "folders",
                "local": {"path": f"{place.volumes}/{number}"},
                "nodeAffinity": {"required": {"nodeSelectorTerms": [here]}},
            },
        }
        for number in range(VOLUMES)
    ]
    return {"apiVersion": "v1", "kind": "List", "items": [storage_class, *found]}


def write(place: Place, token: str) -> None:
    """Write all files of a node into its folder."""
    for folder in (place.logs, place.folder / "cni", *(place.volumes / str(number) for number in range(VOLUMES))):
        folder.mkdir(parents=True)
    files = {
        "containerd.toml": containerd(place),
        "cni/10-bridge.conflist": json.dumps(pod_network()),
        "kubelet.json": json.dumps(kubelet(place)),
        "volumes.json": json.dumps(volumes(place)),
        "resolv.conf": "",
        place.kubeconfig.name: json.dumps(access(place, token)),
        place.token_file.name: f'{token},admin,admin,"system:masters"\n',
        "database-password": DATABASE_PASSWORD,
    }
    for name, text in files.items():
        file = Path(place.folder, name)
        file.write_text(text)


def commands(place: Place, python: str, postgres: Path) -> Mapping[str, Sequence[str]]:
    """Return the command of each process of a node, in the order in which they are to be started."""
    folder, kube = place.folder, str(place.programs / "kube")
    as_postgres = ["runuser", "-u", "postgres", "--"]
    return {
        "containerd": ["containerd", "--config", f"{folder}/containerd.toml"],
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
        ],
        "controllers": [
            kube, "controllers", f"--kubeconfig={place.kubeconfig}", f"--service-account-private-key-file={folder}/accounts.key",
            f"--root-ca-file={place.authority}", "--leader-elect=false", "--controllers=*,-node-ipam-controller",
        ],
        "scheduler": [kube, "scheduler", f"--kubeconfig={place.kubeconfig}", "--leader-elect=false"],
        "kubelet": [
            kube, "kubelet", f"--kubeconfig={place.kubeconfig}", f"--config={folder}/kubelet.json",
            f"--hostname-override={NODE}", f"--node-ip={ADDRESS}", f"--root-dir={folder}/kubelet",
        ],
        "agent": [python, "-m", "deploy.cluster.agent", str(folder)],
    }  # fmt: skip
