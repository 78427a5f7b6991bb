"""The images without building them: what is copied is there, what starts a part starts it, and the file is in order."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from services.runtime.settings import Settings
from tests.deploy.tools import ROOT

FILE = ROOT / "deploy" / "images" / "Dockerfile"
TARGETS = ("rules", "session", "ai", "worker", "gateway")
MODULES = {"rules": "services.rules", "session": "services.session", "ai": "services.ai", "worker": "services.ai.worker", "gateway": "gateway"}  # fmt: skip # noqa: E501


def stages() -> dict[str, str]:
    """Return the text of each stage by its name."""
    parts = re.split(r"^FROM (\S+) AS (\S+)$", FILE.read_text(), flags=re.MULTILINE)
    return {parts[i + 1]: f"FROM {parts[i]}\n{parts[i + 2]}" for i in range(1, len(parts), 3)}


def test_hadolint_finds_nothing() -> None:
    done = subprocess.run([str(Path(sys.executable).parent / "hadolint"), str(FILE)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_part_has_a_target_and_every_base_is_pinned() -> None:
    assert set(TARGETS) <= set(stages())
    bases = re.findall(r"^ARG \w+_BASE=(\S+)$", FILE.read_text(), re.MULTILINE)
    assert len(bases) == 2
    assert all(re.fullmatch(r"docker\.io/library/[\w:.-]+@sha256:[0-9a-f]{64}", base) for base in bases)


def test_what_is_copied_is_there_and_not_ignored() -> None:
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", FILE.read_text(), re.MULTILINE)
    assert len(copied) > 5
    for source in (source for line in copied for source in line.split()):
        assert list(ROOT.glob(source)), source
        if source != "scripts":
            assert any(source == one or source.startswith(f"{one}/") for one in kept), source


def test_no_part_is_root_and_each_can_say_how_it_is() -> None:
    assert "USER 10001:10001" in stages()["part"]
    for target in TARGETS:
        text = stages()[target]
        assert text.startswith("FROM part\n")
        assert "USER" not in text
        assert f'ENTRYPOINT ["python", "-m", "{MODULES[target]}"]' in text
    assert "HEALTHCHECK" in stages()["part"]
    assert "9000/live" in stages()["worker"]


def test_variables_are_settings_that_there_are() -> None:
    known = {f"BRETTWERK_{field.upper()}" for field in Settings.model_fields}
    assert set(re.findall(r"BRETTWERK_\w+", FILE.read_text())) <= known


@pytest.mark.parametrize("target", TARGETS)
def test_a_part_imports_nothing_that_its_image_lacks(target: str, tmp_path: Path) -> None:
    """Only the folders that the image has are put on the path."""
    text = stages()["part"] + stages()[target]
    for source in re.findall(r"--from=build /app/(services/\S+) ", text):
        (tmp_path / source).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / source).symlink_to(ROOT / source)
    if target == "gateway":
        (tmp_path / "gateway").mkdir()
        for file in (ROOT / "gateway").glob("*.py"):
            (tmp_path / "gateway" / file.name).symlink_to(file)
    programs = [MODULES[target], "services.runtime.probe"] + (["gateway.trial"] if target == "gateway" else [])
    packages = {"gateway", "services.rules", "services.session", "services.ai"}
    imports = "; ".join(f"import {module}{'.__main__' if module in packages else ''}" for module in programs)
    path = [str(tmp_path), str(ROOT / "generated" / "python"), *(one for one in sys.path if "site-packages" in one)]
    code = f"import sys; sys.path[:0] = {path!r}; {imports}"
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
