"""An operator's words are found in whatever form they are written, and nothing else is."""

import pytest

from services.runtime import word_list
from services.runtime.word_list import Words

WORDS = Words(["# a comment", "", "Dummkopf", "silly goose", "straße", "café"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You DUMMKOPF!", "dummkopf"),
        ("dumm\u200bkopf", "dummkopf"),
        ("Ｄｕｍｍｋｏｐｆ", "dummkopf"),
        ("what a silly,  goose", "silly goose"),
        ("STRASSE", "strasse"),
        ("cafe\u0301 au lait", "café"),
        ("dummkopfs", ""),
        ("silly old goose", ""),
        ("# a comment", ""),
        ("", ""),
    ],
)
def test_whole_words_are_found_in_any_case_and_form(text: str, found: str) -> None:
    assert WORDS.found_in(text) == found


def test_a_list_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_list, "MAX_WORDS", 2)
    Words(["a", "# b", "", "c"])
    with pytest.raises(ValueError, match="3 entries"):
        Words(["a", "b", "c"])
