"""Names are the field's words: what a reader would have to learn first is not there, and files are found by their names."""

import io
import re
import subprocess
import tokenize
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
OURS = (
    "brettwerk_games",
    "grpc_http2",
    "services",
    "gateway",
    "deploy",
    "loadtests",
    "tests",
    "protos",
    "clients",
    "examples",
    "scripts",
)
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
SENSES: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("words.yaml").read_text("utf-8"))
TOGETHER = {
    "asks_anew": "the name of what it asks for",
    "share_of_chance": "seed contribution",
    "shares_of_chance": "seed contributions",
}
"""Names of several words that are gone, though each of these words is used."""
NOTES = re.compile(r"/\*.*?\*/|<!--.*?-->|(?<!:)//[^\n]*|--[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
NO_SUBJECT = "who|what|whoever|whatever|whom|whose|whichever"
RIDDLE = re.compile(
    rf"\bdef (test_(?:{NO_SUBJECT}|nobody|nothing)_\w*|test_\w+_(?:and|but|nor|or|that|then)_(?:{NO_SUBJECT})_\w*)"
    rf"|\b(?:it|test|describe)(?:\.\w+(?:\(.*\))?)?\([\"'`]((?:{NO_SUBJECT}|nobody|nothing)\b.*?)[\"'`],"
)
"""The name of a test in which a relative clause, or a negation, is the subject."""


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


def identifiers(name: str, text: str) -> set[str]:
    """Return the names in a source, without those in its comments and strings."""
    if Path(name).suffix in (".py", ".pyx"):
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        return {token.string for token in tokens if token.type == tokenize.NAME}
    return set(re.findall(r"[A-Za-z_]\w*", re.sub(NOTES, " ", text)))


def misused(name: str, text: str) -> list[str]:
    """Return the names in a source with a word in a sense that words.yaml does not have for that place."""
    anywhere = set(re.findall(r"[A-Za-z_]\w*", text))  # to tell names from what stands in comments and strings takes longer
    return misused_of(name, identifiers(name, text)) if misused_of(name, anywhere) else []


def misused_of(name: str, named: set[str]) -> list[str]:
    """Return those of some names in a source that have a word in another sense."""
    found = []
    for identifier in sorted(named):
        for word in sorted(SENSES.keys() & words_of(identifier)):
            rule = SENSES[word]
            senses = [sense for sense in rule["senses"] if identifier.startswith(sense.get("only", ""))]
            places = tuple(place for sense in senses for place in sense["in"])
            if identifier not in rule.get("names", {}) and not name.startswith(places):
                found.append(f"{name}: {identifier}, say {rule['instead']}")
        found += [f"{name}: {identifier}, say {TOGETHER[words]}" for words in TOGETHER if words in identifier.lower()]
    return found


def test_a_name_has_its_word_in_one_of_the_senses_that_the_field_has_for_it() -> None:
    code = {".py", ".pyx", ".proto", ".lua", ".ts", ".svelte"}
    named = [name for name in sources() if Path(name).suffix in code and name != "tests/docs/test_words.py"]
    assert [one for name in named for one in misused(name, (ROOT / name).read_text(encoding="utf-8"))] == []


def test_every_word_has_its_replacement_and_every_sense_its_meaning_and_places() -> None:
    for word, rule in SENSES.items():
        assert rule["instead"], word
        for sense in rule["senses"]:
            assert sense["means"], word
            assert all(any(name.startswith(folder) for name in sources()) for folder in sense["in"]), (word, sense)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gateway/websocket/websocket.py", "line = open_socket()"),
        ("loadtests/chaos/system.py", "part = start()"),
        ("services/session/live/writer.py", "class Draft: ..."),
        ("services/ai/thought/turn.py", "def told(self): ..."),
        ("gateway/calls/handler.py", "tries += 1"),
        ("services/session/app/wiring.py", "self.shares_of_chance = ()"),
        ("clients/web/src/api/client.ts", "const sight = 1;"),
        ("services/ai/board/scripts/take.lua", "local door = 1"),
    ],
)
def test_a_word_in_a_sense_that_is_gone_is_found(name: str, text: str) -> None:
    assert misused(name, text)


def test_words_in_comments_and_strings_are_no_names() -> None:
    assert misused("gateway/calls/handler.py", 'reason = "no door"  # the journal\n') == []
    assert misused("clients/web/src/api/client.ts", 'const a = "door"; // journal\n') == []


def test_no_name_is_a_word_of_a_private_dialect() -> None:
    found = []
    for name in sources():
        if name == "tests/docs/test_words.py":
            continue
        path = ROOT / name
        words = words_of(name) | words_of(path.read_text(encoding="utf-8", errors="ignore"))
        found += [f"{name}: {word}, say {DIALECT[word]}" for word in sorted(DIALECT.keys() & words) if (name, word) not in KEPT]
    assert not found


def test_a_bound_is_called_max_and_a_repetition_an_attempt() -> None:
    named = re.compile(r"\b_?MOST(_\w+)?\b|\b\w*_?TRIES\b(?<!ENTRIES)(?<!COUNTRIES)(?<!RETRIES)")
    found = [
        f"{name}: {word.group()}"
        for name in sources()
        if name != "tests/docs/test_words.py"
        for word in named.finditer((ROOT / name).read_text(encoding="utf-8", errors="ignore"))
    ]
    assert not found


def test_the_name_of_a_test_has_a_plain_subject() -> None:
    tests = [name for name in sources() if name.startswith(("tests/", "clients/")) and name.endswith((".py", ".ts"))]
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in tests if name != "tests/docs/test_words.py"}
    assert [(name, *filter(None, found)) for name, text in texts.items() for found in RIDDLE.findall(text)] == []
    for line in (
        "def test_what_is_kept_is_read():",
        "async def test_a_is_one_and_who_waits_is_told():",
        'it("nobody waits", () => {',
    ):
        assert RIDDLE.search(line), line
    assert not RIDDLE.search("def test_a_player_who_waits_is_told():")


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
