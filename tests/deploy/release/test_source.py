"""The source that may be released, and what it is built on."""

from pathlib import Path

import pytest

from deploy.release.release_error import ReleaseError
from deploy.release.source import DOCKERFILE, checked_out, pinned_bases
from tests.deploy.release.sample import repository
from tests.deploy.tools import ROOT


def test_a_commit_is_released_with_its_own_date(tmp_path: Path) -> None:
    found = checked_out(repository(tmp_path), "1.2.3", {})
    assert len(found.commit) == 40
    assert found.epoch > 1_700_000_000
    assert checked_out(tmp_path, "1.2.3", {"SOURCE_DATE_EPOCH": "12"}).epoch == 12


def test_another_version_than_the_source_says_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"services/runtime/version.py says 1.2.3, not 1.2.4"):
        checked_out(repository(tmp_path), "1.2.4", {})


def test_uncommitted_files_are_not_released(tmp_path: Path) -> None:
    (repository(tmp_path) / "deploy" / "new").write_text("")
    with pytest.raises(ReleaseError, match="commit everything first; 1 files differ, such as deploy/new"):
        checked_out(tmp_path, "1.2.3", {})


def test_a_date_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="yesterday"):
        checked_out(repository(tmp_path), "1.2.3", {"SOURCE_DATE_EPOCH": "yesterday"})


def test_bases_of_the_dockerfile_are_known_by_their_digests() -> None:
    bases = pinned_bases((ROOT / DOCKERFILE).read_text())
    assert [base.argument for base in bases] == ["PYTHON_BASE", "NODE_BASE"]
    assert all(f"={base.pinned}\n" in (ROOT / DOCKERFILE).read_text() for base in bases)


def test_a_base_that_is_not_pinned_is_refused() -> None:
    with pytest.raises(ReleaseError, match="PYTHON_BASE"):
        pinned_bases("ARG PYTHON_BASE=docker.io/library/python:3.11\n")
