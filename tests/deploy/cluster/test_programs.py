"""Which programs are built, and from what."""

import subprocess
from pathlib import Path

import pytest

from deploy.cluster import programs
from deploy.cluster.recipes import BRANCH, COREDNS, KUBERNETES
from deploy.cluster.unavailable import Unavailable


def test_the_version_is_the_sources() -> None:
    assert programs.version_in("KUBE_GIT_MAJOR=1\nKUBE_GIT_VERSION=v1.34.9\nKUBE_GIT_COMMIT=x\n") == "v1.34.9"


def test_sources_without_a_version_are_refused() -> None:
    with pytest.raises(Unavailable, match="which Kubernetes"):
        programs.version_in("KUBE_GIT_MAJOR=1\n")


def test_programs_in_the_cache_are_not_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    nowhere = str(tmp_path / "nowhere")
    with pytest.raises(Unavailable, match="cannot be cloned"):
        programs.obtain(COREDNS, nowhere)
    assert list((tmp_path / "brettwerk" / "cluster").iterdir()) == []
    assert programs.kept(COREDNS) != programs.kept(KUBERNETES)
    programs.kept(COREDNS).mkdir()
    assert programs.obtain(COREDNS, nowhere) == programs.kept(COREDNS)


def test_a_repository_without_the_branch_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    subprocess.run(["git", "init", "--quiet", "--bare", str(tmp_path / "other")], check=True)
    with pytest.raises(Unavailable, match=BRANCH):
        programs.obtain(KUBERNETES, str(tmp_path / "other"))
