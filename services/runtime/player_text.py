"""Texts that players write and others read (names, titles, labels, talk): one line each, and nothing in it that deceives.

Refused characters are invisible, change the direction of the text around them, or are no characters at all: controls, fillers,
private and unassigned code points. Joiners and variation selectors are part of how many people write, and are let through where
they do something: between letters that join and after a virama (RFC 5892, appendices A.1 and A.2; UAX 31, section 2.3), in emoji
(UTS 51) and after ideographs (UTS 37). Letters carry three nonspacing marks at most, none of them twice in a row (UTS 39, section
5.4).
"""

import itertools
import unicodedata
from collections.abc import Iterator
from typing import Final

import regex

from services.runtime.refusal import malformed

NAME_BYTES: Final = 40
"""The longest name of a player, a bot, a token, a passkey or a device, in UTF-8."""
TITLE_BYTES: Final = 80
"""The longest title of a table, a saved game or a tournament."""
TALK_BYTES: Final = 300
"""The longest line of talk, and what a club says of itself."""
MARKS: Final = 3
"""How many nonspacing marks a letter can carry: Hebrew and Vietnamese need as many."""

# Characters that are neither ignorable nor spaces by their properties, and are yet drawn as nothing: the empty Braille pattern, a
# note without a head, an empty Khitan letter and empty hieroglyphs.
_BLANK = "\u2800\U0001d159\U00016fe4\U00013441\U00013442"
_HIDDEN = rf"\p{{Default_Ignorable_Code_Point}}\p{{Bidi_Control}}\p{{C}}{_BLANK}"
_JOINER = r"""
    (?<= \p{ccc=Virama} ) [\u200c\u200d]                                        # forms of the letters on both sides
    | (?<= \p{L} ) \u200d (?= \p{ccc=Virama} )                                  # Bengali ra with ya: Rachel
    | (?<= [\p{jt=L}\p{jt=D}] \p{jt=T}* ) \u200c (?= \p{jt=T}* [\p{jt=R}\p{jt=D}] )  # Persian: two parts of a word
"""
_UNIT = regex.compile(
    rf"""
    \U0001f3f4 (?: \U000e0067\U000e0062 (?: \U000e0065\U000e006e\U000e0067      # flags of England,
        | \U000e0073\U000e0063\U000e0074 | \U000e0077\U000e006c\U000e0073 ) ) \U000e007f  # Scotland and Wales
    | [[\p{{Extended_Pictographic}}]--[{_HIDDEN}]] [\ufe0e\ufe0f\p{{Emoji_Modifier}}]?
        (?: \u200d \p{{Extended_Pictographic}} [\ufe0f\p{{Emoji_Modifier}}]? )*
    | [0-9#*] \ufe0f? \u20e3                                                    # keys
    | [\p{{Script=Han}}--\p{{M}}] [\ufe00-\ufe0f\U000e0100-\U000e01ef]?         # variants of ideographs
    | [\p{{Script=Mongolian}}--[{_HIDDEN}]] [\u180b-\u180d\u180f]?
    | [[\p{{L}}\p{{N}}\p{{P}}\p{{S}}]--[{_HIDDEN}]] (?: [\p{{M}}--[{_HIDDEN}]] | {_JOINER} )*
    """,
    regex.VERBOSE | regex.VERSION1,
)
"""The characters that are seen as one: a letter with its marks, an emoji with what belongs to it."""
_LINE = regex.compile(rf"(?: (?:{_UNIT.pattern}) | [ ] )*+", regex.VERBOSE | regex.VERSION1)
_STACKED = regex.compile(rf"((?: [\p{{Mn}}\p{{Me}}] \p{{Mc}}* ){{{MARKS}}}) (?: [\p{{Mn}}\p{{Me}}] \p{{Mc}}* )+", regex.VERBOSE)
_REPEATED = regex.compile(r"([\p{Mn}\p{Me}])\1+")


def clean_text(text: str, field: str, most_bytes: int, *, may_be_empty: bool = False) -> str:
    """Return a text in normal form (NFC), trimmed, with single spaces.

    Raises Refused (MALFORMED, with the field) if it is empty, longer than `most_bytes` in UTF-8, or has what is not allowed.
    """
    if not text and may_be_empty:
        return text
    line = _spaced(text)
    if not line and not may_be_empty:
        raise malformed(field, f"{field} is empty")
    if not is_clean(line):
        raise malformed(field, f"{field} has characters that cannot be shown in one line, or too many marks on one letter")
    if len(line.encode()) > most_bytes:
        raise malformed(field, f"{field} has {len(line.encode())} bytes, at most {most_bytes} are allowed")
    return line


def talk_text(text: str, field: str = "text", *, may_be_empty: bool = False) -> str:
    """Return a text as it is said: lines that were pasted become one. Raises Refused (MALFORMED) if it cannot be shown."""
    return clean_text(" ".join(text.split()), field, TALK_BYTES, may_be_empty=may_be_empty)


def shown_text(text: str, most_bytes: int) -> str:
    """Return a text from before these rules, or from elsewhere, without what they do not allow. Nothing may be left."""
    decomposed = _REPEATED.sub(r"\1", unicodedata.normalize("NFD", " ".join(text.split())))
    allowed = _spaced("".join(_units(unicodedata.normalize("NFC", _STACKED.sub(r"\1", decomposed)))))
    # the normal form may be longer than what was written, and a letter with its marks is not cut in two
    ends = itertools.accumulate(len(unit.encode()) for unit in _units(allowed))
    return "".join(unit for unit, end in zip(_units(allowed), ends, strict=True) if end <= most_bytes).strip(" ")


def is_clean(line: str) -> bool:
    """Return whether a line in normal form has nothing but what is allowed."""
    decomposed = unicodedata.normalize("NFD", line)
    return _LINE.fullmatch(line) is not None and not _STACKED.search(decomposed) and not _REPEATED.search(decomposed)


def _spaced(text: str) -> str:
    normal = unicodedata.normalize("NFC", text)
    return " ".join(regex.split(r"\p{Zs}+", normal)).strip(" ")


def _units(line: str) -> Iterator[str]:
    return (found.group() for found in regex.finditer(rf"(?: {_UNIT.pattern} ) | [ ]", line, regex.VERBOSE | regex.VERSION1))
