"""Pages are wrapped so that a forge and a terminal show them whole: prose at 110 columns, and rows of tables not at all."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COLUMNS = 110
RULES = re.compile(r"brettwerk_games/rules/[a-z_]+/(rules|text/)|(tests/)?examples/.*/(de|en)\.md|tests/brettwerk_games/rules/")
"""Rules of games: a paragraph of these is one line, from its anchor to its end, as it is read by anchor."""
LISTED = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
PAGES = [name for name in LISTED if not RULES.match(name) and (ROOT / name).is_file()]


def too_long(text: str) -> list[str]:
    """Return the lines of prose that are too long. Tables, commands, images and what has no blank to wrap at are left out."""
    found, is_fenced = [], False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            is_fenced = not is_fenced
        is_whole = is_fenced or line.startswith(("|", "    ", "<img")) or line.lstrip().startswith("|")
        if len(line) > COLUMNS and not is_whole and re.search(r"\s", unbroken(line.strip())):
            found.append(line)
    return found


def broken_tables(text: str) -> list[str]:
    """Return rows that are not closed or have other columns than the first, and prose right after a row, which becomes one."""
    found, is_fenced, columns = [], False, 0
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            is_fenced = not is_fenced
        if is_fenced or not line.strip():
            columns = 0
        elif line.startswith("|"):
            bars = len(re.findall(r"(?<!\\)\|", line))
            columns = columns or bars
            if not line.rstrip().endswith("|") or bars != columns:
                found.append(line)
        elif columns:
            found.append(line)
    return found


def unbroken(line: str) -> str:
    """Return a line without the blanks of its list mark, links and code, at which it is not wrapped."""
    return re.sub(r"`[^`]*`|\[[^\]]*\]\([^)]*\)", "x", re.sub(r"^(?:[-*]|\d+\.)\s+", "", line))


@pytest.mark.parametrize("name", PAGES)
def test_prose_is_wrapped(name: str) -> None:
    assert too_long((ROOT / name).read_text("utf-8")) == []


@pytest.mark.parametrize("name", LISTED)
def test_tables_are_whole(name: str) -> None:
    assert broken_tables((ROOT / name).read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("| a | b |\n| --- | --- |\n| c | d |\n\nprose", []),
        ("| a | b |\n| --- | --- |\n| c | d |\nprose", ["prose"]),
        ("| a | b |\n| --- | --- |\n| c |\nd |", ["| c |", "d |"]),
        ("| a | b |\n| --- | --- |\n| c | d | | e | f |", ["| c | d | | e | f |"]),
        ("| a | b |\n| --- | --- |\n| `c \\| d` | e \\| f |", []),
        ("```\n| a\nprose\n```", []),
    ],
    ids=["whole", "prose after a row", "wrapped row", "two rows in a line", "bars that are escaped", "command"],
)
def test_lines_that_break_a_table_are_found(text: str, found: list[str]) -> None:
    assert broken_tables(text) == found


def test_tables_of_figures_are_narrow_enough_for_a_forge_too() -> None:
    text = (ROOT / "loadtests" / "README.md").read_text("utf-8")
    assert [line for line in text.splitlines() if line.startswith("|") and len(line) > COLUMNS] == []


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("word " * 30, True),
        ("- word " * 30, True),
        ("| cell " * 30, False),
        (f"```sh\n{'word ' * 30}\n```", False),
        (f"see [a page](https://example.org/{'a' * 120})", True),
        (f"- `{'word ' * 30}`", False),
    ],
    ids=["prose", "list", "table", "command", "link after words", "code alone"],
)
def test_only_prose_has_to_be(text: str, is_found: bool) -> None:
    assert bool(too_long(text)) is is_found
