"""Which form of a text a number takes, by the rules of each language (CLDR)."""

from collections.abc import Mapping
from functools import cache

from babel import Locale


def form(texts: Mapping[str, str], language: str, key: str, count: int) -> str:
    """Return the text of a key for a number: the form of its category, or the one for all numbers.

    Raises KeyError for a key that there is not.
    """
    return texts.get(f"{key}.{category(language, count)}") or texts[key]


def category(language: str, count: int) -> str:
    """Return the category of a number in a language: zero, one, two, few, many or other."""
    return str(_locale(language).plural_form(count))


@cache  # of languages that there are
def _locale(language: str) -> Locale:
    return Locale.parse(language, sep="-")
