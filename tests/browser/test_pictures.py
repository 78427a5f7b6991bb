"""The pictures in the docs can be taken again at any time."""

import struct
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from deploy.local.deployment import Deployment
from tests.browser.pictures import FOLDER, PICTURES, Picture, take

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def size(png: bytes) -> tuple[int, int]:
    """Return width and height in pixels (https://www.w3.org/TR/png-3/#11IHDR)."""
    return struct.unpack(">II", png[16:24])


@pytest.mark.nightly
@pytest.mark.parametrize("picture", PICTURES, ids=lambda each: each.name)
def test_a_picture_is_taken_of_a_game_that_is_being_played(
    picture: Picture, chromium: Browser, site: Deployment, tmp_path: Path
) -> None:
    path = tmp_path / f"{picture.name}.png"
    take(chromium, site, picture, path)
    taken = path.read_bytes()
    assert size(taken) == picture.screen
    assert len(taken) > 50_000  # an empty page has a tenth of that


def test_the_docs_have_these_pictures_and_no_others() -> None:
    kept = {path.stem for path in FOLDER.glob("*.png") if not path.stem.startswith("dashboard-")}  # those are Grafana's
    assert kept == {picture.name for picture in PICTURES}
    for picture in PICTURES:
        assert size((FOLDER / f"{picture.name}.png").read_bytes()) == picture.screen
