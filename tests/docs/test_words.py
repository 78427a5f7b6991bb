"""Names are the field's words: what a reader would have to learn first is not there, and files are found by their names."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = ("services", "gateway", "deploy", "loadtests", "tests", "protos", "clients", "examples", "scripts")
DIALECT = {
    "house": "deployment, cluster or wiring",
    "shelf": "session cache",
    "founding": "creation",
    "timekeeper": "clock enforcer",
    "decree": "system action",
    "decreed": "done by the system",
    "voices": "votes",
    "tether": "die with parent",
    "keeper": "the thing it is",
    "patience": "timeout, backoff or budget",
    "desk": "handler or service",
    "visitor": "caller",
    "conversation": "connection",
    "anys": "any codec",
}
"""A word of earlier code, and what is said for it now."""
KEPT = {
    ("protos/brettwerk/v1/record.proto", "decree"): "the name in JSON, which stays as it was",
    ("protos/stated-changes.txt", "decree"): "the name before",
    ("protos/stated-changes.txt", "voices"): "the name before",
}
PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@cache
def sources() -> tuple[str, ...]:
    listed = subprocess.run(["git", "ls-files", "-z", *OURS], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    wanted = {".py", ".pyx", ".proto", ".lua", ".txt", ".tpl", ".yaml", ".sh", ".ts", ".svelte"}
    names = (name for name in listed.split("\0") if (ROOT / name).is_file())
    # Programs that people call have no ending.
    return tuple(name for name in names if Path(name).suffix in wanted or Path(name).parent == Path("scripts"))


def words_of(text: str) -> set[str]:
    """Return the words of a text in lower case; an identifier is as many as it was joined of."""
    return {word.lower() for word in PART.findall(text)}


def test_no_name_is_a_word_of_a_private_dialect() -> None:
    found = []
    for name in sources():
        if name == "tests/docs/test_words.py":
            continue
        path = ROOT / name
        words = words_of(name) | words_of(path.read_text(encoding="utf-8", errors="ignore"))
        found += [f"{name}: {word}, say {DIALECT[word]}" for word in sorted(DIALECT.keys() & words) if (name, word) not in KEPT]
    assert not found


def test_a_bound_is_called_max_and_what_is_done_again_an_attempt() -> None:
    named = re.compile(r"\b_?MOST(_\w+)?\b|\b\w*_?TRIES\b(?<!ENTRIES)(?<!COUNTRIES)(?<!RETRIES)")
    found = [
        f"{name}: {word.group()}"
        for name in sources()
        if name != "tests/docs/test_words.py"
        for word in named.finditer((ROOT / name).read_text(encoding="utf-8", errors="ignore"))
    ]
    assert not found


@pytest.mark.parametrize(
    "text",
    ["open_house = 1", "class OpenHouse:", "HOUSE_SIZE = 3", "# the house is open"],
    ids=["snake", "class", "constant", "prose"],
)
def test_such_a_word_is_found_in_every_form(text: str) -> None:
    assert "house" in words_of(text)


def test_the_glossary_has_no_more_than_twenty_words() -> None:
    rows = re.findall(r"^\| (?!word|---)", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.M)
    assert 10 <= len(rows) <= 20


def test_ten_places_are_where_contributing_says_they_are() -> None:
    exercise = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Find your way")[1].split("\n## ")[0]
    places = re.findall(r"\| `([^`]+)` \|", exercise)
    assert len(places) == 10
    assert [place for place in places if not (ROOT / place).is_file()] == []
