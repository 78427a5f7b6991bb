"""Images that were really built, on a base that this machine has made: what is in them, and who runs in them."""

import json

import pytest

from services.runtime.version import VERSION
from tests.deploy.containers import IMAGES, PROGRAMS, Podman

pytestmark = [pytest.mark.e2e, pytest.mark.nightly, pytest.mark.slow, pytest.mark.timeout(1300)]

FOLDERS = {"session": ["/data"], "players": ["/data"], "worker": ["/tables"], "all": ["/data"]}
"""Where a service keeps what lasts: its volume takes its owner from there."""
_LOCKED = ("run", "--rm", "--read-only", "--read-only-tmpfs=false", "--network", "none", "--cap-drop", "all")


@pytest.mark.parametrize("service", IMAGES)
def test_a_service_runs_without_privileges_and_writes_only_in_its_folders(images: Podman, service: str) -> None:
    look = "id -u; id -g; find / -xdev -writable -not -type l -not -path '/proc/*' -not -path '/dev/*' 2>/dev/null | head -n 5"
    done = images(*_LOCKED, "--entrypoint", "sh", images.image(service), "-c", look)
    uid, gid, *writable = done.stdout.split()
    assert (uid, gid) == ("10001", "10001")
    allowed = {"/tmp", "/var/tmp", "/run/lock", *FOLDERS.get(service, ())}
    assert {place for place in writable if place not in allowed} == set()


@pytest.mark.parametrize("service", IMAGES)
def test_an_image_has_all_that_its_program_imports(images: Podman, service: str) -> None:
    programs = [PROGRAMS[service], "services.runtime.probe", *(["gateway.smoke_test"] if service == "gateway" else [])]
    imports = "; ".join(f"import {name}" for name in programs)
    images(*_LOCKED, "--entrypoint", "python", images.image(service), "-c", imports)


@pytest.mark.parametrize("service", IMAGES)
def test_an_image_says_what_it_is_and_has_no_secret_of_its_build(images: Podman, service: str) -> None:
    made = images.inspect(images.image(service))
    labels = made["Labels"]
    assert labels["org.opencontainers.image.title"] == f"brettwerk-{service}"
    assert labels["org.opencontainers.image.version"] == "test"
    assert len(labels["org.opencontainers.image.revision"]) == 40
    assert labels["org.opencontainers.image.description"]
    assert made["Healthcheck"]["Test"]
    look = "! test -e /run/secrets && ! test -e /etc/pip.conf && ! test -e /root/.npmrc"
    images(*_LOCKED, "--user", "0", "--entrypoint", "sh", images.image(service), "-c", look)


def test_computer_players_are_compiled_and_nothing_is_left_of_what_compiled_them(images: Podman) -> None:
    look = (
        "import sys, importlib.util as u, brettwerk_games.players.einstein.kernels.playout as p; "
        "from services.runtime.version import VERSION; "
        "print(p.__file__.endswith('.so'), u.find_spec('grpc_tools'), u.find_spec('pip'), VERSION)"
    )
    done = images(*_LOCKED, "--entrypoint", "python", images.image("worker"), "-c", look)
    assert done.stdout.split() == ["True", "None", "None", VERSION]
    assert images(*_LOCKED, "--entrypoint", "sh", images.image("worker"), "-c", "command -v gcc npm", check=False).returncode


def test_an_image_lists_its_packages(images: Podman) -> None:
    done = images(*_LOCKED, "--entrypoint", "python", images.image("worker"), "-m", "services.runtime.sbom")
    services = {service["name"]: service["purl"] for service in json.loads(done.stdout)["components"]}
    assert services["celery"].startswith("pkg:pypi/")
    assert services["libc6"].startswith("pkg:deb/")
    assert "grpcio-tools" not in services
