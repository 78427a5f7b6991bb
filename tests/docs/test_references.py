"""Nothing refers to what is not there: rule ids, links and anchors, in code, texts, contracts and documents."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENDINGS = {".py", ".md", ".json", ".proto", ".ts", ".svelte", ".css", ".html", ".svg", ".toml", ".yaml", ".yml", ""}
RULE = re.compile(r"\b(?:EWN|EMP|EP|WEC)-[A-Z0-9]+(?:-[A-Z0-9]+)*-\d+[a-z]?\b")
ANCHOR = re.compile(r'<a id="([^"]+)"')
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*)$", re.M)
PLANTED = {"EWN-END-9", "EWN-MOVE-99"}
"""Ids that tests plant because there are no such rules."""


@cache
def files() -> tuple[Path, ...]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found = [ROOT / name for name in listed.split("\0") if name]
    return tuple(path for path in found if path.suffix in ENDINGS and path.is_file() and path.stat().st_size < 2_000_000)


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="ignore")


def pages(language: str) -> list[Path]:
    return sorted((ROOT / "brettwerk_games" / "rules").glob(f"*/rules.{language}.md"))


@cache
def anchors(path: Path) -> frozenset[str]:
    """Return what links into a page can name: its anchors, and its headings as they are named by those who show it."""
    text = text_of(path)
    named = [re.sub(r"[^\w\- ]", "", heading.lower().replace("`", "")).replace(" ", "-") for heading in HEADING.findall(text)]
    return frozenset((*ANCHOR.findall(text), *named))


def dead_rules(text: str, known: frozenset[str]) -> set[str]:
    return {rule for rule in RULE.findall(text) if rule not in known}


def dead_links(path: Path, text: str) -> list[str]:
    found = []
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        there = path if not name else (ROOT / name.lstrip("/") if name.startswith("/") else path.parent / name)
        if not there.exists() or (anchor and there.suffix == ".md" and anchor not in anchors(there)):
            found.append(target)
    return found


@cache
def rules() -> frozenset[str]:
    return frozenset(rule for path in pages("en") for rule in ANCHOR.findall(text_of(path)))


@pytest.mark.parametrize("language", ["en", "de"])
def test_rules_pages_name_rules_that_they_have(language: str) -> None:
    for path in pages(language):
        assert not dead_rules(text_of(path), anchors(path)), path.name


def test_everything_names_rules_that_there_are() -> None:
    dead = {str(path.relative_to(ROOT)): found for path in files() if (found := dead_rules(text_of(path), rules() | PLANTED))}
    assert not dead


def test_links_and_anchors_lead_somewhere() -> None:
    documents = [path for path in files() if path.suffix == ".md"]
    assert len(documents) > 20
    dead = {str(path.relative_to(ROOT)): found for path in documents if (found := dead_links(path, text_of(path)))}
    assert not dead


def test_dead_rules_and_links_are_found() -> None:
    page = pages("en")[0]
    assert dead_rules("(EWN-TURN-1, WEC-RUL-4, " + "WEC-RUL-" + "999)", rules()) == {"WEC-RUL-" + "999"}
    readme = ROOT / "README.md"
    assert dead_links(readme, "[a](docs/protocol.md) [b](docs/nothing.md) [c](#nowhere) [d](https://example.org)") == [
        "docs/nothing.md",
        "#nowhere",
    ]
    assert dead_links(page, f"[a](#{min(rules() & anchors(page))})") == []
