"""The pictures in the docs can be taken again at any time."""

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from deploy.local import web
from deploy.local.deployment import Deployment
from tests.browser.pictures import FOLDER, PICTURES, Picture, take
from tests.examples.installing import with_packages

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def size(png: bytes) -> tuple[int, int]:
    """Return width and height in pixels (https://www.w3.org/TR/png-3/#11IHDR)."""
    return struct.unpack(">II", png[16:24])


@pytest.fixture(scope="module")
def site_with_packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    web.build(lambda line: print(line))
    packages = {picture.package for picture in PICTURES if picture.package}
    with with_packages(*packages), Deployment(data=tmp_path_factory.mktemp("packages")) as started:
        yield started


def check(picture: Picture, chromium: Browser, deployment: Deployment, folder: Path) -> None:
    path = folder / f"{picture.name}.png"
    take(chromium, deployment, picture, path)
    taken = path.read_bytes()
    assert size(taken) == picture.screen
    assert len(taken) > 30_000  # an empty page has a fifth of that


@pytest.mark.nightly
@pytest.mark.parametrize("picture", [each for each in PICTURES if not each.package], ids=lambda each: each.name)
def test_a_picture_is_taken_of_a_game_that_is_being_played(
    picture: Picture, chromium: Browser, site: Deployment, tmp_path: Path
) -> None:
    check(picture, chromium, site, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("picture", [each for each in PICTURES if each.package], ids=lambda each: each.name)
def test_a_picture_is_taken_of_a_game_of_a_package(
    picture: Picture, chromium: Browser, site_with_packages: Deployment, tmp_path: Path
) -> None:
    check(picture, chromium, site_with_packages, tmp_path)


def test_the_docs_have_these_pictures_and_no_others() -> None:
    kept = {path.stem for path in FOLDER.glob("*.png") if not path.stem.startswith("dashboard-")}  # those are Grafana's
    assert kept == {picture.name for picture in PICTURES}
    for picture in PICTURES:
        assert size((FOLDER / f"{picture.name}.png").read_bytes()) == picture.screen
