"""A change to a source file starts the processes that run it again, and no others."""

import threading
from pathlib import Path

import pytest

from deploy.local.deployment import Deployment
from deploy.local.reload import USED_BY, changed, keep_current, processes_of, states
from tests.deploy.images.test_dockerfile import FILE, sources_of
from tests.deploy.local.test_process_supervisor import until


def test_processes_run_what_their_images_are_given() -> None:
    folders = {folder for folder in USED_BY if not folder.startswith(("gateway", "generated"))}
    for image in ("rules", "session", "ai", "players", "worker", "gateway"):
        given = set(sources_of(image, FILE.read_text())) & folders
        assert {folder for folder in folders if image in USED_BY[folder]} == given, image
    assert all(("worker" in users) == ("statistics" in users) for users in USED_BY.values())


def test_written_new_and_removed_files_have_changed(tmp_path: Path) -> None:
    folder = tmp_path / "services" / "rules"
    folder.mkdir(parents=True)
    kept, written, removed = (folder / f"{name}.py" for name in ("kept", "written", "removed"))
    for file in (kept, written, removed):
        file.touch()
    before = states(tmp_path)
    written.write_text("x = 1\n")
    removed.unlink()
    (folder / "made.lua").touch()
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "kept.pyc").touch()
    assert changed(before, states(tmp_path)) == [f"services/rules/{name}" for name in ("made.lua", "removed.py", "written.py")]


def test_a_file_belongs_to_those_who_run_it() -> None:
    assert processes_of(["gateway/process.py"]) == ["gateway"]
    assert processes_of(["services/archive/archive.py", "services/rules/service.py"]) == ["players", "rules", "session"]
    assert processes_of(["docs/glossary.md", "services_of_others/x.py"]) == []


@pytest.mark.nightly
@pytest.mark.e2e
def test_a_changed_file_starts_its_process_again_and_leaves_the_others(own_deployment: Deployment, tmp_path: Path) -> None:
    folder = tmp_path / "sources" / "services" / "rules"
    folder.mkdir(parents=True)
    before, said, looked = own_deployment.pids(), [], threading.Event()

    def say(line: str) -> None:
        said.append(line)
        looked.set()

    threading.Thread(target=keep_current, args=(own_deployment, say, tmp_path / "sources"), daemon=True).start()
    for number in range(20):  # the first look may come after the first file
        (folder / f"{number}.py").touch()
        if looked.wait(3):
            break
    until(lambda: own_deployment.pids().get("rules", before["rules"]) != before["rules"])
    own_deployment.wait("rules")
    assert "starting rules again" in said[0]
    assert {name: pid for name, pid in own_deployment.pids().items() if name != "rules"} == {
        name: pid for name, pid in before.items() if name != "rules"
    }
