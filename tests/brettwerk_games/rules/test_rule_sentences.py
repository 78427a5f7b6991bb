"""Players read of a rule what its page says, and no Markdown; whatever names a rule names one that there is."""

import re
from pathlib import Path

import pytest

from brettwerk_games.rules.registry import games
from brettwerk_games.rules.rule_sentences import MAX_SENTENCES, plain, rule_sentences

ROOT = Path(__file__).parents[3]
LANGUAGES = ("en", "de")
MARKDOWN = re.compile(r"[*`|]|\]\(|<a\b|^(#|- |> )")
RULE = re.compile(r"\b(?:EWN|EP|EMP|WEC)(?:-[A-Z0-9]+)*-\d+\b")
NAMING = {
    "brettwerk_games": ("py", "pyx", "json"),
    "services": ("py", "pyx", "json"),
    "clients/web/src": ("ts", "svelte", "json"),
    "protos": ("proto",),
}
PAGE = """# A game

<a id="T-1"></a>**T-1** The first
sentence. The second says *more* of [it](other.md).

It goes on here.

<a id="T-2"></a>**T-2** A table:

| a | b |
"""


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("**Locks.** A *lock* holds.", "Locks. A lock holds."),
        ("See [the page](docs/page.md#here).", "See the page."),
        ("`size`: `small`* | `large`.", "size: small, large."),
        ("on* | off", "on, off"),
        ("Written as `MV:*|?`.", "Written as MV:*|?."),
        ("2 x 3 is 6.", "2 x 3 is 6."),
    ],
)
def test_markdown_becomes_words(markdown: str, words: str) -> None:
    assert plain(markdown) == words


def test_a_rule_is_quoted_by_its_first_paragraph() -> None:
    received = {"T-1": "The first sentence. The second says more of it.", "T-2": "A table:"}
    assert rule_sentences(PAGE) == received


def test_of_a_long_paragraph_whole_sentences_are_quoted_and_at_least_one() -> None:
    first, second = "A" * 200 + ".", "B" * 200 + "."
    (received,) = rule_sentences(f'<a id="T-1"></a>**T-1** {first} {second}').values()
    assert received == first
    (long,) = rule_sentences(f'<a id="T-1"></a>**T-1** {"A" * MAX_SENTENCES}. B.').values()
    assert long == "A" * MAX_SENTENCES + "."


def test_a_heading_alone_tells_nothing() -> None:
    long = "B" * MAX_SENTENCES
    (sentence,) = rule_sentences(f'<a id="T-1"></a>**T-1** *A heading.* {long}. C.').values()
    assert sentence == f"A heading. {long}."
    (alone,) = rule_sentences('<a id="T-1"></a>**T-1** *All there is.*').values()
    assert alone == "All there is."


def test_a_sentence_ends_neither_before_a_bracket_nor_within_an_abbreviation() -> None:
    text = "A" * 290 + " (say ? if unseen) e.g. here (ruling)"
    (received,) = rule_sentences(f'<a id="T-1"></a>**T-1** {text}').values()
    assert received == text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games())
def test_no_text_of_a_game_has_markdown_in_it(game: str, language: str) -> None:
    texts = games()[game].facts.catalogue(language)
    assert len(texts) > 50
    assert {key: text for key, text in texts.items() if MARKDOWN.search(text)} == {}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games())
def test_every_rule_of_the_page_can_be_quoted(game: str, language: str) -> None:
    facts = games()[game].facts
    page, texts = facts.rules_page(language), facts.catalogue(language)
    # Anchors in small letters are where pictures of a page's beginning stand.
    anchors = re.findall(r'<a id="([A-Z][^"]+)"', page)
    assert anchors
    assert [rule for rule in anchors if rule not in rule_sentences(page) or not texts[f"rule.{rule}"]] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games())
def test_no_sentence_is_written_for_a_rule_that_the_page_says_as_well(game: str, language: str) -> None:
    facts = games()[game].facts
    said = {f"rule.{rule}": sentences for rule, sentences in rule_sentences(facts.rules_page(language)).items()}
    written = (facts.folder / "text" / f"{language}.json").read_text(encoding="utf-8")
    assert [key for key, sentences in said.items() if f'"{key}": "{sentences}"' in written] == []


def test_every_rule_that_is_named_is_on_a_rules_page() -> None:
    anchors = {rule for game in games().values() for rule in re.findall(r'<a id="([^"]+)"', game.facts.rules_page("en"))}
    named: dict[str, set[str]] = {}
    for folder, kinds in NAMING.items():
        for path in (path for kind in kinds for path in (ROOT / folder).rglob(f"*.{kind}")):
            for rule in RULE.findall(path.read_text(encoding="utf-8")):
                named.setdefault(rule, set()).add(path.name)
    assert len(named) > 350
    assert {rule: paths for rule, paths in named.items() if rule not in anchors} == {}
