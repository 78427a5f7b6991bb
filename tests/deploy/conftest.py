"""Images that the tests of a run share."""

import pytest

from tests.deploy import containers


@pytest.fixture(scope="session")
def images(tmp_path_factory: pytest.TempPathFactory) -> containers.Podman:
    """Podman, with all images built."""
    podman = containers.podman(tmp_path_factory.mktemp("podman"))
    podman.build()
    return podman
