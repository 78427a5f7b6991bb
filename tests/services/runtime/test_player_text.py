"""Text players may write: real names in all scripts, and nothing that is invisible, turns the text around or piles up marks."""

import unicodedata

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2
from services.runtime.player_text import NAME_BYTES, TITLE_BYTES, clean_text, is_clean, shown_text
from services.runtime.refusal import Refused
from tests.night import examples

REAL = [
    *("Ada", "José", "Zoë", "Łukasz", "İpek", "O'Brien-Smith", "Nguyễn Thị Bưởi", "Ō-ḗ", "Tiếng Việt", "Ơ̆"),
    *("Ελένη", "Ольга", "Њорђе", "ქეთი", "Արամ", "Ѹ҃"),
    *("محمد", "صلى الله", "مُحَمَّدٌ", "علی‌رضا", "خانه‌ها", "اُردُو", "שלום", "שָׁלוֹם", "נִקּוּד", "ܣܘܪܝܝܐ", "ދިވެހި"),
    *("अनुष्का", "क्‍ष", "वाङ्‌मय", "ज़िंदगी", "বাংলা", "র‍্যাচেল", "ਗੁਰਪ੍ਰੀਤ", "ગુજરાતી", "ଓଡ଼ିଆ", "தமிழ்", "తెలుగు", "ಕನ್ನಡ", "മലയാളം", "ශ්‍රී"),
    *("สมชาย", "น้ำผึ้ง", "ລາວ", "မွှေး", "ကျွန်ုပ်", "ញ៉ាំ", "ស្ត្រី", "མཁྱེན་རྩེ", "བསྒྲུབས"),
    *("김철수", "ᄒᆞᆫ글", "山田太郎", "葛󠄀城", "ヴィクトール", "か゚", "王小明", "𠮷野", "ᠮᠣᠩᠭᠣᠯ", "ᠠ᠋ᠮᠠ"),
    *("አበበ", "ᏣᎳᎩ", "ⵜⴰⵎⴰⵣⵉⵖⵜ", "ߒߞߏ", "ꯃꯤꯇꯩ", "ᓄᓇᕗᑦ"),
    *("👩‍🚀 Ada", "👨‍👩‍👧‍👦", "❤️", "❤️‍🔥", "🏴‍☠️", "1️⃣ #⃣", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👍🏽", "🫶🏿", "☺︎", "™ x²", "-_-", "<b>x</b>", "♜"),
]
"""Names and words as people write them, with what their scripts need: joiners, marks, variation selectors."""

DECEIVING = {
    "a Hangul filler": "\u3164",
    "a halfwidth Hangul filler": "\uffa0",
    "a Hangul choseong filler": "\u115f",
    "an empty Braille pattern": "\u2800",
    "a mark alone": "\u0301",
    "a mark on a space": "a \u0301",
    "a line break": "a\nb",
    "a carriage return": "a\rb",
    "a line separator": "a\u2028b",
    "a tab": "a\tb",
    "a right-to-left override": "\u202eabc",
    "an isolate": "a\u2066b",
    "a right-to-left mark": "\u200fAda",
    "an Arabic letter mark": "\u061cab",
    "a space without width": "a\u200bb",
    "a soft hyphen": "a\u00adb",
    "a grapheme joiner": "a\u034fb",
    "a joiner between letters that do not join": "a\u200db",
    "a joiner after an emoji": "👩\u200d",
    "a joiner between an emoji and a letter": "👩\u200dx",
    "a variation selector after a letter": "a\ufe0f",
    "a tag": "a\U000e0041",
    "a flag with tags of no country": "🏴\U000e0061\U000e0062\U000e007f",
    "a vowel separator": "\u180e",
    "a note without a head": "\U0001d159",
    "a private character": "\ue000",
    "no character": "a\ufdd0",
    "four marks on a letter": "e\u0323\u0330\u0301\u0302",
    "the same mark twice": "e\u0323\u0323",
    "a control": "a\x00b",
    "a byte order mark": "\ufeff",
}


@pytest.mark.parametrize("name", REAL)
def test_a_name_as_people_write_it_is_good_and_stays_as_it_is(name: str) -> None:
    normal = unicodedata.normalize("NFC", name)
    assert clean_text(name, "name", TITLE_BYTES) == shown_text(name, TITLE_BYTES) == normal


@pytest.mark.parametrize("text", DECEIVING.values(), ids=DECEIVING)
def test_deceptive_text_is_refused_with_its_field(text: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_text(text, "title", TITLE_BYTES, may_be_empty=True)
    assert (refused.value.reason, refused.value.refusal.field) == (errors_pb2.REASON_MALFORMED, "title")


@pytest.mark.parametrize("text", DECEIVING.values(), ids=DECEIVING)
def test_text_written_before_is_shown_without_its_deceptive_parts(text: str) -> None:
    shown = shown_text(text, 200)
    assert is_clean(shown)
    assert set(shown) <= set(unicodedata.normalize("NFC", text)) | {" "} | set("ẹ̰́")


@pytest.mark.parametrize(
    ("text", "clean"),
    [(" Zoë ", "Zoë"), ("Zoe\u0308", "Zoë"), ("a   b", "a b"), ("山田\u3000太郎", "山田 太郎"), ("a\u00a0b", "a b")],
)
def test_a_line_is_trimmed_and_normal_with_single_spaces(text: str, clean: str) -> None:
    assert clean_text(text, "name", NAME_BYTES) == clean


@pytest.mark.parametrize("text", ["", "   ", "x" * 41, "é" * 21])
def test_empty_and_overlong_text_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_text(text, "name", NAME_BYTES)
    assert refused.value.refusal.field == "name"


def test_a_title_may_be_empty() -> None:
    assert clean_text("  ", "title", TITLE_BYTES, may_be_empty=True) == ""


def test_shown_text_is_cut_between_letters() -> None:
    assert shown_text("क़" * 20, 40) == unicodedata.normalize("NFC", "क़") * 6
    assert shown_text("👩‍🚀" * 5, 25) == "👩‍🚀" * 2
    assert shown_text("abc def", 4) == "abc"


_INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{C}]")
_CHARACTERS = st.characters() | st.sampled_from("\u200c\u200d\ufe0f\u0301\u0302\u094d 👩🚀क") | st.sampled_from("".join(REAL))


@given(st.text(_CHARACTERS, max_size=30))
@example("क\u094d\u200d\u200d")
@settings(max_examples=examples(1000))
def test_a_line_is_clean_or_refused_and_its_shown_form_is_clean(text: str) -> None:
    shown = shown_text(text, 200)
    assert is_clean(shown)
    assert shown_text(shown, 200) == shown
    try:
        line = clean_text(text, "name", 200)
    except Refused:
        return
    assert line == shown == clean_text(line, "name", 200) == unicodedata.normalize("NFC", line.strip())
    # what is invisible has something before it that it belongs to
    assert not any(_INVISIBLE.match(line[place]) and (place == 0 or line[place - 1] == " ") for place in range(len(line)))
    assert not regex.search(r"[\p{Mn}\p{Me}]{4}", unicodedata.normalize("NFD", line))
