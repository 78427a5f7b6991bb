"""The services of the cluster itself, beside those for players: the one that answers for names."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from deploy.cluster import recipes
from deploy.cluster.place import Place
from deploy.cluster.recipes import Recipe

_ADDONS = Path(__file__).parent / "addons"


@dataclass(frozen=True)
class Extra:
    """Something that is installed in the cluster, as its operator would."""

    title: str
    recipe: Recipe
    waits_for: Sequence[str]
    """Objects, and the condition that makes it usable: what `kubectl wait` is given."""


DNS = Extra("CoreDNS (a stand-in answers for names)", recipes.COREDNS, ("--for=condition=Available", "deployment/coredns"))
EXTRAS = (DNS,)


def image(program: str) -> str:
    """Return the image of a program, which nodes are given."""
    return f"localhost/{program}:1"


def installing(place: Place, extra: Extra) -> Iterator[Sequence[str]]:
    """Yield what kubectl is to be given until the extra is usable."""
    folder = place.folder / extra.recipe.name
    shutil.copytree(_ADDONS / extra.recipe.name, folder)
    yield ["apply", "--server-side", "--kustomize", str(folder)]
    yield ["wait", "--namespace", "kube-system", *extra.waits_for, "--timeout=5s"]
