"""A node that is not there, and what is there in its place."""

import os
from pathlib import Path

import pytest

from deploy.cluster import extras, node, settings
from deploy.cluster.__main__ import main
from deploy.cluster.place import Place
from deploy.cluster.unavailable import Unavailable


def test_a_process_that_only_has_the_number_of_a_node_is_none(tmp_path: Path) -> None:
    place = Place(tmp_path)
    assert node.pid(place) is None
    place.pid_file.write_text(str(os.getpid()))
    assert node.pid(place) is None
    place.pid_file.write_text("rubbish")
    assert node.pid(place) is None


def test_commands_need_a_running_node(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="no node runs here"):
        node.entering(Place(tmp_path))


def test_remains_of_a_node_that_has_ended_are_removed(tmp_path: Path) -> None:
    place = Place(tmp_path / "node")
    place.logs.mkdir(parents=True)
    place.pid_file.write_text("4194305")
    node.down(place)
    assert not place.folder.exists()
    node.down(place)


def test_the_command_says_in_one_sentence_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BRETTWERK_CLUSTER_FOLDER", str(tmp_path / "node"))
    assert main(["try"]) == 3
    assert capsys.readouterr().err == "no node runs here: deploy/cluster/up brings one up\n"


def test_a_further_service_that_does_not_exist_is_refused_with_those_that_do() -> None:
    assert [extra.recipe.name for extra in extras.wanted(["metrics", "keda", "keda"])] == ["coredns", "metrics", "keda"]
    with pytest.raises(Unavailable, match=r"there is no metric to have the cluster with; there are: metrics, keda"):
        extras.wanted(["metric"])


def test_each_node_has_addresses_and_a_zone_of_its_own(tmp_path: Path) -> None:
    place = Place(tmp_path / "node")
    settings.write(place, "token", 2)
    assert settings.there(place) == settings.nodes(2)
    first, second = settings.nodes(2)
    assert not {first.name, first.address, first.pods, first.zone} & {second.name, second.address, second.pods, second.zone}
    assert (place.of("node-2") / "cni").is_dir()


def test_a_node_needs_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(Unavailable, match="needs root"):
        node.up(Place(tmp_path / "node"), node.Wish())
    assert not (tmp_path / "node").exists()


def test_programs_that_are_missing_are_named_by_their_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match=r"apt-get install .*etcd-server containerd runc iptables nftables iproute2"):
        node.up(Place(tmp_path / "node"), node.Wish())
