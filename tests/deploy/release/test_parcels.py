"""Files of a release beside its images."""

import hashlib
import subprocess
import tarfile
from pathlib import Path

import pytest

from deploy.release import parcels
from deploy.release.release_error import ReleaseError
from tests.deploy.chart.rendering import run
from tests.deploy.release.sample import repository, source
from tests.deploy.tools import ROOT


def test_the_chart_is_packed_to_the_same_bytes_whenever_that_is_done(tmp_path: Path) -> None:
    root = repository(tmp_path / "checkout")
    (tmp_path / "out").mkdir()
    first = parcels.chart(source(root), tmp_path / "out").read_bytes()
    (root / "deploy" / "chart" / "Chart.yaml").touch()
    file = parcels.chart(source(root), tmp_path / "out")
    assert file.read_bytes() == first
    with tarfile.open(file) as archive:
        assert archive.getnames() == ["brettwerk/Chart.yaml", "brettwerk/templates/a.yaml"]


def test_helm_reads_the_packed_chart(tmp_path: Path) -> None:
    file = parcels.chart(source(ROOT), tmp_path)
    assert "kind: Deployment" in run("template", "brettwerk", str(file))
    assert run("show", "readme", str(file)).startswith("# The Brettwerk chart")


def test_sums_are_those_of_all_files_as_sha256sum_wants_them(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    for name in ("b", "images/a", "SHA256SUMS.sig"):
        (tmp_path / name).write_text(name)
    file = parcels.sums(tmp_path)
    assert file.read_text().splitlines()[0] == f"{hashlib.sha256(b'b').hexdigest()}  b"
    assert [line.split("  ")[1] for line in file.read_text().splitlines()] == ["b", "images/a"]
    subprocess.run(["sha256sum", "--check", "--quiet", "--strict", file.name], cwd=tmp_path, check=True, timeout=60)


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    parcels.empty(tmp_path / "new")
    (tmp_path / "new" / "file").touch()
    with pytest.raises(ReleaseError, match="something is in"):
        parcels.empty(tmp_path / "new")


def test_wheels_of_other_machines_are_released_only_if_they_are_of_this_version(tmp_path: Path) -> None:
    made = source(repository(tmp_path / "checkout"))
    built, out = tmp_path / "built", tmp_path / "out"
    built.mkdir()
    out.mkdir()
    wheel = f"brettwerk-{made.version}-cp314-cp314-macosx_15_0_arm64.whl"
    (built / wheel).write_bytes(b"wheel")
    parcels.wheels(made, out, built)
    assert (out / wheel).read_bytes() == b"wheel"
    (built / "brettwerk-0.0.1-cp314-cp314-macosx_15_0_arm64.whl").touch()
    with pytest.raises(ReleaseError, match="no wheel of the server"):
        parcels.wheels(made, out, built)


def test_a_contract_that_was_not_made_is_missed(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"there is no contract.zip"):
        parcels.contract(source(tmp_path), tmp_path)
