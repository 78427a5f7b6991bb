"""The services of a cluster itself, beside those for players: names always, and those that are asked for."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from deploy.cluster import programs, recipes
from deploy.cluster.place import Place
from deploy.cluster.recipes import Recipe
from deploy.cluster.unavailable import Unavailable

_ADDONS = Path(__file__).parent / "addons"
_OBSERVE = Path(__file__).parents[1] / "observe"


@dataclass(frozen=True)
class Extra:
    """Something that is installed in the cluster, as its operator would."""

    title: str
    recipe: Recipe
    waits_for: Sequence[str]
    """Objects, and the condition that makes it usable: what `kubectl wait` is given."""
    given: Sequence[Path] = ()
    """Further files that its objects are made of."""


_EXTERNAL = "apiservice/v1beta1.external.metrics.k8s.io"
_AVAILABLE = "--for=condition=Available"
DNS = Extra("CoreDNS (a stand-in answers for names)", recipes.COREDNS, (_AVAILABLE, "deployment/coredns"))
CHOICES = {
    "metrics": Extra("metrics-server", recipes.METRICS, (_AVAILABLE, "apiservice/v1beta1.metrics.k8s.io")),
    "keda": Extra("KEDA", recipes.KEDA, (_AVAILABLE, _EXTERNAL)),
    "adapter": Extra("prometheus-adapter", recipes.ADAPTER, (_AVAILABLE, _EXTERNAL), (_OBSERVE / "adapter.yaml",)),
}


def wanted(names: Sequence[str]) -> Sequence[Extra]:
    """Return CoreDNS and the extras of these names. Raises Unavailable for an unknown one, and two that exclude each other."""
    for name in names:
        if name not in CHOICES:
            raise Unavailable(f"there is no {name} to have the cluster with; there are: {', '.join(CHOICES)}")
    if {"keda", "adapter"} <= set(names):
        raise Unavailable("a cluster has figures of workers from keda or from adapter: both would answer at the same place")
    return [DNS, *(CHOICES[name] for name in dict.fromkeys(names))]


def image(program: str) -> str:
    """Return the image of a program, which nodes are given."""
    return f"localhost/{program}:1"


def installing(place: Place, extra: Extra) -> Iterator[Sequence[str]]:
    """Yield what kubectl is to be given until the extra is usable."""
    folder = place.folder / "addons" / extra.recipe.name
    shutil.copytree(_ADDONS / extra.recipe.name, folder)
    if extra.recipe.manifests:
        shutil.copytree(place.programs / programs.manifests(extra.recipe), folder / "theirs")
    for file in extra.given:
        shutil.copy(file, folder)
    yield ["apply", "--server-side", "--kustomize", str(folder)]
    yield ["wait", "--namespace", "kube-system", *extra.waits_for, "--timeout=5s"]
