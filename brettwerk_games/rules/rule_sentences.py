"""A rules page's sentence on each rule: the sentences that players are shown when a rule refuses something."""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

MAX_SENTENCES = 320
"""How many characters of whole sentences are shown; who wants to know more opens the page at the rule."""

_RULE = re.compile(r'<a id="([^"]+)"></a>\*\*\1\*\*\s+(.+?)(?=\n\s*\n|\Z)', re.DOTALL)
_CODE = re.compile(r"(`[^`]*`)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_EMPHASIS = re.compile(r"(\*{1,2})(?=\S)(.+?)(?<=\S)\1")
_HEADING = re.compile(r"\*[^*]+[.:]\*")
"""The heading of some rules, which tells their subject and nothing else."""
_END = re.compile(r"[.!?][)“”\"]*(?=\s+[A-ZÄÖÜÀÂÇÉÈÊÎÔŒ„“«\"]|$)|$")
"""Where a sentence ends: no word with a small letter follows, and no bracket, which belongs to it."""


@lru_cache(maxsize=32)
def rule_sentences(page: str) -> Mapping[str, str]:
    """Return by rule the first sentences of its paragraph: as many as fit MAX_SENTENCES, at least one beside a heading."""
    return MappingProxyType({rule: _beginning(" ".join(text.split())) for rule, text in _RULE.findall(page)})


def plain(markdown: str) -> str:
    """Return one paragraph without Markdown. A star after an option's value marks the usual one and goes, bars become commas."""
    parts = _CODE.split(markdown)
    # Every second part is code, in which stars and bars are what they look like.
    return "".join(part[1:-1] if number % 2 else _words(part) for number, part in enumerate(parts))


def _words(text: str) -> str:
    without = _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", text))
    return without.replace("*", "").replace(" | ", ", ")


def _beginning(markdown: str) -> str:
    text = plain(markdown)
    heading = _HEADING.match(markdown)
    said = len(plain(heading[0])) if heading else 0
    ends = [found.end() for found in _END.finditer(text) if found.end() > said]
    fitting = [end for end in ends if end <= MAX_SENTENCES] or ends[:1] or [len(text)]
    return text[: fitting[-1]]
